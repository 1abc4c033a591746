// multibody.h - inside of mc_multibody, shared by the files of this folder.
#pragma once

#include "expr/kernel.h"
#include "motorcade/multibody.h"
#include "multibody/derive.h"

// The programs of a mechanism; each gets its kernel when it is first used.
typedef enum multibody_part {
    MULTIBODY_FORWARD, // v' from tau
    MULTIBODY_RATE,    // y'
    MULTIBODY_OUTPUTS,
    MULTIBODY_JACOBIAN, // of y' by y, inputs, tau: entries that are not zero
    MULTIBODY_PART_COUNT,
} multibody_part;

typedef struct multibody_code {
    expr_program *program;
    expr_kernel *kernel; // NULL: not used yet
    double *kept;        // what prepare left
    double *work, *result;
    bool stale; // a parameter changed since prepare
} multibody_code;

struct mc_multibody {
    mb_model model;
    mb_system system;
    arena memory;
    mc_compile compile;
    mc_multibody_info info;
    multibody_code code[MULTIBODY_PART_COUNT];
    double *parameter; // value of each, in the order of the programs
    double *x;         // variables: y, t, inputs, tau
    double *x_lanes;   // one block of them
    int *jacobian_at;  // place of each entry that is not zero: row + y_count * column
    int jacobian_count;
    int output_count;
    char (*output_name)[96];
    const char **output_unit;
    unsigned char *structure[3];
};

// The part ready to run, its kept values fresh.
multibody_code *multibody_use(mc_multibody *m, multibody_part part);

// The four parts of a body's quaternion in y; NULL: it has none.
double *multibody_quaternion(const mc_multibody *m, double *y, int body);
