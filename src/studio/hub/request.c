// request.c - kinds, life and answers of requests.
#include "studio/hub/request.h"

#include "base/text.h"
#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/mail.h"
#include "studio/hub/open.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- kinds ----

const request_kind *request_find(const request_table *table, const char *name)
{
    for (int k = 0; k < table->count; k++)
        if (strcmp(table->kinds[k].name, name) == 0)
            return &table->kinds[k];
    return NULL;
}

const char *request_nearest(const request_table *table, const char *name)
{
    const char **names = calloc((size_t)table->count + 1, sizeof *names);
    for (int k = 0; names && k < table->count; k++)
        names[k] = table->kinds[k].name;
    const char *near = names && strlen(name) < 40 ? text_nearest(name, names, table->count) : NULL;
    free(names);
    return near;
}

// ---- life ----

request *request_create(hub_page *page, json_t *body)
{
    request *r = calloc(1, sizeof *r);
    if (!r) {
        json_decref(body);
        return NULL;
    }
    *r = (request){.h = page->h, .page = page_hold(page), .body = body, .id = -1};
    return r;
}

void request_free(request *r)
{
    if (!r)
        return;
    json_decref(r->body);
    json_decref(r->partial);
    opened_free(r->opened);
    mc_timeline_way_free(&r->way);
    if (r->counted && r->page)
        atomic_fetch_sub(&r->page->under_way, 1);
    page_drop(r->page);
    free(r);
}

request *request_move(request *r)
{
    request *to = malloc(sizeof *to);
    if (!to)
        return NULL;
    *to = *r;
    r->page = NULL;
    r->body = NULL;
    r->partial = NULL;
    r->opened = NULL;
    r->way = (mc_timeline_way){0};
    return to;
}

bool request_is_needed(request *r)
{
    pthread_mutex_lock(&r->h->lock);
    const bool gone = r->page->gone;
    pthread_mutex_unlock(&r->h->lock);
    return !gone || r->kind->flags & REQUEST_CHANGES;
}

// ---- answers ----

static void answer(request *r, json_t *body, const char *kind)
{
    r->answered = true;
    json_put(body, "kind", json_string(kind));
    if (r->id >= 0)
        json_put(body, "id", json_integer(r->id));
    message *m = message_text(body);
    if (m)
        mail_send(r->page, m);
}

void request_done(request *r, json_t *results)
{
    answer(r, results ? results : json_object(), "done");
}

void request_reject(request *r, const char *place, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    json_t *body = json_object();
    json_t *reason = json_string(text);
    json_put(body, "reason", reason ? reason : json_string("the request is not valid UTF-8"));
    if (place)
        json_put(body, "place", json_string(place));
    answer(r, body, "refused");
}

void request_reject_error(request *r, const mc_error *error)
{
    json_t *body = json_object();
    json_t *reason = json_string(error->text[0] ? error->text : "it failed");
    json_put(body, "reason", reason ? reason : json_string("it failed"));
    if (error->file[0])
        json_put(body, "file", json_string(error->file));
    if (error->line > 0) {
        json_put(body, "line", json_integer(error->line));
        json_put(body, "column", json_integer(error->column));
    }
    if (error->excerpt[0])
        json_put(body, "text", json_string(error->excerpt));
    answer(r, body, "refused");
}
