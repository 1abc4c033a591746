// iltis.c - the Bombardier Iltis of the IAVSD road-vehicle benchmark: nominal state and
// equilibrium.
//
// Frik, Leister and Schwartz, Vehicle System Dynamics 22 (1993), supplement. References: the
// nominal forces of the benchmark, recomputed from its data; the equilibrium by ROBOTRAN (the
// public project IAVSD_ILTIS). Digits as printed there.
#include "base/shipped.h"
#include "motorcade/kinematics.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct value {
    const char *name;
    double reference, digits;
} value;

static const value nominal[] = {
    {"leaf_fl", -2728.856, 6.5},
    {"damper_fl.force", 128.026, 5.5},
    {"tyre_fl", 3829.50, 6.0},
    {"tyre_rl", 3593.52, 6.0},
};

// Places in the row of the equilibrium.
enum { HEIGHT, PITCH, ROD_FRONT = 8, ROD_REAR = 10, VALUES = 12 };
static const value rest[VALUES] = {
    {"chassis.z", -7.083e-3, 4.0},     {"pitch", 0.1465, 3.5},
    {"tyre_fr", 3831.31, 5.5},         {"tyre_rr", 3591.91, 5.5},
    {"damper_fr.force", 335.29, 5.0},  {"damper_rr.force", 241.64, 4.5},
    {"leaf_fr", -3068.62, 5.5},        {"leaf_rr", -2885.51, 5.5},
    {"rod_fr.force_y", -1408.51, 5.0}, {"rod_fr.force_z", 0.0, 0.0},
    {"rod_rr.force_y", -1335.52, 5.0}, {"rod_rr.force_z", 0.0, 0.0},
};

static mc_status compare_nominal(verify_sink *sink, mc_multibody *m, const double *y,
                                 mc_error *error)
{
    double *out = malloc(((size_t)mc_multibody_info_of(m)->output_count + 1) * sizeof *out);
    mc_status status =
        out ? MC_OK : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    if (out)
        mc_multibody_outputs(m, 0.0, y, out);
    for (size_t k = 0; k < sizeof nominal / sizeof nominal[0] && status == MC_OK; k++) {
        mc_quantity quantity;
        int i;
        status = mc_multibody_find(m, nominal[k].name, &quantity, &i, error);
        if (status == MC_OK)
            verify_note(sink, out[i], nominal[k].reference, nominal[k].digits, "nominal %s",
                        nominal[k].name);
    }
    free(out);
    return status;
}

// Keeps the first row: the equilibrium with the rack in its middle.
static void keep_first(void *context, double t, const double *values)
{
    if (t == 0.0)
        memcpy(context, values, VALUES * sizeof *values);
}

static mc_status compare_rest(verify_sink *sink, mc_multibody *m, const double *y, mc_error *error)
{
    static const char *const pitch = "pitch=asin(-chassis.x_axis.z)*180/pi";
    const mc_drive rack = {.name = "rack", .from = 0.0, .to = 0.002};
    const mc_driven_options o = {.drives = &rack, .drive_count = 1, .let = &pitch, .let_count = 1};
    mc_driven *d = mc_driven_create(m, y, &o, error);
    mc_driven_column column[VALUES];
    double found[VALUES];
    mc_status status = d ? MC_OK : error->code;
    for (int k = 0; k < VALUES && status == MC_OK; k++)
        status = mc_driven_column_find(d, rest[k].name, &column[k], error);
    const mc_driven_output output = {
        .columns = column, .column_count = VALUES, .row = keep_first, .context = found};
    if (status == MC_OK)
        status = mc_kinematics(d, 2, &output, NULL, NULL, error);
    mc_driven_free(d);
    if (status != MC_OK)
        return status;
    found[HEIGHT] -= 0.57; // m, nominal
    for (int k = ROD_FRONT; k <= ROD_REAR; k += 2)
        found[k] = copysign(hypot(found[k], found[k + 1]), found[k]);
    for (int k = 0; k < VALUES; k++)
        if (rest[k].digits > 0.0)
            verify_note(sink, found[k], rest[k].reference, rest[k].digits, "at rest %s",
                        k == HEIGHT      ? "chassis.z - nominal"
                        : k == PITCH     ? "pitch in deg"
                        : k == ROD_FRONT ? "rod_fr"
                        : k == ROD_REAR  ? "rod_rr"
                                         : rest[k].name);
    return MC_OK;
}

static mc_status run(verify_sink *sink, mc_error *error)
{
    char path[4096];
    if (!shipped_path("models/iltis.yaml", path, sizeof path))
        return mc_error_set(error, MC_IO, NULL, 0, 0, "models/iltis.yaml was not found");
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_load(path, &options, error);
    if (!m)
        return error->code;
    double *y = malloc(((size_t)mc_multibody_info_of(m)->y_count + 1) * sizeof *y);
    mc_status status = y ? MC_OK : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    if (status == MC_OK) {
        mc_multibody_start(m, y);
        status = compare_nominal(sink, m, y, error);
    }
    if (status == MC_OK)
        status = compare_rest(sink, m, y, error);
    free(y);
    mc_multibody_free(m);
    return status;
}

const verify_benchmark verify_iltis = {
    .text = {"iltis", "Bombardier Iltis: nominal state and equilibrium",
             "IAVSD road-vehicle benchmark 1993"},
    .run = run,
};
