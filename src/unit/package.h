// package.h - an .fmu file in memory: checked when it is opened, unpacked when it is first run.
//
// Nothing of the unit runs in this process; unit.h starts it in another one.
#pragma once

#include "unit/description.h"

typedef struct unit_package unit_package;

// bytes are read until it is unpacked; path: for messages and as its name. NULL: see *error.
unit_package *unit_package_open(const void *bytes, size_t size, const char *path, mc_error *error);
unit_package *unit_package_share(unit_package *p); // for another owner, who closes it too
// The last owner removes what was unpacked. NULL is allowed.
void unit_package_close(unit_package *p);

const unit_description *unit_package_description(const unit_package *p);
const char *unit_package_name(const unit_package *p); // of the file, without its folder

// The folder it is unpacked to, and its binary there. Any thread may ask.
mc_status unit_package_unpack(unit_package *p, const char **folder, const char **library,
                              mc_error *error);
