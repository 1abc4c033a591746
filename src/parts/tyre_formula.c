// tyre_formula.c - formulas to a graph to a kernel, behind the contract of tyre laws.
#include "parts/tyre_formula.h"

#include "expr/parse.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GIVEN_FZ,
    GIVEN_V_X,
    GIVEN_V_Y,
    GIVEN_V_ROLL,
    GIVEN_MU,
    GIVEN_COUNT,
    NAME_SIZE = 64,
    ENTRY_MAX = GIVEN_COUNT + 2 + TYRE_PARAM_MAX + TYRE_STATE_MAX + TYRE_VARIABLE_MAX,
    X_MAX = GIVEN_COUNT + TYRE_STATE_MAX,
    Y_MAX = 2 + TYRE_STATE_MAX,
    KEPT_MAX = 512,  // doubles on the stack of eval
    WORK_MAX = 8192, // doubles on the stack of eval
};

static const struct {
    const char *name, *unit;
} given[GIVEN_COUNT] = {
    {"fz", "N"}, {"v_x", "m/s"}, {"v_y", "m/s"}, {"v_roll", "m/s"}, {"mu", "-"}};

typedef struct entry { // a name formulas may use
    char name[NAME_SIZE];
    expr_value value;
} entry;

struct tyre_formula {
    tyre_kind kind;
    char name[NAME_SIZE], doc[128];
    char state_name[TYRE_STATE_MAX][NAME_SIZE], state_unit[TYRE_STATE_MAX][NAME_SIZE];
    tyre_state states[TYRE_STATE_MAX];
    expr_graph *graph;
    expr_program *program;
    expr_kernel *kernel;             // as it was created
    _Atomic(expr_kernel *) compiled; // asked for later; NULL: never
    const char *file;
    entry entries[ENTRY_MAX]; // used while reading
    int entry_count;
};

// ---- reading -----------------------------------------------------------------------------------

static bool resolve(void *context, const char *name, expr_value *out)
{
    const tyre_formula *law = context;
    for (int i = 0; i < law->entry_count; i++)
        if (strcmp(law->entries[i].name, name) == 0) {
            *out = law->entries[i].value;
            return true;
        }
    return false;
}

static const char *name_at(void *context, int i)
{
    const tyre_formula *law = context;
    return i < law->entry_count ? law->entries[i].name : NULL;
}

static mc_status read_unit(const tyre_formula *law, const tyre_formula_line *line, expr_unit *unit,
                           double *factor, mc_error *error)
{
    int bad;
    *unit = (expr_unit){0};
    *factor = 1.0;
    if (!line->unit || !line->unit[0])
        return MC_OK;
    if (!expr_unit_read(line->unit, (int)strlen(line->unit), unit, factor, &bad) || *factor != 1.0)
        return mc_error_set(error, MC_BAD_INPUT, law->file, line->line, line->column,
                            "%s: '%s' is not an SI unit; write for example N, m/s, rad or -",
                            line->name, line->unit);
    return MC_OK;
}

static mc_status add(tyre_formula *law, const tyre_formula_line *line, expr_value value,
                     mc_error *error)
{
    const char *why;
    expr_value found;
    if (!line->name || !expr_name_valid(line->name, &why))
        return mc_error_set(error, MC_BAD_INPUT, law->file, line->line, line->column,
                            "'%s' is not a valid name in a tyre law: %s",
                            line->name ? line->name : "", line->name ? why : "it is empty");
    if (resolve(law, line->name, &found))
        return mc_error_set(error, MC_BAD_INPUT, law->file, line->line, line->column,
                            "the name '%s' is already in use", line->name);
    entry *e = &law->entries[law->entry_count++];
    snprintf(e->name, sizeof e->name, "%s", line->name);
    e->value = value;
    return MC_OK;
}

static mc_status add_input(tyre_formula *law, const tyre_formula_line *line, expr_class class,
                           mc_error *error)
{
    expr_unit unit;
    double factor;
    const mc_status status = read_unit(law, line, &unit, &factor, error);
    if (status != MC_OK)
        return status;
    const expr_id node = expr_input(law->graph, line->name ? line->name : "", class);
    return add(law, line, (expr_value){.v = {node}, .size = 1, .unit = unit}, error);
}

// slip_x = (v_roll - v_x) / max(|v_roll|, 0.1), slip_y = -v_y / the same.
static mc_status add_slips(tyre_formula *law, mc_error *error)
{
    expr_graph *g = law->graph;
    const expr_id v_x = law->entries[GIVEN_V_X].value.v[0];
    const expr_id v_y = law->entries[GIVEN_V_Y].value.v[0];
    const expr_id v_roll = law->entries[GIVEN_V_ROLL].value.v[0];
    const expr_id speed = expr_max(g, expr_abs(g, v_roll), expr_const(g, 0.1));
    const expr_unit none = {.known = true};
    const expr_value x = {{expr_div(g, expr_sub(g, v_roll, v_x), speed)}, 1, none};
    const expr_value y = {{expr_neg(g, expr_div(g, v_y, speed))}, 1, none};
    mc_status status = add(law, &(tyre_formula_line){.name = "slip_x"}, x, error);
    if (status == MC_OK)
        status = add(law, &(tyre_formula_line){.name = "slip_y"}, y, error);
    return status;
}

static mc_status read_line(tyre_formula *law, const tyre_formula_line *line, const char *unit_text,
                           expr_value *out, mc_error *error)
{
    tyre_formula_line typed = *line;
    expr_unit unit;
    double factor;
    if (unit_text)
        typed.unit = unit_text;
    const mc_status status = read_unit(law, &typed, &unit, &factor, error);
    if (status != MC_OK)
        return status;
    if (!line->formula)
        return mc_error_set(error, MC_BAD_INPUT, law->file, line->line, line->column,
                            "%s has no formula; a tyre law needs fx, fy and a rate for each state",
                            line->name ? line->name : "a line");
    const expr_scope scope = {law->graph, law, resolve, name_at};
    const expr_source source = {line->formula, law->file, line->line, line->column};
    return expr_parse(&scope, &source, 1, unit, out, error);
}

static mc_status check_counts(const tyre_formula *law, const tyre_formula_text *text,
                              mc_error *error)
{
    const struct {
        const char *what;
        int count, max;
    } rows[] = {{"parameters", text->param_count, TYRE_PARAM_MAX},
                {"states", text->state_count, TYRE_STATE_MAX},
                {"variables", text->variable_count, TYRE_VARIABLE_MAX}};
    for (int i = 0; i < 3; i++)
        if (rows[i].count < 0 || rows[i].count > rows[i].max)
            return mc_error_set(error, MC_BAD_INPUT, law->file, 0, 0,
                                "the tyre law has %d %s; expected at most %d", rows[i].count,
                                rows[i].what, rows[i].max);
    return MC_OK;
}

static mc_status read_names(tyre_formula *law, const tyre_formula_text *text, mc_error *error)
{
    mc_status status = check_counts(law, text, error);
    for (int i = 0; i < GIVEN_COUNT && status == MC_OK; i++)
        status = add_input(law, &(tyre_formula_line){.name = given[i].name, .unit = given[i].unit},
                           EXPR_VARIABLE, error);
    if (status == MC_OK)
        status = add_slips(law, error);
    for (int i = 0; i < text->state_count && status == MC_OK; i++)
        status = add_input(law, &text->states[i], EXPR_VARIABLE, error);
    for (int i = 0; i < text->param_count && status == MC_OK; i++)
        status = add_input(
            law, &(tyre_formula_line){.name = text->params[i].name, .unit = text->params[i].unit},
            EXPR_PARAMETER, error);
    return status;
}

static mc_status read_law(tyre_formula *law, const tyre_formula_text *text, mc_error *error)
{
    mc_status status = read_names(law, text, error);
    expr_value value = {0};
    for (int i = 0; i < text->variable_count && status == MC_OK; i++) {
        status = read_line(law, &text->variables[i], NULL, &value, error);
        if (status == MC_OK)
            status = add(law, &text->variables[i], value, error);
    }
    expr_id y[Y_MAX];
    const tyre_formula_line *forces[2] = {&text->fx, &text->fy};
    for (int i = 0; i < 2 && status == MC_OK; i++) {
        status = read_line(law, forces[i], "N", &value, error);
        y[i] = value.v[0];
    }
    for (int i = 0; i < text->state_count && status == MC_OK; i++) {
        char unit[NAME_SIZE];
        const char *of = text->states[i].unit;
        snprintf(unit, sizeof unit, "%s/s", of && strcmp(of, "-") != 0 && of[0] ? of : "1");
        status = read_line(law, &text->states[i], of && of[0] ? unit : NULL, &value, error);
        y[2 + i] = value.v[0];
    }
    if (status == MC_OK)
        status = expr_graph_status(law->graph, error);
    if (status != MC_OK)
        return status;
    law->program = expr_program_build(law->graph, y, NULL, 2 + text->state_count, error);
    return law->program ? MC_OK : MC_NO_MEMORY;
}

// ---- running -----------------------------------------------------------------------------------

static const expr_kernel *kernel_of(const tyre_formula *law)
{
    const expr_kernel *later = atomic_load_explicit(&law->compiled, memory_order_acquire);
    return later ? later : law->kernel;
}

static void eval(const double *p, int n, const tyre_in *in, const double *x, double *drive,
                 const tyre_out *out)
{
    const tyre_formula *law = in->context;
    const expr_kernel *kernel = kernel_of(law);
    const int states = law->kind.state_count;
    _Alignas(32) double work[WORK_MAX];
    _Alignas(32) double kept[KEPT_MAX], value[4 * X_MAX], y[4 * Y_MAX];
    expr_kernel_prepare(kernel, p, kept, work);
    for (int i = 0; i < n; i += 4) {
        for (int l = 0; l < 4; l++) {
            const double fz = in->fz[i + l];
            value[4 * GIVEN_FZ + l] = fz > 0.0 ? fz : 0.0;
            value[4 * GIVEN_V_X + l] = in->v_x[i + l];
            value[4 * GIVEN_V_Y + l] = in->v_y[i + l];
            value[4 * GIVEN_V_ROLL + l] = in->v_roll ? in->v_roll[i + l] : in->v_x[i + l];
            value[4 * GIVEN_MU + l] = in->mu ? in->mu[i + l] : 1.0;
        }
        for (int k = 0; k < states; k++)
            memcpy(value + 4 * (GIVEN_COUNT + k), x + k * n + i, 4 * sizeof *value);
        expr_kernel_run_lanes(kernel, 1, value, kept, y, work);
        for (int l = 0; l < 4; l++) {
            const bool grounded = in->fz[i + l] > 0.0;
            out->fx[i + l] = grounded ? y[l] : 0.0;
            out->fy[i + l] = grounded ? y[4 + l] : 0.0;
        }
        for (int k = 0; k < states; k++)
            memcpy(drive + k * n + i, y + 4 * (2 + k), 4 * sizeof *y);
    }
}

static double no_rate(const double *p, int k)
{
    (void)p, (void)k;
    return 0.0;
}

// Rates of the states of one wheel, which stands in all four lanes.
static void rates(const tyre_kind *kind, const double *p, const double given_values[GIVEN_COUNT],
                  const double *x, double *rate)
{
    enum { N = 4 };
    _Alignas(32) double in[GIVEN_COUNT][N], states[TYRE_STATE_MAX * N];
    _Alignas(32) double drive[TYRE_STATE_MAX * N], fx[N], fy[N];
    for (int l = 0; l < N; l++) {
        for (int i = 0; i < GIVEN_COUNT; i++)
            in[i][l] = given_values[i];
        for (int k = 0; k < kind->state_count; k++)
            states[k * N + l] = x[k];
    }
    eval(p, N,
         &(tyre_in){.fz = in[GIVEN_FZ],
                    .v_x = in[GIVEN_V_X],
                    .v_y = in[GIVEN_V_Y],
                    .v_roll = in[GIVEN_V_ROLL],
                    .mu = in[GIVEN_MU],
                    .context = kind->context},
         states, drive, &(tyre_out){.fx = fx, .fy = fy});
    for (int k = 0; k < kind->state_count; k++)
        rate[k] = drive[k * N];
}

// The largest row sum of the derivatives of the rates by the states: no pole is larger.
static double largest_pole(const tyre_kind *kind, const double *p, const double *in,
                           const double *x)
{
    double row[TYRE_STATE_MAX] = {0}, max = 0.0;
    for (int j = 0; j < kind->state_count; j++) {
        const double h = 1e-6 * fmax(fabs(x[j]), 1e-3);
        double at[TYRE_STATE_MAX], above[TYRE_STATE_MAX], below[TYRE_STATE_MAX];
        memcpy(at, x, sizeof at);
        at[j] = x[j] + h;
        rates(kind, p, in, at, above);
        at[j] = x[j] - h;
        rates(kind, p, in, at, below);
        for (int k = 0; k < kind->state_count; k++)
            row[k] += fabs(above[k] - below[k]) / (2.0 * h);
    }
    for (int k = 0; k < kind->state_count; k++)
        max = fmax(max, row[k]);
    return isfinite(max) ? max : 0.0;
}

// A wheel that rolls, is locked, slides sideways, spins: from rest until its states have settled.
static double stiffness(const tyre_kind *kind, const double *p, double fz, double v)
{
    enum { STEPS = 40 };
    const double ways[][3] = {
        {v, 0, v}, {v, 0, 0}, {0, v, 0}, {v, v, v}, {0, 0, v}}; // v_x v_y v_roll
    double max = 0.0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const double in[GIVEN_COUNT] = {fz, ways[i][0], ways[i][1], ways[i][2], 1.0};
        double x[TYRE_STATE_MAX] = {0}, rate[TYRE_STATE_MAX];
        for (int step = 0; step < STEPS; step++) {
            const double pole = largest_pole(kind, p, in, x);
            max = fmax(max, pole);
            rates(kind, p, in, x, rate);
            for (int k = 0; k < kind->state_count; k++)
                x[k] += 0.3 * rate[k] / fmax(pole, 1.0);
        }
    }
    return max;
}

// Which states turn over in a mirror is not known: none is marked.
static void fill_kind(tyre_formula *law, const tyre_formula_text *text)
{
    snprintf(law->name, sizeof law->name, "%s", text->name ? text->name : "formula");
    snprintf(law->doc, sizeof law->doc, "%s", text->doc ? text->doc : "user-defined law");
    for (int i = 0; i < text->state_count; i++) {
        const char *unit = text->states[i].unit;
        snprintf(law->state_name[i], NAME_SIZE, "%s", text->states[i].name);
        snprintf(law->state_unit[i], NAME_SIZE, "%s", unit && unit[0] ? unit : "-");
        law->states[i] = (tyre_state){law->state_name[i], law->state_unit[i], false};
    }
    law->kind = (tyre_kind){
        .name = law->name,
        .doc = law->doc,
        .params = text->params,
        .param_count = text->param_count,
        .state_count = text->state_count,
        .state_rate = no_rate,
        .eval = {[CPU_PLAIN] = eval, [CPU_AVX2] = eval},
        .states = law->states,
        .stiffness = text->state_count ? stiffness : NULL,
        .context = law,
    };
}

tyre_formula *tyre_formula_create(const tyre_formula_text *text, const char *file, expr_compile how,
                                  mc_error *error)
{
    tyre_formula *law = calloc(1, sizeof *law);
    if (law)
        law->graph = expr_graph_create();
    if (!law || !law->graph) {
        mc_error_set(error, MC_NO_MEMORY, file, 0, 0, "no memory for a tyre law");
        tyre_formula_destroy(law);
        return NULL;
    }
    law->file = file;
    mc_status status = read_law(law, text, error);
    law->file = NULL; // the caller's; messages end here
    if (status == MC_OK) {
        law->kernel = expr_kernel_create(law->program, how, error);
        status = law->kernel ? MC_OK : MC_NO_MEMORY;
    }
    if (status == MC_OK &&
        (expr_kernel_work(law->kernel) > WORK_MAX || law->program->kept_count > KEPT_MAX))
        status = mc_error_set(error, MC_BAD_INPUT, file, 0, 0,
                              "the formulas of this tyre law are too long: they need %d "
                              "intermediate values, expected at most %d",
                              expr_kernel_work(law->kernel), WORK_MAX);
    if (status != MC_OK) {
        tyre_formula_destroy(law);
        return NULL;
    }
    fill_kind(law, text);
    return law;
}

void tyre_formula_destroy(tyre_formula *law)
{
    if (!law)
        return;
    if (law->compiled)
        expr_kernel_destroy(law->compiled);
    if (law->kernel)
        expr_kernel_destroy(law->kernel);
    if (law->program)
        expr_program_destroy(law->program);
    if (law->graph)
        expr_graph_destroy(law->graph);
    free(law);
}

void tyre_formula_compile(tyre_formula *law, expr_compile how)
{
    mc_error error;
    if (how == EXPR_INTERPRET || atomic_load(&law->compiled))
        return;
    expr_kernel *made = expr_kernel_create(law->program, how, &error), *none = NULL;
    if (made && !atomic_compare_exchange_strong(&law->compiled, &none, made))
        expr_kernel_destroy(made); // another thread was first
}

const expr_kernel *tyre_formula_kernel(const tyre_formula *law)
{
    return kernel_of(law);
}

const tyre_kind *tyre_formula_kind(const tyre_formula *law)
{
    return &law->kind;
}
