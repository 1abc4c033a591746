// wiring.c - see wiring.h.
#include "unit/wiring.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct wirer {
    arena *memory;
    const unit_description *d;
    const char *file;
    const unit_words *words;
    const unit_pairs *connect;
    unit_wiring *out;
    mc_error *error;
} wirer;

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the unit");
}

// ---- pairs -------------------------------------------------------------------------------------

static char *trimmed(arena *memory, const char *from, const char *to)
{
    while (from < to && (*from == ' ' || *from == '\n' || *from == '\t'))
        from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\n' || to[-1] == '\t'))
        to--;
    return arena_copy_text(memory, from, (size_t)(to - from));
}

static const char *end_of(const char *at)
{
    int depth = 0;
    for (; *at && (depth > 0 || *at != ','); at++)
        depth += (*at == '[') - (*at == ']');
    return at;
}

mc_status unit_pairs_read(arena *memory, const char *text, unit_pairs *out, mc_error *error)
{
    *out = (unit_pairs){0};
    if (!text || !text[0])
        return MC_OK;
    unit_pair *pairs = arena_alloc(memory, (strlen(text) / 3 + 1) * sizeof *pairs);
    if (!pairs)
        return no_memory(error);
    for (const char *at = text, *end; *at; at = *end ? end + 1 : end) {
        end = end_of(at);
        const char *sign = memchr(at, '=', (size_t)(end - at));
        unit_pair *p = &pairs[out->count];
        p->name = sign ? trimmed(memory, at, sign) : "";
        p->value = sign ? trimmed(memory, sign + 1, end) : "";
        if (!p->name || !p->value)
            return no_memory(error);
        if (!p->name[0] || !p->value[0])
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "found \"%.*s\", expected NAME = VALUE, NAME = VALUE, ...",
                                (int)(end - at < 60 ? end - at : 60), at);
        out->count++;
    }
    out->pair = pairs;
    return MC_OK;
}

// ---- names -------------------------------------------------------------------------------------

static void list_variables(const wirer *w, unit_causality causality, char *text, size_t size)
{
    const char *names[12] = {NULL};
    int count = 0, all = 0;
    for (int k = 0; k < w->d->variable_count; k++)
        if (w->d->variables[k].causality == causality) {
            if (count < 12)
                names[count++] = w->d->variables[k].name;
            all++;
        }
    text_join(text, size, names, count, all > count ? "" : "and");
    if (count == 0)
        snprintf(text, size, "none");
}

static mc_status unknown(const wirer *w, const char *name, unit_causality causality,
                         const char *what)
{
    char list[600];
    list_variables(w, causality, list, sizeof list);
    return mc_error_set(w->error, MC_BAD_INPUT, w->file, 0, 0,
                        "the unit has no %s \"%s\"; it has %s", what, name, list);
}

// What `connect` says of a word; NULL: nothing.
static const char *name_for(const wirer *w, const char *word)
{
    for (int k = 0; k < w->connect->count; k++)
        if (strcmp(w->connect->pair[k].name, word) == 0)
            return w->connect->pair[k].value;
    return NULL;
}

static bool fits(const unit_variable *v)
{
    return v && v->type != WIRE_OTHER && !v->array;
}

// ---- ports -------------------------------------------------------------------------------------

typedef enum side { INPUT, OUTPUT, BEGIN } side;

static bool suits(const unit_variable *v, side which, bool given)
{
    if (!fits(v))
        return false;
    return which == INPUT    ? v->causality == UNIT_INPUT
           : which == OUTPUT ? v->causality == UNIT_OUTPUT || (given && v->causality == UNIT_LOCAL)
                             : v->exact && v->causality != UNIT_INPUT;
}

// Ports for those of the words that the unit has, or that `connect` names.
static mc_status wire_side(const wirer *w, side which, const unit_word *words, int count,
                           unit_port **ports, int *port_count)
{
    static const struct {
        const char *what;
        unit_causality causality;
    } sides[] = {{"scalar input", UNIT_INPUT},
                 {"scalar output", UNIT_OUTPUT},
                 {"parameter or start value", UNIT_PARAMETER}};
    *ports = arena_alloc(w->memory, (size_t)(count + 1) * sizeof **ports);
    if (!*ports)
        return no_memory(w->error);
    for (int k = 0; k < count; k++) {
        const char *given = name_for(w, words[k].name);
        const char *name = given ? given : words[k].name;
        const unit_variable *v = unit_variable_find(w->d, name);
        if (suits(v, which, given != NULL))
            (*ports)[(*port_count)++] = (unit_port){v, k};
        else if (given || words[k].needed)
            return unknown(w, name, sides[which].causality, sides[which].what);
    }
    return MC_OK;
}

static bool is_word(const unit_word *words, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(words[k].name, name) == 0)
            return true;
    return false;
}

static mc_status check_words(const wirer *w)
{
    const unit_words *all = w->words;
    for (int k = 0; k < w->connect->count; k++) {
        const char *name = w->connect->pair[k].name;
        if (!is_word(all->inputs, all->input_count, name) &&
            !is_word(all->outputs, all->output_count, name) &&
            !is_word(all->begins, all->begin_count, name))
            return mc_error_set(w->error, MC_BAD_INPUT, w->file, 0, 0,
                                "unknown signal \"%s\" to connect; see docs/fmu.md", name);
    }
    return MC_OK;
}

static mc_status wire_starts(const wirer *w, const unit_pairs *set)
{
    unit_wiring *out = w->out;
    out->starts = arena_alloc(w->memory, (size_t)(set->count + 1) * sizeof *out->starts);
    if (!out->starts)
        return no_memory(w->error);
    for (int k = 0; k < set->count; k++) {
        const unit_pair *p = &set->pair[k];
        const unit_variable *v = unit_variable_find(w->d, p->name);
        double value = 0.0;
        const bool flag = strcmp(p->value, "true") == 0;
        if (!fits(v) || !v->exact)
            return unknown(w, p->name, UNIT_PARAMETER, "parameter or start value");
        if (!flag && strcmp(p->value, "false") != 0 && !text_to_double(p->value, &value))
            return mc_error_set(w->error, MC_BAD_INPUT, w->file, 0, 0,
                                "%s is \"%s\", expected a number", p->name, p->value);
        value = flag ? 1.0 : value;
        if (!(value >= v->min && value <= v->max) && v->type != WIRE_BOOLEAN)
            return mc_error_set(w->error, MC_BAD_INPUT, w->file, 0, 0,
                                "%s is %.9g, expected %.9g .. %.9g", p->name, value, v->min,
                                v->max);
        out->starts[out->start_count++] = (unit_preset){v, value};
    }
    return MC_OK;
}

mc_status unit_wire(arena *memory, unit_package *package, const unit_words *words,
                    const unit_pairs *connect, const unit_pairs *set, unit_wiring *out,
                    mc_error *error)
{
    *out = (unit_wiring){.package = package, .limit = 10.0};
    const wirer w = {
        memory, unit_package_description(package), unit_package_name(package), words, connect, out,
        error};
    mc_status status = check_words(&w);
    if (status == MC_OK)
        status = wire_side(&w, INPUT, words->inputs, words->input_count, &out->inputs,
                           &out->input_count);
    if (status == MC_OK)
        status = wire_side(&w, OUTPUT, words->outputs, words->output_count, &out->outputs,
                           &out->output_count);
    if (status == MC_OK)
        status = wire_side(&w, BEGIN, words->begins, words->begin_count, &out->begins,
                           &out->begin_count);
    return status == MC_OK ? wire_starts(&w, set) : status;
}
