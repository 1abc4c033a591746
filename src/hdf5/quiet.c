// quiet.c - a listener on HDF5's stack of errors.
#include "hdf5/quiet.h"

#include <stdio.h>

// The innermost entry of the stack says most.
static herr_t note_entry(unsigned n, const H5E_error2_t *entry, void *context)
{
    hdf5_quiet *quiet = context;
    if (n == 0 && entry->desc)
        snprintf(quiet->reason, sizeof quiet->reason, "%s", entry->desc);
    return 0;
}

static herr_t note_failure(hid_t stack, void *context)
{
    hdf5_quiet *quiet = context;
    if (quiet->reason[0] == '\0') {
        snprintf(quiet->reason, sizeof quiet->reason, "HDF5 gives no reason");
        H5Ewalk2(stack, H5E_WALK_UPWARD, note_entry, quiet);
    }
    return 0;
}

void hdf5_quiet_begin(hdf5_quiet *quiet)
{
    quiet->reason[0] = '\0';
    H5Eget_auto2(H5E_DEFAULT, &quiet->printer, &quiet->printer_data);
    H5Eset_auto2(H5E_DEFAULT, note_failure, quiet);
}

void hdf5_quiet_end(const hdf5_quiet *quiet)
{
    H5Eset_auto2(H5E_DEFAULT, quiet->printer, quiet->printer_data);
}
