// drive.c - hands on the pedals: one page a car, let go after two seconds of silence.
//
// The transport keeps the newest wish of a page; the simulation thread carries it out once a turn,
// so that two hundred a second cost no more than one.
#include "studio/changes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SILENCE 2.0 // s

static bool read_wish(request *r, drive_wish *out)
{
    double number;
    const char *vehicle;
    *out = (drive_wish){.fresh = true, .id = r->id};
    if (!request_number(r, "world", 0, 65535, 0, &number) ||
        !request_optional(r, "at", -1e9, 1e9, &out->at) ||
        !request_text(r, "vehicle", NAME_MOST - 1, NULL, &vehicle))
        return false;
    out->world = (int)number;
    snprintf(out->vehicle, sizeof out->vehicle, "%s", vehicle);
    return true;
}

static void keep_wish(request *r, const drive_wish *wish)
{
    pthread_mutex_lock(&r->h->lock);
    r->page->drive = *wish;
    hub_stir(r->h, STIR_PEDALS);
    pthread_mutex_unlock(&r->h->lock);
}

void request_drive(request *r)
{
    drive_wish wish;
    if (read_wish(r, &wish) && request_number(r, "throttle", 0, 1, 0, &wish.inputs.throttle) &&
        request_number(r, "brake", 0, 1, 0, &wish.inputs.brake) &&
        request_number(r, "steer", -1, 1, 0, &wish.inputs.steer) &&
        request_number(r, "acceleration", -30, 30, 0, &wish.inputs.acceleration))
        keep_wish(r, &wish);
}

void request_release(request *r)
{
    drive_wish wish;
    if (!read_wish(r, &wish))
        return;
    wish.release = true;
    keep_wish(r, &wish);
}

static driver *find_driver(hub *h, int world_number, const char *vehicle)
{
    for (int k = 0; k < h->driver_count; k++)
        if (h->drivers[k].world == world_number && strcmp(h->drivers[k].vehicle, vehicle) == 0)
            return &h->drivers[k];
    return NULL;
}

static void give(hub *h, driver *d, const char *event)
{
    world *w = hub_world(h, d->world);
    if (w && w->run) {
        log_entry e = {.t = w->end, .param = "", .value = 0.0, .inputs = d->inputs};
        mc_error error;
        snprintf(e.event, sizeof e.event, "%s", event);
        snprintf(e.vehicle, sizeof e.vehicle, "%s", d->vehicle);
        if (log_entry_give(w, &e, &error) == MC_OK)
            world_append_log(w, &e, d->name);
    }
    world_drop(w);
}

static void let_go(hub *h, driver *d)
{
    const int number = d->world;
    give(h, d, "release");
    *d = h->drivers[--h->driver_count];
    world *w = hub_world(h, number);
    if (w && w->run)
        world_changed(h, w);
    world_drop(w);
}

// The car gets a driver. NULL: refused.
static driver *take_car(request *r, world *w, const drive_wish *wish)
{
    hub *h = r->h;
    if (!w->run || mc_run_find(w->run, wish->vehicle) < 0) {
        request_refuse(r, "vehicle", "there is no vehicle \"%s\" in world %d", wish->vehicle,
                       w->number);
        return NULL;
    }
    driver *grown = realloc(h->drivers, ((size_t)h->driver_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    h->drivers = grown;
    driver *d = &h->drivers[h->driver_count++];
    *d = (driver){.page = r->page->number, .world = w->number, .from_world = wish->world};
    d->inputs.throttle = NAN; // differs from every wish
    page_name(r->page, d->name);
    snprintf(d->vehicle, sizeof d->vehicle, "%s", wish->vehicle);
    return d;
}

// The car this page drives already, perhaps in a world that was branched off for it.
static driver *own_driver(hub *h, const hub_page *page, const drive_wish *wish)
{
    for (int k = 0; k < h->driver_count; k++) {
        driver *d = &h->drivers[k];
        if (d->page == page->number && strcmp(d->vehicle, wish->vehicle) == 0 &&
            (d->world == wish->world || d->from_world == wish->world))
            return d;
    }
    return NULL;
}

static driver *begin(request *r, const drive_wish *wish)
{
    hub *h = r->h;
    world *w = hub_world(h, wish->world);
    if (!w) {
        request_refuse(r, "world", "there is no world %d", wish->world);
        return NULL;
    }
    driver *d = find_driver(h, wish->world, wish->vehicle);
    if (d) {
        request_refuse(r, "vehicle", "%s is driven by %s", wish->vehicle, d->name);
        d = NULL;
    } else {
        change c;
        if (change_begin_at(r, w, wish->at, "driven by hand", &c)) {
            if (!(d = take_car(r, c.world, wish)))
                change_abandon(&c);
            else if (change_end(r, &c, NULL, "driven by hand")) {
                d = &h->drivers[h->driver_count - 1];
                d->world = c.world->number;
                if (c.branched)
                    change_answer(r, &c);
            } else {
                h->driver_count--;
                d = NULL;
            }
        }
    }
    world_drop(w);
    return d;
}

static void carry_out(request *r, const drive_wish *wish)
{
    hub *h = r->h;
    driver *d = own_driver(h, r->page, wish);
    if (wish->release) {
        if (d)
            let_go(h, d);
        else
            request_refuse(r, "vehicle", "%s is not driven by this page", wish->vehicle);
        return;
    }
    if (!d && !(d = begin(r, wish)))
        return;
    d->last = hub_now();
    const mc_inputs *a = &d->inputs, *b = &wish->inputs;
    if (a->throttle == b->throttle && a->brake == b->brake && a->steer == b->steer &&
        a->acceleration == b->acceleration)
        return;
    d->inputs = wish->inputs;
    give(h, d, "drive");
}

static bool page_there(hub *h, int number)
{
    for (const hub_page *p = h->pages; p; p = p->next)
        if (p->number == number)
            return true;
    return false;
}

// The next page with a fresh wish, held; NULL: none.
static hub_page *next_wish(hub *h, drive_wish *wish)
{
    hub_page *page = NULL;
    pthread_mutex_lock(&h->lock);
    for (hub_page *p = h->pages; p && !page; p = p->next)
        if (p->drive.fresh) {
            *wish = p->drive;
            p->drive.fresh = false;
            page = page_hold(p);
        }
    pthread_mutex_unlock(&h->lock);
    return page;
}

void drive_pedals(hub *h, bool fresh)
{
    drive_wish wish;
    hub_page *page;
    while (fresh && (page = next_wish(h, &wish))) {
        request *r = calloc(1, sizeof *r);
        if (!r) {
            page_drop(page);
            return;
        }
        *r = (request){.h = h, .page = page, .body = json_object(), .id = wish.id};
        carry_out(r, &wish);
        request_free(r);
    }
    for (int k = h->driver_count - 1; k >= 0; k--) {
        driver *d = &h->drivers[k];
        pthread_mutex_lock(&h->lock);
        const bool there = page_there(h, d->page);
        pthread_mutex_unlock(&h->lock);
        if (!there || hub_now() - d->last > SILENCE)
            let_go(h, d);
    }
}
