// intake.c - the head of a request, and what a page may ask for.
#include "studio/hub/intake.h"

#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/mail.h"
#include "studio/hub/queue.h"

// Per second and page: the page is closed beyond the first; pedals and the like have the second.
enum { REQUESTS_CLOSE = 600, MAX_DRIVES = 200 };

// Counts a request of this second. False: no more.
static bool count_request(hub_page *page, const request_kind *kind, bool *close)
{
    const double now = hub_now();
    if (now - page->second >= 1.0) {
        page->second = now;
        page->requests = page->drives = 0;
    }
    if (kind && kind->flags & REQUEST_OFTEN)
        return ++page->drives <= MAX_DRIVES + 4 * MAX_REQUESTS ||
               !(*close = page->drives > 4 * REQUESTS_CLOSE);
    page->requests++;
    *close = page->requests > REQUESTS_CLOSE;
    return page->requests <= MAX_REQUESTS;
}

static void close_page(hub_page *page, const char *why)
{
    json_t *bye = json_object();
    json_put(bye, "kind", json_string("bye"));
    json_put(bye, "reason", json_string(why));
    message *m = message_text(bye);
    if (m)
        mail_send(page, m);
    pthread_mutex_lock(&page->h->lock);
    page->closing = why;
    pthread_mutex_unlock(&page->h->lock);
}

// The id and the kind; false: it was rejected.
static bool read_head(request *r)
{
    const json_t *id = json_object_get(r->body, "id");
    if (id && !(json_is_integer(id) && json_integer_value(id) >= 0 &&
                json_integer_value(id) <= 4294967295)) {
        request_reject(r, "id", "id must be a whole number, 0 .. 4294967295");
        return false;
    }
    r->id = id ? json_integer_value(id) : -1;
    const char *kind = json_string_value(json_object_get(r->body, "kind"));
    if (!kind) {
        request_reject(r, "kind", "kind is missing: expected a text");
        return false;
    }
    r->kind = request_find(r->h->requests, kind);
    if (r->kind)
        return true;
    const char *near = request_nearest(r->h->requests, kind);
    request_reject(r, "kind", "unknown request \"%.40s\"%s%s%s", kind,
                   near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return false;
}

static void take_request(request *r, bool *keep)
{
    hub_page *page = r->page;
    const bool known = read_head(r);
    bool close = false;
    const bool counted = count_request(page, known ? r->kind : NULL, &close);
    if (close) {
        close_page(page, "too many requests");
        *keep = false;
    } else if (!counted) {
        if (known && !r->answered)
            request_reject(r, NULL, "too many requests");
    } else if (known && r->kind->flags & REQUEST_CHANGES && page->read_only) {
        request_reject(r, NULL, "this page is read-only");
    } else if (known && !page->greeting && !(r->kind->flags & REQUEST_GREETS)) {
        request_reject(r, NULL, "the first request must be hello");
    } else if (known && r->kind->where == HERE) {
        r->kind->run(r);
    } else if (known && atomic_load(&page->under_way) >= MAX_REQUESTS_UNDER_WAY) {
        request_reject(r, NULL, "too many requests in progress: %d wait for their answers",
                       MAX_REQUESTS_UNDER_WAY);
    } else if (known) {
        page->greeting = true;
        r->counted = true;
        atomic_fetch_add(&page->under_way, 1);
        queue_post(page->h, r);
        return;
    }
    request_free(r);
}

bool intake_take(hub_page *page, const char *text, size_t length)
{
    if (page_closing(page))
        return false;
    json_error_t problem;
    json_t *body = NULL;
    if (length <= MAX_REQUEST_BYTES)
        body = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    const bool object = json_is_object(body);
    if (!object) {
        json_decref(body);
        body = json_object();
    }
    request *r = request_create(page, body);
    if (!r)
        return true;
    bool keep = true;
    if (object) {
        take_request(r, &keep);
        return keep;
    }
    if (length > MAX_REQUEST_BYTES)
        request_reject(r, NULL, "the request has %zu bytes, expected at most %d", length,
                       MAX_REQUEST_BYTES);
    else
        request_reject(r, NULL, "a request must be a JSON object");
    bool close = false;
    count_request(page, NULL, &close);
    request_free(r);
    if (close)
        close_page(page, "too many requests");
    return !close;
}
