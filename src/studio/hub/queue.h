// queue.h - requests that wait for their thread.
//
// Any thread posts; the simulation thread and the answers thread take. All lock hub.lock.
#pragma once

#include "studio/hub/request.h"

void queue_post(hub *h, request *r); // to the thread of its kind; takes it
// To the simulation thread: behind those of others, before later ones of its page. Takes it.
void queue_post_again(hub *h, request *r);

request *queue_next_answer(hub *h); // waits; NULL: the hub ends
// Waits, at most until that instant of the clock or until pages stir (hub_stir). NULL: none.
request *queue_next_simulation(hub *h, double until);
void queue_free(hub *h); // at the end of the hub: none of them is answered
