// answers.c - the answers thread: questions to histories, files.
#include "studio/parts.h"

void *answers_thread(void *context)
{
    hub *h = context;
    for (request *r; (r = hub_take_answer(h));) {
        if (request_wanted(r))
            r->kind->run(r);
        request_free(r);
    }
    return NULL;
}
