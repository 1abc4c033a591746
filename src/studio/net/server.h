// server.h - the studio's server: one thread that listens, answers and feeds the pages.
//
// libwebsockets gives the loop: which socket is ready, who is to be woken (lws_cancel_service is
// the one call other threads may make), when a timer is due. What is said on a connection is
// connection.h's.
#pragma once

#include "motorcade/studio.h"
#include "studio/net/service.h"

enum {
    SERVER_CONNECTIONS_MAX = 256, // beyond these: 503
    SERVER_CROWD_MAX = 64,        // that wait for their 503; beyond these it is not waited for
};

typedef struct server server;

// Listens. NULL: see *error.
server *server_create(const mc_studio_options *options, mc_error *error);
const char *server_address(const server *s); // http://127.0.0.1:8080/, with the token if any

// Starts the thread; what is in *behind is copied.
mc_status server_start(server *s, const service *behind, mc_error *error);
void server_wake(void *s);           // any thread: a page may have something to be sent
bool server_failed(const server *s); // the thread has ended by itself
char *server_ask(server *s, const char *request, mc_error *error); // ask.h
void server_stop(server *s); // pages are told and leave; the thread ends
void server_destroy(server *s);
