// plant.c - mechanisms about their rest.
#include "analysis/plant.h"

#include "analysis/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void apply_sets(analysis *a, plant *p)
{
    const char *set;
    for (int k = 0; a->status == MC_OK && (set = analysis_text_at(a, "set", k)); k++) {
        char name[128];
        const char *equals = strchr(set, '=');
        if (!equals) {
            analysis_reject(a, "set: found \"%.60s\", expected NAME=VALUE", set);
            return;
        }
        snprintf(name, sizeof name, "%.*s", (int)(equals - set), set);
        a->status = mc_simulate_set(p->m, p->y, name, equals + 1, a->error);
    }
}

static void measure_modes(plant *p)
{
    const mc_linear *l = &p->linear;
    p->slowest = HUGE_VAL;
    for (int k = 0; k < l->count; k++) {
        const mc_linear_mode *mode = &l->modes[k];
        p->fastest = fmax(p->fastest, hypot(mode->real, mode->imaginary));
        p->f_max = fmax(p->f_max, mode->frequency);
        if (!mode->rigid)
            p->slowest = fmin(p->slowest, fmax(-mode->real, 0.0));
    }
    if (p->slowest == HUGE_VAL || p->slowest < 1e-9 * p->fastest)
        p->slowest = 0.0;
}

void plant_load(analysis *a, plant *p)
{
    *p = (plant){0};
    if (!analysis_is_mechanism(a)) {
        analysis_reject(a, "%s needs a mechanism, a file that ends with .yaml", a->is->name);
        return;
    }
    p->m = mc_multibody_load(a->file, NULL, a->error);
    if (!p->m) {
        a->status = a->error->code;
        return;
    }
    p->y = malloc(((size_t)mc_multibody_info_of(p->m)->y_count + 1) * sizeof *p->y);
    if (!p->y) {
        analysis_no_memory(a);
        return;
    }
    mc_multibody_start(p->m, p->y);
    apply_sets(a, p);
}

void plant_open(analysis *a, plant *p)
{
    plant_load(a, p);
    const char *hold[16];
    int count = 0;
    while (count < 16 && (hold[count] = analysis_text_at(a, "hold", count)))
        count++;
    const mc_equilibrium_options rest = {.hold = hold, .hold_count = count};
    const mc_linear_options small = {.hold = hold, .hold_count = count};
    if (a->status == MC_OK)
        a->status = mc_multibody_equilibrium(p->m, p->y, &rest, NULL, a->error);
    if (a->status == MC_OK)
        a->status = mc_multibody_linearize(p->m, 0.0, p->y, &small, &p->linear, a->error);
    if (a->status == MC_OK)
        measure_modes(p);
}

void plant_close(plant *p)
{
    mc_linear_free(&p->linear);
    free(p->y);
    if (p->m)
        mc_multibody_free(p->m);
    *p = (plant){0};
}

// ---- columns ----

static double value_of(plant *p, mc_simulate_column column, const double *y, double *outputs)
{
    if (column.quantity == MC_QUANTITY_OUTPUT)
        mc_multibody_outputs(p->m, 0.0, y, outputs);
    return mc_simulate_value(p->m, column, y, outputs);
}

// y moved by entry i of x.
static void move(const plant *p, int i, double by, double *y)
{
    const mc_linear *l = &p->linear;
    const mc_multibody_info *info = mc_multibody_info_of(p->m);
    mc_quantity quantity;
    int index;
    memcpy(y, p->y, (size_t)info->y_count * sizeof *y);
    if (i < l->position_count) {
        for (int k = 0; k < info->q_count; k++)
            y[k] += by * l->along[(size_t)k + (size_t)info->q_count * (size_t)i];
    } else if (i < 2 * l->position_count && info->q_count == info->v_count) {
        const int j = i - l->position_count; // loops stay closed: velocities as coordinates
        for (int k = 0; k < info->v_count; k++)
            y[info->q_count + k] += by * l->along[(size_t)k + (size_t)info->q_count * (size_t)j];
    } else if (mc_multibody_find(p->m, l->name[i], &quantity, &index, NULL) == MC_OK) {
        y[info->q_count + (quantity == MC_QUANTITY_STATE ? info->v_count : 0) + index] += by;
    }
}

static void differences(plant *p, plant_path *path, double *outputs, double *y)
{
    const mc_linear *l = &p->linear;
    const double h = 1e-6;
    for (int i = 0; i < l->count; i++) {
        move(p, i, h, y);
        const double more = value_of(p, path->column, y, outputs);
        move(p, i, -h, y);
        path->c[i] = (more - value_of(p, path->column, y, outputs)) / (2.0 * h);
    }
    double side[2];
    for (int k = 0; k < 2; k++) {
        mc_multibody_set(p->m, path->input, path->rest + (k ? h : -h), NULL);
        side[k] = value_of(p, path->column, p->y, outputs);
    }
    mc_multibody_set(p->m, path->input, path->rest, NULL);
    path->d = (side[1] - side[0]) / (2.0 * h);
}

void plant_path_open(analysis *a, plant *p, const char *input, const char *column, plant_path *out)
{
    mc_quantity quantity;
    const mc_multibody_info *info = mc_multibody_info_of(p->m);
    const size_t n = (size_t)p->linear.count;
    *out = (plant_path){.input = input};
    a->status = mc_multibody_find(p->m, input, &quantity, &out->number, a->error);
    if (a->status == MC_OK && quantity != MC_QUANTITY_INPUT)
        analysis_reject(a, "%.60s is not an input of the mechanism", input);
    if (a->status == MC_OK)
        a->status = mc_multibody_get(p->m, input, &out->rest, a->error);
    if (a->status == MC_OK)
        a->status = mc_simulate_column_find(p->m, column, &out->column, a->error);
    if (a->status != MC_OK)
        return;
    out->c = calloc(n + 1, sizeof *out->c);
    out->work = calloc(2 * (n * n + n) + 2, sizeof *out->work);
    double *outputs =
        malloc(((size_t)info->output_count + (size_t)info->y_count + 1) * sizeof *outputs);
    if (out->c && out->work && outputs)
        differences(p, out, outputs, outputs + info->output_count);
    else
        analysis_no_memory(a);
    free(outputs);
}

void plant_path_close(plant_path *path)
{
    free(path->c);
    free(path->work);
    *path = (plant_path){0};
}

// (s I - A) x = b by elimination with the largest pivot of a column.
double complex plant_response(const plant *p, const plant_path *path, double complex s)
{
    const mc_linear *l = &p->linear;
    const int n = l->count;
    double complex *m = (double complex *)path->work, *b = m + (size_t)n * (size_t)n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            m[i * n + j] = (i == j ? s : 0.0) - l->A[(size_t)i + (size_t)n * (size_t)j];
        b[i] = l->B[(size_t)i + (size_t)n * (size_t)path->number];
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            pivot = cabs(m[i * n + k]) > cabs(m[pivot * n + k]) ? i : pivot;
        for (int j = k; j < n && pivot != k; j++) {
            const double complex other = m[k * n + j];
            m[k * n + j] = m[pivot * n + j];
            m[pivot * n + j] = other;
        }
        const double complex other = b[k];
        b[k] = b[pivot];
        b[pivot] = other;
        for (int i = k + 1; i < n; i++) {
            const double complex factor = m[i * n + k] / m[k * n + k];
            for (int j = k; j < n && factor != 0.0; j++)
                m[i * n + j] -= factor * m[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    double complex sum = path->d;
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= m[i * n + j] * b[j];
        b[i] /= m[i * n + i];
    }
    for (int i = 0; i < n; i++)
        sum += path->c[i] * b[i];
    return sum;
}

// ---- runs ----

int plant_substeps(const plant *p, double rate)
{
    return (int)fmin(fmax(ceil(p->fastest / rate / 0.1), 1.0), 1000.0);
}

static void rate_at(plant *p, const plant_path *path, double u, double t, const double *y,
                    double *dy)
{
    mc_multibody_set(p->m, path->input, path->rest + u, NULL);
    mc_multibody_rate(p->m, t, y, NULL, dy);
}

static void step(plant *p, const plant_path *path, const double u[3], double t, double h, int n,
                 double *y, double *room)
{
    double *k1 = room, *k2 = k1 + n, *k3 = k2 + n, *k4 = k3 + n, *z = k4 + n;
    rate_at(p, path, u[0], t, y, k1);
    for (int i = 0; i < n; i++)
        z[i] = y[i] + 0.5 * h * k1[i];
    rate_at(p, path, u[1], t + 0.5 * h, z, k2);
    for (int i = 0; i < n; i++)
        z[i] = y[i] + 0.5 * h * k2[i];
    rate_at(p, path, u[1], t + 0.5 * h, z, k3);
    for (int i = 0; i < n; i++)
        z[i] = y[i] + h * k3[i];
    rate_at(p, path, u[2], t + h, z, k4);
    for (int i = 0; i < n; i++)
        y[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
}

void plant_run(analysis *a, plant *p, const plant_path *path, const double *u, int count, int sub,
               double rate, double *out)
{
    const mc_multibody_info *info = mc_multibody_info_of(p->m);
    const int n = info->y_count;
    const bool closed = info->row_count > 0;
    double *room = malloc((6 * (size_t)n + (size_t)info->output_count + 1) * sizeof *room);
    if (!room) {
        analysis_no_memory(a);
        return;
    }
    double *y = room + 5 * (size_t)n, *outputs = y + n;
    memcpy(y, p->y, (size_t)n * sizeof *y);
    const double h = 1.0 / (rate * sub), rest = value_of(p, path->column, p->y, outputs);
    for (int k = 0; k < count; k++) {
        mc_multibody_set(p->m, path->input, path->rest + u[2 * (size_t)sub * (size_t)k], NULL);
        out[k] = value_of(p, path->column, y, outputs) - rest;
        if (!isfinite(out[k]))
            analysis_reject(a, "the run leaves all bounds at %g s; a smaller amplitude may help",
                            k / rate);
        for (int j = 0; j < sub && k + 1 < count && a->status == MC_OK; j++) {
            const size_t at = (size_t)k * (size_t)sub + (size_t)j;
            step(p, path, u + 2 * at, (double)at * h, h, n, y, room);
            mc_multibody_normalise(p->m, y);
            if (closed)
                mc_multibody_project(p->m, (double)(at + 1) * h, y);
        }
        if (a->status != MC_OK)
            break;
    }
    mc_multibody_set(p->m, path->input, path->rest, NULL);
    free(room);
}
