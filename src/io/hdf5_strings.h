// hdf5_strings.h - strings of HDF5 files, from attributes and datasets, never more than is allowed.
//
// Strings are of fixed or of variable length. Those of variable length stand elsewhere in the file,
// and many may share the same bytes: a file of 200 MB can ask for terabytes. So their length is
// known before anything is read.
#pragma once

#include "base/arena.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

enum { HDF5_TEXT_MOST = 64 << 20 }; // bytes of one attribute, or of one dataset of strings

// Bytes in the file, and the most that deflate can have made of a dataset.
double hdf5_file_bytes(hid_t object);
enum { HDF5_SHRINK_MOST = 1100 }; // deflate makes nothing smaller than 1/1032

// The strings of an attribute or a dataset of one string, or of an array of at most `limit`. NULL
// and *count 0 when it is something else, or when there is not so much in the file. *long_by: bytes
// that the strings of an attribute have, if that is more than HDF5_TEXT_MOST, else 0: NULL too.
const char **hdf5_strings(arena *memory, hid_t object, bool is_attribute, int64_t limit,
                          int64_t *count, double *long_by);

// Bytes of the strings of variable length of an attribute, their ends included; NAN: not known.
double hdf5_variable_bytes(hid_t attribute);
