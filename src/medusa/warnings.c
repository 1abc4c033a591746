// warnings.c - what is legal in a MEDUSA file but looks like a mistake.
#include "medusa/files.h"

#include <math.h>
#include <string.h>

// The report calls B the track, uses B/2 each side, and prints 0.725 m for a car of 2.525 m wheel
// base. A road car of that length has a track of 1.3 to 1.7 m: the number is half of it.
static const double track_low = 1.0, wheelbase_long = 2.0; // m

// Beyond these an angle is more likely in degrees than meant.
static const double orientation_high = 2.0 * M_PI + 0.01, steering_high = 0.9; // rad

// The value of the tyre's parameter "lag"; source.lag says that it has one.
static double tyre_lag(const cosserat_model *model)
{
    int i = 0;
    while (strcmp(model->gear.tyre->params[i].name, "lag") != 0)
        i++;
    return model->gear.tyre_p[i];
}

static void warn_model(const medusa_models *models, int i, medusa_warn *warn, void *context)
{
    const double *p = models->model[i].p;
    const medusa_source *source = &models->source[i];
    mc_error warning;
    const double wheelbase = p[COSSERAT_L1] + p[COSSERAT_L2];
    if (p[COSSERAT_B] < track_low && wheelbase > wheelbase_long) {
        const medusa_place place = source->param[COSSERAT_B];
        mc_error_set(&warning, MC_OK, models->file, place.line, place.column,
                     "B %g m looks like half a track: B is the whole track, left to right, and "
                     "L1 + L2 is %g m",
                     p[COSSERAT_B], wheelbase);
        warn(context, &warning);
    }
    if (source->lag.line && tyre_lag(&models->model[i]) != p[COSSERAT_TYRE_LAG]) {
        mc_error_set(&warning, MC_OK, models->file, source->lag.line, source->lag.column,
                     "lag %g s of TYRE_MODEL %s replaces TYRE %g s", tyre_lag(&models->model[i]),
                     models->model[i].gear.tyre->name, p[COSSERAT_TYRE_LAG]);
        warn(context, &warning);
    }
}

void medusa_models_warnings(const medusa_models *models, medusa_warn *warn, void *context)
{
    for (int i = 0; i < models->count; i++)
        warn_model(models, i, warn, context);
}

// The value of the largest size; 0 of an input that is not given.
static double largest(const medusa_input *in)
{
    double found = 0.0;
    for (int j = 0; j < in->count; j++)
        if (fabs(in->value[j]) > fabs(found))
            found = in->value[j];
    return found;
}

void medusa_platoon_warnings(const medusa_platoon *platoon, medusa_warn *warn, void *context)
{
    for (int i = 0; i < platoon->count; i++) {
        const medusa_vehicle *vehicle = &platoon->vehicle[i];
        const struct {
            const char *name;
            double value, high;
        } angles[] = {
            {medusa_vehicle_params[MEDUSA_ORIENTATION].name, vehicle->orientation,
             orientation_high},
            {medusa_vehicle_params[MEDUSA_STEERING].name, vehicle->steering, steering_high},
            {medusa_input_params[MEDUSA_INPUT_STEERING].name,
             largest(&vehicle->input[MEDUSA_INPUT_STEERING]), steering_high}};
        for (int k = 0; k < 3; k++) {
            if (fabs(angles[k].value) <= angles[k].high)
                continue;
            mc_error warning;
            mc_error_set(&warning, MC_OK, platoon->file, vehicle->line, vehicle->column,
                         "%s %g of vehicle %d looks like degrees: the unit is rad", angles[k].name,
                         angles[k].value, i + 1);
            warn(context, &warning);
        }
    }
}
