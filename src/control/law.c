// law.c - a law's text to programs: the law itself, its starts, its derivatives.
//
// Every entry of x is a variable of the graph, parameters too: cars of one block may differ in
// their gains.
#include "control/law.h"

#include "expr/differentiate.h"
#include "expr/interpret.h"
#include "expr/parse.h"

#include <string.h>
#include <stdlib.h>

enum {
    START_WORK_MAX = 4096,
    X_MAX = SIGNAL_COUNT + LAW_STATE_MAX + LAW_PARAM_MAX,
    Y_MAX = 1 + LAW_STATE_MAX
};

const law_vocabulary law_words = {law_signals, SIGNAL_COUNT, "acceleration", "m/s^2"};

struct law {
    const law_text *text;
    const law_vocabulary *words;
    expr_graph *graph;
    int x_count, y_count;
    expr_program *program, *start, *slope; // slope: the entries of the Jacobian that are not 0
    expr_kernel *kernel;
    expr_machine *start_machine, *slope_machine;
    double *kept[3]; // what constants alone decide: of program, start, slope
    int *slope_at;   // place of output i of slope in the Jacobian
    int slope_count;
    bool uses[SIGNAL_COUNT];
    int sharers; // owners but the first
};

typedef struct reader { // names to nodes while a law is read
    law *l;
    const char *file;
    mc_error *error;
    expr_value variable[LAW_VARIABLE_MAX];
    int variable_count; // read so far
} reader;

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for a control law");
}

// ---- names -----------------------------------------------------------------------------------

static const char *name_of(const reader *r, int i)
{
    const law_text *t = r->l->text;
    const law_vocabulary *words = r->l->words;
    if (i < words->signal_count)
        return words->signals[i].name;
    if ((i -= words->signal_count) < t->state_count)
        return t->states[i].rate.name;
    if ((i -= t->state_count) < t->param_count)
        return t->params[i].name;
    if ((i -= t->param_count) < r->variable_count)
        return t->variables[i].name;
    return NULL;
}

static const char *name_at(void *context, int i)
{
    return name_of(context, i);
}

static expr_unit unit_read(const char *text)
{
    expr_unit unit = {0};
    double factor;
    int bad;
    if (!text || !*text || !expr_unit_read(text, (int)strlen(text), &unit, &factor, &bad))
        return (expr_unit){0};
    return unit;
}

static const char *unit_text(const law *l, int i)
{
    const law_text *t = l->text;
    if (i < l->words->signal_count)
        return l->words->signals[i].unit;
    if ((i -= l->words->signal_count) < t->state_count)
        return t->states[i].rate.unit;
    return t->params[i - t->state_count].unit;
}

static bool resolve(void *context, const char *name, expr_value *out)
{
    const reader *r = context;
    const char *known;
    for (int i = 0; (known = name_of(r, i)); i++) {
        if (strcmp(known, name) != 0)
            continue;
        if (i < r->l->x_count)
            *out = (expr_value){{expr_input_node(r->l->graph, i), EXPR_NONE, EXPR_NONE},
                                1,
                                unit_read(unit_text(r->l, i))};
        else
            *out = r->variable[i - r->l->x_count];
        return true;
    }
    return false;
}

typedef struct place {
    int line, column;
} place;

static place place_of(const reader *r, int line, int column)
{
    return line > 0 ? (place){line, column} : (place){r->l->text->line, r->l->text->column};
}

#define WRONG(r, at, ...)                                                                          \
    mc_error_set((r)->error, MC_BAD_INPUT, (r)->file, (at).line, (at).column, __VA_ARGS__)

// A new name: of `kind` ("parameter"), not yet taken by name number 0 .. before - 1.
static mc_status check_name(const reader *r, const char *kind, const char *name, int before,
                            place at)
{
    static const char *const kinds[] = {"signal", "state", "parameter", "variable"};
    const law_text *t = r->l->text;
    const int signals = r->l->words->signal_count;
    const char *why;
    if (!name || !*name)
        return WRONG(r, at, "a %s of law %s has no name", kind, t->name);
    if (!expr_name_valid(name, &why) || strchr(name, '.'))
        return WRONG(r, at, "%s \"%s\" of law %s: %s", kind, name, t->name,
                     strchr(name, '.') ? "a name cannot contain a dot" : why);
    for (int i = 0; i < before; i++) {
        const int which = i < signals                                     ? 0
                          : i < signals + t->state_count                  ? 1
                          : i < signals + t->state_count + t->param_count ? 2
                                                                          : 3;
        if (strcmp(name_of(r, i), name) != 0)
            continue;
        if (strcmp(kinds[which], kind) == 0)
            return WRONG(r, at, "%s %s of law %s is given twice", kind, name, t->name);
        return WRONG(r, at, "%s %s of law %s has the same name as a %s; choose another", kind, name,
                     t->name, kinds[which]);
    }
    return MC_OK;
}

static mc_status check_unit(const reader *r, const char *kind, const char *name, const char *unit,
                            place at)
{
    expr_unit known;
    double factor;
    int bad;
    if (!unit || !*unit)
        return MC_OK;
    if (!expr_unit_read(unit, (int)strlen(unit), &known, &factor, &bad))
        return WRONG(r, at, "%s %s of law %s: \"%s\" is not a unit", kind, name, r->l->text->name,
                     unit);
    if (factor != 1.0)
        return WRONG(r, at, "%s %s of law %s: expected an SI unit; %s is %.9g of it", kind, name,
                     r->l->text->name, unit, factor);
    return MC_OK;
}

static mc_status check_param(const reader *r, int i)
{
    const law_text *t = r->l->text;
    const mc_param *p = &t->params[i];
    const place at = place_of(r, 0, 0);
    mc_status status =
        check_name(r, "parameter", p->name, r->l->words->signal_count + t->state_count + i, at);
    if (status == MC_OK)
        status = check_unit(r, "parameter", p->name, p->unit, at);
    if (status == MC_OK && !(p->min <= p->max))
        return WRONG(r, at, "parameter %s of law %s: its minimum %.9g is above its maximum %.9g",
                     p->name, t->name, p->min, p->max);
    if (status == MC_OK && (p->fallback < p->min || p->fallback > p->max))
        return WRONG(r, at, "parameter %s of law %s: %.9g, expected %.9g .. %.9g", p->name, t->name,
                     p->fallback, p->min, p->max);
    return status;
}

// Counts, states, parameters; variables are checked when they are read.
static mc_status check_text(const reader *r)
{
    const law_text *t = r->l->text;
    const place at = place_of(r, 0, 0);
    if (t->param_count > LAW_PARAM_MAX)
        return WRONG(r, at, "law %s has %d parameters, expected at most %d", t->name,
                     t->param_count, LAW_PARAM_MAX);
    if (t->state_count > LAW_STATE_MAX)
        return WRONG(r, at, "law %s has %d states, expected at most %d", t->name, t->state_count,
                     LAW_STATE_MAX);
    if (t->variable_count > LAW_VARIABLE_MAX)
        return WRONG(r, at, "law %s has %d variables, expected at most %d", t->name,
                     t->variable_count, LAW_VARIABLE_MAX);
    if (!t->acceleration.formula)
        return WRONG(r, at, "law %s has no formula for the %s", t->name, r->l->words->result);
    mc_status status = MC_OK;
    for (int i = 0; i < t->state_count && status == MC_OK; i++) {
        const law_line *s = &t->states[i].rate;
        const place here = place_of(r, s->line, s->column);
        status = check_name(r, "state", s->name, r->l->words->signal_count + i, here);
        if (status == MC_OK)
            status = check_unit(r, "state", s->name, s->unit, here);
        if (status == MC_OK && !s->formula)
            status =
                WRONG(r, here, "state %s of law %s has no formula for its rate", s->name, t->name);
    }
    for (int i = 0; i < t->param_count && status == MC_OK; i++)
        status = check_param(r, i);
    return status;
}

// ---- formulas --------------------------------------------------------------------------------

static mc_status read_formula(reader *r, const char *formula, int line, int column, expr_unit unit,
                              expr_value *out)
{
    const expr_scope scope = {
        .graph = r->l->graph, .context = r, .resolve = resolve, .name_at = name_at};
    const expr_source source = {formula, r->file, line, column};
    return expr_parse(&scope, &source, 1, unit, out, r->error);
}

static mc_status read_variables(reader *r)
{
    const law_text *t = r->l->text;
    mc_status status = MC_OK;
    for (int i = 0; i < t->variable_count && status == MC_OK; i++) {
        const law_line *v = &t->variables[i];
        const place at = place_of(r, v->line, v->column);
        status = check_name(r, "variable", v->name, r->l->x_count + i, at);
        if (status == MC_OK)
            status = check_unit(r, "variable", v->name, v->unit, at);
        if (status == MC_OK && !v->formula)
            status = WRONG(r, at, "variable %s of law %s has no formula", v->name, t->name);
        if (status == MC_OK)
            status = read_formula(r, v->formula, v->line, v->column, unit_read(v->unit),
                                  &r->variable[i]);
        if (status == MC_OK && v->unit && *v->unit)
            r->variable[i].unit = unit_read(v->unit); // of a bare number, what the user says
        r->variable_count++;
        expr_label(r->l->graph, r->variable[i].v[0], v->name);
    }
    return status;
}

static mc_status read_outputs(reader *r, expr_id y[Y_MAX])
{
    const law_text *t = r->l->text;
    const law_line *a = &t->acceleration;
    expr_value value;
    mc_status status =
        read_formula(r, a->formula, a->line, a->column, unit_read(r->l->words->unit), &value);
    y[0] = value.v[0];
    for (int i = 0; i < t->state_count && status == MC_OK; i++) {
        const law_line *s = &t->states[i].rate;
        expr_unit rate = unit_read(s->unit);
        rate.time = (int8_t)(rate.time - 6); // sixths
        status = read_formula(r, s->formula, s->line, s->column, rate, &value);
        y[1 + i] = value.v[0];
    }
    return status;
}

// Marks in reached (zeroed, one a node) what the nodes depend on.
static void reach(const expr_graph *g, const expr_id *ids, int count, bool *reached)
{
    for (int i = 0; i < count; i++)
        reached[ids[i]] = true;
    for (expr_id id = expr_node_count(g); id-- > 0;) {
        const expr_node *n = expr_node_at(g, id);
        if (!reached[id] || n->op == EXPR_CONST || n->op == EXPR_INPUT)
            continue;
        if (n->a != EXPR_NONE)
            reached[n->a] = true;
        if (n->b != EXPR_NONE)
            reached[n->b] = true;
        if (n->op == EXPR_SELECT)
            reached[n->c] = true;
    }
}

// Starts of the states: formulas that use no state.
static mc_status read_starts(reader *r, expr_id start[LAW_STATE_MAX])
{
    const law_text *t = r->l->text;
    const expr_graph *g = r->l->graph;
    mc_status status = MC_OK;
    for (int i = 0; i < t->state_count && status == MC_OK; i++) {
        const law_state *s = &t->states[i];
        start[i] = EXPR_ZERO;
        if (!s->start)
            continue;
        expr_value value;
        status = read_formula(r, s->start, s->start_line, s->start_column, unit_read(s->rate.unit),
                              &value);
        if (status != MC_OK)
            break;
        start[i] = value.v[0];
        bool *reached = calloc(expr_node_count(g) + 1, sizeof *reached);
        if (!reached)
            return no_memory(r->error);
        reach(g, &start[i], 1, reached);
        for (int k = 0; k < t->state_count && status == MC_OK; k++)
            if (reached[expr_input_node(g, r->l->words->signal_count + k)])
                status = WRONG(r, place_of(r, s->start_line, s->start_column),
                               "start of state %s of law %s uses the state %s, which has no value "
                               "before the start",
                               s->rate.name, t->name, t->states[k].rate.name);
        free(reached);
    }
    return status;
}

// ---- programs --------------------------------------------------------------------------------

// A program and a machine for it; *kept: what it prepares, which needs no parameters here.
static expr_machine *build_machine(const expr_graph *g, const expr_id *ids, int count,
                                   expr_program **program, double **kept, mc_error *error)
{
    *program = expr_program_build(g, ids, NULL, count, error);
    expr_machine *machine = *program ? expr_machine_create(*program, error) : NULL;
    if (!machine)
        return NULL;
    const size_t work_size = (size_t)expr_machine_work(machine) * sizeof(double);
    double *work = aligned_alloc(32, (work_size + 63) / 32 * 32);
    *kept = calloc((size_t)(*program)->kept_count + 1, sizeof **kept);
    if (work && *kept) {
        const double none = 0.0;
        expr_machine_prepare(machine, &none, *kept, work);
        free(work);
        return machine;
    }
    no_memory(error);
    free(work);
    expr_machine_destroy(machine);
    return NULL;
}

static mc_status build_slope(law *l, const expr_id *y, mc_error *error)
{
    const int n = l->x_count, size = n * l->y_count;
    int inputs[X_MAX];
    for (int i = 0; i < n; i++)
        inputs[i] = i;
    expr_id *entry = calloc((size_t)size, sizeof *entry);
    l->slope_at = calloc((size_t)size, sizeof *l->slope_at);
    mc_status status = entry && l->slope_at ? MC_OK : no_memory(error);
    if (status == MC_OK)
        status = expr_jacobian(l->graph, y, l->y_count, inputs, n, entry, error);
    for (int i = 0; i < size && status == MC_OK; i++)
        if (entry[i] != EXPR_ZERO) {
            l->slope_at[l->slope_count] = i;
            entry[l->slope_count++] = entry[i];
        }
    if (status == MC_OK)
        status = expr_graph_status(l->graph, error);
    if (status == MC_OK && l->slope_count > 0) {
        l->slope_machine =
            build_machine(l->graph, entry, l->slope_count, &l->slope, &l->kept[2], error);
        status = l->slope_machine ? MC_OK : error->code;
    }
    free(entry);
    return status;
}

static mc_status mark_uses(law *l, const expr_id *y, const expr_id *start, mc_error *error)
{
    bool *reached = calloc(expr_node_count(l->graph) + 1, sizeof *reached);
    if (!reached)
        return no_memory(error);
    reach(l->graph, y, l->y_count, reached);
    reach(l->graph, start, l->text->state_count, reached);
    for (int i = 0; i < l->words->signal_count; i++)
        l->uses[i] = reached[expr_input_node(l->graph, i)];
    free(reached);
    return MC_OK;
}

static bool prepare_kernel(law *l, mc_error *error)
{
    const size_t work_size = (size_t)expr_kernel_work(l->kernel) * sizeof(double);
    double *work = aligned_alloc(32, (work_size + 63) / 32 * 32);
    l->kept[0] = calloc((size_t)l->program->kept_count + 1, sizeof *l->kept[0]);
    const bool good = work && l->kept[0];
    const double none = 0.0;
    if (good)
        expr_kernel_prepare(l->kernel, &none, l->kept[0], work);
    else
        no_memory(error);
    free(work);
    return good;
}

static mc_status build_programs(law *l, const char *file, const expr_id *y, const expr_id *start,
                                expr_compile how, mc_error *error)
{
    mc_status status = expr_graph_status(l->graph, error);
    if (status == MC_OK)
        status = mark_uses(l, y, start, error);
    if (status == MC_OK)
        status = build_slope(l, y, error);
    if (status != MC_OK)
        return status;
    const char *names[Y_MAX] = {l->words->result};
    for (int i = 0; i < l->text->state_count; i++)
        names[1 + i] = l->text->states[i].rate.name;
    l->program = expr_program_build(l->graph, y, names, l->y_count, error);
    l->kernel = l->program ? expr_kernel_create(l->program, how, error) : NULL;
    if (!l->kernel || !prepare_kernel(l, error))
        return error->code;
    if (l->text->state_count == 0)
        return MC_OK;
    l->start_machine =
        build_machine(l->graph, start, l->text->state_count, &l->start, &l->kept[1], error);
    if (!l->start_machine)
        return error->code;
    if (expr_machine_work(l->start_machine) > START_WORK_MAX)
        return mc_error_set(error, MC_BAD_INPUT, file, l->text->line, l->text->column,
                            "the start formulas of law %s are too long", l->text->name);
    return MC_OK;
}

static mc_status fill(law *l, const char *file, expr_compile how, mc_error *error)
{
    reader r = {.l = l, .file = file, .error = error};
    const law_text *t = l->text;
    expr_id y[Y_MAX], start[LAW_STATE_MAX];
    l->graph = expr_graph_create();
    if (!l->graph)
        return no_memory(error);
    l->x_count = l->words->signal_count + t->state_count + t->param_count;
    l->y_count = 1 + t->state_count;
    mc_status status = check_text(&r);
    if (status != MC_OK)
        return status;
    for (int i = 0; i < l->x_count; i++)
        expr_input(l->graph, name_of(&r, i), EXPR_VARIABLE);
    status = read_variables(&r);
    if (status == MC_OK)
        status = read_outputs(&r, y);
    if (status == MC_OK)
        status = read_starts(&r, start);
    return status == MC_OK ? build_programs(l, file, y, start, how, error) : status;
}

law *law_compile(const law_text *text, const char *file, expr_compile how, mc_error *error)
{
    return law_compile_words(text, &law_words, file, how, error);
}

law *law_compile_words(const law_text *text, const law_vocabulary *words, const char *file,
                       expr_compile how, mc_error *error)
{
    law *l = calloc(1, sizeof *l);
    mc_error own = {0};
    if (!l) {
        no_memory(error);
        return NULL;
    }
    l->text = text;
    l->words = words;
    if (fill(l, file, how, error ? error : &own) == MC_OK)
        return l;
    law_destroy(l);
    return NULL;
}

law *law_share(law *l)
{
    l->sharers++;
    return l;
}

void law_destroy(law *l)
{
    if (!l || l->sharers-- > 0)
        return;
    if (l->kernel)
        expr_kernel_destroy(l->kernel);
    if (l->start_machine)
        expr_machine_destroy(l->start_machine);
    if (l->slope_machine)
        expr_machine_destroy(l->slope_machine);
    expr_program_destroy(l->program);
    expr_program_destroy(l->start);
    expr_program_destroy(l->slope);
    for (int i = 0; i < 3; i++)
        free(l->kept[i]);
    free(l->slope_at);
    expr_graph_destroy(l->graph);
    free(l);
}

// ---- use -------------------------------------------------------------------------------------

const law_text *law_text_of(const law *l)
{
    return l->text;
}

int law_x_count(const law *l)
{
    return l->x_count;
}

int law_y_count(const law *l)
{
    return l->y_count;
}

int law_state_at(const law *l)
{
    return l->words->signal_count;
}

int law_param_at(const law *l)
{
    return l->words->signal_count + l->text->state_count;
}

bool law_uses(const law *l, int signal)
{
    return l->uses[signal];
}

int law_work(const law *l)
{
    return expr_kernel_work(l->kernel);
}

const expr_kernel *law_kernel(const law *l)
{
    return l->kernel;
}

void law_run(const law *l, int block_count, const double *x, double *y, double *work)
{
    expr_kernel_run_lanes(l->kernel, block_count, x, l->kept[0], y, work);
}

void law_run_one(const law *l, const double *x, double *y, double *work)
{
    expr_kernel_run(l->kernel, x, l->kept[0], y, work);
}

enum { STEP_BLOCKS = 16 };

// States in x of some blocks = z + h times the rates in y.
static void advance(const law *l, int block_count, double h, const double *z, double *x,
                    const double *y)
{
    const int count = 4 * l->text->state_count;
    for (int b = 0; b < block_count; b++) {
        double *to = x + (size_t)b * (size_t)l->x_count * 4 + 4 * l->words->signal_count;
        const double *from = z + (size_t)b * (size_t)count;
        const double *rate = y + (size_t)b * (size_t)l->y_count * 4 + 4;
        for (int i = 0; i < count; i++)
            to[i] = from[i] + h * rate[i];
    }
}

static void take_signals(const law *l, int block_count, double *x, const double *middle)
{
    const size_t count = (size_t)l->words->signal_count * 4;
    for (int b = 0; middle && b < block_count; b++)
        memcpy(x + (size_t)b * (size_t)l->x_count * 4, middle + (size_t)b * count,
               sizeof *x * count);
}

void law_step(const law *l, int block_count, double dt, double *x, const double *middle, double *y,
              double *work)
{
    const int count = 4 * l->text->state_count;
    double z[STEP_BLOCKS * 4 * LAW_STATE_MAX];
    if (count == 0) {
        take_signals(l, block_count, x, middle);
        law_run(l, block_count, x, y, work);
        return;
    }
    for (int first = 0; first < block_count; first += STEP_BLOCKS) {
        const int n = block_count - first < STEP_BLOCKS ? block_count - first : STEP_BLOCKS;
        double *own_x = x + (size_t)first * (size_t)l->x_count * 4;
        double *own_y = y + (size_t)first * (size_t)l->y_count * 4;
        for (int b = 0; b < n; b++)
            memcpy(z + (size_t)b * (size_t)count,
                   own_x + (size_t)b * (size_t)l->x_count * 4 + 4 * l->words->signal_count,
                   sizeof *z * (size_t)count);
        law_run(l, n, own_x, own_y, work);
        advance(l, n, 0.5 * dt, z, own_x, own_y);
        take_signals(l, n, own_x,
                     middle ? middle + (size_t)(first * l->words->signal_count) * 4 : NULL);
        law_run(l, n, own_x, own_y, work);
        advance(l, n, dt, z, own_x, own_y);
    }
}

void law_start(const law *l, const double *x, double *states)
{
    _Alignas(32) double work[START_WORK_MAX];
    if (l->start_machine)
        expr_machine_run(l->start_machine, x, l->kept[1], states, work);
}

mc_status law_jacobian(const law *l, const double *x, double *jacobian, mc_error *error)
{
    memset(jacobian, 0, sizeof *jacobian * (size_t)l->x_count * (size_t)l->y_count);
    if (!l->slope_machine)
        return MC_OK;
    const size_t work_size = (size_t)expr_machine_work(l->slope_machine) * sizeof(double);
    double *work = aligned_alloc(32, (work_size + 63) / 32 * 32);
    double *value = calloc((size_t)l->slope_count, sizeof *value);
    const bool good = work && value;
    if (good)
        expr_machine_run(l->slope_machine, x, l->kept[2], value, work);
    for (int i = 0; good && i < l->slope_count; i++)
        jacobian[l->slope_at[i]] = value[i];
    free(work);
    free(value);
    return good ? MC_OK : no_memory(error);
}
