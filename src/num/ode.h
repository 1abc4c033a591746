// ode.h - y' = f(t, y): explicit and implicit, fixed-step and adaptive methods, one interface.
//
//     ode_kind kind;
//     if (!ode_kind_find("radau5", &kind)) ...          // unknown: report the nearest name
//     ode_options options = ode_options_default();
//     options.rtol = 1e-8;
//     const ode_problem problem = {.n = n, .context = car, .rate = rate};
//     ode *o = ode_create(&kind, &problem, &options, error);
//     ode_start(o, 0.0, y, error);                      // where the run begins
//     ode_run(o, 10.0, times, count, row, context, error);
//     ... ode_time(o), ode_state(o), ode_report_of(o) ...
//     ode_free(o);
//
// Which method
//   explicit, fixed    euler .. rk5      every row of integrate.h; cheap and predictable
//   implicit, fixed    gauss2, 4, 6      A-stable; energy stays bounded where masses are constant
//   explicit, adaptive dopri5, dop853    not stiff; dop853 below a tolerance of about 1e-7
//   implicit, adaptive radau5, cvode     stiff: bushings, stops, tyres at low speed
// cvode and cvode-adams are SUNDIALS' multistep methods, the reference for all others.
//
// Rules
//  1. ode_run goes from where the state is to t_end, forwards or backwards, and lands on t_end
//     exactly. The rate is never asked beyond t_end. Another ode_run continues from there with the
//     step size found so far; ode_start forgets the past (after an impact, after a parameter
//     change).
//  2. Rows. Adaptive methods choose their steps without regard to the output times and interpolate:
//     the error of a row is of the size of the tolerance. (radau5: of 0.1 rtol^(2/3), and it
//     shortens steps that hold rows as far as its interpolant needs.) Fixed-step methods land on
//     every output time: each interval between two of them is cut into equal steps no longer than
//     options.step.
//  3. Tolerance. A step is accepted when the root mean square over all states of
//     error_i / (atol_i + rtol |y_i|) is at most 1. That bounds the error of one step, not of the
//     run.
//  4. A rate or Jacobian answers ODE_OK; ODE_RETRY "not at this state: come nearer" (adaptive
//     methods shorten the step, fixed-step ones fail); or ODE_FAILED, which ends the run. A rate
//     that is not finite counts as ODE_RETRY, and is named in the message when a shorter step does
//     not help.
//  5. project, when given, moves the state back onto its constraint (unit quaternions) after every
//     step and in every row. It must be small against the tolerance. cvode-adams cannot take it in
//     its history; there only rows and the final state are projected.
//  6. An event ends ode_run early, at the instant it was located at, with MC_OK: ode_events_of says
//     what rose. Adaptive methods sample a step at four points, fixed-step ones at its end; what
//     rises and falls between two samples is not seen. Rows up to the event were handed out; to
//     continue, call ode_start, and ode_run with the rows after it.
//  7. All memory is taken by ode_create; nothing allocates after it, except inside SUNDIALS.
//  8. Same calls, same bits. An ode has no shared state: one for each thread.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>

// ---- the problem -------------------------------------------------------------------------------

typedef enum ode_answer {
    ODE_OK = 0,
    ODE_RETRY,  // cannot be computed here; a shorter step may help
    ODE_FAILED, // cannot be computed at all: stop
} ode_answer;

// dy = f(t, y), n values each.
typedef ode_answer ode_rate(void *context, double t, const double *y, double *dy);

// jacobian[j * n + i] = d f_i / d y_j: one column for each state. Zeroed before the call. It steers
// the iteration of the implicit methods and need not be exact: a poor one costs steps, not
// accuracy.
typedef ode_answer ode_jacobian(void *context, double t, const double *y, double *jacobian);

// Moves y back onto its constraint. step: y is the state from which the run continues (of a step
// that may still be rejected: the next call then has no later t); otherwise a row beside it.
typedef void ode_project(void *context, double t, double *y, bool step);

// Values of functions of the state that are looked at. An event is where one of them rises through
// zero: it was below, and is not any more.
typedef void ode_event(void *context, double t, const double *y, double *value);

typedef struct ode_problem {
    int n;                   // states, >= 1
    void *context;           // handed to the functions below
    ode_rate *rate;          //
    ode_jacobian *jacobian;  // NULL: by differences of the rate
    ode_project *project;    // NULL: none
    ode_event *event;        // NULL: none
    int event_count;         // its functions
    const char *const *name; // of each state, for messages; NULL: they are numbered
} ode_problem;

// ---- options -----------------------------------------------------------------------------------

typedef struct ode_options {
    double rtol;             // -, relative tolerance, 1e-14 .. 0.1
    double atol;             // unit of the state, absolute tolerance of all states, >= 0
    const double *atol_each; // n values instead of atol; copied. NULL: atol for all
    double step;             // s, fixed-step: the step, > 0. Adaptive: the first step; 0: chosen
    double step_max;         // s, adaptive: longest step; 0: no limit
    long steps_max;          // steps of one ode_run, rejected ones included; 0: no limit
} ode_options;

ode_options ode_options_default(void); // 1e-6, 1e-9, first step chosen, no longest step, 10 million

// ---- methods -----------------------------------------------------------------------------------

typedef struct ode_kind {
    const char *name;
    const char *doc;
    int order;     // of the error of a run in the step; the highest one for variable order
    bool adaptive; // chooses its steps by tolerance; otherwise steps of options.step
    bool implicit; // uses the Jacobian
    const struct ode_method *method; // how it is done
    const void *table;               // coefficients, as the method wants them
} ode_kind;

// All methods: fixed step first, then adaptive, then SUNDIALS. False past the end.
bool ode_kind_at(int index, ode_kind *kind);
bool ode_kind_find(const char *name, ode_kind *kind); // any case; false if unknown

// ---- a run -------------------------------------------------------------------------------------

typedef enum ode_trouble {
    ODE_NO_TROUBLE = 0,
    ODE_STEP_TOO_SMALL,  // the tolerance cannot be met: step at the rounding of the time
    ODE_NEWTON_FAILED,   // the equations of an implicit step did not converge
    ODE_RATE_NOT_FINITE, // the rate or the Jacobian became infinite or not a number
    ODE_RATE_REJECTED,   // the rate or the Jacobian reported failure
    ODE_TOO_MANY_STEPS,  // options.steps_max
    ODE_LIBRARY_FAILED,  // SUNDIALS gave up for a reason of its own
} ode_trouble;

typedef struct ode_report {
    mc_status status;    // of the last ode_run
    ode_trouble trouble; // why it failed
    double time;         // s, how far it came; where the rate failed, when that is the trouble
    double step;         // s, the last step tried, signed
    int component;       // the worst state, from 0; -1 when none can be named
    double error;        // its error in units of its tolerance; NAN when not known
    // Counts since ode_start.
    long steps;          // accepted
    long rejected;       // tried and thrown away
    long rates;          // calls of the rate, those for differences included
    long jacobians;      // by the caller's function or by differences
    long factorizations; // of Newton matrices; a complex one counts as one
    long iterations;     // of Newton or of the fixed point
} ode_report;

typedef struct ode ode;

// NULL with *error filled: a bad option, or no memory. Copies all three; names and the context
// must outlive it.
ode *ode_create(const ode_kind *kind, const ode_problem *problem, const ode_options *options,
                mc_error *error);
void ode_free(ode *o); // may be NULL

// Sets time and state (n values, copied), forgets history and counts.
mc_status ode_start(ode *o, double t, const double *y, mc_error *error);

// One row of output; false asks to stop.
typedef bool ode_row(void *context, double t, const double *y);

// Runs to t_end. times: count output times in the direction of the run, from the present time to
// t_end, both included; row is called once for each. times may be NULL when count is 0.
// MC_OK; MC_BAD_INPUT: times out of order; MC_INTERRUPTED: row asked to stop (an adaptive method
// then stands at the end of the step that held the row); MC_FAILED: ode_report_of says why, and the
// state is that of the last good step.
mc_status ode_run(ode *o, double t_end, const double *times, int count, ode_row *row,
                  void *row_context, mc_error *error);

// The functions that rose where the last ode_run ended; NULL: it ended at t_end.
const bool *ode_events_of(const ode *o);

double ode_time(const ode *o);
const double *ode_state(const ode *o); // n values, valid until the next call
const ode_report *ode_report_of(const ode *o);
const char *ode_trouble_name(ode_trouble trouble); // "step too small"
