// plan.c - the road from above.
#include "studio/request/requests.h"

#include "studio/hub/json.h"
#include "studio/request/read.h"

#include <stdlib.h>
#include <string.h>

void request_plan(request *r)
{
    branch *b;
    if (!read_branch(r, &b))
        return;
    pthread_mutex_lock(&b->lock);
    char *text = b->plan ? strdup(b->plan) : NULL;
    const int version = b->plan_version, number = b->number;
    pthread_mutex_unlock(&b->lock);
    branch_drop(b);
    json_t *out = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    if (!out) {
        request_reject(r, "world", "the road of world %d is not known", number);
        return;
    }
    json_put(out, "world", json_integer(number));
    json_put(out, "plan", json_integer(version));
    request_done(r, out);
}
