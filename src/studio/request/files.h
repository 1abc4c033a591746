// files.h - the folders given at start, which pages may open files of; any thread.
#pragma once

#include "studio/hub/inside.h"

enum { FILES_PATH_SIZE = 4096 };

// The path of a file named by a page, FOLDER/FILE or FILE; false: it is in none of the folders.
bool files_path(const hub *h, const char *file, char out[FILES_PATH_SIZE]);
const char *files_name(const char *path); // what follows the last folder
