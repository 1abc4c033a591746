// page.h - a page as the hub keeps it: where it looks, what it wants to see, what waits for it.
//
// Pages join and leave on the transport's thread. Other threads hold a page while they deal with
// it; what several of them touch is under hub.lock.
#pragma once

#include "studio/hub/drive.h"
#include "studio/hub/limits.h"
#include "studio/hub/message.h"

typedef struct hub hub;
typedef struct service_page hub_page;

typedef struct playhead { // what a page reported of its playhead
    double t;
    bool playing, live;
    double rate;
    double until; // s, where the simulation is to rest; INFINITY: nowhere
    char select[NAME_SIZE];
    int branch;
    char *ui; // JSON; NULL: {}
} playhead;

typedef struct kept_place { // of a page that left, for its resume key
    char key[33];
    playhead place;
    double left; // s of the clock
} kept_place;

typedef struct queued {
    struct queued *next;
    message *message;
} queued;

typedef struct page_frames { // frames of one branch for one page
    message *waiting;        // the newest that was not fetched
    uint32_t waiting_seq;
    uint32_t sent[2]; // not acknowledged
    int sent_count;
    unsigned long long shown; // instant packed last
    uint32_t vehicles;        // version of its list of vehicles that the page has
    int64_t tick;             // of the clock, at which it was
} page_frames;

struct service_page {
    hub *h;
    atomic_int refs;
    atomic_int under_way; // requests that are queued or being carried out
    hub_page *next;
    int number;
    bool read_only;
    // Under hub.lock.
    char key[33], name[NAME_SIZE];
    bool gone, greeted, greeting, subscribed;
    bool looks_on; // it has reported its playhead
    int follows;   // number of the page whose playhead it is told; 0: none
    const char *closing;
    playhead place;
    double reported; // s of the clock
    uint32_t mask;
    double rate;
    bool windowed;
    double from, to;
    bool bodies;
    queued *first, *last;
    size_t waiting;
    page_frames frames[MAX_BRANCHES];
    drive_command drive;
    // Of the transport thread alone.
    double second; // s of the clock, at which the counts began
    int requests, drives;
};

// Of the transport thread.
hub_page *page_join(hub *h, bool read_only); // NULL: no memory
void page_leave(hub_page *page);             // its place is kept for a resume key

// Any thread; those below lock.
hub_page *page_hold(hub_page *page);
void page_drop(hub_page *page);                      // NULL is allowed
void page_name(hub_page *page, char out[NAME_SIZE]); // as it is now: a hello may change it
void page_rename(hub_page *page, const char *name);  // without control characters
const char *page_closing(const hub_page *page);      // why it must be closed now; NULL: it stays
void page_tell_count(hub *h);                        // how many look on, to all
void page_tell_place(hub *h, const hub_page *page, bool gone); // to those who follow it

// Where a page is, for others; under hub.lock.
json_t *page_json(const hub_page *page);
