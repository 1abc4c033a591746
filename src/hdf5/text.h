// text.h - strings of attributes and datasets of an HDF5 file.
//
// Strings of fixed length stand where the values stand. Those of variable length, which Motorcade
// wrote up to version 0.1, stand in heaps anywhere in the file, and many may share the same bytes:
// a file of 200 MB can ask for terabytes. So the lengths are added up before anything is read, and
// every reference into a heap is checked.
#pragma once

#include "hdf5/table.h"

enum { HDF5_TEXT_MAX = 64 << 20 }; // bytes of the strings of one attribute or dataset

typedef struct hdf5_texts {
    const char **words; // NULL: not strings, too many, too long, or damaged
    int64_t count;
    uint64_t too_long; // bytes, if that is more than HDF5_TEXT_MAX, else 0
} hdf5_texts;

// At most `limit` strings, in the arena. False only where the file is damaged: see f->reason.
bool hdf5_text_attribute(hdf5_file *f, arena *memory, const hdf5_attribute *attribute,
                         int64_t limit, hdf5_texts *out);
bool hdf5_text_dataset(hdf5_file *f, arena *memory, const hdf5_object *object, int64_t limit,
                       hdf5_texts *out);
