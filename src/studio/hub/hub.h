// hub.h - the simulations behind the studio, without a network: the interface of the hub.
//
// The hub is given a table of what pages can ask for (studio/request/table.h) and stands behind the
// server as a service, so tests talk to it directly. It knows nothing of sockets. inside.h says
// which threads it has, and what is whose.
#pragma once

#include "motorcade/studio.h"
#include "studio/net/service.h"

typedef struct hub hub;
typedef struct service_page hub_page;       // page.h
typedef struct request_table request_table; // request.h

// wake() is called from any of the hub's threads when a page may have something to be sent.
hub *hub_create(const mc_studio_options *options, const request_table *requests,
                void (*wake)(void *context), void *context, mc_error *error);
void hub_destroy(hub *h);    // all pages have left
service hub_service(hub *h); // the hub as the server knows it
