// hub.c - creation and destruction of the hub.
#include "motorcade/concept_live.h"
#include "studio/hub/hub.h"

#include "base/assert.h"
#include "studio/hub/answers.h"
#include "studio/hub/branch_list.h"
#include "studio/hub/inside.h"
#include "studio/hub/intake.h"
#include "studio/hub/mail.h"
#include "studio/hub/open.h"
#include "studio/hub/queue.h"
#include "studio/history/registry.h"
#include "studio/hub/simulate.h"
#include "studio/hub/sweep.h"
#include "studio/hub/undo.h"
#include "studio/hub/upload.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

double hub_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void hub_key(char key[33])
{
    unsigned char bytes[16];
    for (size_t got = 0; got < sizeof bytes;) {
        const ssize_t n = getrandom(bytes + got, sizeof bytes - got, 0);
        mc_assert(n > 0 || errno == EINTR); // 16 bytes are always there once the system is up
        got += n > 0 ? (size_t)n : 0;
    }
    for (int k = 0; k < 16; k++)
        snprintf(key + 2 * k, 3, "%02x", bytes[k]);
}

void hub_stir(hub *h, stir_what what)
{
    h->stirred |= what;
    pthread_cond_signal(&h->work);
}

// ---- the start ----

#define MAX_MEMORY ((size_t)2 << 30) // bytes of all branches: rows and key frames

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

hub *hub_create(const mc_studio_options *options, const request_table *requests,
                void (*wake)(void *context), void *context, mc_error *error)
{
    hub *h = calloc(1, sizeof *h);
    if (!h || !make_locks(h) || !take_options(h, options)) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the studio");
        free(h);
        return NULL;
    }
    json_object_seed(0);
    atomic_init(&h->max_memory, MAX_MEMORY);
    h->requests = requests;
    h->wake = wake;
    h->wake_context = context;
    snprintf(h->temporary, sizeof h->temporary, "/tmp/motorcade-studio-XXXXXX");
    if (!mkdtemp(h->temporary)) {
        h->temporary[0] = '\0';
        mc_error_set(error, MC_IO, NULL, 0, 0,
                     "cannot create a folder for temporary files in /tmp");
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
    mc_error_set(error, MC_IO, NULL, 0, 0, "cannot start a thread");
    hub_destroy(h);
    return NULL;
}

// ---- the hub as a service ----

static hub_page *join(void *context, bool read_only)
{
    return page_join(context, read_only);
}

static service_message *next(hub_page *page)
{
    message *m = mail_next(page);
    return m ? &m->out : NULL;
}

static void release(service_message *m)
{
    message_drop((message *)m);
}

static mc_status upload_bytes(void *context, const char *name, void *bytes, size_t length,
                              char key[33], mc_error *error)
{
    return upload_add(context, name, bytes, length, key, error);
}

service hub_service(hub *h)
{
    return (service){.context = h,
                     .join = join,
                     .leave = page_leave,
                     .take = intake_take,
                     .next = next,
                     .release = release,
                     .closing = page_closing,
                     .upload = upload_bytes};
}

// ---- the end ----

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
    mc_concept_live_free(h->concept);
    sweep_end(h);
    queue_free(h);
    branch_list_clear(h);
    undo_clear(h);
    upload_forget(h, NULL, INFINITY);
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
