// card.c - the card of a car: parameters, channels, dynamics; and the identification bench.
#include "studio/request/requests.h"

#include "base/text.h"
#include "motorcade/identify.h"
#include "motorcade/string_stability.h"
#include "studio/hub/json.h"
#include "studio/hub/open.h"
#include "studio/hub/pending.h"
#include "studio/hub/queue.h"
#include "studio/request/card.h"
#include "studio/request/visit.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the card ----

static json_t *groups_json(const mc_run *run, int v)
{
    json_t *groups = json_array(), *rows = NULL;
    const char *open = NULL;
    mc_run_param p;
    mc_run_vehicle_info car;
    mc_run_vehicle(run, v, &car);
    for (int k = 0; mc_run_param_at(run, v, k, &p); k++) {
        if (!open || strcmp(open, p.group) != 0) {
            rows = json_array();
            json_array_append_new(groups, json_pack("{s:s,s:o}", "group", p.group, "rows", rows));
            open = p.group;
        }
        json_t *one = json_rows(p.row, 1), *row = json_array_get(one, 0);
        json_put(row, "value",
                 json_value(
                     pending_param(run, car.name, car.controller, p.group, p.row->name, p.value)));
        json_put(row, "live", json_boolean(p.live));
        if (strcmp(p.group, "desired") == 0)
            json_put(row, "own", json_boolean(p.own));
        json_array_append(rows, row);
        json_decref(one);
    }
    return groups;
}

static json_t *channels_json(const mc_run *run, int v)
{
    const mc_channel *channels;
    double value[128];
    const int count = mc_run_channels(run, v, &channels);
    json_t *list = json_array();
    mc_run_read_channels(run, v, value);
    for (int k = 0; k < count; k++) {
        json_t *c = json_object();
        json_put(c, "name", json_string(channels[k].name));
        json_put(c, "unit", json_string(channels[k].unit));
        json_put(c, "doc", json_string(channels[k].doc));
        json_put(c, "value", json_value(value[k]));
        json_array_append_new(list, c);
    }
    return list;
}

static void put_estimate(json_t *out, const mc_run *run, int v)
{
    mc_run_estimate e;
    const bool has = mc_run_estimate_of(run, v, &e);
    const char *name, *vehicle = mc_run_vehicle_name(run, v);
    json_t *names = json_array();
    for (int k = 0; (name = mc_run_estimator_name(run, k)); k++)
        json_array_append_new(names, json_string(name));
    json_put(out, "estimators", names);
    name = pending_estimator(run, vehicle, has && e.on ? e.name : "none");
    json_put(out, "estimator", json_string(name));
    if (!has)
        return;
    e.on = strcmp(name, e.name) == 0;
    json_t *one = json_object();
    json_put(one, "name", json_string(e.name));
    json_put(one, "parameter", json_string(e.parameter));
    json_put(one, "unit", json_string(e.unit));
    json_put(one, "value", json_value(e.value));
    json_put(one, "band", json_value(e.band));
    json_put(one, "on", json_boolean(e.on));
    json_put(one, "active", json_boolean(e.on && e.active));
    json_put(one, "claimed", json_boolean(e.claimed));
    json_put(out, "estimate", one);
}

static json_t *numbers_of(const double *values, int count)
{
    json_t *list = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(list, json_value(values[k]));
    return list;
}

enum { CURVE = 121 }; // frequencies, 0.01 .. 100 rad/s

static double frequency(int k)
{
    return 0.01 * pow(1e4, (double)k / (CURVE - 1));
}

// The car by itself, from a pedal to its speed.
static json_t *open_loop(mc_run *run, int v, mc_run_input input)
{
    static const char *const inputs[] = {"desired acceleration", "throttle", "brake"};
    static const char *const units[] = {"m/s^2", "-", "-"};
    json_t *out = json_object();
    mc_run_linear_model *m = malloc(sizeof *m);
    mc_error error = {0};
    json_put(out, "input", json_string(inputs[input]));
    json_put(out, "input_unit", json_string(units[input]));
    json_put(out, "output", json_string("speed"));
    json_put(out, "output_unit", json_string("m/s"));
    if (!m || mc_run_linear(run, v, input, m, &error) != MC_OK) {
        json_put(out, "text", json_string(error.text));
        free(m);
        return out;
    }
    double w[CURVE], gain[CURVE], phase[CURVE], turns = 0.0;
    for (int k = 0; k < CURVE; k++) {
        double re, im;
        w[k] = frequency(k);
        mc_run_linear_response(m, w[k], &re, &im);
        gain[k] = hypot(re, im);
        phase[k] = atan2(im, re) + turns;
        if (k > 0 && phase[k] - phase[k - 1] > 3.2) // unwrapped: it falls
            turns -= 6.283185307179586, phase[k] -= 6.283185307179586;
        else if (k > 0 && phase[k] - phase[k - 1] < -3.2)
            turns += 6.283185307179586, phase[k] += 6.283185307179586;
    }
    json_t *poles = json_array(), *states = json_array();
    for (int k = 0; k < m->order; k++) {
        json_t *state = json_object();
        json_put(state, "name", json_string(m->state[k].name));
        json_put(state, "unit", json_string(m->state[k].unit));
        json_put(state, "value", json_value(m->value[k]));
        json_array_append_new(states, state);
        json_array_append_new(poles, json_pack("[f,f]", m->pole_real[k], m->pole_imaginary[k]));
    }
    json_put(out, "about", json_pack("{s:f,s:f}", "u", m->u, "v", m->v));
    json_put(out, "delay", json_value(m->delay));
    json_put(out, "states", states);
    json_put(out, "poles", poles);
    json_put(out, "w", numbers_of(w, CURVE));
    json_put(out, "gain", numbers_of(gain, CURVE));
    json_put(out, "phase", numbers_of(phase, CURVE));
    free(m);
    return out;
}

// The car under its law behind another one: from the motion of the car in front to its own.
static json_t *closed_loop(const mc_run *run, int v)
{
    json_t *out = json_object(), *poles = json_array();
    mc_error error = {0};
    json_put(out, "input", json_string("motion of the car in front"));
    json_put(out, "output", json_string("own motion"));
    mc_stability *s = mc_stability_create_for_run(run, v, NULL, NULL, 0, &error);
    if (!s) {
        json_put(out, "text", json_string(error.text));
        json_decref(poles);
        return out;
    }
    const mc_stability_result *r = mc_stability_result_of(s);
    double w[CURVE], gain[CURVE], phase[CURVE];
    for (int k = 0; k < CURVE; k++) {
        w[k] = frequency(k);
        gain[k] = mc_stability_gain(s, w[k], &phase[k]);
    }
    for (int k = 0; k < r->mode_count; k++)
        json_array_append_new(poles, json_pack("[f,f]", r->modes[k].real, r->modes[k].imaginary));
    json_put(out, "poles", poles);
    json_put(out, "w", numbers_of(w, CURVE));
    json_put(out, "gain", numbers_of(gain, CURVE));
    json_put(out, "phase", numbers_of(phase, CURVE));
    mc_stability_destroy(s);
    return out;
}

static void put_dynamics(json_t *out, mc_run *run, int v)
{
    mc_run_vehicle_info info;
    mc_run_vehicle(run, v, &info);
    json_put(out, "dynamics",
             open_loop(run, v, info.pedals ? MC_RUN_INPUT_THROTTLE : MC_RUN_INPUT_ACCELERATION));
    if (info.pedals)
        json_put(out, "brake_dynamics", open_loop(run, v, MC_RUN_INPUT_BRAKE));
    if (info.controller[0])
        json_put(out, "follow_dynamics", closed_loop(run, v));
}

// Linear models take many steps: of a copy of the run, on the answers thread.
static void dynamics(request *r)
{
    mc_run *run = r->opened->run;
    const char *vehicle = json_string_value(json_object_get(r->body, "vehicle"));
    json_t *out = r->partial;
    r->partial = NULL;
    put_dynamics(out, run, mc_run_find(run, vehicle));
    request_done(r, out);
}

static const request_kind second_half = {"card", ANSWERS, 0, dynamics};

// Hands the rest over; false: there is no copy.
static bool hand_over(request *r, const visit *v, json_t *out)
{
    mc_error error;
    opened *o = calloc(1, sizeof *o);
    if (!o || !(o->run = mc_timeline_branch(v->at->line, &error))) {
        opened_free(o);
        return false;
    }
    r->opened = o;
    request *next = request_move(r);
    if (!next)
        return false;
    next->partial = out;
    next->kind = &second_half;
    queue_post(next->h, next);
    return true;
}

// Number of the vehicle in the run that is visited; -1: rejected.
static int find_vehicle(request *r, const branch *b, const visit *at, const char *vehicle)
{
    const int v = mc_run_find(at->run, vehicle);
    if (v < 0)
        request_reject(r, "vehicle", "no simulated vehicle \"%s\" in world %d%s", vehicle,
                       b->number, at->away ? " at that time" : "");
    return v;
}

static void card_of(request *r, const branch *b, const visit *at, int v, const char *vehicle)
{
    json_t *out = json_object();
    json_put(out, "world", json_integer(b->number));
    json_put(out, "vehicle", json_string(vehicle));
    json_put(out, "t", json_value(mc_run_time(at->run)));
    json_put(out, "groups", groups_json(at->run, v));
    json_put(out, "channels", channels_json(at->run, v));
    put_estimate(out, at->run, v);
    if (!hand_over(r, at, out))
        request_done(r, out);
}

static void pedals_of(request *r, const branch *b, const visit *at, int v, const char *vehicle)
{
    (void)b, (void)vehicle;
    json_t *out = json_object();
    mc_run_switch s;
    if (mc_run_switch_at(at->run, v, &s)) {
        json_put(out, "pedal", json_string(s.braking ? "brake" : "throttle"));
        json_put(out, "asked", json_value(s.asked));
        json_put(out, "coast", json_value(s.coast));
        json_put(out, "hysteresis", json_value(s.hysteresis));
    }
    request_done(r, out);
}

void card_answer_at(request *r, answer_about *about)
{
    branch *b;
    const char *vehicle;
    double t;
    visit at;
    if (!read_text(r, "vehicle", NAME_SIZE - 1, NULL, &vehicle) ||
        !read_optional(r, "t", -1e9, 1e9, &t) || !read_branch(r, &b))
        return;
    if (!b->run) {
        request_reject(r, "vehicle", "no simulated vehicle \"%s\" in world %d", vehicle, b->number);
    } else if (visit_begin(r, b, t, &at)) {
        const int v = find_vehicle(r, b, &at, vehicle);
        if (v >= 0)
            about(r, b, &at, v, vehicle);
        visit_end(r, &at); // r is empty when it was handed over, but for its hub
    }
    branch_drop(b);
}

void request_card(request *r)
{
    card_answer_at(r, card_of);
}

void request_pedals(request *r)
{
    card_answer_at(r, pedals_of);
}

// ---- identification ----

static bool read_params(request *r, double p[MC_IDENTIFY_PARAM_COUNT])
{
    json_t *given = json_object_get(r->body, "params"), *value;
    const char *name;
    mc_identify_defaults(p);
    if (given && !json_is_object(given)) {
        request_reject(r, "params", "params must be an object, {\"true_mass\": 1800}");
        return false;
    }
    json_object_foreach(given, name, value)
    {
        int k = 0;
        while (k < MC_IDENTIFY_PARAM_COUNT && strcmp(mc_identify_params[k].name, name) != 0)
            k++;
        if (k == MC_IDENTIFY_PARAM_COUNT || !json_is_number(value)) {
            request_reject(r, "params",
                           k == MC_IDENTIFY_PARAM_COUNT ? "the bench has no parameter \"%.40s\""
                                                        : "%.40s must be a number",
                           name);
            return false;
        }
        p[k] = json_number_value(value);
        const mc_param *row = &mc_identify_params[k];
        if (!(p[k] >= row->min && p[k] <= row->max)) {
            request_reject(r, row->name, "%s is %g, expected %g .. %g" TEXT_UNIT, row->name, p[k],
                           row->min, row->max, TEXT_UNIT_OF(row->unit));
            return false;
        }
    }
    // A bench of hours in micro-steps would hold up every other question.
    if (p[MC_IDENTIFY_PARAM_DURATION] / p[MC_IDENTIFY_PARAM_STEP] > 2e6) {
        request_reject(r, "duration", "%g s in steps of %g s is more than 2000000 steps",
                       p[MC_IDENTIFY_PARAM_DURATION], p[MC_IDENTIFY_PARAM_STEP]);
        return false;
    }
    return true;
}

typedef struct bench_column {
    const char *name;
    size_t offset;
} bench_column;

// Versions of clang-format disagree about braces in macros.
// clang-format off
#define COLUMN(name) {#name, offsetof(mc_identify_row, name)}
// clang-format on
static const bench_column columns[] = {
    COLUMN(t),          COLUMN(v_leader),       COLUMN(v),       COLUMN(v_model),
    COLUMN(distance),   COLUMN(distance_model), COLUMN(braking), COLUMN(mass_true),
    COLUMN(mass),       COLUMN(band),           COLUMN(squares), COLUMN(squares_band),
    COLUMN(excitation), COLUMN(memory),         COLUMN(claimed), COLUMN(squares_claimed),
};

static double column_of(const mc_identify_row *row, const bench_column *c)
{
    double value;
    memcpy(&value, (const char *)row + c->offset, sizeof value);
    return value;
}

static json_t *bench_json(const double *p, const mc_identify_run *run)
{
    enum { ROWS_SHOWN = 1500 };
    json_t *out = json_object(), *rows = json_object(), *values = json_object();
    json_t *end = json_object();
    const int shown = run->row_count < ROWS_SHOWN ? run->row_count : ROWS_SHOWN;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
        json_t *list = json_array();
        for (int k = 0; k < shown; k++) {
            const int at = shown < 2 ? 0 : (int)((long long)k * (run->row_count - 1) / (shown - 1));
            json_array_append_new(list, json_value(column_of(&run->rows[at], &columns[c])));
        }
        json_put(rows, columns[c].name, list);
        json_put(end, columns[c].name, json_value(column_of(&run->end, &columns[c])));
    }
    for (int k = 0; k < MC_IDENTIFY_PARAM_COUNT; k++)
        json_put(values, mc_identify_params[k].name, json_value(p[k]));
    json_put(out, "table", json_rows(mc_identify_params, MC_IDENTIFY_PARAM_COUNT));
    json_put(out, "params", values);
    json_put(out, "rows", rows);
    json_put(out, "end", end);
    json_put(out, "force_band", json_value(run->force_band));
    json_put(out, "limited", json_boolean(run->limited));
    json_put(out, "bounds",
             json_pack("{s:f,s:f,s:f}", "ratio", run->ratio, "safe", run->safe, "convergent",
                       run->convergent));
    return out;
}

enum { HANDS_MAX = 20000 };

// `hands`: what a person does with the leaders, [{t, acceleration, mass}] or [[t, acceleration,
// mass]]. NULL: rejected, or none (*count is 0 then).
static mc_identify_hand *read_hands(request *r, int *count)
{
    const json_t *list = json_object_get(r->body, "hands");
    *count = 0;
    if (!list || json_is_null(list))
        return NULL;
    const size_t n = json_array_size(list);
    mc_identify_hand *hands = n && n <= HANDS_MAX ? malloc(n * sizeof *hands) : NULL;
    for (size_t k = 0; hands && k < n; k++) {
        const json_t *entry = json_array_get(list, k);
        const bool row = json_is_array(entry);
        const json_t *t = row ? json_array_get(entry, 0) : json_object_get(entry, "t");
        const json_t *a = row ? json_array_get(entry, 1) : json_object_get(entry, "acceleration");
        const json_t *mass = row ? json_array_get(entry, 2) : json_object_get(entry, "mass");
        if (!json_is_number(t) || !json_is_number(a) || (mass && !json_is_number(mass))) {
            free(hands);
            hands = NULL;
            break;
        }
        hands[k] = (mc_identify_hand){json_number_value(t), json_number_value(a),
                                      mass ? json_number_value(mass) : 0.0};
    }
    if (!hands)
        request_reject(r, "hands",
                       "hands must be a list of 1 to %d entries {t, acceleration, mass}",
                       HANDS_MAX);
    else
        *count = (int)n;
    return hands;
}

void request_identify(request *r)
{
    double p[MC_IDENTIFY_PARAM_COUNT], seed;
    int count;
    if (!read_params(r, p) || !read_number(r, "seed", 0, 1e9, 1, &seed))
        return;
    mc_identify_hand *hands = read_hands(r, &count);
    if (r->answered)
        return;
    mc_identify_run run = {0};
    mc_error error = {0};
    const mc_status status =
        hands ? mc_identify_drive(p, hands, count, (unsigned long long)seed, &run, &error)
              : mc_identify_bench(p, (unsigned long long)seed, &run, &error);
    free(hands);
    if (status != MC_OK) {
        request_reject_error(r, &error);
        return;
    }
    request_done(r, bench_json(p, &run));
    mc_identify_run_free(&run);
}
