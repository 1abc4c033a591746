// string_stability.h - the linear model behind include/motorcade/string_stability.h.
//
// q = (x, v, [a with lag], states of the law) about the steady state. With w the position of a
// source (car in front, leader), and a part of it late by the delay:
//     q' = A q + b0 w + b1 w' + b2 w'' + b3 w'''
// becomes, with q = p + (terms in w), p' = A p + B w and x = C p + D w:
//     B = b0 + A (b1 + A (b2 + A b3)),   D = C (b1 + A (b2 + A b3)),   C = (1, 0, ...).
#pragma once

#include "control/law.h"
#include "motorcade/string_stability.h"

#include <complex.h>

enum { STRING_MODEL_MAX = 3 + LAW_STATE_MAX };
enum { STRING_FRONT, STRING_LEADER, STRING_SOURCE_COUNT };

typedef struct string_model {
    int n;
    double A[STRING_MODEL_MAX * STRING_MODEL_MAX];      // column major
    double B[STRING_SOURCE_COUNT][2][STRING_MODEL_MAX]; // [source][0: at once, 1: late]
    double D[STRING_SOURCE_COUNT][2];
    double delay; // s
    double gap;   // m, steady
    bool leader;  // the law listens to it
} string_model;

typedef struct string_setting { // as mc_stability_options
    double speed, headway, distance, v_set, lag, delay;
    bool listen_leader;
    int place;
} string_setting;

// As mc_stability_create, for any law, also user-defined. The text must outlive the result. file:
// as law_compile.
mc_stability *string_analyse(const law_text *text, const char *file, const double *p,
                             const string_setting *setting, mc_error *error);

// p: parameters of the law. Finds the steady state and linearizes there.
mc_status string_model_make(const law *l, const double *p, const string_setting *setting,
                            string_model *out, mc_error *error);

double complex string_model_gain(const string_model *m, int source, double w);

// Eigenvalues by falling real part; those below 1e-7 of the largest count as neutral. False: the
// eigenvalues were not found.
bool string_model_modes(const string_model *m, mc_stability_mode *modes, int *neutral_count);

// Maximum |G(jw)| of the front, and where; the limit w -> 0 is included. modes: where to search.
void string_model_peak(const string_model *m, const mc_stability_mode *modes, double *zero_gain,
                       double *peak, double *frequency);

// Integral of |g(t)|, g the impulse response of the front's G. All modes but neutral ones decay.
double string_model_l1(const string_model *m, const mc_stability_mode *modes);
