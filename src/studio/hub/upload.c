// upload.c - a list of bytes under keys.
#include "studio/hub/upload.h"

#include "studio/hub/inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UPLOADS_MAX ((size_t)256 << 20) // bytes of all
enum { UPLOAD_COUNT_MAX = 64 };
#define UPLOAD_AGE 600.0 // s, after which an unopened one makes room for others

void upload_forget(hub *h, const char *key, double before)
{
    int kept = 0;
    for (int k = 0; k < h->upload_count; k++) {
        const upload *u = &h->uploads[k];
        if ((!key || strcmp(u->key, key) == 0) && u->came < before) {
            free(u->bytes);
            h->upload_bytes -= u->length;
        } else {
            h->uploads[kept++] = *u;
        }
    }
    h->upload_count = kept;
}

bool upload_take(hub *h, const char *key, upload *out)
{
    bool found = false;
    pthread_mutex_lock(&h->lock);
    for (int k = 0; k < h->upload_count && !found; k++)
        if ((found = strcmp(h->uploads[k].key, key) == 0)) {
            *out = h->uploads[k];
            h->uploads[k].bytes = NULL; // it is forgotten without them
        }
    if (found)
        upload_forget(h, key, INFINITY);
    pthread_mutex_unlock(&h->lock);
    return found;
}

static mc_status enter_upload(hub *h, const upload *u, mc_error *error)
{
    mc_status status = MC_OK;
    pthread_mutex_lock(&h->lock);
    upload_forget(h, NULL, u->came - UPLOAD_AGE);
    upload *grown = realloc(h->uploads, UPLOAD_COUNT_MAX * sizeof *grown);
    if (grown)
        h->uploads = grown;
    if (!grown)
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for an upload");
    else if (h->upload_count == UPLOAD_COUNT_MAX)
        status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                              "%d uploads are already waiting to be opened, the maximum",
                              UPLOAD_COUNT_MAX);
    else if (u->length > UPLOADS_MAX - h->upload_bytes)
        status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                              "uploads waiting to be opened may have at most 256 MB together");
    if (status == MC_OK) {
        h->uploads[h->upload_count++] = *u;
        h->upload_bytes += u->length;
    }
    pthread_mutex_unlock(&h->lock);
    return status;
}

mc_status upload_add(hub *h, const char *name, void *bytes, size_t length, char key[33],
                     mc_error *error)
{
    mc_status status = MC_OK;
    upload u = {.bytes = bytes, .length = length, .came = hub_now()};
    if (strlen(name) >= sizeof u.name || strchr(name, '/') || !name[0])
        status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%.60s\" is no file name", name);
    else if (length == 0)
        status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%.60s\" is empty", name);
    if (status == MC_OK) {
        hub_key(u.key);
        snprintf(u.name, sizeof u.name, "%s", name);
        status = enter_upload(h, &u, error);
    }
    if (status == MC_OK)
        memcpy(key, u.key, 33);
    else
        free(bytes);
    return status;
}
