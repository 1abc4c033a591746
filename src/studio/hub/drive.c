// drive.c - inputs of pages carried out.
#include "studio/hub/drive.h"

#include "studio/hub/branch.h"
#include "studio/hub/branch_list.h"
#include "studio/hub/change.h"
#include "studio/hub/describe.h"
#include "studio/hub/inside.h"
#include "studio/hub/log.h"
#include "studio/hub/page.h"
#include "studio/hub/request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SILENCE 2.0 // s

driver *drive_find(const hub *h, int branch_number, const char *vehicle)
{
    for (int k = 0; k < h->driver_count; k++)
        if (h->drivers[k].branch == branch_number && strcmp(h->drivers[k].vehicle, vehicle) == 0)
            return &h->drivers[k];
    return NULL;
}

static void give(hub *h, driver *d, const char *event)
{
    branch *b = branch_list_find(h, d->branch);
    if (b && b->run) {
        log_entry e = {.t = b->end, .param = "", .value = 0.0, .inputs = d->inputs};
        mc_error error;
        snprintf(e.event, sizeof e.event, "%s", event);
        snprintf(e.vehicle, sizeof e.vehicle, "%s", d->vehicle);
        if (log_give(b, &e, &error) == MC_OK)
            log_append(b, &e, d->name);
    }
    branch_drop(b);
}

static void let_go(hub *h, driver *d)
{
    const int number = d->branch;
    give(h, d, "release");
    *d = h->drivers[--h->driver_count];
    branch *b = branch_list_find(h, number);
    if (b && b->run)
        describe_changed(h, b);
    branch_drop(b);
}

// The car gets a driver. NULL: rejected.
static driver *take_car(request *r, branch *b, const drive_command *command)
{
    hub *h = r->h;
    if (!b->run || mc_run_find(b->run, command->vehicle) < 0) {
        request_reject(r, "vehicle", "unknown vehicle \"%s\" in world %d", command->vehicle,
                       b->number);
        return NULL;
    }
    driver *grown = realloc(h->drivers, ((size_t)h->driver_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    h->drivers = grown;
    driver *d = &h->drivers[h->driver_count++];
    *d = (driver){.page = r->page->number, .branch = b->number, .from_branch = command->branch};
    d->inputs.throttle = NAN; // differs from every input
    page_name(r->page, d->name);
    snprintf(d->vehicle, sizeof d->vehicle, "%s", command->vehicle);
    return d;
}

// The car this page drives already, possibly in a branch that was forked for it.
static driver *own_driver(hub *h, const hub_page *page, const drive_command *command)
{
    for (int k = 0; k < h->driver_count; k++) {
        driver *d = &h->drivers[k];
        if (d->page == page->number && strcmp(d->vehicle, command->vehicle) == 0 &&
            (d->branch == command->branch || d->from_branch == command->branch))
            return d;
    }
    return NULL;
}

static driver *begin(request *r, const drive_command *command)
{
    hub *h = r->h;
    branch *b = branch_list_find(h, command->branch);
    if (!b) {
        request_reject(r, "world", "unknown world %d", command->branch);
        return NULL;
    }
    driver *d = drive_find(h, command->branch, command->vehicle);
    if (d) {
        request_reject(r, "vehicle", "%s is driven by %s", command->vehicle, d->name);
        d = NULL;
    } else {
        change c;
        if (change_begin(r, b, command->at, "driven by hand", &c)) {
            if (!(d = take_car(r, c.branch, command)))
                change_abandon(&c);
            else if (change_end(r, &c, NULL, "driven by hand")) {
                d = &h->drivers[h->driver_count - 1];
                d->branch = c.branch->number;
                if (c.branched)
                    change_answer(r, &c);
            } else {
                h->driver_count--;
                d = NULL;
            }
        }
    }
    branch_drop(b);
    return d;
}

static void carry_out(request *r, const drive_command *command)
{
    hub *h = r->h;
    driver *d = own_driver(h, r->page, command);
    if (command->release) {
        if (d)
            let_go(h, d);
        else
            request_reject(r, "vehicle", "%s is not driven by this page", command->vehicle);
        return;
    }
    if (!d && !(d = begin(r, command)))
        return;
    d->last = hub_now();
    const mc_inputs *a = &d->inputs, *b = &command->inputs;
    if (a->throttle == b->throttle && a->brake == b->brake && a->steer == b->steer &&
        a->acceleration == b->acceleration)
        return;
    d->inputs = command->inputs;
    give(h, d, "drive");
}

static bool page_there(hub *h, int number)
{
    for (const hub_page *p = h->pages; p; p = p->next)
        if (p->number == number)
            return true;
    return false;
}

// The next page with a fresh input, held; NULL: none.
static hub_page *next_command(hub *h, drive_command *command)
{
    hub_page *page = NULL;
    pthread_mutex_lock(&h->lock);
    for (hub_page *p = h->pages; p && !page; p = p->next)
        if (p->drive.fresh) {
            *command = p->drive;
            p->drive.fresh = false;
            page = page_hold(p);
        }
    pthread_mutex_unlock(&h->lock);
    return page;
}

void drive_pedals(hub *h, bool fresh)
{
    drive_command command;
    hub_page *page;
    while (fresh && (page = next_command(h, &command))) {
        request *r = calloc(1, sizeof *r);
        if (!r) {
            page_drop(page);
            return;
        }
        *r = (request){.h = h, .page = page, .body = json_object(), .id = command.id};
        carry_out(r, &command);
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
