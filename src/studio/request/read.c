// read.c - the content of a request, checked.
#include "studio/request/read.h"

#include "studio/hub/branch_list.h"
#include "studio/hub/change.h"

#include <math.h>
#include <string.h>

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
        request_reject(r, name, "%s is %s, expected a number", name, type_name(value));
        return false;
    }
    *out = json_number_value(value);
    if (*out >= min && *out <= max)
        return true;
    request_reject(r, name, "%s is %g, expected %g .. %g", name, *out, min, max);
    return false;
}

bool read_number(request *r, const char *name, double min, double max, double fallback, double *out)
{
    const json_t *value = member(r, name);
    if (value)
        return in_range(r, name, value, min, max, out);
    if (isnan(fallback)) {
        request_reject(r, name, "%s is missing: expected a number, %g .. %g", name, min, max);
        return false;
    }
    *out = fallback;
    return true;
}

bool read_optional(request *r, const char *name, double min, double max, double *out)
{
    const json_t *value = member(r, name);
    *out = NAN;
    return !value || in_range(r, name, value, min, max, out);
}

bool read_flag(request *r, const char *name, bool fallback, bool *out)
{
    const json_t *value = member(r, name);
    *out = value ? json_is_true(value) : fallback;
    if (!value || json_is_boolean(value))
        return true;
    request_reject(r, name, "%s is %s, expected true or false", name, type_name(value));
    return false;
}

bool read_text(request *r, const char *name, size_t max, const char *fallback, const char **out)
{
    const json_t *value = member(r, name);
    *out = fallback;
    if (!value && fallback)
        return true;
    if (!value) {
        request_reject(r, name, "%s is missing: expected a text", name);
        return false;
    }
    if (!json_is_string(value)) {
        request_reject(r, name, "%s is %s, expected a text", name, type_name(value));
        return false;
    }
    *out = json_string_value(value);
    if (json_string_length(value) > max || strlen(*out) != json_string_length(value)) {
        request_reject(r, name, "%s is too long: expected at most %zu bytes", name, max);
        return false;
    }
    return true;
}

bool read_fields(request *r, uint32_t fallback, uint32_t *mask)
{
    const json_t *list = member(r, "fields");
    *mask = fallback;
    if (!list)
        return true;
    if (!json_is_array(list)) {
        request_reject(r, "fields", "fields is %s, expected a list of names", type_name(list));
        return false;
    }
    *mask = 0;
    for (size_t k = 0; k < json_array_size(list); k++) {
        const char *name = json_string_value(json_array_get(list, k));
        const int field = name ? frame_field(name) : -1;
        if (field < 0) {
            request_reject(r, "fields", "unknown field \"%.40s\"", name ? name : "?");
            return false;
        }
        *mask |= (uint32_t)1 << field;
    }
    return true;
}

bool read_branch(request *r, branch **out)
{
    double number;
    *out = NULL;
    if (!read_number(r, "world", 0, 65535, 0, &number))
        return false;
    *out = branch_list_find(r->h, (int)number);
    if (!*out)
        request_reject(r, "world", "unknown world %g", number);
    return *out;
}

bool read_branches(request *r, branch **out, int *count)
{
    const json_t *list = member(r, "worlds");
    *count = 0;
    if (!list) {
        *count = branch_list_all(r->h, out);
        return true;
    }
    if (!json_is_array(list)) {
        request_reject(r, "worlds", "worlds is %s, expected a list of numbers", type_name(list));
        return false;
    }
    for (size_t k = 0; k < json_array_size(list) && *count < MAX_BRANCHES; k++) {
        const json_t *entry = json_array_get(list, k);
        const json_int_t number = json_is_integer(entry) ? json_integer_value(entry) : -1;
        branch *b = number >= 0 && number < 65536 ? branch_list_find(r->h, (int)number) : NULL;
        if (!b) {
            request_reject(r, "worlds", "unknown world: entry %zu", k + 1);
            while (*count > 0)
                branch_drop(out[--*count]);
            return false;
        }
        out[(*count)++] = b;
    }
    return true;
}

bool read_change(request *r, const char *text, change *out)
{
    double at;
    branch *b;
    if (!read_optional(r, "at", -1e9, 1e9, &at) || !read_branch(r, &b))
        return false;
    const bool good = change_begin(r, b, at, text, out);
    branch_drop(b); // the hub holds it
    return good;
}
