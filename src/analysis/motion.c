// motion.c - columns of a mechanism by name.
#include "analysis/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word, *of; // what is asked, what of the kinematics it comes from
    const char *unit;
    motion_kind kind;
} asked[] = {
    {"position", "position", "m", MOTION_PLACE}, {"velocity", "velocity", "m/s", MOTION_PLACE},
    {"omega", "omega", "rad/s", MOTION_PLACE},   {"acceleration", "velocity", "m/s^2", MOTION_RATE},
    {"alpha", "omega", "rad/s^2", MOTION_RATE},  {"force", "", "N", MOTION_LOAD},
    {"torque", "", "N*m", MOTION_LOAD},
};
enum { ASKED = sizeof asked / sizeof asked[0] };

static int place_of(mc_multibody *m, const char *owner, const char *of, char axis)
{
    char name[200];
    const char *known;
    snprintf(name, sizeof name, "%s.%s.%c", owner, of, axis);
    for (int k = 0; (known = mc_multibody_kinematics_name(m, k)); k++)
        if (strcmp(known, name) == 0)
            return k;
    return -1;
}

static int body_of(mc_multibody *m, const char *name)
{
    mc_part_body b;
    for (int k = 0; mc_multibody_body(m, k, &b); k++)
        if (strcmp(b.name, name) == 0)
            return k;
    return -1;
}

// Whether the ground presses on a body, or on one that hangs on it: the loads of its joint are then
// not known from the generalised forces of the ground.
static bool is_pressed(mc_multibody *m, const char *name)
{
    const char *wheel;
    for (int i = 0; (wheel = mc_multibody_wheel_body(m, i)); i++)
        for (mc_part_body b = {.inboard = wheel}; b.inboard;) {
            if (strcmp(b.inboard, name) == 0)
                return true;
            if (!mc_multibody_body(m, body_of(m, b.inboard), &b))
                break;
        }
    return false;
}

// Splits "cab.velocity.x" into owner, which row of `asked`, and component.
static bool split(const char *word, char owner[160], int *row, int *part)
{
    const size_t n = strlen(word);
    *part = -1;
    size_t end = n;
    if (n > 2 && word[n - 2] == '.' && word[n - 1] >= 'x' && word[n - 1] <= 'z') {
        *part = word[n - 1] - 'x';
        end = n - 2;
    }
    for (*row = 0; *row < ASKED; (*row)++) {
        const size_t k = strlen(asked[*row].word);
        if (end > k + 1 && end - k - 1 < 160 && word[end - k - 1] == '.' &&
            strncmp(word + end - k, asked[*row].word, k) == 0) {
            memcpy(owner, word, end - k - 1);
            owner[end - k - 1] = '\0';
            return true;
        }
    }
    return false;
}

static bool find_moving(mc_multibody *m, const char *word, motion *out)
{
    char owner[160];
    int row;
    if (!split(word, owner, &row, &out->part))
        return false;
    out->kind = asked[row].kind;
    snprintf(out->unit, sizeof out->unit, "%s", asked[row].unit);
    const int body = out->kind == MOTION_LOAD ? body_of(m, owner) : 0;
    for (int k = 0; k < 3; k++)
        out->at[k] = out->kind == MOTION_LOAD
                         ? 6 * body + k + (strcmp(asked[row].word, "torque") == 0 ? 3 : 0)
                         : place_of(m, owner, asked[row].of, "xyz"[k]);
    return body >= 0 && out->at[0] >= 0;
}

void analysis_motion_open(analysis *a, mc_multibody *m, const char *word, motion *out)
{
    const mc_multibody_info *info = mc_multibody_info_of(m);
    *out = (motion){.m = m, .y_count = info->y_count, .v_count = info->v_count};
    mc_error unknown = {0};
    if (mc_simulate_column_find(m, word, &out->column, &unknown) == MC_OK) {
        mc_simulate_about about;
        mc_simulate_describe(m, out->column.quantity, out->column.index, &about);
        memcpy(out->unit, about.unit, sizeof out->unit);
        return;
    }
    // Names of the kinematics exist after the first call.
    double *y = malloc(((size_t)info->y_count + 1) * sizeof *y);
    while (mc_multibody_kinematics_name(m, out->place_count))
        out->place_count++;
    const size_t loads = 6 * (size_t)info->body_count;
    const size_t most = loads > (size_t)out->place_count ? loads : (size_t)out->place_count;
    out->work = malloc((2 * most + 2 * (size_t)info->y_count + (size_t)info->v_count + 1) *
                       sizeof *out->work);
    if (!y || !out->work)
        analysis_no_memory(a);
    else if (!find_moving(m, word, out)) {
        a->status = unknown.code;
        *a->error = unknown;
    } else if (out->kind == MOTION_LOAD) {
        char owner[160];
        int row, part;
        if (split(word, owner, &row, &part) && is_pressed(m, owner))
            analysis_reject(a,
                            "%.60s: the ground presses on wheels that hang on %.60s; expected a "
                            "body that carries none",
                            word, owner);
    }
    if (out->work)
        out->tau = out->work + 2 * most + 2 * (size_t)info->y_count;
    free(y);
}

void analysis_motion_close(motion *c)
{
    free(c->work);
    *c = (motion){0};
}

static double size_or_part(const motion *c, const double v[3])
{
    return c->part >= 0 ? v[c->part] : sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// What the ground does to wheels, as forces dual to the velocities.
static const double *loads_of(mc_multibody *m, int v_count, double t, const double *y, double *tau)
{
    memset(tau, 0, (size_t)v_count * sizeof *tau);
    mc_multibody_wheel_loads(m, t, y, tau, NULL);
    return tau;
}

// d/dt of three numbers of the kinematics along the motion.
static void rate_of(motion *c, double t, const double *y, double out[3])
{
    const double h = 1e-5;
    double *dy = c->work, *z = dy + c->y_count, *values = z + c->y_count;
    mc_multibody_rate(c->m, t, y, loads_of(c->m, c->v_count, t, y, c->tau), dy);
    out[0] = out[1] = out[2] = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        for (int k = 0; k < c->y_count; k++)
            z[k] = y[k] + side * h * dy[k];
        mc_multibody_normalise(c->m, z);
        mc_multibody_kinematics(c->m, t + side * h, z, values, NULL);
        for (int k = 0; k < 3; k++)
            out[k] += side * values[c->at[k]] / (2.0 * h);
    }
}

double analysis_motion_value(motion *c, double t, const double *y, const double *outputs)
{
    double v[3];
    switch (c->kind) {
    case MOTION_COLUMN:
        return mc_simulate_value(c->m, c->column, y, outputs);
    case MOTION_RATE:
        rate_of(c, t, y, v);
        return size_or_part(c, v);
    case MOTION_LOAD:
        mc_multibody_joint_loads(c->m, t, y,
                                 c->under ? c->under : loads_of(c->m, c->v_count, t, y, c->tau),
                                 c->work, NULL);
        break;
    case MOTION_PLACE:
        mc_multibody_kinematics(c->m, t, y, c->work, NULL);
    }
    for (int k = 0; k < 3; k++)
        v[k] = c->work[c->at[k]];
    return size_or_part(c, v);
}

// ---- the whole ----

void analysis_mean_open(analysis *a, mc_multibody *m, mean_motion *out)
{
    static const char *const words[] = {"velocity", "omega", "x_axis", "y_axis", "z_axis"};
    const mc_multibody_info *info = mc_multibody_info_of(m);
    mc_part_body b;
    *out = (mean_motion){.m = m, .y_count = info->y_count};
    while (mc_multibody_kinematics_name(m, out->place_count))
        out->place_count++;
    out->body = calloc((size_t)info->body_count + 1, sizeof *out->body);
    out->work =
        malloc((2 * (size_t)info->y_count + (size_t)info->v_count + (size_t)out->place_count + 1) *
               sizeof *out->work);
    if (!out->body || !out->work)
        analysis_no_memory(a);
    for (int k = 0; a->status == MC_OK && mc_multibody_body(m, k, &b); k++) {
        struct mean_body *to = &out->body[out->body_count++];
        to->mass = b.mass;
        memcpy(to->centre, b.centre, sizeof to->centre);
        for (int w = 0; w < 5; w++)
            for (int i = 0; i < 3; i++)
                to->at[w][i] = place_of(m, b.name, words[w], "xyz"[i]);
    }
}

void analysis_mean_close(mean_motion *c)
{
    free(c->body);
    free(c->work);
    *c = (mean_motion){0};
}

// sum m (v + omega x R c), added with a weight.
static void add_momentum(const mean_motion *c, const double *values, double weight, double out[3])
{
    for (int k = 0; k < c->body_count; k++) {
        const struct mean_body *b = &c->body[k];
        double arm[3] = {0}, w[3];
        for (int i = 0; i < 3; i++) {
            w[i] = values[b->at[1][i]];
            for (int axis = 0; axis < 3; axis++)
                arm[i] += b->centre[axis] * values[b->at[2 + axis][i]];
        }
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            out[i] += weight * b->mass * (values[b->at[0][i]] + w[j] * arm[l] - w[l] * arm[j]);
        }
    }
}

void analysis_mean_acceleration(mean_motion *c, double t, const double *y, double out[3])
{
    const double h = 1e-5;
    double *dy = c->work, *z = dy + c->y_count, *values = z + c->y_count, mass = 0.0;
    double *tau = values + c->place_count;
    mc_multibody_rate(c->m, t, y, loads_of(c->m, mc_multibody_info_of(c->m)->v_count, t, y, tau),
                      dy);
    out[0] = out[1] = out[2] = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        for (int k = 0; k < c->y_count; k++)
            z[k] = y[k] + side * h * dy[k];
        mc_multibody_normalise(c->m, z);
        mc_multibody_kinematics(c->m, t + side * h, z, values, NULL);
        add_momentum(c, values, side / (2.0 * h), out);
    }
    for (int k = 0; k < c->body_count; k++)
        mass += c->body[k].mass;
    for (int i = 0; i < 3; i++)
        out[i] /= mass > 0.0 ? mass : 1.0;
}
