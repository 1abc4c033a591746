// upload.h - uploaded files that wait to be opened.
//
// They stay in memory: the thread that opens one writes the file. At most 64 of 256 MB together
// wait; they go when the last page leaves, or after ten minutes.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct hub hub;

typedef struct upload {
    char key[33], name[256];
    void *bytes; // owned
    size_t length;
    double came; // s of the clock
} upload;

// Bytes from malloc, taken whatever is answered; *key (33 bytes) names them in `open`, which
// removes them. Locks; of the transport thread.
mc_status upload_add(hub *h, const char *name, void *bytes, size_t length, char key[33],
                     mc_error *error);
// Takes an upload out of the list; the bytes are the caller's. False: there is none. Locks.
bool upload_take(hub *h, const char *key, upload *out);
// Removes the upload of that key (NULL: all) that came before an instant of the clock; under
// hub.lock.
void upload_forget(hub *h, const char *key, double before);
