// modes.c - natural frequencies and damping about the rest, and how they change with every spring,
// damper and mass.
//
//   relative sensitivity   (p/w) dw/dp,  w = |eigenvalue|;   p d(zeta)/dp
#include "analysis/plant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const mc_analysis_parameter parameters[] = {
    {"sensitivity", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0,
     "a parameter, or all: every spring, damper and mass", false},
    {"set", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "NAME=VALUE of a parameter or an input", false},
    {"hold", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "coordinate or state that is held", false},
};

// Whether a parameter is a stiffness, a damping or a mass, by its unit.
static bool is_part(const char *unit)
{
    static const char *const units[] = {"kg",      "N/m",   "N*s/m",     "N s/m",  "N*m",
                                        "N*m/rad", "N*m*s", "N*m*s/rad", "kg m^2", "kg*m^2",
                                        "kN/m",    "kg/s",  "kg/s^2"};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
        if (strcmp(unit, units[k]) == 0)
            return true;
    return false;
}

static void sensitivity(analysis *a, plant *p, const char *name, double *room)
{
    const mc_linear *l = &p->linear;
    double *re = room, *im = room + l->count, value;
    a->status = mc_multibody_get(p->m, name, &value, a->error);
    if (a->status == MC_OK)
        a->status = mc_multibody_sensitivity(p->m, l, name, true, re, im, a->error);
    for (int k = 0; a->status == MC_OK && k < l->count; k++) {
        const mc_linear_mode *mode = &l->modes[k];
        const double w = hypot(mode->real, mode->imaginary);
        if (mode->imaginary < 0.0 || mode->rigid || !(w > 0.0))
            continue;
        // w = |s|: dw = (x dx + y dy)/w; zeta = -x/w
        const double dw = (mode->real * re[k] + mode->imaginary * im[k]) / w;
        const double dz = -re[k] / w + mode->real * dw / (w * w);
        const double row[] = {mode->frequency, mode->damping, value, value * dw / w, value * dz};
        analysis_row(a, name, row);
    }
}

static void sensitivities(analysis *a, plant *p)
{
    const char *word = analysis_text_at(a, "sensitivity", 0), *name;
    double *room = malloc(2 * ((size_t)p->linear.count + 1) * sizeof *room);
    if (!word || !room) {
        free(room);
        return;
    }
    analysis_table(a, "sensitivities",
                   "mode [Hz]|damping|value|relative, of frequency|of damping ratio");
    if (strcmp(word, "all") == 0)
        for (int k = 0;
             a->status == MC_OK && (name = mc_multibody_name(p->m, MC_QUANTITY_PARAMETER, k));
             k++) {
            if (is_part(mc_multibody_unit(p->m, MC_QUANTITY_PARAMETER, k)))
                sensitivity(a, p, name, room);
        }
    else
        for (int k = 0; a->status == MC_OK && (name = analysis_text_at(a, "sensitivity", k)); k++)
            sensitivity(a, p, name, room);
    free(room);
}

// What moves most in a mode.
static const char *largest(const mc_linear *l, int k)
{
    int best = 0;
    const double *share = l->share + (size_t)l->count * (size_t)k;
    for (int i = 1; i < l->count; i++)
        best = share[i] > share[best] ? i : best;
    return l->name[best];
}

static void run(analysis *a)
{
    plant p;
    plant_open(a, &p);
    if (a->status == MC_OK) {
        analysis_table(a, "modes", "frequency [Hz]|damping|natural [Hz]|real [1/s]");
        // Rigid ones come last: sweeps take the first rows.
        for (int i = 0; i < 2 * p.linear.count; i++) {
            const int k = i % p.linear.count;
            const mc_linear_mode *mode = &p.linear.modes[k];
            if (mode->imaginary < 0.0 || mode->rigid != (i >= p.linear.count))
                continue;
            const double row[] = {mode->frequency, mode->damping,
                                  hypot(mode->real, mode->imaginary) / (2.0 * M_PI), mode->real};
            analysis_row(a, mode->rigid ? "rigid" : largest(&p.linear, k), row);
        }
        sensitivities(a, &p);
    }
    plant_close(&p);
}

const analysis_kind analysis_modes = {
    {"modes", "frequencies and damping about the rest, and their sensitivities", true, false,
     parameters, sizeof parameters / sizeof parameters[0], false},
    run};
