// friction.h - friction of tyres on grounds: surfaces x conditions x tyres, each with its source.
//
// Peak values of a rolling tyre, friction force over load. Summer tyres on six grounds are the
// average values of road adhesion by Taborek (Mechanics of Vehicles, 1957), as reprinted by Wong
// (Theory of Ground Vehicles), the middle where a range is given; what that table does not have is
// chosen here, to be replaced where better values are known, and says so.
//
//     const double mu = friction_of(FRICTION_GRAVEL, FRICTION_WET, FRICTION_TRUCK).mu;
#pragma once

typedef enum friction_surface {
    FRICTION_ASPHALT,
    FRICTION_CONCRETE,
    FRICTION_GRAVEL,
    FRICTION_EARTH,
    FRICTION_SNOW,
    FRICTION_ICE,
    FRICTION_SURFACES
} friction_surface;

// Of snow: packed, slush, frozen over; of ice: cold, melting, cold.
typedef enum friction_condition {
    FRICTION_DRY,
    FRICTION_WET,
    FRICTION_FROZEN,
    FRICTION_CONDITIONS
} friction_condition;

typedef enum friction_tyre {
    FRICTION_SUMMER,
    FRICTION_WINTER,
    FRICTION_ALL_TERRAIN,
    FRICTION_TRUCK,
    FRICTION_TYRES
} friction_tyre;

extern const char *const friction_surfaces[FRICTION_SURFACES];
extern const char *const friction_conditions[FRICTION_CONDITIONS];
extern const char *const friction_tyres[FRICTION_TYRES];

typedef struct friction_value {
    double mu;          // -
    const char *source; // "chosen": not from a source
} friction_value;

friction_value friction_of(friction_surface surface, friction_condition condition,
                           friction_tyre tyre);
