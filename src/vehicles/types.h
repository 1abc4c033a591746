// types.h - the vehicle types: one row each, the contract is motorcade/vehicle_type.h.
//
// What others do with a type goes by its row: no folder above names one. A new type is a file here
// that defines vehicle_WORD, and its word in the list below; or a row from outside, registered.
#pragma once

#include "motorcade/vehicle_type.h"

// In the order of the manual. The usual type is that of models that do not say.
#define VEHICLE_TYPES(type, usual)                                                                 \
    type(point) usual(powertrain) type(bicycle) type(planar) type(cosserat) type(multibody)        \
        type(fmu)
#define VEHICLE_DECLARE(word) extern const mc_vehicle_type vehicle_##word;
VEHICLE_TYPES(VEHICLE_DECLARE, VEHICLE_DECLARE)

// A powertrain with its parameters, for the library's own types; at: const powertrain_kind *,
// values: double[POWERTRAIN_PARAM_MAX].
enum { KEY_POWERTRAIN = MC_KEY_FORM_COUNT, KEY_FORM_COUNT };

const mc_vehicle_type *vehicle_type_find(const char *name); // NULL: unknown

// ---- rows of a type ----

static inline bool vehicle_has_row(const mc_model_key *key, int row)
{
    return !(key->without >> row & 1);
}

static inline bool vehicle_row_is_live(const mc_model_key *key, int row)
{
    return key->live >> row & 1;
}

// Numbers of a key in a spec: rows and their values. *count 0: the key has none. The rows of a tyre
// or powertrain are those of the kind that the spec has.
const mc_param *vehicle_rows(const mc_model_key *key, const void *spec, int *count);
double *vehicle_values(const mc_model_key *key, void *spec);
const double *vehicle_values_of(const mc_model_key *key, const void *spec);

// The kind of tyre or powertrain that a spec has.
const void *vehicle_choice(const mc_model_key *key, const void *spec);
void vehicle_choose(const mc_model_key *key, void *spec, const void *kind);

// All numbers at their defaults, the default tyre and powertrain, then what init of the type does.
void vehicle_spec_init(const mc_vehicle_type *type, void *spec);
