// request_page.c - hello, subscribe, time, ack: what concerns a page alone.
#include "studio/requests.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Takes back what a key left behind; false: nobody had it.
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

// A name without control characters.
void page_take_name(hub_page *page, const char *name)
{
    char clean[NAME_MOST] = "";
    snprintf(clean, sizeof clean, "%s", name);
    for (char *c = clean; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    pthread_mutex_lock(&page->h->lock);
    if (clean[0])
        memcpy(page->name, clean, sizeof page->name);
    pthread_mutex_unlock(&page->h->lock);
}

void request_hello(request *r)
{
    double version;
    const char *name, *key;
    if (!request_number(r, "version", 0, 1e6, NAN, &version) ||
        !request_text(r, "name", NAME_MOST - 4, "", &name) ||
        !request_text(r, "resume", 64, "", &key))
        return;
    if (version != 1.0) {
        request_refuse(r, "version", "this server speaks version 1, the page version %g", version);
        return;
    }
    page_take_name(r->page, name);
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
    hub_send(r->page, m);
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
    const uint32_t usual = 1u << MC_FIELD_X | 1u << MC_FIELD_Y | 1u << MC_FIELD_PSI |
                           1u << MC_FIELD_V | 1u << MC_FIELD_A | 1u << MC_FIELD_JERK |
                           1u << MC_FIELD_S | 1u << MC_FIELD_BRAKE;
    if (!request_fields(r, usual, &mask) || !request_number(r, "rate", 0.1, 240, 60, &rate) ||
        !request_flag(r, "bodies", false, &bodies))
        return;
    const json_t *window = json_object_get(r->body, "window");
    const bool windowed = window && !json_is_null(window);
    double from = 0.0, to = 0.0;
    if (windowed) {
        const json_t *a = json_array_get(window, 0), *b = json_array_get(window, 1);
        from = json_number_value(a), to = json_number_value(b);
        if (json_array_size(window) != 2 || !json_is_number(a) || !json_is_number(b) ||
            !(from < to) || fabs(from) > 1e9 || fabs(to) > 1e9) {
            request_refuse(r, "window", "window is [from, to] in m with from < to, or null");
            return;
        }
    }
    hub_page *p = r->page;
    pthread_mutex_lock(&r->h->lock);
    p->mask = mask, p->rate = rate, p->bodies = bodies;
    p->windowed = windowed, p->from = from, p->to = to;
    p->subscribed = true;
    for (int k = 0; k < WORLDS_MOST; k++)
        p->frames[k].shown = 0;
    hub_stir(r->h, STIR_FRAMES);
    pthread_mutex_unlock(&r->h->lock);
    request_done(r, NULL);
}

void request_time(request *r)
{
    playhead next = {0};
    double world_number;
    const char *select;
    if (!request_number(r, "t", -1e9, 1e9, NAN, &next.t) ||
        !request_flag(r, "playing", false, &next.playing) ||
        !request_flag(r, "live", false, &next.live) ||
        !request_number(r, "rate", -1000, 1000, 1, &next.rate) ||
        !request_number(r, "world", 0, 65535, 0, &world_number) ||
        !request_text(r, "select", NAME_MOST - 1, "", &select))
        return;
    json_t *ui = json_object_get(r->body, "ui");
    if (ui && !json_is_object(ui)) {
        request_refuse(r, "ui", "ui must be an object");
        return;
    }
    next.ui = ui ? json_dumps(ui, JSON_COMPACT) : NULL;
    if (next.ui && strlen(next.ui) > UI_MOST) {
        free(next.ui);
        request_refuse(r, "ui", "ui has at most %d bytes", UI_MOST);
        return;
    }
    next.world = (int)world_number;
    snprintf(next.select, sizeof next.select, "%s", select);
    hub_page *p = r->page;
    pthread_mutex_lock(&r->h->lock);
    char *old = p->place.ui;
    if (!ui) {
        next.ui = old;
        old = NULL;
    }
    const bool other = p->place.playing != next.playing || p->place.live != next.live ||
                       p->place.rate != next.rate;
    p->place = next;
    p->reported = hub_now();
    if (other)
        hub_stir(r->h, STIR_PLACE);
    const bool first = !p->looks_on;
    p->looks_on = true;
    pthread_mutex_unlock(&r->h->lock);
    free(old);
    if (first)
        pages_count(r->h);
    pages_place(r->h, p, false);
}

void request_ack(request *r)
{
    double number, seq;
    if (!request_number(r, "world", 0, 65535, NAN, &number) ||
        !request_number(r, "seq", 0, 4294967295.0, NAN, &seq))
        return;
    pthread_mutex_lock(&r->h->lock);
    for (int k = 0; k < r->h->slot_count; k++) {
        if (!r->h->worlds[k] || r->h->worlds[k]->number != (int)number)
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
