// request.c - what a request says, checked; and its answer.
#include "studio/parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- answers ----

static void answer(request *r, json_t *body, const char *kind)
{
    r->answered = true;
    json_put(body, "kind", json_string(kind));
    if (r->id >= 0)
        json_put(body, "id", json_integer(r->id));
    message *m = message_text(body);
    if (m)
        hub_send(r->page, m);
}

void request_done(request *r, json_t *results)
{
    answer(r, results ? results : json_object(), "done");
}

void request_refuse_json(request *r, json_t *refusal)
{
    answer(r, refusal, "refused");
}

void request_refuse(request *r, const char *place, const char *format, ...)
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
    request_refuse_json(r, body);
}

void request_refuse_error(request *r, const mc_error *error)
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
    request_refuse_json(r, body);
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

// ---- what it says ----

static json_t *member(const request *r, const char *name)
{
    json_t *value = json_object_get(r->body, name);
    return value && !json_is_null(value) ? value : NULL;
}

static const char *type_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a text";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        return "null";
    default:
        return "a number";
    }
}

static bool in_range(request *r, const char *name, const json_t *value, double min, double max,
                     double *out)
{
    if (!json_is_number(value)) {
        request_refuse(r, name, "%s is %s, it must be a number", name, type_name(value));
        return false;
    }
    *out = json_number_value(value);
    if (*out >= min && *out <= max)
        return true;
    request_refuse(r, name, "%s is %g, allowed is %g .. %g", name, *out, min, max);
    return false;
}

bool request_number(request *r, const char *name, double min, double max, double fallback,
                    double *out)
{
    const json_t *value = member(r, name);
    if (value)
        return in_range(r, name, value, min, max, out);
    if (isnan(fallback)) {
        request_refuse(r, name, "%s is missing: a number, %g .. %g", name, min, max);
        return false;
    }
    *out = fallback;
    return true;
}

bool request_optional(request *r, const char *name, double min, double max, double *out)
{
    const json_t *value = member(r, name);
    *out = NAN;
    return !value || in_range(r, name, value, min, max, out);
}

bool request_flag(request *r, const char *name, bool fallback, bool *out)
{
    const json_t *value = member(r, name);
    *out = value ? json_is_true(value) : fallback;
    if (!value || json_is_boolean(value))
        return true;
    request_refuse(r, name, "%s is %s, it must be true or false", name, type_name(value));
    return false;
}

bool request_text(request *r, const char *name, size_t most, const char *fallback, const char **out)
{
    const json_t *value = member(r, name);
    *out = fallback;
    if (!value && fallback)
        return true;
    if (!value) {
        request_refuse(r, name, "%s is missing: a text", name);
        return false;
    }
    if (!json_is_string(value)) {
        request_refuse(r, name, "%s is %s, it must be a text", name, type_name(value));
        return false;
    }
    *out = json_string_value(value);
    if (json_string_length(value) > most || strlen(*out) != json_string_length(value)) {
        request_refuse(r, name, "%s is too long: at most %zu bytes", name, most);
        return false;
    }
    return true;
}

bool request_fields(request *r, uint32_t fallback, uint32_t *mask)
{
    const json_t *list = member(r, "fields");
    *mask = fallback;
    if (!list)
        return true;
    if (!json_is_array(list)) {
        request_refuse(r, "fields", "fields is %s, it must be a list of names", type_name(list));
        return false;
    }
    *mask = 0;
    for (size_t k = 0; k < json_array_size(list); k++) {
        const char *name = json_string_value(json_array_get(list, k));
        const int field = name ? frame_field(name) : -1;
        if (field < 0) {
            request_refuse(r, "fields", "there is no field \"%.40s\"", name ? name : "?");
            return false;
        }
        *mask |= (uint32_t)1 << field;
    }
    return true;
}

bool request_world(request *r, world **out)
{
    double number;
    *out = NULL;
    if (!request_number(r, "world", 0, 65535, 0, &number))
        return false;
    *out = hub_world(r->h, (int)number);
    if (!*out)
        request_refuse(r, "world", "there is no world %g", number);
    return *out;
}

bool request_worlds(request *r, world **out, int *count)
{
    const json_t *list = member(r, "worlds");
    *count = 0;
    if (!list) {
        *count = hub_worlds(r->h, out);
        return true;
    }
    if (!json_is_array(list)) {
        request_refuse(r, "worlds", "worlds is %s, it must be a list of numbers", type_name(list));
        return false;
    }
    for (size_t k = 0; k < json_array_size(list) && *count < WORLDS_MOST; k++) {
        const json_t *entry = json_array_get(list, k);
        const json_int_t number = json_is_integer(entry) ? json_integer_value(entry) : -1;
        world *w = number >= 0 && number < 65536 ? hub_world(r->h, (int)number) : NULL;
        if (!w) {
            request_refuse(r, "worlds", "there is no such world: entry %zu", k + 1);
            while (*count > 0)
                world_drop(out[--*count]);
            return false;
        }
        out[(*count)++] = w;
    }
    return true;
}
