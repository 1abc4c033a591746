// powertrain.c - the powertrains by name, and the steady speeds of a car that has one.
#include "motorcade/powertrain.h"

#include "base/renamed.h"
#include "base/text.h"
#include "cars/steady.h"

#include <stddef.h>
#include <strings.h>

static void describe(const powertrain_kind *kind, mc_powertrain *out)
{
    *out = (mc_powertrain){kind->name, kind->doc, kind->params, kind->param_count};
}

bool mc_powertrain_at(int index, mc_powertrain *out)
{
    const powertrain_kind *kind = index < 0 ? NULL : powertrain_kind_at(index);
    if (kind)
        describe(kind, out);
    return kind != NULL;
}

bool mc_powertrain_find(const char *name, mc_powertrain *out)
{
    const powertrain_kind *kind = powertrain_kind_find(name);
    if (kind)
        describe(kind, out);
    return kind != NULL;
}

const char *mc_powertrain_default(mc_powertrain_role role)
{
    return powertrain_default(role)->name;
}

// Puts a value into the row of its name. *found: whether there is one.
static mc_status put(const mc_param *rows, int count, const char *name, double value, double *p,
                     bool *found, mc_error *error)
{
    *found = false;
    for (int k = 0; k < count && !*found; k++) {
        const mc_param *row = &rows[k];
        if (strcasecmp(row->name, name) != 0)
            continue;
        *found = true;
        if (!(value >= row->min && value <= row->max))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s = %.9g: %s must be in %.9g .. %.9g" TEXT_UNIT, row->name, value,
                                row->doc, row->min, row->max, TEXT_UNIT_OF(row->unit));
        p[k] = value;
    }
    return MC_OK;
}

// The same, of the powertrain or of its car.
static mc_status put_any(car *c, const powertrain_kind *kind, const char *name, double value,
                         bool *found, mc_error *error)
{
    const mc_status status =
        put(kind->params, kind->param_count, name, value, c->powertrain_p, found, error);
    return *found ? status : put(car_params, CAR_PARAM_COUNT, name, value, c->p, found, error);
}

static mc_status unknown(const powertrain_kind *kind, const char *name, mc_error *error)
{
    const char *names[POWERTRAIN_PARAM_MAX + CAR_PARAM_COUNT];
    int count = 0;
    for (int k = 0; k < kind->param_count; k++)
        names[count++] = kind->params[k].name;
    for (int k = 0; k < CAR_PARAM_COUNT; k++)
        names[count++] = car_params[k].name;
    const char *near = text_nearest(name, names, count);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "powertrain %s and its car have no parameter \"%s\"%s%s; `motorcade "
                        "powertrain %s` lists them",
                        kind->name, name, near ? ", did you mean " : "", near ? near : "",
                        kind->name);
}

static mc_status unknown_kind(const char *name, mc_error *error)
{
    enum { KINDS_MAX = 16 };
    const char *names[KINDS_MAX];
    int count = 0;
    for (const powertrain_kind *kind; count < KINDS_MAX && (kind = powertrain_kind_at(count));)
        names[count++] = kind->name;
    const char *near = text_nearest(name, names, count);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "unknown powertrain \"%s\"%s%s; `motorcade powertrain` lists them", name,
                        near ? ", did you mean " : "", near ? near : "");
}

mc_status mc_powertrain_steady_speeds(const char *kind_name, const mc_powertrain_set *set,
                                      double throttle, mc_powertrain_steady *out, int max,
                                      int *count, mc_error *error)
{
    enum { STEADY_MAX = 16 };
    *count = 0;
    const powertrain_kind *kind = powertrain_kind_find(kind_name);
    if (!kind)
        return unknown_kind(kind_name, error);
    if (!(throttle >= 0.0 && throttle <= 1.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "throttle %.9g: must be in 0 .. 1",
                            throttle);
    car c;
    car_defaults(&c, kind);
    for (int k = 0; set && k < set->count; k++) {
        const char *name = set->names[k], *now = renamed_now(name);
        bool found;
        mc_status status = put_any(&c, kind, name, set->values[k], &found, error);
        if (!found && now)
            status = put_any(&c, kind, now, set->values[k], &found, error);
        if (status != MC_OK || !found)
            return found ? status : unknown(kind, name, error);
    }
    char text[300];
    if (kind->check && !kind->check(c.powertrain_p, text, sizeof text))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s", text);
    car_steady rows[STEADY_MAX];
    const int found = car_steady_states(&c, throttle, rows, max < STEADY_MAX ? max : STEADY_MAX);
    for (int k = 0; k < found; k++)
        out[k] = (mc_powertrain_steady){rows[k].throttle, rows[k].v,    rows[k].n,
                                        rows[k].force,    rows[k].fuel, rows[k].stable};
    *count = found;
    return MC_OK;
}
