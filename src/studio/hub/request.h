// request.h - one request of a page, from its text to its answer.
//
// A request belongs to one thread at a time: the transport's reads its head, then it waits in a
// queue (queue.h) for the thread of its kind, which may pass it on (request_move, queue_post). Its
// content is read by the functions of studio/request; the hub knows the rows of their table.
#pragma once

#include "motorcade/timeline.h"
#include "studio/hub/page.h"

typedef struct request request;

typedef enum request_where { // the thread that carries it out
    HERE,                    // the transport's, at once
    ANSWERS,
    SIMULATION,
} request_where;

enum request_flags {
    REQUEST_CHANGES = 1,   // not for pages that may only look
    REQUEST_GREETS = 2,    // a page's first one; it does not wait for the questions of others
    REQUEST_OVERTAKES = 4, // an older one of the page and branch that still waits gives way to it
    REQUEST_OFTEN = 8,     // pedals, playhead, acknowledgements: they have a count of their own
};

typedef struct request_kind {
    const char *name;
    request_where where;
    unsigned flags; // request_flags
    void (*run)(request *r);
} request_kind;

typedef struct request_table { // what pages can ask for: the hub carries it out, unread
    const request_kind *kinds;
    int count;
} request_table;

struct request {
    struct request *next;
    hub *h;
    hub_page *page; // held
    json_t *body;   // owned
    json_int_t id;  // -1: none
    const request_kind *kind;
    bool answered;
    bool counted;        // among those under way of its page
    bool again;          // it is to be carried out again: what it waits for is not ready yet
    double since;        // s of the clock, since when it waits; 0: it does not
    mc_timeline_way way; // to the instant it asks for
    json_t *partial;     // a part of the answer, made by another thread; owned
    // Handed from the answers thread to the simulation thread: what was opened.
    struct opened *opened;
};

const request_kind *request_find(const request_table *table, const char *name); // NULL: unknown
const char *request_nearest(const request_table *table, const char *name); // NULL: none is near

request *request_create(hub_page *page, json_t *body); // takes the body; NULL: no memory
void request_free(request *r);
// The same request with its answer still to come, for another thread; r is left empty. NULL: no
// memory.
request *request_move(request *r);
bool request_is_needed(request *r); // it changes something, or its page is still there

// The answer; one of these is called once.
void request_done(request *r, json_t *results); // takes results; NULL: none
void request_reject(request *r, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void request_reject_error(request *r, const mc_error *error);
