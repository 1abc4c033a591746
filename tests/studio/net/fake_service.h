// fake_service.h - a service without simulations, for tests of the network.
//
// A page's text is a command: "echo TEXT" sends TEXT back, "binary N" a binary message of N bytes,
// "frames N K" lets a thread send N shared messages of K bytes to all pages, "reject" asks for the
// page to be closed, "full" says at the next poll that it must be closed. What has "question" in it
// is answered with done, "objection" with a rejection, both with id 2. Anything else: "got N", its
// length.
#pragma once

#include "base/assert.h"
#include "studio/net/service.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAKE_QUEUE = 64, FAKE_PAGES = 512 };

typedef struct fake fake;

typedef struct fake_message {
    service_message message;
    fake *fake;
    atomic_int users;
    uint8_t bytes[];
} fake_message;

struct service_page {
    fake *fake;
    fake_message *queue[FAKE_QUEUE];
    int first, count;
    const char *closing;
};

struct fake {
    void (*wake)(void *context);
    void *context;
    pthread_mutex_t lock;
    service_page *pages[FAKE_PAGES];
    int page_count;
    size_t upload_bytes;
    char upload_name[256];
    pthread_t thread;
    bool has_thread;
    int frames, frame_bytes;
    bool may_start; // threads
    atomic_int joined, lookers, left, taken, dropped;
    atomic_int alive; // messages not released
};

static fake_message *fake_make(fake *h, bool binary, const void *bytes, size_t length)
{
    fake_message *m = malloc(sizeof *m + SERVICE_HEADROOM + length + 1);
    mc_assert(m);
    m->message = (service_message){binary, length, m->bytes + SERVICE_HEADROOM};
    m->fake = h;
    atomic_init(&m->users, 1);
    if (bytes)
        memcpy(m->message.bytes, bytes, length);
    else
        for (size_t i = 0; i < length; i++)
            m->message.bytes[i] = (uint8_t)(i * 7);
    atomic_fetch_add(&h->alive, 1);
    return m;
}

static void fake_drop(fake_message *m)
{
    if (atomic_fetch_sub(&m->users, 1) == 1) {
        atomic_fetch_sub(&m->fake->alive, 1);
        free(m);
    }
}

// With the lock held.
static void fake_queue(service_page *page, fake_message *m)
{
    if (page->count == FAKE_QUEUE) {
        atomic_fetch_add(&page->fake->dropped, 1);
        return;
    }
    atomic_fetch_add(&m->users, 1);
    page->queue[(page->first + page->count++) % FAKE_QUEUE] = m;
}

static void *fake_frames(void *context)
{
    fake *h = context;
    for (int i = 0; i < h->frames; i++) {
        fake_message *m = fake_make(h, true, NULL, (size_t)h->frame_bytes);
        pthread_mutex_lock(&h->lock);
        for (int k = 0; k < h->page_count; k++)
            fake_queue(h->pages[k], m);
        pthread_mutex_unlock(&h->lock);
        fake_drop(m);
        h->wake(h->context);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return NULL;
}

static void fake_no_wake(void *context)
{
    (void)context;
}

// wake NULL: it starts no thread.
static fake *fake_create(void (*wake)(void *context), void *context)
{
    fake *h = calloc(1, sizeof *h);
    mc_assert(h);
    h->wake = wake ? wake : fake_no_wake;
    h->context = context;
    h->may_start = wake != NULL;
    pthread_mutex_init(&h->lock, NULL);
    return h;
}

static void fake_destroy(fake *h)
{
    if (h->has_thread)
        pthread_join(h->thread, NULL);
    mc_assert(h->page_count == 0);
    mc_assert(atomic_load(&h->alive) == 0);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

static service_page *fake_join(void *context, bool read_only)
{
    fake *h = context;
    service_page *page = calloc(1, sizeof *page);
    mc_assert(page);
    page->fake = h;
    atomic_fetch_add(&h->lookers, read_only);
    pthread_mutex_lock(&h->lock);
    mc_assert(h->page_count < FAKE_PAGES);
    h->pages[h->page_count++] = page;
    pthread_mutex_unlock(&h->lock);
    atomic_fetch_add(&h->joined, 1);
    return page;
}

static void fake_leave(service_page *page)
{
    fake *h = page->fake;
    pthread_mutex_lock(&h->lock);
    for (int k = 0; k < h->page_count; k++)
        if (h->pages[k] == page)
            h->pages[k] = h->pages[--h->page_count];
    pthread_mutex_unlock(&h->lock);
    for (; page->count > 0; page->count--, page->first++)
        fake_drop(page->queue[page->first % FAKE_QUEUE]);
    free(page);
    atomic_fetch_add(&h->left, 1);
}

static void fake_answer(service_page *page, bool binary, const void *bytes, size_t length)
{
    fake_message *m = fake_make(page->fake, binary, bytes, length);
    pthread_mutex_lock(&page->fake->lock);
    fake_queue(page, m);
    pthread_mutex_unlock(&page->fake->lock);
    fake_drop(m);
}

static bool fake_take(service_page *page, const char *text, size_t length)
{
    fake *h = page->fake;
    int n = 0, k = 0;
    mc_assert(text[length] == '\0');
    atomic_fetch_add(&h->taken, 1);
    if (strncmp(text, "echo ", 5) == 0) {
        fake_answer(page, false, text + 5, length - 5);
    } else if (sscanf(text, "binary %d", &n) == 1 && n >= 0 && n <= 1 << 24) {
        fake_answer(page, true, NULL, (size_t)n);
    } else if (sscanf(text, "frames %d %d", &n, &k) == 2 && h->may_start && !h->has_thread) {
        h->frames = n;
        h->frame_bytes = k;
        h->has_thread = pthread_create(&h->thread, NULL, fake_frames, h) == 0;
    } else if (strstr(text, "question")) {
        static const char done[] = "{\"id\": 2, \"kind\": \"done\", \"value\": 7}";
        fake_answer(page, false, done, sizeof done - 1);
        h->wake(h->context);
    } else if (strstr(text, "objection")) {
        static const char no[] = "{\"id\": 2, \"kind\": \"refused\", \"reason\": \"not so\"}";
        fake_answer(page, false, no, sizeof no - 1);
        h->wake(h->context);
    } else if (strcmp(text, "reject") == 0) {
        page->closing = "too many requests";
        return false;
    } else if (strcmp(text, "full") == 0) {
        page->closing = "16 MB wait \"unread\"";
    } else {
        char answer[40];
        fake_answer(page, false, answer,
                    (size_t)snprintf(answer, sizeof answer, "got %zu", length));
    }
    return true;
}

static service_message *fake_next(service_page *page)
{
    fake *h = page->fake;
    fake_message *m = NULL;
    pthread_mutex_lock(&h->lock);
    if (page->count > 0) {
        m = page->queue[page->first % FAKE_QUEUE];
        page->first = (page->first + 1) % FAKE_QUEUE;
        page->count--;
    }
    pthread_mutex_unlock(&h->lock);
    return m ? &m->message : NULL;
}

static void fake_release(service_message *message)
{
    fake_drop((fake_message *)message);
}

static const char *fake_closing(const service_page *page)
{
    return page->closing;
}

static mc_status fake_upload(void *context, const char *name, void *bytes, size_t length,
                             char key[33], mc_error *error)
{
    fake *h = context;
    if (length == 13) {
        free(bytes);
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "13 bytes are unlucky");
    }
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++)
        sum = sum * 31 + ((const uint8_t *)bytes)[i];
    free(bytes);
    h->upload_bytes = length;
    snprintf(h->upload_name, sizeof h->upload_name, "%s", name);
    snprintf(key, 33, "%08x%024zu", sum, length);
    return MC_OK;
}

static service fake_service(fake *h)
{
    return (service){.context = h,
                     .join = fake_join,
                     .leave = fake_leave,
                     .take = fake_take,
                     .next = fake_next,
                     .release = fake_release,
                     .closing = fake_closing,
                     .upload = fake_upload};
}
