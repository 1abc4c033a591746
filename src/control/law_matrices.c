// law_matrices.c - a linear controller given by its matrices, written as a law.
#include "control/law.h"

#include "base/arena.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_MAX = 16 };

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for a control law");
}

static mc_status check_matrix(const char *name, char letter, const double *a, int rows, int columns,
                              mc_error *error)
{
    for (int i = 0; i < rows * columns; i++)
        if (!isfinite(a[i]))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "law %s: entry (%d, %d) of matrix %c is not a finite number", name,
                                i / columns + 1, i % columns + 1, letter);
    return MC_OK;
}

static mc_status check(const char *name, const law_linear *m, mc_error *error)
{
    if (m->order < 0 || m->order > LAW_STATE_MAX)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "law %s has order %d, expected 0 .. %d", name, m->order, LAW_STATE_MAX);
    if (m->input_count < 1 || m->input_count > INPUT_MAX)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "law %s has %d inputs, expected 1 .. %d", name, m->input_count,
                            INPUT_MAX);
    for (int j = 0; j < m->input_count; j++)
        if (!m->inputs[j] || !*m->inputs[j])
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "law %s: input %d is empty", name,
                                j + 1);
    mc_status status = check_matrix(name, 'A', m->A, m->order, m->order, error);
    if (status == MC_OK)
        status = check_matrix(name, 'B', m->B, m->order, m->input_count, error);
    if (status == MC_OK)
        status = check_matrix(name, 'C', m->C, 1, m->order, error);
    return status == MC_OK ? check_matrix(name, 'D', m->D, 1, m->input_count, error) : status;
}

// "a0*z1 + a1*z2 + b0*e1 + ...", zeros left out; numbers that give their double back.
static const char *sum(arena *memory, const double *of_states, int states, const double *of_inputs,
                       int inputs)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    const char *between = "";
    for (int i = 0; i < states + inputs; i++) {
        const double c = i < states ? of_states[i] : of_inputs[i - states];
        if (c == 0.0)
            continue;
        fprintf(out, "%s(%.17g)*%s%d", between, c, i < states ? "z" : "e",
                (i < states ? i : i - states) + 1);
        between = " + ";
    }
    if (!*between)
        fputc('0', out);
    const char *copy = fclose(out) == 0 ? arena_copy_text(memory, text, size) : NULL;
    free(text);
    return copy;
}

static const char *numbered(arena *memory, char letter, int number)
{
    char name[16];
    const int length = snprintf(name, sizeof name, "%c%d", letter, number);
    return arena_copy_text(memory, name, (size_t)length);
}

const law_text *law_from_matrices(struct arena *memory, const char *name, const law_linear *m,
                                  mc_error *error)
{
    if (check(name, m, error) != MC_OK)
        return NULL;
    const int n = m->order, inputs = m->input_count;
    law_text *t = arena_alloc(memory, sizeof *t);
    law_state *states = arena_alloc(memory, sizeof *states * (size_t)(n + 1));
    law_line *variables = arena_alloc(memory, sizeof *variables * (size_t)inputs);
    char *own = arena_copy_text(memory, name, strlen(name));
    if (!t || !states || !variables || !own) {
        no_memory(error);
        return NULL;
    }
    bool good = true;
    for (int i = 0; i < n; i++) {
        states[i].rate.name = numbered(memory, 'z', i + 1);
        states[i].rate.formula = sum(memory, m->A + i * n, n, m->B + i * inputs, inputs);
        good = good && states[i].rate.name && states[i].rate.formula;
    }
    for (int j = 0; j < inputs; j++) {
        variables[j].name = numbered(memory, 'e', j + 1);
        variables[j].formula = arena_copy_text(memory, m->inputs[j], strlen(m->inputs[j]));
        good = good && variables[j].name && variables[j].formula;
    }
    *t = (law_text){
        .name = own,
        .doc = "linear controller by its matrices",
        .states = states,
        .state_count = n,
        .variables = variables,
        .variable_count = inputs,
        .acceleration = {.name = "acceleration",
                         .unit = "m/s^2",
                         .formula = sum(memory, m->C, n, m->D, inputs)},
        .card = {.equation = "z' = A z + B e,  a = C z + D e",
                 .source = "the user's matrices",
                 .stability = "see `motorcade stability`",
                 .limits = "Applies the matrices also without a car in front: the gap is then 1e6 "
                           "m and v_front = v."},
    };
    if (good && t->acceleration.formula)
        return t;
    no_memory(error);
    return NULL;
}
