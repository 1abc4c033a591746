// friction.c - the table of friction.
#include "parts/friction.h"

const char *const friction_surfaces[FRICTION_SURFACES] = {"asphalt", "concrete", "gravel",
                                                          "earth",   "snow",     "ice"};
const char *const friction_conditions[FRICTION_CONDITIONS] = {"dry", "wet", "frozen"};
const char *const friction_tyres[FRICTION_TYRES] = {"summer", "winter", "all_terrain", "truck"};

static const char taborek[] = "Taborek 1957, as in Wong, Theory of Ground Vehicles";
static const char chosen[] = "chosen";
#define T(mu)                                                                                      \
    {                                                                                              \
        mu, taborek                                                                                \
    }
#define C(mu)                                                                                      \
    {                                                                                              \
        mu, chosen                                                                                 \
    }

// clang-format off
static const friction_value values[FRICTION_SURFACES][FRICTION_CONDITIONS][FRICTION_TYRES] = {
    //                     summer   winter   all terrain truck
    [FRICTION_ASPHALT] =  {{T(0.85), C(0.80), C(0.78), C(0.70)},   // dry: 0.8 to 0.9
                           {T(0.60), C(0.60), C(0.55), C(0.48)},   // wet: 0.5 to 0.7
                           {C(0.25), C(0.35), C(0.30), C(0.22)}},
    [FRICTION_CONCRETE] = {{T(0.85), C(0.80), C(0.78), C(0.70)},
                           {T(0.80), C(0.75), C(0.70), C(0.60)},
                           {C(0.25), C(0.35), C(0.30), C(0.22)}},
    [FRICTION_GRAVEL] =   {{T(0.60), C(0.60), C(0.65), C(0.58)},
                           {C(0.55), C(0.56), C(0.60), C(0.52)},
                           {C(0.30), C(0.35), C(0.36), C(0.28)}},
    [FRICTION_EARTH] =    {{T(0.68), C(0.68), C(0.72), C(0.65)},
                           {T(0.55), C(0.55), C(0.60), C(0.50)},
                           {C(0.35), C(0.40), C(0.42), C(0.33)}},
    [FRICTION_SNOW] =     {{T(0.20), C(0.32), C(0.27), C(0.20)},   // packed hard
                           {C(0.15), C(0.25), C(0.22), C(0.15)},
                           {C(0.15), C(0.24), C(0.20), C(0.14)}},
    [FRICTION_ICE] =      {{T(0.10), C(0.16), C(0.12), C(0.09)},
                           {C(0.05), C(0.08), C(0.06), C(0.05)},
                           {C(0.12), C(0.18), C(0.14), C(0.11)}},
};
// clang-format on

friction_value friction_of(friction_surface surface, friction_condition condition,
                           friction_tyre tyre)
{
    return values[surface][condition][tyre];
}
