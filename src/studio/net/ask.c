// ask.c - a page without a window.
#include "studio/net/ask.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ID = 2, PATIENCE_S = 10 };

struct ask_question { // on the stack of who asks
    char *request;    // with its id
    service_page *page;
    json_t *answer;
    bool done, given_up;
};

void ask_open(ask_desk *desk)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&desk->lock, NULL);
    pthread_cond_init(&desk->answered, &attributes);
    pthread_condattr_destroy(&attributes);
    desk->question = NULL;
}

void ask_close(ask_desk *desk)
{
    pthread_cond_destroy(&desk->answered);
    pthread_mutex_destroy(&desk->lock);
}

// ---- the server's thread ----

// The answer if the message is it.
static json_t *is_answer(const service_message *message)
{
    json_t *object =
        message->binary ? NULL : json_loadb((const char *)message->bytes, message->length, 0, NULL);
    if (object && json_integer_value(json_object_get(object, "id")) == ID)
        return object;
    json_decref(object);
    return NULL;
}

void ask_serve(ask_desk *desk, const service *s)
{
    static const char hello[] = "{\"id\": 1, \"kind\": \"hello\", \"version\": 1, \"name\": \"\"}";
    pthread_mutex_lock(&desk->lock);
    struct ask_question *q = desk->question;
    if (q && !q->page && !q->given_up) {
        q->page = s->join(s->context, true);
        if (q->page)
            q->given_up = !s->take(q->page, hello, sizeof hello - 1) ||
                          !s->take(q->page, q->request, strlen(q->request));
    }
    for (service_message *m; q && q->page && !q->answer && (m = s->next(q->page)) != NULL;) {
        q->answer = is_answer(m);
        s->release(m);
    }
    if (q && (q->answer || q->given_up || !q->page)) {
        if (q->page)
            s->leave(q->page);
        q->done = true;
        desk->question = NULL;
        pthread_cond_signal(&desk->answered);
    }
    pthread_mutex_unlock(&desk->lock);
}

// ---- the thread that asks ----

static char *with_id(const char *request, mc_error *error)
{
    json_error_t where;
    json_t *object = json_loads(request, 0, &where);
    char *text = NULL;
    if (!json_is_object(object))
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the request is not a JSON object: %s",
                     object ? request : where.text);
    else if (json_object_set_new(object, "id", json_integer(ID)) != 0 ||
             !(text = json_dumps(object, JSON_COMPACT)))
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a request");
    json_decref(object);
    return text;
}

static void wait_for(ask_desk *desk, struct ask_question *q, void (*wake)(void *context),
                     void *context)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += PATIENCE_S;
    pthread_mutex_lock(&desk->lock);
    desk->question = q;
    pthread_mutex_unlock(&desk->lock);
    wake(context);
    pthread_mutex_lock(&desk->lock);
    while (!q->done)
        if (pthread_cond_timedwait(&desk->answered, &desk->lock, &end) != 0) {
            if (q->given_up) { // the server has stopped
                desk->question = NULL;
                break;
            }
            q->given_up = true;
            end.tv_sec += 1;
            pthread_mutex_unlock(&desk->lock);
            wake(context);
            pthread_mutex_lock(&desk->lock);
        }
    pthread_mutex_unlock(&desk->lock);
}

char *ask_and_wait(ask_desk *desk, const char *request, void (*wake)(void *context), void *context,
                   mc_error *error)
{
    struct ask_question q = {.request = with_id(request, error)};
    if (!q.request)
        return NULL;
    wait_for(desk, &q, wake, context);
    free(q.request);
    const char *kind = json_string_value(json_object_get(q.answer, "kind"));
    const char *reason = json_string_value(json_object_get(q.answer, "reason"));
    char *text = NULL;
    if (!q.answer)
        mc_error_set(error, MC_FAILED, NULL, 0, 0, "the studio did not answer within %d s",
                     PATIENCE_S);
    else if (kind && strcmp(kind, "refused") == 0)
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s", reason ? reason : "refused");
    else if (!(text = json_dumps(q.answer, JSON_COMPACT)))
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for an answer");
    json_decref(q.answer);
    return text;
}
