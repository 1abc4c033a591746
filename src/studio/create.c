// create.c - the hub's first and last moments.
#include "studio/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MEMORY_MOST ((size_t)2 << 30) // bytes of all worlds: rows and key frames

static bool make_locks(hub *h)
{
    pthread_condattr_t attributes;
    return pthread_mutex_init(&h->lock, NULL) == 0 && pthread_condattr_init(&attributes) == 0 &&
           pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
           pthread_cond_init(&h->work, &attributes) == 0 &&
           pthread_cond_init(&h->asked, &attributes) == 0 && registry_begin(&h->names);
}

static bool take_options(hub *h, const mc_studio_options *options)
{
    h->options = *options;
    h->options.file = h->options.with = h->options.address = h->options.token = NULL;
    if (h->options.threads <= 0) { // all cores but one: pages and questions need one too
        const long cores = sysconf(_SC_NPROCESSORS_ONLN);
        h->options.threads = cores > 2 ? (int)cores - 1 : 1;
    }
    h->folders = calloc((size_t)options->folder_count + 1, sizeof *h->folders);
    for (int k = 0; h->folders && k < options->folder_count; k++)
        if (!(h->folders[k] = strdup(options->folders[k])))
            return false;
    h->options.folders = (const char *const *)h->folders;
    return h->folders;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool open_first(hub *h, const mc_studio_options *options, mc_error *error)
{
    if (!options->file) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the studio needs a file to open");
        return false;
    }
    opened *o = open_path(h, options->file, options->with, base_name(options->file), error);
    int number;
    return o && opened_install(h, o, &number, error);
}

hub *hub_create(const mc_studio_options *options, void (*wake)(void *context), void *context,
                mc_error *error)
{
    hub *h = calloc(1, sizeof *h);
    if (!h || !make_locks(h) || !take_options(h, options)) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the studio");
        free(h);
        return NULL;
    }
    json_object_seed(0);
    atomic_init(&h->memory_most, MEMORY_MOST);
    h->wake = wake;
    h->wake_context = context;
    snprintf(h->temporary, sizeof h->temporary, "/tmp/motorcade-studio-XXXXXX");
    if (!mkdtemp(h->temporary)) {
        h->temporary[0] = '\0';
        mc_error_set(error, MC_IO, NULL, 0, 0, "no folder for temporary files can be made in /tmp");
        hub_destroy(h);
        return NULL;
    }
    if (!open_first(h, options, error)) {
        hub_destroy(h);
        return NULL;
    }
    h->simulation_on = pthread_create(&h->simulation, NULL, simulate_thread, h) == 0;
    h->answers_on = pthread_create(&h->answers, NULL, answers_thread, h) == 0;
    if (h->simulation_on && h->answers_on)
        return h;
    mc_error_set(error, MC_IO, NULL, 0, 0, "the system gives no thread");
    hub_destroy(h);
    return NULL;
}

static void free_requests(request *r)
{
    while (r) {
        request *next = r->next;
        request_free(r);
        r = next;
    }
}

void hub_destroy(hub *h)
{
    if (!h)
        return;
    pthread_mutex_lock(&h->lock);
    h->quit = true;
    pthread_cond_broadcast(&h->work);
    pthread_cond_broadcast(&h->asked);
    pthread_mutex_unlock(&h->lock);
    if (h->simulation_on)
        pthread_join(h->simulation, NULL);
    if (h->answers_on)
        pthread_join(h->answers, NULL);
    sweep_end(h);
    free_requests(h->sim_first);
    free_requests(h->ask_first);
    free_requests(h->hello_first);
    world_remove_all(h);
    undo_clear(h);
    uploads_forget(h, NULL, INFINITY);
    free(h->uploads);
    if (h->temporary[0])
        rmdir(h->temporary);
    for (int k = 0; k < h->kept_count; k++)
        free(h->kept[k].place.ui);
    free(h->kept);
    free(h->drivers);
    for (int k = 0; k < h->options.folder_count; k++)
        free(h->folders[k]);
    free(h->folders);
    free(h->title);
    free(h->file);
    registry_end(&h->names);
    pthread_mutex_destroy(&h->lock);
    pthread_cond_destroy(&h->work);
    pthread_cond_destroy(&h->asked);
    free(h);
}

// ---- uploads ----

#define UPLOADS_MOST ((size_t)256 << 20) // bytes of all
enum { UPLOAD_COUNT_MOST = 64 };
#define UPLOAD_AGE 600.0 // s, after which one that nobody opened gives way to others

void uploads_forget(hub *h, const char *key, double before)
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
        uploads_forget(h, key, INFINITY);
    pthread_mutex_unlock(&h->lock);
    return found;
}

static mc_status enter_upload(hub *h, const upload *u, mc_error *error)
{
    mc_status status = MC_OK;
    pthread_mutex_lock(&h->lock);
    uploads_forget(h, NULL, u->came - UPLOAD_AGE);
    upload *grown = realloc(h->uploads, UPLOAD_COUNT_MOST * sizeof *grown);
    if (grown)
        h->uploads = grown;
    if (!grown)
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for an upload");
    else if (h->upload_count == UPLOAD_COUNT_MOST)
        status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                              "%d uploads wait to be opened already, which is the most",
                              UPLOAD_COUNT_MOST);
    else if (u->length > UPLOADS_MOST - h->upload_bytes)
        status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                              "uploads that wait to be opened have at most 256 MB together");
    if (status == MC_OK) {
        h->uploads[h->upload_count++] = *u;
        h->upload_bytes += u->length;
    }
    pthread_mutex_unlock(&h->lock);
    return status;
}

mc_status hub_upload(hub *h, const char *name, void *bytes, size_t length, char key[33],
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
