// answers.c - the answers thread: questions to histories, files.
#include "studio/hub/answers.h"

#include "studio/hub/queue.h"
#include "studio/hub/request.h"

void *answers_thread(void *context)
{
    hub *h = context;
    for (request *r; (r = queue_next_answer(h));) {
        if (request_is_needed(r))
            r->kind->run(r);
        request_free(r);
    }
    return NULL;
}
