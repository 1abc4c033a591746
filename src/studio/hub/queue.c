// queue.c - three queues of requests, in the order in which they came.
#include "studio/hub/queue.h"

#include "studio/hub/inside.h"

#include <math.h>
#include <time.h>

static void post(request **first, request **last, request *r)
{
    r->next = NULL;
    *(*last ? &(*last)->next : first) = r;
    *last = r;
}

static json_int_t branch_meant(const request *r)
{
    return json_integer_value(json_object_get(r->body, "world"));
}

// One of the same kind, page and branch that still waits: taken out of the queue. NULL: there is
// none. Under the lock.
static request *take_overtaken(hub *h, const request *by)
{
    request *before = NULL, *r = by->kind->flags & REQUEST_OVERTAKES ? h->sim_first : NULL;
    while (r &&
           !(r->page == by->page && r->kind == by->kind && branch_meant(r) == branch_meant(by)))
        before = r, r = r->next;
    if (!r)
        return NULL;
    *(before ? &before->next : &h->sim_first) = r->next;
    if (h->sim_last == r)
        h->sim_last = before;
    return r;
}

static void post_simulation(hub *h, request *r)
{
    pthread_mutex_lock(&h->lock);
    request *overtaken = take_overtaken(h, r);
    post(&h->sim_first, &h->sim_last, r);
    pthread_cond_signal(&h->work);
    pthread_mutex_unlock(&h->lock);
    if (overtaken) {
        request_reject(overtaken, "t", "superseded by a newer %s", overtaken->kind->name);
        request_free(overtaken);
    }
}

void queue_post_again(hub *h, request *r)
{
    request *others = NULL, *others_last = NULL, *own = NULL, *own_last = NULL;
    pthread_mutex_lock(&h->lock);
    post(&own, &own_last, r);
    for (request *q = h->sim_first, *next; q; q = next) {
        next = q->next;
        if (q->page == r->page)
            post(&own, &own_last, q);
        else
            post(&others, &others_last, q);
    }
    *(others_last ? &others_last->next : &others) = own;
    h->sim_first = others;
    h->sim_last = own_last;
    pthread_mutex_unlock(&h->lock);
}

void queue_post(hub *h, request *r)
{
    if (r->kind->where == SIMULATION) {
        post_simulation(h, r);
        return;
    }
    pthread_mutex_lock(&h->lock);
    if (r->kind->flags & REQUEST_GREETS)
        post(&h->hello_first, &h->hello_last, r);
    else
        post(&h->ask_first, &h->ask_last, r);
    pthread_cond_signal(&h->asked);
    pthread_mutex_unlock(&h->lock);
}

static request *take_first(request **first, request **last)
{
    request *r = *first;
    *first = r->next;
    if (!r->next)
        *last = NULL;
    return r;
}

request *queue_next_answer(hub *h)
{
    request *r = NULL;
    pthread_mutex_lock(&h->lock);
    while (!h->hello_first && !h->ask_first && !h->quit)
        pthread_cond_wait(&h->asked, &h->lock);
    if (!h->quit) // a new page does not wait for the questions of others
        r = h->hello_first ? take_first(&h->hello_first, &h->hello_last)
                           : take_first(&h->ask_first, &h->ask_last);
    pthread_mutex_unlock(&h->lock);
    return r;
}

request *queue_next_simulation(hub *h, double until)
{
    pthread_mutex_lock(&h->lock);
    // Frames are given at the next step anyway, if there is one.
    const unsigned stirred = h->stirred & (h->running_told ? ~(unsigned)STIR_FRAMES : ~0U);
    if (!h->sim_first && !h->quit && !stirred && until > hub_now()) {
        struct timespec t;
        const double wake = fmin(until, hub_now() + 0.25);
        t.tv_sec = (time_t)wake;
        t.tv_nsec = (long)((wake - floor(wake)) * 1e9);
        pthread_cond_timedwait(&h->work, &h->lock, &t);
    }
    request *r = h->sim_first ? take_first(&h->sim_first, &h->sim_last) : NULL;
    pthread_mutex_unlock(&h->lock);
    return r;
}

static void free_requests(request *r)
{
    while (r) {
        request *next = r->next;
        request_free(r);
        r = next;
    }
}

void queue_free(hub *h)
{
    free_requests(h->sim_first);
    free_requests(h->ask_first);
    free_requests(h->hello_first);
}
