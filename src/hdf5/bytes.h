// bytes.h - the bytes of an HDF5 file, read within bounds.
//
// The lowest layer of a reader of HDF5 that trusts nothing (hdf5/object.h): every read names an
// address and a length, and is checked against the size of the file and against a budget before
// anything is allocated. Whatever is wrong ends in one place, `reason`; the first one stays.
//
// The budget bounds what one file can cost, whatever its structures say: they may share bytes,
// point at each other, or claim any size. Rows of tables are not counted, because the caller of
// hdf5_table_read bounds those.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"

#include <stdbool.h>
#include <stdint.h>

#define HDF5_NOWHERE UINT64_MAX // an address that says "none"

enum {
    HDF5_BUDGET = 160 << 20,   // bytes of structures and texts read from one file
    HDF5_BLOCK_MAX = 64 << 20, // bytes of one structure, one chunk, or all texts of one object
};

typedef struct hdf5_file {
    int fd;
    uint64_t size;      // bytes
    uint64_t budget;    // what is left of it
    const char *reason; // why the file cannot be read, NULL while nothing is wrong
    bool out_of_memory; // then reason says so too
    bool foreign;       // not damaged: HDF5 that is not known here
} hdf5_file;

// Opens the file for reading: a plain file that is not empty. It must be closed.
mc_status hdf5_bytes_open(hdf5_file *f, const char *path, mc_error *error);
void hdf5_bytes_close(hdf5_file *f);

bool hdf5_wrong(hdf5_file *f, const char *reason);   // notes it; false, so that it can be returned
bool hdf5_foreign(hdf5_file *f, const char *reason); // the same for what is not known here

// Copies size bytes at an address. Not counted: for rows, and for sizes the caller has bounded.
bool hdf5_bytes_copy(hdf5_file *f, uint64_t address, uint64_t size, void *out);

// The same into new memory of the arena, counted; NULL: see reason. At most HDF5_BLOCK_MAX.
unsigned char *hdf5_bytes_take(hdf5_file *f, arena *memory, uint64_t address, uint64_t size);

bool hdf5_bytes_spend(hdf5_file *f, uint64_t size); // counts work or memory that a file asks for
void *hdf5_memory(hdf5_file *f, arena *memory, uint64_t size); // zeroed, counted; NULL: see reason

// Reads small numbers, the least byte first, from bytes in memory. Past the end: 0, and failed.
typedef struct hdf5_cursor {
    const unsigned char *at, *end;
    bool failed;
} hdf5_cursor;

uint64_t hdf5_number(hdf5_cursor *c, int bytes);                // 1 .. 8
const unsigned char *hdf5_skip(hdf5_cursor *c, uint64_t bytes); // what was skipped; NULL: failed
