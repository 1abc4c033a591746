// table.h - the values of a dataset of an HDF5 file, any part of them.
//
// A dataset of up to three dimensions is a table [row][middle][column]; with two dimensions there
// is one in the middle, with one there is one column too. Chunks are known by an index that is
// made, and checked, when the table is opened: every chunk once, within the file, none missing.
#pragma once

#include "hdf5/object.h"

enum { HDF5_CHUNKS_KEPT = 4 }; // unpacked chunks, so that rows next to each other cost one

typedef struct hdf5_chunk {
    uint64_t address; // HDF5_NOWHERE: none
    uint32_t size;    // bytes in the file
    uint32_t skipped; // bit i: filter i was not used
} hdf5_chunk;

typedef struct hdf5_table {
    hdf5_file *file;
    hdf5_layout layout;
    hdf5_type type;
    uint64_t shape[3];
    uint64_t chunk[3];  // also of values in one piece, which are read by such blocks
    uint64_t chunks[3]; // their numbers
    uint64_t chunk_bytes;
    uint64_t address;
    const unsigned char *compact; // the caller's: the object's memory must outlive the table
    hdf5_filter filters[HDF5_FILTERS_MAX];
    int filter_count;
    uint64_t stored;   // bytes of values in the file
    hdf5_chunk *index; // NULL: not chunked, or some are missing
    unsigned char *packed;
    uint64_t packed_room;
    unsigned char *kept[HDF5_CHUNKS_KEPT];
    uint64_t kept_number[HDF5_CHUNKS_KEPT];
} hdf5_table;

// Prepares reading. False: see file->reason. It must be closed, also then.
bool hdf5_table_open(hdf5_table *t, hdf5_file *file, const hdf5_object *object);
void hdf5_table_close(hdf5_table *t);

bool hdf5_table_whole(const hdf5_table *t); // all its values are in the file

typedef struct hdf5_part {
    uint64_t row, row_count, row_stride;
    uint64_t middle, middle_count;
    uint64_t column, column_count;
} hdf5_part;

// Numbers as doubles, out[row][middle][column]. False: see file->reason.
bool hdf5_table_read(hdf5_table *t, const hdf5_part *part, double *out);

// Values of any type as they stand in the file, type.size bytes each.
bool hdf5_table_raw(hdf5_table *t, const hdf5_part *part, unsigned char *out);

double hdf5_value(const hdf5_type *type, const unsigned char *from); // one number
