// string_stability.c - the public interface: options in, verdicts out.
#include "linear/string_stability.h"

#include "base/renamed.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double max_norm = 1.0 + 1e-9; // rounding of a norm that is 1
static const double max_l1 = 1.0 + 1e-6;   // and of an integral

struct mc_stability {
    law *l;
    double p[LAW_PARAM_MAX];
    string_setting setting;
    string_model model;
    mc_stability_mode modes[STRING_MODEL_MAX];
    mc_stability_result result;
};

mc_stability_options mc_stability_defaults(void)
{
    return (mc_stability_options){.law = mc_law_default(MC_LAW_ROLE_STABILITY),
                                  .speed = 20.0,
                                  .headway = 1.0,
                                  .distance = 2.0,
                                  .v_set = NAN,
                                  .place = 2};
}

// ---- options ---------------------------------------------------------------------------------

static const law_text *find_law(const char *name, mc_error *error)
{
    const law_text *t = name ? law_find(name) : NULL;
    if (t)
        return t;
    const char *names[64];
    int count = 0;
    for (; count < 64 && law_at(count); count++)
        names[count] = law_at(count)->name;
    const char *near = name ? text_nearest(name, names, count) : NULL;
    mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                 "unknown law \"%s\"%s%s; `motorcade laws` lists them", name ? name : "",
                 near ? ", did you mean " : "", near ? near : "");
    return NULL;
}

static mc_status set_param(const law_text *t, const char *name, double value, double *p,
                           mc_error *error)
{
    const char *names[LAW_PARAM_MAX];
    for (int i = 0; i < t->param_count; i++) {
        const mc_param *row = &t->params[i];
        names[i] = row->name;
        if (strcasecmp(row->name, name) != 0)
            continue;
        if (!(value >= row->min && value <= row->max))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s = %.9g: %s of law %s must be in %.9g .. %.9g %s", row->name,
                                value, row->doc, t->name, row->min, row->max, row->unit);
        p[i] = value;
        return MC_OK;
    }
    for (int i = 0; renamed_now(name) && i < t->param_count; i++)
        if (strcmp(names[i], renamed_now(name)) == 0)
            return set_param(t, names[i], value, p, error);
    const char *near = text_nearest(name, names, t->param_count);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "law %s has no parameter \"%s\"%s%s; `motorcade laws %s` lists them",
                        t->name, name, near ? ", did you mean " : "", near ? near : "", t->name);
}

static mc_status check_number(const char *name, double value, double min, double max,
                              const char *unit, mc_error *error)
{
    if (value >= min && value <= max)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s = %.9g %s must be in %.9g .. %.9g",
                        name, value, unit, min, max);
}

static mc_status read_setting(const mc_stability_options *o, string_setting *s, mc_error *error)
{
    *s = (string_setting){.speed = o->speed,
                          .headway = o->headway,
                          .distance = o->distance,
                          .v_set =
                              isnan(o->v_set) ? fmax(o->speed * 4.0 / 3.0, 100.0 / 3.0) : o->v_set,
                          .lag = o->lag,
                          .delay = o->delay,
                          .listen_leader = o->listen_leader,
                          .place = o->place};
    mc_status status = check_number("speed", s->speed, 0.1, 100.0, "m/s", error);
    if (status == MC_OK)
        status = check_number("headway", s->headway, 0.0, 20.0, "s", error);
    if (status == MC_OK)
        status = check_number("distance", s->distance, 0.0, 1000.0, "m", error);
    if (status == MC_OK)
        status = check_number("v_set", s->v_set, 0.1, 200.0, "m/s", error);
    if (status == MC_OK)
        status = check_number("lag", s->lag, 0.0, 10.0, "s", error);
    if (status == MC_OK && s->lag > 0.0)
        status = check_number("lag", s->lag, 1e-4, 10.0, "s", error);
    if (status == MC_OK)
        status = check_number("delay", s->delay, 0.0, 10.0, "s", error);
    if (status == MC_OK)
        status = check_number("place", s->place, 1.0, 10000.0, "", error);
    return status;
}

// ---- verdicts --------------------------------------------------------------------------------

static bool car_stable(const mc_stability *s)
{
    return s->modes[0].real < 0.0 || (s->modes[0].real == 0.0 && s->modes[0].imaginary == 0.0);
}

// Maximum response of cars 1 .. 20 to the leader: H_i = G H_(i-1) + G_leader, H_1 = G + G_leader.
static double leader_peak(const string_model *m, const mc_stability_mode *modes)
{
    enum { CARS = 20, POINTS = 400 };
    double max = 0.0, scale = 0.0;
    for (int i = 0; i < m->n; i++)
        scale = fmax(scale, hypot(modes[i].real, modes[i].imaginary));
    for (int k = 0; k < POINTS; k++) {
        const double w = scale * pow(10.0, -4.0 + 5.0 * k / (POINTS - 1));
        const double complex front = string_model_gain(m, STRING_FRONT, w);
        const double complex leader = string_model_gain(m, STRING_LEADER, w);
        double complex H = 1.0;
        for (int i = 0; i < CARS; i++) {
            H = front * H + leader;
            max = fmax(max, cabs(H));
        }
    }
    return max;
}

static mc_status analyse(const law *l, const double *p, const string_setting *setting,
                         mc_stability *s, mc_error *error)
{
    mc_stability_result *r = &s->result;
    const mc_status status = string_model_make(l, p, setting, &s->model, error);
    if (status != MC_OK)
        return status;
    if (!string_model_modes(&s->model, s->modes, &r->neutral_count))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "cannot compute the eigenvalues of law %s", law_text_of(l)->name);
    r->gap = s->model.gap;
    r->leader = s->model.leader;
    r->modes = s->modes;
    r->mode_count = s->model.n;
    r->zero_gain = r->peak = r->peak_frequency = r->l1 = r->leader_peak = NAN;
    r->l2 = r->l_infinity = MC_STABILITY_VERDICT_CAR_UNSTABLE;
    if (!car_stable(s))
        return MC_OK;
    string_model_peak(&s->model, s->modes, &r->zero_gain, &r->peak, &r->peak_frequency);
    r->l2 = r->peak <= max_norm ? MC_STABILITY_VERDICT_STABLE : MC_STABILITY_VERDICT_UNSTABLE;
    return MC_OK;
}

// Whether a headway is L2 string stable; false also where there is no steady state.
static bool stable_with(const law *l, const double *p, string_setting setting, double headway)
{
    mc_stability s = {0};
    mc_error ignored;
    setting.headway = headway;
    return analyse(l, p, &setting, &s, &ignored) == MC_OK &&
           s.result.l2 == MC_STABILITY_VERDICT_STABLE;
}

// From the given headway down while it is stable, or up until it is, then bisection.
double mc_stability_min_headway(const mc_stability *s)
{
    const double max = 10.0, ratio = 1.15;
    const law *l = s->l;
    double good = fmax(s->setting.headway, 0.01), bad = good;
    if (!law_uses(l, SIGNAL_HEADWAY) && !law_uses(l, SIGNAL_POSITION_ERROR))
        return NAN;
    if (stable_with(l, s->p, s->setting, good)) {
        while (stable_with(l, s->p, s->setting, bad = good / ratio)) {
            good = bad;
            if (good < 1e-3)
                return 0.0;
        }
    } else {
        while (!stable_with(l, s->p, s->setting, good = bad * ratio)) {
            bad = good;
            if (bad > max)
                return NAN;
        }
    }
    while (good - bad > 1e-6 * good) {
        const double middle = 0.5 * (good + bad);
        if (stable_with(l, s->p, s->setting, middle))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

static mc_status fill(mc_stability *s, const law_text *t, const char *file, mc_error *error)
{
    s->l = law_compile(t, file, EXPR_INTERPRET, error);
    if (!s->l)
        return error->code;
    const mc_status status = analyse(s->l, s->p, &s->setting, s, error);
    mc_stability_result *r = &s->result;
    if (status == MC_OK && r->l2 != MC_STABILITY_VERDICT_CAR_UNSTABLE) {
        r->l1 = string_model_l1(&s->model, s->modes);
        r->l_infinity =
            r->l1 <= max_l1 ? MC_STABILITY_VERDICT_STABLE : MC_STABILITY_VERDICT_UNSTABLE;
        if (r->leader)
            r->leader_peak = leader_peak(&s->model, s->modes);
    }
    return status;
}

mc_stability *string_analyse(const law_text *text, const char *file, const double *p,
                             const string_setting *setting, mc_error *error)
{
    mc_error own = {0};
    mc_stability *s = calloc(1, sizeof *s);
    if (!s) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left to analyse a law");
        return NULL;
    }
    s->setting = *setting;
    memcpy(s->p, p, sizeof *p * (size_t)text->param_count);
    if (fill(s, text, file, error ? error : &own) == MC_OK)
        return s;
    mc_stability_destroy(s);
    return NULL;
}

mc_stability *mc_stability_create(const mc_stability_options *o, mc_error *error)
{
    string_setting setting;
    double p[LAW_PARAM_MAX] = {0};
    const law_text *t = find_law(o->law, error);
    mc_status status = t ? read_setting(o, &setting, error) : MC_BAD_INPUT;
    for (int i = 0; status == MC_OK && i < t->param_count; i++)
        p[i] = t->params[i].fallback;
    for (int i = 0; status == MC_OK && i < o->set_count; i++)
        status = set_param(t, o->set_names[i], o->set_values[i], p, error);
    return status == MC_OK ? string_analyse(t, NULL, p, &setting, error) : NULL;
}

void mc_stability_destroy(mc_stability *s)
{
    if (s)
        law_destroy(s->l);
    free(s);
}

const mc_stability_result *mc_stability_result_of(const mc_stability *s)
{
    return &s->result;
}

static double gain(const mc_stability *s, int source, double w, double *phase)
{
    const double complex g = string_model_gain(&s->model, source, w);
    if (phase)
        *phase = carg(g);
    return cabs(g);
}

double mc_stability_gain(const mc_stability *s, double w, double *phase)
{
    return gain(s, STRING_FRONT, w, phase);
}

double mc_stability_gain_leader(const mc_stability *s, double w, double *phase)
{
    return gain(s, STRING_LEADER, w, phase);
}
