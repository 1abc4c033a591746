// hub.c - pages, their queues, and the threads behind them.
#include "studio/parts.h"

#include "base/assert.h"

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

// ---- messages ----

message *message_text(json_t *json)
{
    message *m = NULL;
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(12);
    const size_t length = json ? json_dumpb(json, NULL, 0, flags) : 0;
    uint8_t *bytes = length ? malloc(HUB_HEADROOM + length) : NULL;
    if (bytes && (m = calloc(1, sizeof *m))) {
        json_dumpb(json, (char *)bytes + HUB_HEADROOM, length, flags);
        m->out = (hub_message){.length = length, .bytes = bytes + HUB_HEADROOM};
        atomic_init(&m->refs, 1);
    } else {
        free(bytes);
    }
    json_decref(json);
    return m;
}

message *message_copy(const void *text, size_t length)
{
    message *m = NULL;
    uint8_t *copy = malloc(HUB_HEADROOM + length);
    if (copy && (m = calloc(1, sizeof *m))) {
        memcpy(copy + HUB_HEADROOM, text, length);
        m->out = (hub_message){.length = length, .bytes = copy + HUB_HEADROOM};
        atomic_init(&m->refs, 1);
    } else {
        free(copy);
    }
    return m;
}

message *message_frames(frame_buffer *buffer)
{
    message *m = buffer->data ? calloc(1, sizeof *m) : NULL;
    if (m) {
        m->out = (hub_message){true, buffer->size, buffer->data + HUB_HEADROOM};
        atomic_init(&m->refs, 1);
    } else {
        free(buffer->data);
    }
    *buffer = (frame_buffer){0};
    return m;
}

message *message_hold(message *m)
{
    atomic_fetch_add(&m->refs, 1);
    return m;
}

void hub_release(hub_message *out)
{
    message *m = (message *)out;
    if (!m || atomic_fetch_sub(&m->refs, 1) > 1)
        return;
    free(m->out.bytes - HUB_HEADROOM);
    free(m);
}

// ---- queues of pages ----

void hub_stir(hub *h, stir_what what)
{
    h->stirred |= what;
    pthread_cond_signal(&h->work);
}

void hub_wake_pages(hub *h)
{
    h->wake(h->wake_context);
}

// Under the lock. Takes the message.
static void enqueue(hub_page *page, message *m)
{
    queued *q = page->gone || page->closing ? NULL : malloc(sizeof *q);
    if (!q) {
        hub_release(&m->out);
        return;
    }
    *q = (queued){NULL, m};
    *(page->last ? &page->last->next : &page->first) = q;
    page->last = q;
    page->waiting += m->out.length;
    if (page->waiting > PAGE_QUEUE_MOST)
        page->closing = "the page does not read: 16 MB wait for it";
}

void hub_send(hub_page *page, message *m)
{
    hub *h = page->h;
    pthread_mutex_lock(&h->lock);
    enqueue(page, m);
    pthread_mutex_unlock(&h->lock);
    hub_wake_pages(h);
}

void hub_broadcast(hub *h, message *m, const hub_page *except)
{
    if (!m)
        return;
    pthread_mutex_lock(&h->lock);
    for (hub_page *p = h->pages; p; p = p->next)
        if (p->greeted && p != except)
            enqueue(p, message_hold(m));
    pthread_mutex_unlock(&h->lock);
    hub_release(&m->out);
    hub_wake_pages(h);
}

void hub_tell_followers(hub *h, int page, message *m)
{
    if (!m)
        return;
    pthread_mutex_lock(&h->lock);
    for (hub_page *p = h->pages; p; p = p->next)
        if (p->greeted && p->follows == page)
            enqueue(p, message_hold(m));
    pthread_mutex_unlock(&h->lock);
    hub_release(&m->out);
    hub_wake_pages(h);
}

bool hub_vehicles_known(hub *h, int slot, uint32_t version)
{
    bool known = true;
    pthread_mutex_lock(&h->lock);
    for (const hub_page *p = h->pages; p && known; p = p->next)
        known = !p->greeted || p->frames[slot].vehicles == version;
    pthread_mutex_unlock(&h->lock);
    return known;
}

void hub_tell_world(hub *h, int slot, uint32_t version, message *brief, message *full)
{
    pthread_mutex_lock(&h->lock);
    for (hub_page *p = h->pages; p; p = p->next) {
        if (!p->greeted)
            continue;
        const bool anew = full && p->frames[slot].vehicles != version;
        if (anew)
            p->frames[slot].vehicles = version;
        if (anew || brief)
            enqueue(p, message_hold(anew ? full : brief));
    }
    pthread_mutex_unlock(&h->lock);
    if (brief)
        hub_release(&brief->out);
    if (full)
        hub_release(&full->out);
    hub_wake_pages(h);
}

hub_message *hub_next(hub_page *page)
{
    hub *h = page->h;
    message *m = NULL;
    pthread_mutex_lock(&h->lock);
    queued *q = page->first;
    if (q) {
        page->first = q->next;
        if (!q->next)
            page->last = NULL;
        m = q->message;
        page->waiting -= m->out.length;
        free(q);
    }
    for (int k = 0; k < h->slot_count && !m; k++) {
        page_frames *f = &page->frames[k];
        if (!f->waiting || f->sent_count >= 2)
            continue;
        m = f->waiting;
        f->waiting = NULL;
        f->sent[f->sent_count++] = f->waiting_seq;
    }
    pthread_mutex_unlock(&h->lock);
    return m ? &m->out : NULL;
}

const char *hub_page_closing(const hub_page *page)
{
    pthread_mutex_lock(&page->h->lock);
    const char *why = page->closing;
    pthread_mutex_unlock(&page->h->lock);
    return why;
}

// ---- pages ----

hub_page *page_hold(hub_page *page)
{
    atomic_fetch_add(&page->refs, 1);
    return page;
}

void page_name(hub_page *page, char out[NAME_MOST])
{
    pthread_mutex_lock(&page->h->lock);
    memcpy(out, page->name, NAME_MOST);
    pthread_mutex_unlock(&page->h->lock);
}

void page_drop(hub_page *page)
{
    if (!page || atomic_fetch_sub(&page->refs, 1) > 1)
        return;
    while (page->first) {
        queued *q = page->first;
        page->first = q->next;
        hub_release(&q->message->out);
        free(q);
    }
    for (int k = 0; k < WORLDS_MOST; k++)
        if (page->frames[k].waiting)
            hub_release(&page->frames[k].waiting->out);
    free(page->place.ui);
    free(page);
}

hub_page *hub_join(hub *h, bool read_only)
{
    hub_page *page = calloc(1, sizeof *page);
    if (!page)
        return NULL;
    atomic_init(&page->refs, 1);
    page->h = h;
    page->read_only = read_only || h->options.read_only;
    page->place = (playhead){.rate = 1.0, .playing = !h->options.paused, .live = true};
    page->second = hub_now();
    hub_key(page->key);
    pthread_mutex_lock(&h->lock);
    page->number = ++h->page_number;
    snprintf(page->name, sizeof page->name, "page %d", page->number);
    page->next = h->pages;
    h->pages = page;
    pthread_mutex_unlock(&h->lock);
    return page;
}

// Its place is kept for a resume key; the oldest one of 256 is forgotten. Under the lock.
static void keep_place(hub *h, hub_page *page)
{
    enum { KEPT_MOST = 256 };
    if (!page->greeted)
        return;
    int at = h->kept_count;
    if (at == KEPT_MOST) {
        at = 0;
        for (int k = 1; k < KEPT_MOST; k++)
            if (h->kept[k].left < h->kept[at].left)
                at = k;
        free(h->kept[at].place.ui);
    } else {
        kept_place *grown = realloc(h->kept, ((size_t)at + 1) * sizeof *grown);
        if (!grown)
            return;
        h->kept = grown;
        h->kept_count++;
    }
    h->kept[at] = (kept_place){.place = page->place, .left = hub_now()};
    memcpy(h->kept[at].key, page->key, sizeof page->key);
    page->place.ui = NULL;
}

void hub_leave(hub_page *page)
{
    hub *h = page->h;
    pthread_mutex_lock(&h->lock);
    page->gone = true;
    keep_place(h, page);
    for (hub_page **p = &h->pages; *p; p = &(*p)->next)
        if (*p == page) {
            *p = page->next;
            break;
        }
    if (!h->pages) // nobody is left who could open them
        uploads_forget(h, NULL, INFINITY);
    hub_stir(h, STIR_PLACE);
    pthread_mutex_unlock(&h->lock);
    if (page->looks_on) {
        pages_place(h, page, true);
        pages_count(h);
    }
    page_drop(page);
}

// ---- requests ----

static void post(request **first, request **last, request *r)
{
    r->next = NULL;
    *(*last ? &(*last)->next : first) = r;
    *last = r;
}

static bool is_seek(const request *r)
{
    return strcmp(r->kind->name, "seek") == 0;
}

static json_int_t world_meant(const request *r)
{
    return json_integer_value(json_object_get(r->body, "world"));
}

// A seek that waits while its page asks for another instant of the same world: taken out of the
// queue. NULL: there is none. Under the lock.
static request *take_overtaken(hub *h, const request *by)
{
    request *before = NULL, *r = is_seek(by) ? h->sim_first : NULL;
    while (r && !(r->page == by->page && is_seek(r) && world_meant(r) == world_meant(by)))
        before = r, r = r->next;
    if (!r)
        return NULL;
    *(before ? &before->next : &h->sim_first) = r->next;
    if (h->sim_last == r)
        h->sim_last = before;
    return r;
}

void hub_post_simulation(hub *h, request *r)
{
    pthread_mutex_lock(&h->lock);
    request *overtaken = take_overtaken(h, r);
    post(&h->sim_first, &h->sim_last, r);
    pthread_cond_signal(&h->work);
    pthread_mutex_unlock(&h->lock);
    if (overtaken) {
        request_refuse(overtaken, "t", "a newer seek has overtaken this one");
        request_free(overtaken);
    }
}

void hub_post_again(hub *h, request *r)
{
    request *others = NULL, *others_last = NULL, *own = NULL, *own_last = NULL;
    pthread_mutex_lock(&h->lock);
    post(&own, &own_last, r);
    for (request *q = h->sim_first, *next; q; q = next) {
        next = q->next;
        if (q->page == r->page)
            post(&own, &own_last, q);
        else
            post(&others, &others_last, q);
    }
    *(others_last ? &others_last->next : &others) = own;
    h->sim_first = others;
    h->sim_last = own_last;
    pthread_mutex_unlock(&h->lock);
}

void hub_post(hub *h, request *r)
{
    if (r->kind->where == SIMULATION) {
        hub_post_simulation(h, r);
        return;
    }
    pthread_mutex_lock(&h->lock);
    if (strcmp(r->kind->name, "hello") == 0)
        post(&h->hello_first, &h->hello_last, r);
    else
        post(&h->ask_first, &h->ask_last, r);
    pthread_cond_signal(&h->asked);
    pthread_mutex_unlock(&h->lock);
}

static request *take_first(request **first, request **last)
{
    request *r = *first;
    *first = r->next;
    if (!r->next)
        *last = NULL;
    return r;
}

request *hub_take_answer(hub *h)
{
    request *r = NULL;
    pthread_mutex_lock(&h->lock);
    while (!h->hello_first && !h->ask_first && !h->quit)
        pthread_cond_wait(&h->asked, &h->lock);
    if (!h->quit) // a new page does not wait for the questions of others
        r = h->hello_first ? take_first(&h->hello_first, &h->hello_last)
                           : take_first(&h->ask_first, &h->ask_last);
    pthread_mutex_unlock(&h->lock);
    return r;
}

bool request_wanted(request *r)
{
    pthread_mutex_lock(&r->h->lock);
    const bool gone = r->page->gone;
    pthread_mutex_unlock(&r->h->lock);
    return !gone || r->kind->changes;
}

// Counts a request of this second. False: no more.
enum { REQUESTS_MOST = 60, REQUESTS_CLOSE = 600, DRIVES_MOST = 200 };

static bool count_request(hub_page *page, const request_kind *kind, bool *close)
{
    const double now = hub_now();
    if (now - page->second >= 1.0) {
        page->second = now;
        page->requests = page->drives = 0;
    }
    // The pedals, the playhead and acknowledgements come often: they have a count of their own.
    const bool often = kind && kind->where == HERE && strcmp(kind->name, "subscribe") != 0;
    if (often)
        return ++page->drives <= DRIVES_MOST + 4 * REQUESTS_MOST ||
               !(*close = page->drives > 4 * REQUESTS_CLOSE);
    page->requests++;
    *close = page->requests > REQUESTS_CLOSE;
    return page->requests <= REQUESTS_MOST;
}

static request *new_request(hub_page *page, json_t *body)
{
    request *r = calloc(1, sizeof *r);
    if (!r) {
        json_decref(body);
        return NULL;
    }
    *r = (request){.h = page->h, .page = page_hold(page), .body = body, .id = -1};
    return r;
}

static void close_page(hub_page *page, const char *why)
{
    json_t *bye = json_object();
    json_put(bye, "kind", json_string("bye"));
    json_put(bye, "reason", json_string(why));
    message *m = message_text(bye);
    if (m)
        hub_send(page, m);
    pthread_mutex_lock(&page->h->lock);
    page->closing = why;
    pthread_mutex_unlock(&page->h->lock);
}

// The id and the kind; false: it was refused.
static bool read_head(request *r)
{
    const json_t *id = json_object_get(r->body, "id");
    if (id && !(json_is_integer(id) && json_integer_value(id) >= 0 &&
                json_integer_value(id) <= 4294967295)) {
        request_refuse(r, "id", "id must be a whole number, 0 .. 4294967295");
        return false;
    }
    r->id = id ? json_integer_value(id) : -1;
    const char *kind = json_string_value(json_object_get(r->body, "kind"));
    if (!kind) {
        request_refuse(r, "kind", "kind is missing: a text");
        return false;
    }
    r->kind = request_find(kind);
    if (r->kind)
        return true;
    const char *near = request_nearest(kind);
    request_refuse(r, "kind", "there is no request \"%.40s\"%s%s%s", kind,
                   near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return false;
}

static void take_request(request *r, bool *keep)
{
    hub_page *page = r->page;
    const bool known = read_head(r);
    bool close = false;
    const bool counted = count_request(page, known ? r->kind : NULL, &close);
    if (close) {
        close_page(page, "too many requests");
        *keep = false;
    } else if (!counted) {
        if (known && !r->answered)
            request_refuse(r, NULL, "too many requests");
    } else if (known && r->kind->changes && page->read_only) {
        request_refuse(r, NULL, "this page may look, not change");
    } else if (known && !page->greeting && strcmp(r->kind->name, "hello") != 0) {
        request_refuse(r, NULL, "the first request is hello");
    } else if (known && r->kind->where == HERE) {
        r->kind->run(r);
    } else if (known && atomic_load(&page->under_way) >= UNDER_WAY_MOST) {
        request_refuse(r, NULL, "too many requests under way: %d wait for their answers",
                       UNDER_WAY_MOST);
    } else if (known) {
        page->greeting = true;
        r->counted = true;
        atomic_fetch_add(&page->under_way, 1);
        hub_post(page->h, r);
        return;
    }
    request_free(r);
}

bool hub_take(hub_page *page, const char *text, size_t length)
{
    if (hub_page_closing(page))
        return false;
    json_error_t problem;
    json_t *body = NULL;
    if (length <= TEXT_MOST)
        body = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    const bool object = json_is_object(body);
    if (!object) {
        json_decref(body);
        body = json_object();
    }
    request *r = new_request(page, body);
    if (!r)
        return true;
    bool keep = true;
    if (object) {
        take_request(r, &keep);
        return keep;
    }
    if (length > TEXT_MOST)
        request_refuse(r, NULL, "a request has at most %d bytes, this one %zu", TEXT_MOST, length);
    else
        request_refuse(r, NULL, "a request is a JSON object");
    bool close = false;
    count_request(page, NULL, &close);
    request_free(r);
    if (close)
        close_page(page, "too many requests");
    return !close;
}

// ---- worlds ----

world *hub_world(hub *h, int number)
{
    world *found = NULL;
    pthread_mutex_lock(&h->lock);
    for (int k = 0; k < h->slot_count && !found; k++)
        if (h->worlds[k] && h->worlds[k]->number == number)
            found = world_hold(h->worlds[k]);
    pthread_mutex_unlock(&h->lock);
    return found;
}

int hub_worlds(hub *h, world **out)
{
    int count = 0;
    pthread_mutex_lock(&h->lock);
    for (int main = 1; main >= 0; main--)
        for (int k = 0; k < h->slot_count; k++) {
            world *w = h->worlds[k];
            if (w && (w->number == h->main_world) == (main == 1))
                out[count++] = world_hold(w);
        }
    pthread_mutex_unlock(&h->lock);
    // By number, behind the main one.
    for (int k = 2; k < count; k++)
        for (int j = k; j > 1 && out[j]->number < out[j - 1]->number; j--) {
            world *w = out[j];
            out[j] = out[j - 1];
            out[j - 1] = w;
        }
    return count;
}
