// object.h - groups and datasets of an HDF5 file: what their headers say.
//
// The HDF5 library crashes on files whose inner structure has wrong bits, and a results file may
// come from anyone. So results files are read by this code, which knows the part of the format that
// HDF5 writes unless it is asked for its latest: superblock 0 and 1, object headers of version 1,
// groups by symbol tables or by links in the header, numbers and strings, values in the header, in
// one piece or in chunks that may be shuffled and deflated. The numbers of sections below are those
// of the "HDF5 File Format Specification Version 3.0".
//
// Everything is checked as it is read (bytes.h): no file can crash it, hang it, or make it
// take more memory than HDF5_BUDGET. What it does not know it names and rejects.
#pragma once

#include "hdf5/bytes.h"

typedef enum hdf5_class { // of values
    HDF5_OTHER,
    HDF5_INTEGER,
    HDF5_FLOAT,   // IEEE, 4 or 8 bytes
    HDF5_STRING,  // of fixed length: size bytes
    HDF5_VARIABLE // a string that stands in a heap: its length, address and number
} hdf5_class;

typedef struct hdf5_type {
    hdf5_class class;
    uint32_t size; // bytes of one value in the file, at least 1
    bool big_endian, is_signed;
} hdf5_type;

enum { HDF5_RANK_MAX = 3 };

typedef struct hdf5_space {
    int rank;                      // 0: one value; -1: more than HDF5_RANK_MAX, or none
    uint64_t shape[HDF5_RANK_MAX]; // the rest is 1
    uint64_t count;                // their product, at most INT64_MAX
} hdf5_space;

typedef struct hdf5_attribute {
    const char *name;
    hdf5_type type;
    hdf5_space space;
    const unsigned char *data; // all values: space.count times type.size bytes
} hdf5_attribute;

typedef struct hdf5_link {
    const char *name;
    bool elsewhere;   // a link to another place or file, which is never followed
    uint64_t address; // of the object's header
} hdf5_link;

typedef enum hdf5_layout { // where the values of a dataset are
    HDF5_NO_DATA,          // not a dataset
    HDF5_COMPACT,
    HDF5_CONTIGUOUS,
    HDF5_CHUNKED,
    HDF5_EXTERNAL,     // in other files
    HDF5_VIRTUAL,      // in other datasets
    HDF5_LATER_LAYOUT, // of a version of the format that is not known here
} hdf5_layout;

enum { HDF5_FILTERS_MAX = 2 };
typedef enum hdf5_filter { HDF5_DEFLATE = 1, HDF5_SHUFFLE = 2 } hdf5_filter;

typedef struct hdf5_object {
    hdf5_attribute *attributes;
    int attribute_count;
    hdf5_layout layout;
    hdf5_type type;                // of a dataset, as the rest
    hdf5_space space;              //
    uint64_t address, size;        // contiguous: the values; chunked: the tree, compact: -, size
    const unsigned char *compact;  // the values
    uint64_t chunk[HDF5_RANK_MAX]; // shape of a chunk; the rest is 1
    hdf5_filter filters[HDF5_FILTERS_MAX]; // in the order of writing
    int filter_count;
    bool unknown_filter;
    hdf5_link *links; // of a group whose header holds them
    int link_count;
    uint64_t tree, heap; // of a group with a symbol table, or HDF5_NOWHERE
} hdf5_object;

// The address of the root's header. False: the file is not HDF5 (*is_hdf5), or see f->reason.
bool hdf5_object_root(hdf5_file *f, bool *is_hdf5, uint64_t *address);

// The object whose header is at the address; what it points to lives in the arena. False: see
// f->reason.
bool hdf5_object_read(hdf5_file *f, arena *memory, uint64_t address, hdf5_object *out);

const hdf5_attribute *hdf5_object_attribute(const hdf5_object *object, const char *name); // or NULL
