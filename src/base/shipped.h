// shipped.h - files that come with the program: scenarios, models, schema.
//
// They are found from where the program or the shared library is, so that what was installed may be
// moved; then in the source tree it was built from, then where the build was to be installed.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Path of such a file or folder, for example "scenarios/hill.yaml". False: not found, or too long.
bool shipped_path(const char *name, char *path, size_t size);
