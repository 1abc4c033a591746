// mass.c - masses of a mechanism's bodies and of the whole, at its start.
#include "analysis/series.h"
#include "motorcade/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const mc_analysis_parameter parameters[] = {
    {"set", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "NAME=VALUE of a parameter or an input", false},
};

// Three numbers NAME.WHAT.x .y .z of the kinematics.
static void vector_of(mc_multibody *m, const double *values, const char *body, const char *what,
                      double out[3])
{
    const char *name;
    char start[200];
    snprintf(start, sizeof start, "%.100s.%s.", body, what);
    const size_t n = strlen(start);
    for (int k = 0; (name = mc_multibody_kinematics_name(m, k)); k++)
        if (strncmp(name, start, n) == 0 && name[n] >= 'x' && name[n] <= 'z' && !name[n + 1])
            out[name[n] - 'x'] = values[k];
}

typedef struct lump { // mass, first and second moments about the origin
    double mass, first[3], second[6];
} lump;

static void inertia_of(const double t[6], double axis[3][3], double world[6])
{
    const double body[3][3] = {{t[0], t[3], t[4]}, {t[3], t[1], t[5]}, {t[4], t[5], t[2]}};
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 6; k++) {
        world[k] = 0.0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                world[k] += axis[i][pair[k][0]] * body[i][j] * axis[j][pair[k][1]];
    }
}

static void shift(double mass, const double c[3], double sign, double inertia[6])
{
    const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    for (int k = 0; k < 3; k++)
        inertia[k] += sign * mass * (square - c[k] * c[k]);
    inertia[3] -= sign * mass * c[0] * c[1];
    inertia[4] -= sign * mass * c[0] * c[2];
    inertia[5] -= sign * mass * c[1] * c[2];
}

static void add_body(analysis *a, mc_multibody *m, const mc_part_body *b, const double *values,
                     lump *all)
{
    double at[3] = {0}, axis[3][3] = {{0}}, centre[3], world[6];
    static const char *const axes[] = {"x_axis", "y_axis", "z_axis"};
    vector_of(m, values, b->name, "position", at);
    for (int i = 0; i < 3; i++)
        vector_of(m, values, b->name, axes[i], axis[i]);
    for (int k = 0; k < 3; k++) {
        centre[k] = at[k];
        for (int i = 0; i < 3; i++)
            centre[k] += b->centre[i] * axis[i][k];
    }
    inertia_of(b->inertia, axis, world);
    const double row[] = {b->mass,  centre[0], centre[1], centre[2], world[0],
                          world[1], world[2],  world[3],  world[4],  world[5]};
    analysis_row(a, b->name, row);
    shift(b->mass, centre, 1.0, world);
    all->mass += b->mass;
    for (int k = 0; k < 3; k++)
        all->first[k] += b->mass * centre[k];
    for (int k = 0; k < 6; k++)
        all->second[k] += world[k];
}

static void tabulate(analysis *a, mc_multibody *m, const double *values)
{
    lump all = {0};
    mc_part_body b;
    analysis_table(a, "mass",
                   "mass [kg]|x [m]|y [m]|z [m]|Ixx [kg m^2]|Iyy [kg m^2]|Izz [kg m^2]|Ixy [kg "
                   "m^2]|Ixz [kg m^2]|Iyz [kg m^2]");
    for (int k = 0; mc_multibody_body(m, k, &b); k++)
        add_body(a, m, &b, values, &all);
    double c[3];
    for (int k = 0; k < 3; k++)
        c[k] = all.mass > 0.0 ? all.first[k] / all.mass : 0.0;
    shift(all.mass, c, -1.0, all.second);
    const double row[] = {all.mass,      c[0],          c[1],          c[2],
                          all.second[0], all.second[1], all.second[2], all.second[3],
                          all.second[4], all.second[5]};
    analysis_row(a, "all", row);
    analysis_note(a, "centres in world axes; inertia tensors about them (Ixy is the entry of the "
                     "tensor)");
}

static void run(analysis *a)
{
    mc_multibody *m = NULL;
    double *y = NULL, *values = NULL;
    if (!analysis_is_mechanism(a)) {
        analysis_reject(a, "mass needs a mechanism, a file that ends with .yaml");
        return;
    }
    m = mc_multibody_load(a->file, NULL, a->error);
    a->status = m ? MC_OK : a->error->code;
    if (m) {
        y = malloc(((size_t)mc_multibody_info_of(m)->y_count + 1) * sizeof *y);
        if (!y)
            analysis_no_memory(a);
        else
            mc_multibody_start(m, y);
    }
    const char *set;
    for (int k = 0; a->status == MC_OK && (set = analysis_text_at(a, "set", k)); k++) {
        char name[128];
        const char *equals = strchr(set, '=');
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - set) : 0, set);
        if (!equals)
            analysis_reject(a, "set: found \"%.60s\", expected NAME=VALUE", set);
        else
            a->status = mc_simulate_set(m, y, name, equals + 1, a->error);
    }
    if (a->status == MC_OK)
        a->status = mc_multibody_assemble(m, 0.0, y, a->error);
    int count = 0;
    while (a->status == MC_OK && mc_multibody_kinematics_name(m, count))
        count++;
    values = malloc(((size_t)count + 1) * sizeof *values);
    if (a->status == MC_OK && values)
        a->status = mc_multibody_kinematics(m, 0.0, y, values, a->error);
    if (a->status == MC_OK && values)
        tabulate(a, m, values);
    free(values);
    free(y);
    if (m)
        mc_multibody_free(m);
}

const analysis_kind analysis_mass = {
    {"mass", "mass, centre and inertia of every body of a mechanism and of the whole", true, false,
     parameters, sizeof parameters / sizeof parameters[0], false},
    run};
