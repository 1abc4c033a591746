// ask.h - questions to the service from within the program, as a page would ask them.
//
// The thread that asks waits; the server's thread, the only one that may talk to the service, does
// the asking: it calls ask_serve whenever it is woken.
#pragma once

#include "motorcade/status.h"
#include "studio/net/service.h"

#include <pthread.h>

typedef struct ask_desk { // starts with ask_open
    pthread_mutex_t lock;
    pthread_cond_t answered;
    struct ask_question *question; // NULL: none
} ask_desk;

void ask_open(ask_desk *desk);
void ask_close(ask_desk *desk);

// request: a JSON object with a kind, without id. Returns the answer, freed by the caller; NULL: it
// was rejected, or did not come within 10 s. wake makes the server's thread call ask_serve.
char *ask_and_wait(ask_desk *desk, const char *request, void (*wake)(void *context), void *context,
                   mc_error *error);

void ask_serve(ask_desk *desk, const service *s);
