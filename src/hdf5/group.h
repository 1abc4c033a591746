// group.h - the names in a group of an HDF5 file.
#pragma once

#include "hdf5/object.h"

// The links of a group in alphabetical order, in the arena. False: see f->reason.
bool hdf5_group_links(hdf5_file *f, arena *memory, const hdf5_object *group, hdf5_link **links,
                      int *count);

const hdf5_link *hdf5_group_find(const hdf5_link *links, int count, const char *name); // or NULL
