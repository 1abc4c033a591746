// page.c - hello, subscribe, time, ack: what concerns a page alone.
#include "studio/request/requests.h"

#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/mail.h"
#include "studio/request/read.h"
#include "studio/request/welcome.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Restores what was stored under a key; false: unknown key.
static bool resume(hub *h, hub_page *page, const char *key)
{
    bool found = false;
    pthread_mutex_lock(&h->lock);
    for (int k = 0; k < h->kept_count && !found; k++)
        if (strcmp(h->kept[k].key, key) == 0) {
            found = true;
            free(page->place.ui);
            page->place = h->kept[k].place;
            memcpy(page->key, h->kept[k].key, sizeof page->key);
            h->kept[k] = h->kept[--h->kept_count];
        }
    pthread_mutex_unlock(&h->lock);
    return found;
}

void request_hello(request *r)
{
    double version;
    const char *name, *key;
    if (!read_number(r, "version", 0, 1e6, NAN, &version) ||
        !read_text(r, "name", NAME_SIZE - 4, "", &name) || !read_text(r, "resume", 64, "", &key))
        return;
    if (version != 1.0) {
        request_reject(r, "version", "this server supports version 1, the page uses version %g",
                       version);
        return;
    }
    page_rename(r->page, name);
    const bool resumed = key[0] && resume(r->h, r->page, key);
    welcome all;
    if (!welcome_begin(r->h, &all))
        return;
    json_t *out = json_object();
    json_put(out, "kind", json_string("welcome"));
    json_put(out, "resumed", json_boolean(resumed));
    if (r->id >= 0)
        json_put(out, "id", json_integer(r->id));
    message *m = welcome_message(&all, r->page, out);
    free(all.text);
    if (!m)
        return;
    mail_send(r->page, m);
    pthread_mutex_lock(&r->h->lock);
    r->page->greeted = true;
    welcome_told(&all, r->page);
    r->page->reported = hub_now();
    hub_stir(r->h, STIR_PLACE);
    pthread_mutex_unlock(&r->h->lock);
}

void request_subscribe(request *r)
{
    uint32_t mask;
    double rate;
    bool bodies;
    const uint32_t usual = 1u << MC_FIELD_MIDDLE | 1u << MC_FIELD_Y | 1u << MC_FIELD_PSI |
                           1u << MC_FIELD_V | 1u << MC_FIELD_A | 1u << MC_FIELD_JERK |
                           1u << MC_FIELD_TARGET | 1u << MC_FIELD_BRAKE;
    if (!read_fields(r, usual, &mask) || !read_number(r, "rate", 0.1, 240, 60, &rate) ||
        !read_flag(r, "bodies", false, &bodies))
        return;
    const json_t *window = json_object_get(r->body, "window");
    const bool windowed = window && !json_is_null(window);
    double from = 0.0, to = 0.0;
    if (windowed) {
        const json_t *a = json_array_get(window, 0), *b = json_array_get(window, 1);
        from = json_number_value(a), to = json_number_value(b);
        if (json_array_size(window) != 2 || !json_is_number(a) || !json_is_number(b) ||
            !(from < to) || fabs(from) > 1e9 || fabs(to) > 1e9) {
            request_reject(r, "window", "window must be [from, to] in m with from < to, or null");
            return;
        }
    }
    hub_page *p = r->page;
    pthread_mutex_lock(&r->h->lock);
    p->mask = mask, p->rate = rate, p->bodies = bodies;
    p->windowed = windowed, p->from = from, p->to = to;
    p->subscribed = true;
    for (int k = 0; k < MAX_BRANCHES; k++)
        p->frames[k].shown = 0;
    hub_stir(r->h, STIR_FRAMES);
    pthread_mutex_unlock(&r->h->lock);
    request_done(r, NULL);
}

enum { MAX_UI_BYTES = 4096 };

void request_time(request *r)
{
    playhead next = {0};
    double branch_number;
    const char *select;
    if (!read_number(r, "t", -1e9, 1e9, NAN, &next.t) ||
        !read_flag(r, "playing", false, &next.playing) ||
        !read_flag(r, "live", false, &next.live) ||
        !read_number(r, "rate", -1000, 1000, 1, &next.rate) ||
        !read_number(r, "until", -1e9, 1e9, INFINITY, &next.until) ||
        !read_number(r, "world", 0, 65535, 0, &branch_number) ||
        !read_text(r, "select", NAME_SIZE - 1, "", &select))
        return;
    json_t *ui = json_object_get(r->body, "ui");
    if (ui && !json_is_object(ui)) {
        request_reject(r, "ui", "ui must be an object");
        return;
    }
    next.ui = ui ? json_dumps(ui, JSON_COMPACT) : NULL;
    if (next.ui && strlen(next.ui) > MAX_UI_BYTES) {
        free(next.ui);
        request_reject(r, "ui", "ui may have at most %d bytes", MAX_UI_BYTES);
        return;
    }
    next.branch = (int)branch_number;
    snprintf(next.select, sizeof next.select, "%s", select);
    hub_page *p = r->page;
    pthread_mutex_lock(&r->h->lock);
    char *old = p->place.ui;
    if (!ui) {
        next.ui = old;
        old = NULL;
    }
    const bool other = p->place.playing != next.playing || p->place.live != next.live ||
                       p->place.rate != next.rate || p->place.until != next.until;
    p->place = next;
    p->reported = hub_now();
    if (other)
        hub_stir(r->h, STIR_PLACE);
    const bool first = !p->looks_on;
    p->looks_on = true;
    pthread_mutex_unlock(&r->h->lock);
    free(old);
    if (first)
        page_tell_count(r->h);
    page_tell_place(r->h, p, false);
}

void request_ack(request *r)
{
    double number, seq;
    if (!read_number(r, "world", 0, 65535, NAN, &number) ||
        !read_number(r, "seq", 0, 4294967295.0, NAN, &seq))
        return;
    pthread_mutex_lock(&r->h->lock);
    for (int k = 0; k < r->h->slot_count; k++) {
        if (!r->h->branches[k] || r->h->branches[k]->number != (int)number)
            continue;
        page_frames *f = &r->page->frames[k];
        const bool full = f->sent_count >= 2;
        int kept = 0;
        for (int i = 0; i < f->sent_count; i++)
            if (f->sent[i] > (uint32_t)seq)
                f->sent[kept++] = f->sent[i];
        f->sent_count = kept;
        if (full)
            r->h->stirred |= STIR_FRAMES;
    }
    if (!r->h->running_told)
        pthread_cond_signal(&r->h->work);
    pthread_mutex_unlock(&r->h->lock);
}
