// tyre_pac2002.c - PAC2002: parameters, and a tyre for those who have no file.
//
// The equations are in tyre_pac2002_lanes.c, the file is read by tyre_pac2002_file.c. The built-in
// tyre is a passenger tyre 245/40 R18, models/passenger_245_40R18.tir. Limits: no turn slip, no
// inflation pressure, no overturning moment, no rolling resistance: that is a key of the drive.
#include "parts/tyre_pac2002.h"

#include "parts/tyre_relaxation.h"

static const mc_param params[] = {
    [PAC2002_DAMPING] = {"damping", "N s/m", 2000.0, 0.0, 1e5, "damping of the tread at rest"},
    [PAC2002_ELLIPSE] = {"ellipse", "-", 1.0, 0.0, 1.0,
                         "1: force within the ellipse of friction; 0: as published"},
};
_Static_assert(sizeof params / sizeof params[0] == PAC2002_PARAM_COUNT, "one row per parameter");

#define VALUE(section, name, value, needed, doc) [PAC2002_##name] = (value),
const pac2002_tyre pac2002_built_in = {
    .c = {PAC2002_COEFFICIENTS(VALUE)},
    .v_low = 1.0,
    .mode = PAC2002_MODE_ALL,
    .side = 1,
};

static double stiffness(const tyre_kind *kind, const double *p, double fz, double v)
{
    const pac2002_tyre *t = kind->context;
    (void)p, (void)fz;
    return relaxation_stiffness(PAC2002_RELAXATION_MIN * t->c[PAC2002_UNLOADED_RADIUS], t->v_low,
                                v);
}

const tyre_kind tyre_pac2002 = {
    .name = "pac2002",
    .doc = "Magic Formula of 2002 from a file (.tir): combined slip, camber, relaxation",
    .params = params,
    .param_count = PAC2002_PARAM_COUNT,
    .state_count = 2,
    .state_rate = deflection_no_rate,
    .eval = {[CPU_PLAIN] = pac2002_eval_plain, [CPU_AVX2] = pac2002_eval_avx2},
    .states = deflection_states,
    .stiffness = stiffness,
    .context = &pac2002_built_in,
    .load = pac2002_load,
    .context_size = sizeof(pac2002_tyre),
};
