// request_pages.c - pages that know of each other: who looks on, names, following another playhead.
//
// A page is one of those who look on from its first report of time on. All are told how many there
// are when that changes; who they are is told to those who ask. A page that follows another gets a
// copy of every report of that page's playhead, and one word when it is gone.
#include "studio/requests.h"

#include <math.h>
#include <string.h>

void pages_count(hub *h)
{
    int count = 0;
    pthread_mutex_lock(&h->lock);
    for (const hub_page *p = h->pages; p; p = p->next)
        count += p->looks_on;
    pthread_mutex_unlock(&h->lock);
    json_t *out = json_object();
    json_put(out, "kind", json_string("pages"));
    json_put(out, "count", json_integer(count));
    hub_broadcast(h, message_text(out), NULL);
}

// Under the lock.
static json_t *page_json(const hub_page *p)
{
    json_t *out = json_object();
    json_put(out, "page", json_integer(p->number));
    json_put(out, "name", json_string(p->name));
    json_put(out, "t", json_value(p->place.t));
    json_put(out, "playing", json_boolean(p->place.playing));
    json_put(out, "live", json_boolean(p->place.live));
    json_put(out, "rate", json_value(p->place.rate));
    json_put(out, "select", json_string(p->place.select));
    json_put(out, "world", json_integer(p->place.world));
    json_put(out, "read_only", json_boolean(p->read_only));
    return out;
}

void pages_place(hub *h, const hub_page *page, bool gone)
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
    hub_tell_followers(h, page->number, message_text(out));
}

void request_pages(request *r)
{
    json_t *out = json_object(), *list = json_array();
    pthread_mutex_lock(&r->h->lock);
    for (const hub_page *p = r->h->pages; p; p = p->next)
        if (p->looks_on && p != r->page)
            json_array_append_new(list, page_json(p));
    pthread_mutex_unlock(&r->h->lock);
    json_put(out, "pages", list);
    request_done(r, out);
}

void request_name(request *r)
{
    const char *name;
    if (!request_text(r, "name", NAME_MOST - 4, NULL, &name))
        return;
    if (!name[strspn(name, " \t\r\n")]) {
        request_refuse(r, "name", "name is empty: one to %d letters", NAME_MOST - 4);
        return;
    }
    page_take_name(r->page, name);
    request_done(r, NULL);
}

// page 0: no more.
void request_follow(request *r)
{
    double number;
    if (!request_number(r, "page", 0, 1e9, NAN, &number))
        return;
    bool found = number == 0.0;
    json_t *out = NULL;
    pthread_mutex_lock(&r->h->lock);
    for (const hub_page *p = r->h->pages; p && !found; p = p->next)
        if (p->number == (int)number && p->looks_on && p != r->page) {
            found = true;
            out = page_json(p);
        }
    if (found)
        r->page->follows = (int)number;
    pthread_mutex_unlock(&r->h->lock);
    if (found)
        request_done(r, out);
    else
        request_refuse(r, "page", "page %d is not there to be followed", (int)number);
}
