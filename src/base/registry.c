// registry.c - rows of the library and from outside.
#include "base/registry.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const void *registry_at(const registry *r, int index)
{
    if (index < 0)
        return NULL;
    if (index < r->built_in_count)
        return r->built_in[index];
    index -= r->built_in_count;
    return index < atomic_load_explicit(&r->count, memory_order_acquire) ? r->added[index] : NULL;
}

mc_status registry_reject(const registry *r, const char *name, mc_error *error, const char *format,
                          ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s %.60s: %s", r->what,
                        name ? name : "without a name", text);
}

static bool is_word(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    const size_t length = strspn(name, letters);
    return length > 0 && length <= REGISTRY_NAME_MAX && name[length] == '\0' &&
           !strchr("_0123456789", name[0]);
}

mc_status registry_check(const registry *r, size_t size, size_t expected, const char *name,
                         const char *doc, const char *(*name_at)(int index), mc_error *error)
{
    if (size != expected)
        return registry_reject(r, name, error,
                               "its size is %zu, expected %zu: it was compiled with the headers of "
                               "another version",
                               size, expected);
    if (!name || !is_word(name))
        return registry_reject(r, name, error,
                               "its name is not valid: expected at most %d lower-case letters, "
                               "digits and \"_\", starting with a letter",
                               REGISTRY_NAME_MAX);
    if (!doc || !doc[0])
        return registry_reject(r, name, error, "it has no doc");
    const char *other;
    for (int i = 0; (other = name_at(i)); i++)
        if (strcasecmp(other, name) == 0)
            return registry_reject(r, name, error, "the name is already in use");
    return MC_OK;
}

mc_status registry_check_rows(const registry *r, const char *name, const mc_param *rows, int count,
                              int max, mc_error *error)
{
    if (count < 0 || count > max || (count > 0 && !rows))
        return registry_reject(r, name, error, "it has %d parameters, expected 0 .. %d", count,
                               rows ? max : 0);
    for (int i = 0; i < count; i++) {
        const mc_param *p = &rows[i];
        if (!p->name || !p->name[0] || !p->unit || !p->doc || !p->doc[0])
            return registry_reject(r, name, error, "parameter %d has no name, unit or doc", i);
        if (!(p->min <= p->max) ||
            !(isnan(p->fallback) || (p->fallback >= p->min && p->fallback <= p->max)))
            return registry_reject(r, name, error,
                                   "the default of %s is %g, outside its range %g .. %g", p->name,
                                   p->fallback, p->min, p->max);
        for (int k = 0; k < i; k++)
            if (strcasecmp(rows[k].name, p->name) == 0)
                return registry_reject(r, name, error, "it has two parameters %s", p->name);
    }
    return MC_OK;
}

mc_status registry_add(registry *r, const char *name, const void *row, mc_error *error)
{
    pthread_mutex_lock(&r->lock);
    const int count = atomic_load_explicit(&r->count, memory_order_relaxed);
    if (count < REGISTRY_MAX) {
        r->added[count] = row;
        atomic_store_explicit(&r->count, count + 1, memory_order_release);
    }
    pthread_mutex_unlock(&r->lock);
    return count < REGISTRY_MAX
               ? MC_OK
               : registry_reject(r, name, error, "there are already %d registered, the maximum",
                                 REGISTRY_MAX);
}
