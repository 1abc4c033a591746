// pages.c - pages that know of each other: viewers, names, following another playhead.
//
// A page is one of those who look on from its first report of time on. All are told how many there
// are when that changes; who they are is told to those who ask. A page that follows another gets a
// copy of every report of that page's playhead, and one word when it is gone.
#include "studio/request/requests.h"

#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/request/read.h"

#include <math.h>
#include <string.h>

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
    if (!read_text(r, "name", NAME_SIZE - 4, NULL, &name))
        return;
    if (!name[strspn(name, " \t\r\n")]) {
        request_reject(r, "name", "name is empty: expected 1 to %d letters", NAME_SIZE - 4);
        return;
    }
    page_rename(r->page, name);
    request_done(r, NULL);
}

// page 0: no more.
void request_follow(request *r)
{
    double number;
    if (!read_number(r, "page", 0, 1e9, NAN, &number))
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
        request_reject(r, "page", "page %d cannot be followed: it is not connected", (int)number);
}
