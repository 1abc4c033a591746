// quiet.h - HDF5's failures noted instead of printed.
//
// HDF5 prints its failures unless they are handled:
//
//     hdf5_quiet quiet;
//     hdf5_quiet_begin(&quiet);
//     ...
//     hdf5_quiet_end(&quiet);
//     if (quiet.reason[0] != '\0') ... // the first failure
//
// It must not be moved between begin and end. Disk errors are not among the failures (disk.h).
#pragma once

#include <hdf5.h>

typedef struct hdf5_quiet {
    H5E_auto2_t printer; // what was there before
    void *printer_data;
    char reason[256]; // the innermost of the first failure; "": none
} hdf5_quiet;

void hdf5_quiet_begin(hdf5_quiet *quiet);
void hdf5_quiet_end(const hdf5_quiet *quiet);
