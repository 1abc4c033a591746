// switches.c - joints and constraints that switch on and off during a run.
//
// Every set of them that acts is a mechanism of its own, derived when it is first needed and kept:
// what is off costs nothing, which rows act and which form is cheapest is decided for each set, and
// the code of a set is the code of any closed mechanism (docs/design.md).
//
// Switching on is an impact without restitution: velocities change by the smallest amount, weighed
// by the masses, that makes the rates of all constraints of the new set zero,
//
//     M (v+ - v-) = A' Lambda,   A v+ + e,t = 0
//
// Lambda are the impulses of the loads. A joint or constraint that is off where its load has a sign
// cannot have an impulse of that sign: it leaves the set, and the impact is computed without it.
#include "mechanism/mechanism.h"
#include "equations/assembly.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Against rounding: a function counts as zero this far above it. Conditions that were true before
// must go below zero first; loads count from this share of an impulse per row of output.
static const double slack = 1e-12;
static const double open_max = 1e-6; // m or rad, where something switches on

// ---- programs ----------------------------------------------------------------------------------

mc_status multibody_switches_build(mc_multibody *m, mc_error *error)
{
    const mb_system *s = &m->system;
    const int loads = s->rows.load_count * s->rows.kept_count, count = s->switch_count;
    if (count == 0)
        return MC_OK;
    expr_id *all = calloc((size_t)(loads > count ? loads : count) + 1, sizeof *all);
    if (!all)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the conditions");
    for (int i = 0; i < count; i++)
        all[i] = s->switches[i].function;
    mc_status status = multibody_build(m, MULTIBODY_CONDITIONS, all, count, NULL, error);
    int n = 0;
    for (int i = 0; i < s->rows.load_count; i++)
        for (int r = 0; r < s->rows.kept_count; r++)
            all[n++] = s->rows.load[i].by[s->rows.kept[r]];
    if (status == MC_OK && loads > 0)
        status = multibody_build(m, MULTIBODY_LOADS, all, loads, NULL, error);
    free(all);
    return status;
}

static void conditions(mc_multibody *m, double t, const double *y, double *value)
{
    multibody_set_state(m, t, y);
    multibody_code *code = multibody_use(m, MULTIBODY_CONDITIONS);
    expr_kernel_run(code->kernel, m->x, code->kept, value, code->work);
}

// ---- sets --------------------------------------------------------------------------------------

// Parameters and inputs may have been set since it was made.
static void take_values(const mc_multibody *from, mc_multibody *to)
{
    const mb_system *s = &from->system;
    const int count = from->code[MULTIBODY_FORWARD].program->parameter_count;
    const size_t size = (size_t)count * sizeof *to->parameter;
    memcpy(to->x + mb_at_input(s), from->x + mb_at_input(s),
           (size_t)s->input_count * sizeof *to->x);
    if (memcmp(to->parameter, from->parameter, size) == 0)
        return;
    memcpy(to->parameter, from->parameter, size);
    multibody_parameters_changed(to);
}

// The mechanism in which `on` act.
static mc_status find_set(multibody_switching *s, uint64_t on, double t, const double *y,
                          mc_multibody **out, mc_error *error)
{
    mc_multibody *m = s->m;
    *out = m;
    if (on == m->on)
        return MC_OK;
    for (int k = 0; k < m->set_count; k++)
        if (m->sets[k]->on == on) {
            *out = m->sets[k];
            take_values(m, *out);
            return MC_OK;
        }
    mc_multibody **more = realloc(m->sets, ((size_t)m->set_count + 1) * sizeof *more);
    if (!more)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the switches");
    m->sets = more;
    const mc_status status = multibody_make_set(m, on, t, y, &m->sets[m->set_count], error);
    if (status == MC_OK)
        *out = m->sets[m->set_count++];
    return status;
}

static const char *name_of(const multibody_switching *s, int i)
{
    const char *name;
    mb_switch_at(&s->m->model, i, &name, NULL);
    return name;
}

static int count_of(const multibody_switching *s)
{
    return s->m->system.switch_count;
}

static bool is_on(uint64_t set, int i)
{
    return set >> i & 1;
}

// ---- impulses ----------------------------------------------------------------------------------

// Velocities of y in the set m after the impact; impulses of the loads.
static void strike(mc_multibody *m, double t, double *y, double *load, double *energy)
{
    const mb_system *s = &m->system;
    const int n = s->v_count, rows = s->rows.kept_count;
    double *dv = calloc((size_t)(n + rows) + 1, sizeof *dv);
    double *impulse = dv ? dv + n : NULL;
    memset(load, 0, (size_t)s->rows.load_count * sizeof *load);
    *energy = multibody_loops_energy(m, t, y);
    if (dv && s->rows.count > 0) {
        multibody_set_state(m, t, y);
        multibody_loops_impulse(m, dv, impulse);
        for (int i = 0; i < n; i++)
            y[s->q_count + i] += dv[i];
        multibody_set_state(m, t, y);
        multibody_code *code = multibody_use(m, MULTIBODY_LOADS);
        expr_kernel_run(code->kernel, m->x, code->kept, code->result, code->work);
        for (int i = 0; i < s->rows.load_count; i++)
            for (int r = 0; r < rows; r++)
                load[i] += code->result[i * rows + r] * impulse[r];
    }
    *energy -= multibody_loops_energy(m, t, y);
    free(dv);
}

// Of its loads: the one there is, otherwise the length of the force, or of the torque.
static double size_of(const mb_rows *rows, const double *load, const char *owner, int *unit)
{
    double force = 0.0, torque = 0.0, single = 0.0;
    int count = 0, force_at = -1, torque_at = -1;
    for (int i = 0; i < rows->load_count; i++) {
        if (strcmp(rows->load[i].owner, owner) != 0)
            continue;
        single = load[i];
        *unit = i;
        count++;
        if (strncmp(rows->load[i].word, "torque", 6) == 0) {
            torque += load[i] * load[i];
            torque_at = i;
        } else {
            force += load[i] * load[i];
            force_at = i;
        }
    }
    if (count <= 1)
        return single;
    *unit = force_at >= 0 ? force_at : torque_at;
    return sqrt(force_at >= 0 ? force : torque);
}

static void note(multibody_switching *s, int i, bool on, double t, const double *load,
                 double energy)
{
    const mb_rows *rows = &s->m->system.rows;
    int at = -1;
    mc_simulate_event event = {.t = t, .name = name_of(s, i), .on = on, .energy = energy};
    if (load)
        event.impulse = size_of(rows, load, event.name, &at);
    if (at >= 0 && rows->load[at].unit.known) {
        expr_unit with = rows->load[at].unit;
        with.time = (int8_t)(with.time + 6);
        expr_unit_short(with, event.impulse_unit);
    }
    s->count++;
    s->shift[i] = slack;
    if (on && load)
        s->shift[i] += slack * fabs(event.impulse) / s->row_step;
    if (s->take)
        s->take(s->context, &event);
}

// Of the set: one whose impulse has the sign at which it is off; -1: none.
static int pulls(const mc_multibody *m, const double *load)
{
    double largest = 0.0;
    for (int i = 0; i < m->system.rows.load_count; i++)
        largest = fmax(largest, fabs(load[i]));
    for (int i = 0; i < m->system.switch_count; i++) {
        const mb_switch_function *f = &m->system.switches[i];
        if (is_on(m->on, i) && f->load >= 0 && f->sign * load[f->load] > slack * largest)
            return i;
    }
    return -1;
}

// What switches on must be closed there already.
static mc_status check_closed(const multibody_switching *s, mc_multibody *m, uint64_t fresh,
                              double t, const double *y, mc_error *error)
{
    const mb_system *system = &m->system;
    if (system->rows.count == 0)
        return MC_OK;
    for (int i = 0; i < count_of(s); i++) {
        const char *owner = name_of(s, i);
        int at = -1;
        if (!is_on(fresh, i))
            continue;
        mb_assembly_prepare(system->assembly, m->parameter);
        multibody_set_state(m, t, y);
        const double gap = mb_assembly_gap_of(system->assembly, m->x, owner, &at);
        if (gap > open_max)
            return mc_error_set(error, MC_FAILED, m->model.file, system->rows.row[at].line, 0,
                                "%s switches on at t = %.9g s, but is open by %.3g there; its "
                                "condition must become true where it closes, or it must be a "
                                "constraint of velocities",
                                owner, t, gap);
    }
    return MC_OK;
}

// ---- switching ---------------------------------------------------------------------------------

// From the set that acts to `on`: an impact where something is new.
static mc_status change(multibody_switching *s, uint64_t on, double t, double *y, mc_error *error)
{
    const uint64_t before = s->now->on;
    const size_t size = (size_t)s->m->info.y_count * sizeof *y;
    const int loads = s->m->system.rows.load_count;
    double *kept = malloc(size + ((size_t)loads + 1) * sizeof *kept), energy = 0.0;
    if (!kept)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the switches");
    double *load = kept + s->m->info.y_count;
    mc_status status = MC_OK;
    mc_multibody *m = s->now;
    memcpy(kept, y, size);
    for (;;) {
        memcpy(y, kept, size);
        status = find_set(s, on, t, y, &m, error);
        if (status == MC_OK)
            status = check_closed(s, m, on & ~before, t, y, error);
        if (status != MC_OK || !(on & ~before))
            break;
        mc_multibody_project(m, t, y); // positions
        memcpy(y + m->system.q_count, kept + m->system.q_count,
               (size_t)m->system.v_count * sizeof *y);
        strike(m, t, y, load, &energy);
        const int off = pulls(m, load);
        if (off < 0)
            break;
        on &= ~((uint64_t)1 << off);
    }
    const bool hit = status == MC_OK && (on & ~before);
    for (int i = 0; i < count_of(s) && status == MC_OK; i++)
        if (is_on(on, i) != is_on(before, i))
            note(s, i, is_on(on, i), t, hit && is_on(on, i) ? load : NULL,
                 hit && is_on(on, i) ? energy : 0.0);
    if (hit)
        s->lost += energy;
    if (status == MC_OK)
        s->now = m;
    free(kept);
    return status;
}

void multibody_switching_look(multibody_switching *s, double t, const double *y, double *value)
{
    conditions(s->now, t, y, value);
    for (int i = 0; i < count_of(s); i++)
        value[i] -= s->shift[i];
}

// Off where a load, or another condition, says so right after an impact; on where the impact itself
// makes a condition true. Each once per instant.
static mc_status settle(multibody_switching *s, double t, double *y, const double *before,
                        uint64_t moved, mc_error *error)
{
    double value[MB_SWITCHES_MAX];
    mc_status status = MC_OK;
    for (bool again = true; again && status == MC_OK;) {
        again = false;
        multibody_switching_look(s, t, y, value);
        for (int i = 0; i < count_of(s) && !again; i++) {
            const uint64_t bit = (uint64_t)1 << i;
            const bool on = is_on(s->now->on, i), fell = !before || before[i] < 0.0;
            if (value[i] < 0.0 || (value[i] == 0.0 && on) || (!on && (moved & bit || !fell)))
                continue;
            if (on && is_on(s->off_again, i))
                continue;
            s->off_again |= on ? bit : 0;
            moved |= bit;
            status = change(s, s->now->on ^ bit, t, y, error);
            again = true;
        }
    }
    s->off_again = 0;
    return status;
}

mc_status multibody_switching_at(multibody_switching *s, double t, double *y, const bool *risen,
                                 mc_error *error)
{
    double before[MB_SWITCHES_MAX];
    uint64_t moved = 0;
    multibody_switching_look(s, t, y, before);
    for (int i = 0; i < count_of(s); i++)
        if (risen[i])
            moved |= (uint64_t)1 << i;
    const mc_status status = change(s, s->now->on ^ moved, t, y, error);
    return status == MC_OK ? settle(s, t, y, before, moved, error) : status;
}

mc_status multibody_switching_to(multibody_switching *s, uint64_t on, double t, const double *y,
                                 mc_error *error)
{
    return find_set(s, on, t, y, &s->now, error);
}

mc_status multibody_switching_start(multibody_switching *s, double t, double *y, mc_error *error)
{
    double value[MB_SWITCHES_MAX];
    const int count = count_of(s);
    s->now = s->m;
    memset(s->shift, 0, sizeof s->shift);
    mc_status status = mc_multibody_assemble(s->now, t, y, error);
    for (int k = 0; k <= count && count > 0 && status == MC_OK; k++) {
        uint64_t on = s->now->on;
        conditions(s->now, t, y, value);
        for (int i = 0; i < count; i++)
            on |= (uint64_t)(!is_on(on, i) && value[i] >= 0.0) << i;
        if (on == s->now->on)
            break;
        status = find_set(s, on, t, y, &s->now, error);
        if (status == MC_OK)
            status = mc_multibody_assemble(s->now, t, y, error);
    }
    for (int i = 0; i < count; i++)
        s->shift[i] = is_on(s->now->on, i) ? slack : 0.0;
    if (status == MC_OK && count > 0)
        status = settle(s, t, y, NULL, ~(uint64_t)0, error);
    s->count = 0;
    return status;
}
