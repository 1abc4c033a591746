// hub.h - the simulations behind the studio, without a network.
//
// The transport (server.c) hands in what pages send and fetches what is to be sent to them; the hub
// knows nothing of sockets, so tests talk to it directly. Threads: calls come from the transport's
// one thread; the hub has a thread that simulates and a thread that answers questions, so that no
// question slows the simulation. wake() is called from any of them when a page may have something
// to be sent.
#pragma once

#include "motorcade/studio.h"

#include <stddef.h>
#include <stdint.h>

typedef struct hub hub;
typedef struct hub_page hub_page;

enum { HUB_HEADROOM = 32 }; // bytes before a message's bytes that the transport may write to

typedef struct hub_message { // immutable, shared between pages
    bool binary;
    size_t length;
    uint8_t *bytes; // with HUB_HEADROOM bytes before them
} hub_message;

hub *hub_create(const mc_studio_options *options, void (*wake)(void *context), void *context,
                mc_error *error);
void hub_destroy(hub *h); // all pages have left

hub_page *hub_join(hub *h, bool read_only); // NULL: no memory
void hub_leave(hub_page *page);             // its place is kept for a resume key

// A whole text message of the page: a JSON request. False: the page is to be closed (too many
// requests); reason() says why.
bool hub_take(hub_page *page, const char *text, size_t length);

// The next message for the page, to be given back with hub_release; NULL: nothing now.
hub_message *hub_next(hub_page *page);
void hub_release(hub_message *message);
const char *hub_page_closing(const hub_page *page); // why it must be closed now; NULL: it stays

// Bytes of an uploaded file, from malloc and taken whatever is answered; *key (33 bytes) names it
// in `open`, which removes it. They stay in memory: whoever opens them writes the file, on another
// thread. At most 64 of 256 MB together wait to be opened; they go when the last page leaves, or
// after ten minutes.
mc_status hub_upload(hub *h, const char *name, void *bytes, size_t length, char key[33],
                     mc_error *error);
