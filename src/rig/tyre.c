// tyre.c - a tyre on a test rig: its steady forces.
#include "motorcade/tyre_rig.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"
#include "parts/tyre_steady.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NOTES_MAX = 20, FILE_MAX = 16 << 20 }; // bytes

struct mc_tyre_rig {
    tyre_kind law;
    double p[TYRE_PARAM_MAX];
    arena memory;
    const char *path;
    const char *notes[NOTES_MAX];
    int note_count;
};

// ---- law or file ----

static void take_note(void *to, int line, int column, const char *text)
{
    mc_tyre_rig *rig = to;
    char whole[500];
    const int length =
        snprintf(whole, sizeof whole, "%.250s:%d:%d: %s", rig->path, line, column, text);
    char *copy =
        rig->note_count < NOTES_MAX
            ? arena_copy_text(&rig->memory, whole,
                              (size_t)length < sizeof whole ? (size_t)length : sizeof whole - 1)
            : NULL;
    if (copy)
        rig->notes[rig->note_count++] = copy;
}

static mc_status find_law(mc_tyre_rig *rig, const char *word, mc_error *error)
{
    const tyre_kind *kind = tyre_kind_find(word);
    if (kind) {
        rig->law = *tyre_for_spin(kind);
        return MC_OK;
    }
    const char *names[128];
    char list[400];
    int count = 0;
    for (; count < 128 && (kind = tyre_kind_at(count)); count++)
        names[count] = kind->name;
    const char *near = text_nearest(word, names, count);
    text_join(list, sizeof list, names, count, "or");
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "unknown tyre \"%s\"; %s%s%sexpected %s, or a file", word,
                        near ? "did you mean \"" : "", near ? near : "", near ? "\"? " : "", list);
}

// By the first law that can read files; there may be several one day: then the first that succeeds.
static mc_status load_file(mc_tyre_rig *rig, const char *path, mc_error *error)
{
    char *text;
    size_t size;
    mc_status status = file_read(&rig->memory, path, FILE_MAX, &text, &size, error);
    if (status != MC_OK)
        return status;
    rig->path = path;
    const mc_tyre_file file = {text, size, path, take_note, rig};
    const tyre_kind *kind;
    status = MC_BAD_INPUT;
    for (int k = 0; status != MC_OK && (kind = tyre_kind_at(k)); k++) {
        if (!kind->load)
            continue;
        mc_error other;
        mc_error *const why = rig->law.load ? &other : error; // the first has the say
        void *context = arena_alloc(&rig->memory, kind->context_size);
        if (!context)
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a tyre");
        rig->law = *tyre_for_spin(kind);
        rig->law.context = context;
        status = kind->load(&file, context, why);
    }
    return status;
}

mc_tyre_rig *mc_tyre_rig_open(const char *word, mc_error *error)
{
    mc_tyre_rig *rig = calloc(1, sizeof *rig);
    if (!rig) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a tyre");
        return NULL;
    }
    const bool path = strchr(word, '.') || strchr(word, '/');
    if ((path ? load_file(rig, word, error) : find_law(rig, word, error)) != MC_OK) {
        mc_tyre_rig_close(rig);
        return NULL;
    }
    tyre_defaults(&rig->law, rig->p);
    return rig;
}

void mc_tyre_rig_close(mc_tyre_rig *rig)
{
    if (rig)
        arena_free(&rig->memory);
    free(rig);
}

const mc_tyre *mc_tyre_rig_law(const mc_tyre_rig *rig)
{
    return &rig->law;
}

double mc_tyre_rig_value(const mc_tyre_rig *rig, int param)
{
    return rig->p[param];
}

const char *mc_tyre_rig_note(const mc_tyre_rig *rig, int k)
{
    return k >= 0 && k < rig->note_count ? rig->notes[k] : NULL;
}

mc_status mc_tyre_rig_set(mc_tyre_rig *rig, const char *name, double value, mc_error *error)
{
    const char *names[TYRE_PARAM_MAX];
    for (int k = 0; k < rig->law.param_count; k++) {
        const mc_param *row = &rig->law.params[k];
        names[k] = row->name;
        if (strcasecmp(row->name, name) != 0)
            continue;
        if (!(value >= row->min && value <= row->max))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s = %.9g: %s must be in %.9g .. %.9g" TEXT_UNIT, row->name, value,
                                row->doc, row->min, row->max, TEXT_UNIT_OF(row->unit));
        rig->p[k] = value;
        return MC_OK;
    }
    const char *near = text_nearest(name, names, rig->law.param_count);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "tyre %s has no parameter \"%s\"%s%s%s",
                        rig->law.name, name, near ? "; did you mean \"" : "", near ? near : "",
                        near ? "\"?" : "");
}

// ---- forces ----

enum { N = TYRE_STEADY_WHEELS };

void mc_tyre_rig_run(const mc_tyre_rig *rig, const mc_tyre_slip *at, int count, mc_tyre_force *out)
{
    const double speed = TYRE_STEADY_SPEED;
    _Alignas(32) double fz[N], v_x[N], v_y[N], v_roll[N], mu[N], camber[N], side[N];
    _Alignas(32) double fx[N], fy[N], mz[N];
    for (int i = 0; i < count; i += N) {
        for (int l = 0; l < N; l++) {
            const mc_tyre_slip *s = &at[i + l < count ? i + l : count - 1];
            fz[l] = s->fz, camber[l] = s->camber, mu[l] = side[l] = 1.0;
            v_x[l] = speed, v_y[l] = speed * tan(s->alpha), v_roll[l] = speed * (1.0 + s->kappa);
        }
        const tyre_in in = {.fz = fz,
                            .v_x = v_x,
                            .v_y = v_y,
                            .v_roll = v_roll,
                            .mu = mu,
                            .context = rig->law.context,
                            .camber = camber,
                            .side = side};
        tyre_steady(&rig->law, rig->p, &in, &(tyre_out){.fx = fx, .fy = fy, .mz = mz});
        for (int l = 0; l < N && i + l < count; l++)
            out[i + l] = (mc_tyre_force){fx[l], fy[l], mz[l]};
    }
}
