// disk.h - an HDF5 file driver that never tells HDF5 of a failed write.
//
// HDF5 does not survive a full disk: what it cannot flush it cannot close, the file stays open, and
// its clean-up at the exit of the program crashes (seen with 1.10.8). This driver writes to a
// descriptor of the caller's; the first write that fails is noted, later ones are dropped, and HDF5
// is told that all went well. It closes everything in order, and the caller, who looks at failure
// then, throws the file away.
//
//     hdf5_disk disk = {.fd = fd};
//     const hid_t access = hdf5_disk_access(&disk);
//     const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access); // path: for messages
//     ...
//     H5Fclose(file);
//     hdf5_disk_end(&disk, access);
//     if (disk.failure != 0) ... strerror(disk.failure)
//
// The file is the same as that of HDF5's own driver, and is read with that one.
#pragma once

#include <hdf5.h>

typedef struct hdf5_disk {
    int fd;       // open for reading and writing; stays the caller's
    int failure;  // errno of the first write that failed, or 0
    hid_t driver; // HDF5's number of this driver
} hdf5_disk;

hid_t hdf5_disk_access(hdf5_disk *disk); // a file access list; negative on failure
void hdf5_disk_end(hdf5_disk *disk, hid_t access);
