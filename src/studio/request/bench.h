// bench.h - a mechanism at work for one request: its handle, and poses of all its parts.
#pragma once

#include "studio/hub/bench.h"
#include "studio/hub/json.h"
#include "studio/hub/request.h"

#include "motorcade/linear.h"
#include "motorcade/multibody.h"

enum { BENCH_POSE = 7 }; // position and quaternion of a body

typedef struct bench_work {
    bench *b; // held
    mc_multibody *m;
    double *y;          // of the start, loops closed; then as the request moves it
    double *kinematics; // of the last state: 18 numbers per body, then 6 per point
    int body_count, point_count;
    double *poses;  // rows of bodies
    double *points; // rows of points: position of each
    double *times;  // of rows
    int rows, room;
    mc_error error;
} bench_work;

// `world`, or `file` with `values`, `end`, `rows`. False: it was rejected. bench_work_close in any
// case.
bool bench_work_open(request *r, bench_work *w);
void bench_work_close(bench_work *w);
// The state at `at` (default: the start), with the values that hold there.
bool bench_work_seek(request *r, bench_work *w, double *t);

bool bench_work_reserve(request *r, bench_work *w, int rows);
void bench_work_pose(bench_work *w, double t, const double *y); // one more row
// `values`, an object, and `pushes`, a list, as entries at t; *out is to be freed.
bool bench_read_entries(request *r, double t, bench_entry **out, int *count);
// Names of a list; they live as long as the request. False: rejected.
bool bench_read_names(request *r, const char *name, const char *out[], int max, int *count);

void bench_put_numbers(json_t *out, const char *name, const double *values, size_t count);
void bench_put_rows(const bench_work *w, json_t *out);
void bench_put_parts(const bench_work *w, json_t *out);
// Carries a change of `world` over to the simulation thread, which puts the mechanism into it
// (`again`) or beside it, and answers; takes the mechanism. words: what was changed.
void bench_put_in(request *r, bench *made, const char *name, double at, const char *words);
// The rows of modes, as of the request modes.
json_t *bench_modes(const mc_linear *linear);
json_t *bench_settable(const bench_work *w);
