// road_formula.c - formulas to a program, a program to samples.
#include "scenario/road_formula.h"

#include "expr/differentiate.h"
#include "expr/interpret.h"
#include "expr/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENTRY_MAX = 1 + LAW_PARAM_MAX + LAW_VARIABLE_MAX,
    OUT_FORMULA = 0, // what the user wrote
    OUT_SLOPE,
    OUT_RATE, // of the slope by s
    OUT_COUNT,
    // A scenario from a network must not take long to read: operations of the formulas, and those
    // times points.
    CODE_MAX = 4096,
    WORK_MAX = 50000000,
};

static const double STEEPEST = 0.8; // rad, as for grades

typedef struct entry { // a name the formula may use
    const char *name;
    expr_value value;
} entry;

struct road_formula {
    const law_text *text;
    const char *file;
    bool height;
    double p[LAW_PARAM_MAX], from, to;
    char *shown;
    expr_graph *graph;
    expr_program *program;
    expr_machine *machine;
    entry entries[ENTRY_MAX]; // used while reading
    int entry_count;
};

// ---- reading ----

static bool resolve(void *context, const char *name, expr_value *out)
{
    const road_formula *f = context;
    for (int i = 0; i < f->entry_count; i++)
        if (strcmp(f->entries[i].name, name) == 0) {
            *out = f->entries[i].value;
            return true;
        }
    return false;
}

static const char *name_at(void *context, int i)
{
    const road_formula *f = context;
    return i < f->entry_count ? f->entries[i].name : NULL;
}

static expr_unit unit_of(const char *text)
{
    expr_unit unit = {0};
    double factor;
    int bad;
    if (text && text[0])
        expr_unit_read(text, (int)strlen(text), &unit, &factor, &bad);
    return unit;
}

static mc_status add(road_formula *f, const char *name, expr_value value, int line, int column,
                     mc_error *error)
{
    expr_value found;
    if (resolve(f, name, &found))
        return mc_error_set(error, MC_BAD_INPUT, f->file, line, column,
                            "the name '%s' is already in use%s", name,
                            strcmp(name, "s") == 0 ? ": s is the station" : "");
    f->entries[f->entry_count++] = (entry){name, value};
    return MC_OK;
}

static mc_status read_line(road_formula *f, const law_line *line, expr_unit unit, expr_value *out,
                           mc_error *error)
{
    const expr_scope scope = {f->graph, f, resolve, name_at};
    const expr_source source = {line->formula, f->file, line->line, line->column};
    return expr_parse(&scope, &source, 1, unit, out, error);
}

static mc_status read_formulas(road_formula *f, expr_value *out, mc_error *error)
{
    const law_text *text = f->text;
    expr_graph *g = f->graph;
    expr_value value = {{expr_input(g, "s", EXPR_VARIABLE)}, 1, unit_of("m")};
    mc_status status = add(f, "s", value, text->line, text->column, error);
    for (int i = 0; i < text->param_count && status == MC_OK; i++) {
        const mc_param *p = &text->params[i];
        value = (expr_value){{expr_input(g, p->name, EXPR_PARAMETER)}, 1, unit_of(p->unit)};
        status = add(f, p->name, value, text->line, text->column, error);
        f->p[i] = p->fallback;
    }
    for (int i = 0; i < text->variable_count && status == MC_OK; i++) {
        const law_line *line = &text->variables[i];
        status = read_line(f, line, (expr_unit){0}, &value, error);
        if (status == MC_OK)
            status = add(f, line->name, value, line->line, line->column, error);
    }
    if (status == MC_OK)
        status = read_line(f, &text->acceleration, unit_of(f->height ? "m" : "-"), out, error);
    return status;
}

// Slope and its derivative by s, from what the user wrote.
static mc_status derive(road_formula *f, expr_id formula, mc_error *error)
{
    expr_id y[OUT_COUNT] = {formula, formula, EXPR_ZERO};
    const int station = 0; // its input
    mc_status status = MC_OK;
    if (f->height) {
        expr_id climb;
        status = expr_jacobian(f->graph, &formula, 1, &station, 1, &climb, error);
        if (status == MC_OK)
            y[OUT_SLOPE] = expr_call(f->graph, EXPR_ASIN, climb, EXPR_NONE);
    }
    if (status == MC_OK)
        status = expr_jacobian(f->graph, &y[OUT_SLOPE], 1, &station, 1, &y[OUT_RATE], error);
    if (status == MC_OK)
        status = expr_graph_status(f->graph, error);
    if (status != MC_OK)
        return status;
    f->program = expr_program_build(f->graph, y, NULL, OUT_COUNT, error);
    if (f->program && f->program->run.count > CODE_MAX)
        return mc_error_set(error, MC_BAD_INPUT, f->file, f->text->acceleration.line,
                            f->text->acceleration.column,
                            "the formulas of the road take %d operations with their derivatives; "
                            "expected at most %d",
                            f->program->run.count, CODE_MAX);
    f->machine = f->program ? expr_machine_create(f->program, error) : NULL;
    return f->machine ? MC_OK : MC_NO_MEMORY;
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the profile of the road");
}

static mc_status show(road_formula *f, mc_error *error)
{
    const char *formula = f->text->acceleration.formula;
    const size_t size = strlen(formula) + 16;
    f->shown = malloc(size);
    if (!f->shown)
        return no_memory(error);
    snprintf(f->shown, size, "%s = %s", f->text->acceleration.name, formula);
    return MC_OK;
}

road_formula *road_formula_create(const law_text *text, bool height, const char *file,
                                  mc_error *error)
{
    road_formula *f = calloc(1, sizeof *f);
    if (!f) {
        no_memory(error);
        return NULL;
    }
    f->text = text;
    f->file = file;
    f->height = height;
    f->graph = expr_graph_create();
    expr_value value = {0};
    mc_status status = f->graph ? read_formulas(f, &value, error) : no_memory(error);
    if (status == MC_OK)
        status = derive(f, value.v[0], error);
    if (status == MC_OK)
        status = show(f, error);
    if (status == MC_OK)
        return f;
    road_formula_destroy(f);
    return NULL;
}

void road_formula_destroy(road_formula *f)
{
    if (!f)
        return;
    if (f->machine)
        expr_machine_destroy(f->machine);
    if (f->program)
        expr_program_destroy(f->program);
    if (f->graph)
        expr_graph_destroy(f->graph);
    free(f->shown);
    free(f);
}

road_formula_numbers road_formula_numbers_of(road_formula *f)
{
    return (road_formula_numbers){f->text->params, f->text->param_count, f->p, &f->from, &f->to};
}

const char *road_formula_text(const road_formula *f)
{
    return f->shown;
}

// ---- sampling ----

typedef struct sampler {
    const road_formula *f;
    double *work, *kept;
} sampler;

static mc_status reject(const road_formula *f, mc_error *error, const char *text)
{
    const law_line *line = &f->text->acceleration;
    return mc_error_set(error, MC_BAD_INPUT, f->file, line->line, line->column, "%s", text);
}

static mc_status check_sample(const road_formula *f, double s, const double *y, mc_error *error)
{
    char text[160];
    if (isfinite(y[OUT_FORMULA]) && isfinite(y[OUT_SLOPE]) && isfinite(y[OUT_RATE]) &&
        fabs(y[OUT_SLOPE]) <= STEEPEST)
        return MC_OK;
    if (!isfinite(y[OUT_FORMULA]))
        snprintf(text, sizeof text, "%s is not finite at s = %.9g m", f->text->acceleration.name,
                 s);
    else if (isfinite(y[OUT_SLOPE]) && fabs(y[OUT_SLOPE]) <= STEEPEST)
        snprintf(text, sizeof text, "the derivative of the slope is not finite at s = %.9g m", s);
    else if (isfinite(y[OUT_SLOPE]))
        snprintf(text, sizeof text,
                 "the slope is %.4g rad at s = %.9g m; expected between %g and %g rad",
                 y[OUT_SLOPE], s, -STEEPEST, STEEPEST);
    else
        snprintf(text, sizeof text,
                 "the road is too steep at s = %.9g m: dz/ds is not within "
                 "-%.3g .. %.3g",
                 s, sin(STEEPEST), sin(STEEPEST));
    return reject(f, error, text);
}

static mc_status sample(void *context, int n, const double *x, double *slope, double *rate,
                        mc_error *error)
{
    const sampler *r = context;
    enum { LANES_WIDE = 4, BLOCKS = ROAD_SAMPLES / LANES_WIDE };
    double s[ROAD_SAMPLES], y[OUT_COUNT * ROAD_SAMPLES];
    for (int i = 0; i < ROAD_SAMPLES; i++)
        s[i] = x[i < n ? i : n - 1];
    expr_machine_run_lanes(r->f->machine, BLOCKS, s, r->kept, y, r->work);
    for (int i = 0; i < n; i++) {
        const double *block = y + i / LANES_WIDE * OUT_COUNT * LANES_WIDE + i % LANES_WIDE;
        const double one[OUT_COUNT] = {block[0], block[LANES_WIDE], block[2 * LANES_WIDE]};
        const mc_status status = check_sample(r->f, x[i], one, error);
        if (status != MC_OK)
            return status;
        slope[i] = one[OUT_SLOPE];
        rate[i] = one[OUT_RATE];
    }
    return MC_OK;
}

mc_status road_formula_apply(const road_formula *f, arena *memory, road *out, mc_error *error)
{
    const size_t work = (size_t)(expr_machine_work(f->machine) + 3) / 4 * 4;
    const size_t count = work + (size_t)f->program->kept_count + 4;
    sampler r = {.f = f, .work = aligned_alloc(32, (count * sizeof(double) + 31) / 32 * 32)};
    if (!r.work)
        return no_memory(error);
    r.kept = r.work + work;
    expr_machine_prepare(f->machine, f->p, r.kept, r.work);
    road_curve curve;
    mc_error own = {0};
    const int code = f->program->run.count + 1, points = WORK_MAX / code;
    mc_status status = road_curve_make(memory, f->from, f->to,
                                       points < ROAD_CURVE_POINTS ? points : ROAD_CURVE_POINTS,
                                       sample, &r, &curve, &own);
    free(r.work);
    if (status == MC_OK)
        road_set_curve(out, &curve);
    else if (status == MC_BAD_INPUT && own.line == 0)
        status = reject(f, error, own.text);
    else
        *error = own;
    return status;
}
