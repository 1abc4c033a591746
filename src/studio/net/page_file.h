// page_file.h - the files of the page: those embedded in the program, or those of a folder.
//
// cmake/embed.cmake puts web/dist into the program. Only embedded names exist: a path is compared,
// never opened. With a folder (`--page`, for page developers) a path of plain names is read from it
// at every request.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct page_file {
    const char *path; // as asked for: "/app.js"
    const uint8_t *bytes;
    size_t length;
    const uint8_t *gzip; // the same compressed; NULL: not there
    size_t gzip_length;
    const char *etag; // changes when the bytes do
} page_file;

// Made by cmake/embed.cmake.
extern const page_file page_files[];
extern const int page_file_count;

const page_file *page_file_find(const char *path); // NULL: no such file. "/" is /index.html
const char *page_file_type(const char *path);      // its Content-Type

// Reads a file of the folder: *bytes is freed by the caller. False: there is none of that name.
bool page_file_read(const char *folder, const char *path, uint8_t **bytes, size_t *length);
mc_status page_file_check_folder(const char *folder, mc_error *error); // has an index.html
