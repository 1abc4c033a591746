// stand.c - a mechanism with wheels stands on them: held at their heights, they carry it.
#include "motorcade/kinematics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 128, LET = 400, HOLDS = 2 * MC_STANDING_WHEELS + 3 };
static const double SHIFT = 1e-3; // m: the drive needs two values, and the first is the start

typedef struct stand_names {
    char chassis[NAME], x[NAME], y[NAME];
    char let[MC_STANDING_WHEELS + 1][LET]; // heights of the wheels, yaw
    char held[MC_STANDING_WHEELS][NAME];   // names of the heights
    const char *lets[MC_STANDING_WHEELS + 1], *holds[HOLDS];
    int hold_count;
} stand_names;

static bool is_wheel(const mc_multibody *m, int body)
{
    mc_part_shape shape;
    for (int i = 0; mc_multibody_shape(m, body, i, &shape); i++)
        if (shape.kind == MC_SHAPE_WHEEL)
            return true;
    return false;
}

static bool find_parts(const mc_multibody *m, stand_names *n, mc_standing *out)
{
    mc_part_body b;
    *n->chassis = '\0';
    for (int i = 0; mc_multibody_body(m, i, &b); i++) {
        if (!*n->chassis && strcmp(b.joint, "free") == 0)
            snprintf(n->chassis, sizeof n->chassis, "%s", b.name);
        // A wheel on a ball joint has no axle that could be held.
        if (out->count < MC_STANDING_WHEELS && is_wheel(m, i) && strcmp(b.joint, "hinge") == 0)
            out->wheel[out->count++] = b.name;
    }
    return *n->chassis && out->count >= 3;
}

static void name_all(stand_names *n, const mc_standing *s)
{
    snprintf(n->x, sizeof n->x, "%.120s.x", n->chassis);
    snprintf(n->y, sizeof n->y, "%.120s.y", n->chassis);
    n->holds[n->hold_count++] = n->y;
    for (int k = 0; k < s->count; k++) {
        snprintf(n->held[k], sizeof n->held[k], "stand_height_%d", k + 1);
        snprintf(n->let[k], LET, "%s=%.120s.position.z", n->held[k], s->wheel[k]);
        n->lets[k] = n->let[k];
        n->holds[n->hold_count++] = n->held[k];
        n->holds[n->hold_count++] = s->wheel[k];
    }
    snprintf(n->let[s->count], LET, "stand_yaw=atan2(%.120s.x_axis.y, %.120s.x_axis.x)", n->chassis,
             n->chassis);
    n->lets[s->count] = n->let[s->count];
    n->holds[n->hold_count++] = "stand_yaw";
}

typedef struct taken {
    int q_count, wheels, rows;
    double *y, *load;
} taken;

static void take_first(void *context, double t, const double *values)
{
    taken *k = context;
    (void)t;
    if (k->rows++ > 0)
        return;
    memcpy(k->y, values, (size_t)k->q_count * sizeof *values);
    memcpy(k->load, values + k->q_count, (size_t)k->wheels * sizeof *values);
}

static mc_status settle(mc_multibody *m, double *y, const stand_names *n, mc_driven *d,
                        mc_standing *out, mc_error *error)
{
    const int q_count = mc_multibody_info_of(m)->q_count;
    mc_driven_column *columns = calloc((size_t)(q_count + out->count), sizeof *columns);
    mc_status status = columns ? MC_OK : MC_NO_MEMORY;
    for (int i = 0; status == MC_OK && i < q_count; i++)
        status = mc_driven_column_find(d, mc_multibody_name(m, MC_QUANTITY_COORDINATE, i),
                                       &columns[i], error);
    for (int k = 0; status == MC_OK && k < out->count; k++) {
        char name[NAME + 8];
        snprintf(name, sizeof name, "load:%s", n->held[k]);
        status = mc_driven_column_find(d, name, &columns[q_count + k], error);
    }
    taken got = {.q_count = q_count, .wheels = out->count, .y = y, .load = out->load};
    const mc_driven_output output = {.columns = columns,
                                     .column_count = q_count + out->count,
                                     .row = take_first,
                                     .context = &got};
    mc_driven_report report = {0};
    if (status == MC_OK)
        status = mc_kinematics(d, 2, &output, NULL, &report, error);
    if (got.rows > 0)
        status = MC_OK;
    out->residual = report.rest;
    free(columns);
    return status;
}

mc_status mc_multibody_stand(mc_multibody *m, double *y, mc_standing *out, mc_error *error)
{
    *out = (mc_standing){0};
    stand_names *n = calloc(1, sizeof *n);
    if (!n)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the wheels");
    mc_status status;
    if (!find_parts(m, n, out)) {
        status = mc_error_set(error, MC_FAILED, NULL, 0, 0,
                              "it has no free body with at least three wheels on axles");
    } else {
        name_all(n, out);
        int x = 0;
        const char *name;
        while ((name = mc_multibody_name(m, MC_QUANTITY_COORDINATE, x)) && strcmp(name, n->x))
            x++;
        const double from = name ? y[x] : 0.0;
        const mc_drive drive = {.name = n->x, .from = from, .to = from + SHIFT};
        const mc_driven_options options = {.drives = &drive,
                                           .drive_count = 1,
                                           .hold = n->holds,
                                           .hold_count = n->hold_count,
                                           .let = n->lets,
                                           .let_count = out->count + 1};
        mc_driven *d = mc_driven_create(m, y, &options, error);
        status = d ? settle(m, y, n, d, out, error) : MC_FAILED;
        mc_driven_free(d);
    }
    free(n);
    return status;
}
