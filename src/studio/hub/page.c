// page.c - pages connect, watch and leave.
#include "studio/hub/page.h"

#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/mail.h"
#include "studio/hub/upload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hub_page *page_hold(hub_page *page)
{
    atomic_fetch_add(&page->refs, 1);
    return page;
}

void page_drop(hub_page *page)
{
    if (!page || atomic_fetch_sub(&page->refs, 1) > 1)
        return;
    while (page->first) {
        queued *q = page->first;
        page->first = q->next;
        message_drop(q->message);
        free(q);
    }
    for (int k = 0; k < MAX_BRANCHES; k++)
        message_drop(page->frames[k].waiting);
    free(page->place.ui);
    free(page);
}

void page_name(hub_page *page, char out[NAME_SIZE])
{
    pthread_mutex_lock(&page->h->lock);
    memcpy(out, page->name, NAME_SIZE);
    pthread_mutex_unlock(&page->h->lock);
}

void page_rename(hub_page *page, const char *name)
{
    char clean[NAME_SIZE] = "";
    snprintf(clean, sizeof clean, "%s", name);
    for (char *c = clean; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    pthread_mutex_lock(&page->h->lock);
    if (clean[0])
        memcpy(page->name, clean, sizeof page->name);
    pthread_mutex_unlock(&page->h->lock);
}

const char *page_closing(const hub_page *page)
{
    pthread_mutex_lock(&page->h->lock);
    const char *why = page->closing;
    pthread_mutex_unlock(&page->h->lock);
    return why;
}

// ---- coming and leaving ----

hub_page *page_join(hub *h, bool read_only)
{
    hub_page *page = calloc(1, sizeof *page);
    if (!page)
        return NULL;
    atomic_init(&page->refs, 1);
    page->h = h;
    page->read_only = read_only || h->options.read_only;
    page->place = (playhead){.rate = 1.0, .live = true, .until = INFINITY};
    page->second = hub_now();
    hub_key(page->key);
    pthread_mutex_lock(&h->lock);
    page->number = ++h->page_number;
    // The first page starts time; one that joins a resting simulation leaves it at rest.
    page->place.playing = h->running_told || (!h->started && !h->pages && !h->options.paused);
    snprintf(page->name, sizeof page->name, "page %d", page->number);
    page->next = h->pages;
    h->pages = page;
    pthread_mutex_unlock(&h->lock);
    return page;
}

// Its place is kept for a resume key; the oldest one of 256 is forgotten. Under the lock.
static void keep_place(hub *h, hub_page *page)
{
    enum { KEPT_MAX = 256 };
    if (!page->greeted)
        return;
    int at = h->kept_count;
    if (at == KEPT_MAX) {
        at = 0;
        for (int k = 1; k < KEPT_MAX; k++)
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

void page_leave(hub_page *page)
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
    if (!h->pages) // no page is left that could open them
        upload_forget(h, NULL, INFINITY);
    hub_stir(h, STIR_PLACE);
    pthread_mutex_unlock(&h->lock);
    if (page->looks_on) {
        page_tell_place(h, page, true);
        page_tell_count(h);
    }
    page_drop(page);
}

// ---- who looks on ----

void page_tell_count(hub *h)
{
    int count = 0;
    pthread_mutex_lock(&h->lock);
    for (const hub_page *p = h->pages; p; p = p->next)
        count += p->looks_on;
    pthread_mutex_unlock(&h->lock);
    json_t *out = json_object();
    json_put(out, "kind", json_string("pages"));
    json_put(out, "count", json_integer(count));
    mail_broadcast(h, message_text(out), NULL);
}

json_t *page_json(const hub_page *p)
{
    json_t *out = json_object();
    json_put(out, "page", json_integer(p->number));
    json_put(out, "name", json_string(p->name));
    json_put(out, "t", json_value(p->place.t));
    json_put(out, "playing", json_boolean(p->place.playing));
    json_put(out, "live", json_boolean(p->place.live));
    json_put(out, "rate", json_value(p->place.rate));
    json_put(out, "select", json_string(p->place.select));
    json_put(out, "world", json_integer(p->place.branch));
    json_put(out, "read_only", json_boolean(p->read_only));
    return out;
}

void page_tell_place(hub *h, const hub_page *page, bool gone)
{
    bool followed = false;
    json_t *out = NULL;
    pthread_mutex_lock(&h->lock);
    for (const hub_page *p = h->pages; p && !followed; p = p->next)
        followed = p->follows == page->number;
    if (followed)
        out = page_json(page);
    pthread_mutex_unlock(&h->lock);
    if (!out)
        return;
    json_put(out, "kind", json_string("place"));
    json_put(out, "gone", json_boolean(gone));
    mail_followers(h, page->number, message_text(out));
}
