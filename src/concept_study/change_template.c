// change_template.c - another suspension with the same wheel rates.
//
// Rate k_w, damping c_w and load F_w at the wheel are those of the rig as drawn. With the motion
// ratio i the spring gives about k i^2, the damper c i^2 and the preload F i, so each is scaled by
// what the new suspension has too little of, until the rig agrees.
#include "concept/edit.h"
#include "motorcade/suspension_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20 };
static const double SAME = 1e-4; // of the rate

typedef struct at_wheel {
    double rate, load, damping; // N/m, N; of the damping the square of its motion ratio
} at_wheel;

static double in_middle(const mc_suspension_curves *s, const char *ends)
{
    const size_t n = strlen(ends);
    for (int c = 0; c < s->column_count; c++) {
        const char *name = s->column[c].name;
        const size_t m = strlen(name);
        if (m >= n && strcmp(name + m - n, ends) == 0)
            return s->value[(s->row_count / 2) * s->column_count + c];
    }
    return NAN;
}

static double ratio_of(const mc_suspension_curves *s, const char *begins)
{
    for (int c = 0; c < s->column_count; c++) {
        const char *name = s->column[c].name;
        if (strncmp(name, begins, strlen(begins)) == 0 && strstr(name, "_ratio"))
            return s->value[(s->row_count / 2) * s->column_count + c];
    }
    return NAN;
}

static bool measure(const char *text, const char *name, const char *axle, at_wheel *out)
{
    mc_error error;
    mc_concept *c = mc_concept_parse(text, name, &error);
    const mc_suspension_options o = {.axle = axle, .from = -0.02, .to = 0.02, .row_count = 9};
    mc_suspension_curves curves;
    const bool good = c && mc_suspension_measure(c, &o, &curves, &error) == MC_OK;
    if (good) {
        const double i = ratio_of(&curves, "damper");
        *out =
            (at_wheel){in_middle(&curves, "wheel_rate"), in_middle(&curves, "wheel_load"), i * i};
        mc_suspension_curves_free(&curves);
    }
    mc_concept_free(c);
    return good;
}

typedef struct found {
    char path[300], text[100];
} found;

static void take(void *context, const mc_concept_value *v)
{
    found *f = context;
    if (strcmp(v->path, f->path) == 0)
        snprintf(f->text, sizeof f->text, "%s", v->text);
}

// The value at axles.AXLE.KEY times a factor, with its unit. Takes the old text.
static char *scale(char *text, const char *name, const char *axle, const char *key, double factor,
                   mc_error *error)
{
    found f = {.text = ""};
    snprintf(f.path, sizeof f.path, "axles.%.100s.%s", axle, key);
    if (!text || !isfinite(factor) || factor <= 0.0 ||
        mc_concept_values(text, name, take, &f, error) != MC_OK || !f.text[0])
        return text;
    char *unit, value[160];
    const double now = strtod(f.text, &unit);
    snprintf(value, sizeof value, "%.8g%s", now * factor, unit);
    const mc_concept_change by = {f.path, value};
    char *out = unit > f.text ? mc_concept_edit(text, name, &by, 1, error) : NULL;
    if (!out)
        return text;
    free(text);
    return out;
}

static char *match(char *text, const char *name, const char *axle, const at_wheel *want,
                   at_wheel *got, mc_error *error)
{
    for (int k = 0; k < ROUNDS && measure(text, name, axle, got); k++) {
        if (fabs(got->rate / want->rate - 1.0) < SAME && fabs(got->load / want->load - 1.0) < SAME)
            break;
        text = scale(text, name, axle, "spring.stiffness", want->rate / got->rate, error);
        text = scale(text, name, axle, "spring.preload", want->load / got->load, error);
        if (k == 0)
            text = scale(text, name, axle, "damper.damping", want->damping / got->damping, error);
    }
    measure(text, name, axle, got);
    return text;
}

char *mc_concept_change_template(const char *text, const char *name, const char *axle,
                                 const char *to, void (*lost)(void *context, const char *line),
                                 void *context, mc_error *error)
{
    mc_error own;
    at_wheel before, after = {NAN, NAN, NAN};
    error = error ? error : &own;
    const bool known = measure(text, name, axle, &before);
    char *out = concept_retemplate(text, name, axle, to, lost, context, error);
    mc_concept *c = out ? mc_concept_parse(out, name, error) : NULL;
    if (!c) {
        free(out);
        return NULL;
    }
    mc_concept_free(c);
    if (known)
        out = match(out, name, axle, &before, &after, error);
    char line[200];
    if (lost && !(known && fabs(after.rate / before.rate - 1.0) < 0.001)) {
        snprintf(line, sizeof line, "wheel rate: %.4g N/m before, %.4g N/m now", before.rate,
                 after.rate);
        lost(context, line);
    }
    if (lost && !(known && fabs(after.load / before.load - 1.0) < 0.001)) {
        snprintf(line, sizeof line, "wheel load as drawn: %.4g N before, %.4g N now", before.load,
                 after.load);
        lost(context, line);
    }
    return out;
}
