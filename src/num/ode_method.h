// ode_method.h - what a method of ode.h is made of, and what all of them share.
//
// A method is one constant ode_method and one row in the table of ode.c. It keeps its memory in one
// block whose layout it writes down once: the layout function runs twice, first to count, then to
// place, so that size and places cannot drift apart.
#pragma once

#include "num/ode.h"

#include <stddef.h>

// Memory being counted (base NULL) or handed out.
typedef struct ode_space {
    char *base;
    size_t used;
} ode_space;

void *ode_space_take(ode_space *space, size_t count, size_t size); // NULL while counting
double *ode_space_doubles(ode_space *space, size_t count);

struct ode {
    ode_kind kind;
    ode_problem problem;
    ode_options options;
    double *atol; // n

    // Where the run is, and the last accepted step: from t_old to t.
    double t, t_old;
    double *y;       // n
    double *row;     // n, one row of output on its way to the caller
    bool started;    // the method has seen this state
    bool seen;       // ode_start was called
    double forward;  // 1 or -1
    double next_row; // s, the next output time; the end of the run when there is none before it

    ode_report report;
    double bad_time;   // where the rate was last not ODE_OK
    int bad_component; // the first state whose rate was not finite; -1: the rate failed

    // Events (ode_event.c); NULL where none are looked for.
    double *y_old, *probe;          // n: at the start of the last step; somewhere in it
    double *before, *after, *value; // event_count: of the functions
    bool *risen;                    // event_count
    bool has_event;                 // the last run ended by one

    void *own; // the method's memory, placed by its layout
};

typedef struct ode_method {
    // Takes the method's memory from space and sets o->own. Must not read o->own while counting.
    void (*layout)(ode *o, ode_space *space);
    // Once, after layout: fills coefficients, opens libraries. NULL: nothing to do.
    mc_status (*open)(ode *o, mc_error *error);
    void (*close)(ode *o); // NULL: nothing to do
    // A new state, or a new direction: prepares the first step towards t_end. NULL: nothing to do.
    ode_trouble (*start)(ode *o, double t_end);
    // Fixed step: moves o->y by one step of h from o->t; the caller moves the time, projects and
    // counts. On trouble y may be anything.
    ode_trouble (*advance)(ode *o, double h);
    // Adaptive: one accepted step that does not pass t_end. Moves o->t_old, o->t and o->y, projects
    // and counts. On trouble t and y are as before.
    ode_trouble (*step)(ode *o, double t_end);
    // Adaptive: the state at t within the last step, not yet projected.
    ode_trouble (*dense)(ode *o, double t, double *y);
} ode_method;

// ---- services for methods ----------------------------------------------------------------------

// Calls the rate, counts it, and checks that all values are finite (ODE_RETRY when not). Keeps time
// and component of what went wrong for the report.
ode_answer ode_rate_at(ode *o, double t, const double *y, double *dy);

// df/dy at (t, y), where the rate is dy: the caller's function or differences. point, shifted: work
// of n. h: the step about to be taken, for the size of the differences.
ode_answer ode_jacobian_at(ode *o, double t, const double *y, const double *dy, double h,
                           double *point, double *shifted, double *jacobian);

// The trouble of an answer that ends the run.
ode_trouble ode_trouble_of(const ode *o, ode_answer answer);

// 1 / (atol_i + rtol max(|a_i|, |b_i|)); b may be a.
void ode_weights(const ode *o, double rtol, double atol_scale, const double *a, const double *b,
                 double *weight);

// Root mean square of weight_i x_i. The worst state goes to *worst (may be NULL).
double ode_norm(int n, const double *x, const double *weight, int *worst);

// Notes an error of `norm` tolerances, whose worst state is given, for the report.
void ode_note_error(ode *o, const double *x, const double *weight, int worst);

// A first step for a method whose error estimate has the given order: such that an explicit Euler
// step changes the state by about a hundredth, and the second derivative leaves an error of a
// hundredth of the tolerance (Hairer, Norsett, Wanner II.4). Costs one rate. weight, point, slope:
// n values; dy is the rate at (t, y). The result has the sign of the direction.
ode_answer ode_first_step(ode *o, double t_end, int order, const double *dy, const double *weight,
                          double *point, double *slope, double *h);

// h held within the longest step and t_end; *last becomes true when it reaches t_end. Less than two
// steps are cut in half, so that no crumb is left.
double ode_fit_step(const ode *o, double h, double t_end, bool *last);

// h is too small to be added to t.
bool ode_step_vanishes(const ode *o, double h);

// The trouble when it is: what the rate answered in the last rejected try, or the tolerance.
ode_trouble ode_too_small(const ode *o, ode_answer cause);
