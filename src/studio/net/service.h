// service.h - the service behind the server: the contract between the network and the simulations.
//
// The network carries whole messages to and from pages and knows nothing of what they say. A
// service fills the table below: the hub does (hub_service), and tests have one that only answers.
//
// Threads: all calls come from the server's one thread. A service with threads of its own wakes the
// server (server_wake) when a page may have something to be sent.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct service_page service_page; // a page as the service keeps it

enum { SERVICE_HEADROOM = 32 }; // bytes before a message's bytes that the network may write to

typedef struct service_message { // immutable, shared between pages
    bool binary;
    size_t length;
    uint8_t *bytes; // with SERVICE_HEADROOM bytes before them
} service_message;

typedef struct service {
    void *context; // of join and upload

    service_page *(*join)(void *context, bool read_only); // NULL: no memory
    void (*leave)(service_page *page);

    // A whole text message of the page. False: the page is to be closed; closing() says why.
    bool (*take)(service_page *page, const char *text, size_t length);
    // The next message for the page, to be freed with release; NULL: nothing now.
    service_message *(*next)(service_page *page);
    void (*release)(service_message *message);
    const char *(*closing)(const service_page *page); // why it must be closed now; NULL: it stays

    // Bytes of an uploaded file, from malloc and taken whatever is answered; *key (33 bytes) names
    // it in later messages.
    mc_status (*upload)(void *context, const char *name, void *bytes, size_t length, char key[33],
                        mc_error *error);
} service;
