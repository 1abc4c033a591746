// fuzz_scenario.c - any bytes as a scenario file: the promises of scenario.h. Other files are not
// opened.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "scenario/scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// In their ranges, or not given.
static void check_numbers(const mc_model_key *key, const void *spec)
{
    int count;
    const mc_param *rows = vehicle_rows(key, spec, &count);
    for (int i = 0; i < count; i++) {
        const double value = vehicle_values_of(key, spec)[i];
        mc_assert(!vehicle_has_row(key, i) || (isnan(value) && isnan(rows[i].fallback)) ||
                  (value >= rows[i].min && value <= rows[i].max));
    }
}

static void check_models(const scenario *s)
{
    for (int i = 0; i < s->model_count; i++) {
        const scenario_model *m = &s->models[i];
        mc_vehicle_facts facts;
        m->type->facts(m->spec, &facts);
        mc_assert(facts.length > 0.0 && facts.width > 0.0 && facts.height > 0.0 &&
                  facts.mass > 0.0);
        for (int k = 0; k < m->type->key_count; k++)
            check_numbers(&m->type->keys[k], m->spec);
    }
    for (int i = 0; i < s->controller_count; i++) {
        const scenario_controller *c = &s->controllers[i];
        mc_assert(c->law && c->law_p && c->listen_count >= 0 && c->listen_count <= 8);
        for (int k = 0; k < c->law->param_count; k++)
            mc_assert(isfinite(c->law_p[k]));
    }
}

static void check_vehicles(const scenario *s)
{
    mc_assert(s->vehicle_count > 0 && s->vehicle_count <= SCENARIO_VEHICLES_MAX);
    for (int i = 0; i < s->vehicle_count; i++) {
        const scenario_vehicle *v = &s->vehicles[i];
        mc_assert(v->name[0] && v->model >= 0 && v->model < s->model_count);
        mc_assert(v->controller >= -1 && v->controller < s->controller_count);
        mc_assert(v->profile >= -1 && v->profile < s->profile_count);
        mc_assert(v->lane >= 0 && v->lane < s->road.lane_count);
        mc_assert(isfinite(v->x) && isfinite(v->y) && isfinite(v->v) && isfinite(v->heading));
        mc_assert(v->platoon >= -1 && v->platoon < s->platoon_count && !v->driver);
        // A follower stands behind a car of its platoon.
        mc_assert(v->number == 0 || (i > 0 && v[-1].platoon == v->platoon && v[-1].x > v->x));
    }
}

static void check_events(const scenario *s)
{
    for (int i = 0; i < s->event_count; i++) {
        const scenario_event *e = &s->events[i];
        mc_assert(i == 0 || e[-1].at <= e->at);
        mc_assert(isnan(e->until) || e->until > e->at);
        mc_assert(e->vehicle >= -1 && e->vehicle < s->vehicle_count);
        mc_assert(e->kind != EVENT_SET || e->param[0]);
        if (e->kind == EVENT_PROFILE)
            mc_assert(e->value >= 0 && e->value < s->profile_count);
        if (e->kind == EVENT_CONTROLLER)
            mc_assert(e->value >= 0 && e->value < s->controller_count);
    }
}

// A file of 100 bytes may ask for 100,000 cars, which take a second.
static bool takes_long(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 6 < size; i++)
        if (memcmp(data + i, "count:", 6) == 0) {
            char number[16] = {0};
            memcpy(number, data + i + 6, size - i - 6 < 15 ? size - i - 6 : 15);
            if (strtod(number, NULL) > 500.0)
                return true;
        }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (takes_long(data, size))
        return 0;
    mc_error error = {0};
    scenario *s = scenario_parse((const char *)data, size, NULL, &error);
    if (s) {
        mc_assert(s->end > 0.0 && s->step > 0.0 && s->record >= s->step && s->end >= s->step);
        check_models(s);
        check_vehicles(s);
        check_events(s);
        for (int i = 0; i < s->warning_count; i++)
            mc_assert(strlen(s->warnings[i]) > 10 && !strchr(s->warnings[i], '\n'));
        scenario_free(s);
    } else {
        mc_assert(error.code == MC_BAD_INPUT && strcmp(error.file, "scenario") == 0);
        mc_assert(strlen(error.text) > 10 && !strchr(error.text, '\n'));
        mc_assert(error.line >= 0 && (size_t)error.line <= size + 1);
    }
    return 0;
}
