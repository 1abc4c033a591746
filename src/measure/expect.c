// expect.c - conditions on the figures of a run; include/motorcade/figures.h is the manual.
//
// All lines become one program whose variables are the figures they use. Each line has three
// outputs: whether it is true and, when it is one comparison, the values of its two sides.
#include "motorcade/figures.h"

#include "base/arena.h"
#include "base/text.h"
#include "expr/interpret.h"
#include "expr/parse.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LENGTH_MAX = 160, MEANT_MAX = 2 * MC_FIGURE_COUNT, OUTPUTS = 3 };

typedef struct use { // a figure some line uses
    int car;         // -1: of the run
    mc_figure_id figure;
    const char *name; // as written
    double factor;    // SI value of its unit
    expr_value value;
} use;

typedef struct line {
    char *formula;
    int first, count; // in uses_of_lines
    bool sides;       // one comparison: the sides have values
    expr_unit unit;   // of the sides
    int left, right;  // uses that are all of a side, -1: it is more than a name
} line;

struct mc_conditions {
    arena memory;
    expr_graph *graph;
    expr_program *program;
    expr_machine *machine;
    line *lines;
    int line_count;
    use *uses;
    int use_count;
    int *uses_of_lines, uses_of_lines_count;
    double *x, *y, *work;
    // while reading
    const char *const *cars;
    int car_count;
    char meant[MEANT_MAX][NAME_LENGTH_MAX];
    int meant_count;
};

// ---- names -------------------------------------------------------------------------------------

static int find_car(const mc_conditions *c, const char *name, size_t length)
{
    for (int i = 0; i < c->car_count; i++)
        if (strlen(c->cars[i]) == length && memcmp(c->cars[i], name, length) == 0)
            return i;
    return -1;
}

// The figure of a name: of the run, or CAR.figure.
static bool find_figure(const mc_conditions *c, const char *name, int *car, mc_figure_id *figure)
{
    *car = -1;
    *figure = mc_figure_find(name);
    if (*figure < MC_FIGURE_COUNT)
        return mc_figure_table[*figure].over != MC_FIGURE_OVER_NONE;
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
        *car = find_car(c, name, (size_t)(dot - name));
        *figure = mc_figure_find(dot + 1);
        if (*car >= 0 && *figure < MC_FIGURE_COUNT)
            return mc_figure_table[*figure].over != MC_FIGURE_OVER_RUN;
    }
    return false;
}

// Names that may have been meant by one that is unknown: of the run, and of the car that is
// nearest. All names of a long platoon would be too many.
static void collect_meant(mc_conditions *c, const char *name)
{
    char prefix[NAME_LENGTH_MAX];
    snprintf(prefix, sizeof prefix, "%.*s", (int)strcspn(name, "."), name);
    const char *car = text_nearest(prefix, c->cars, c->car_count);
    c->meant_count = 0;
    for (int k = 0; k < MC_FIGURE_COUNT; k++) {
        const mc_figure *row = &mc_figure_table[k];
        if (row->over != MC_FIGURE_OVER_NONE)
            snprintf(c->meant[c->meant_count++], NAME_LENGTH_MAX, "%s", row->name);
        if (row->over != MC_FIGURE_OVER_RUN && car &&
            strlen(car) + strlen(row->name) + 2 < NAME_LENGTH_MAX)
            snprintf(c->meant[c->meant_count++], NAME_LENGTH_MAX, "%s.%s", car, row->name);
    }
}

static const char *name_at(void *context, int i)
{
    const mc_conditions *c = context;
    return i < c->meant_count ? c->meant[i] : NULL;
}

static int add_use(mc_conditions *c, const char *name, int car, mc_figure_id figure)
{
    for (int k = 0; k < c->use_count; k++)
        if (c->uses[k].car == car && c->uses[k].figure == figure)
            return k;
    use *u = &c->uses[c->use_count];
    const char *unit = mc_figure_table[figure].unit;
    int bad;
    *u = (use){.car = car, .figure = figure, .factor = 1.0};
    const char *copy = arena_copy_text(&c->memory, name, strlen(name));
    u->name = copy ? copy : ""; // without memory the value is shown without its name
    u->value = (expr_value){.size = 1};
    u->value.v[0] = expr_input(c->graph, name, EXPR_VARIABLE);
    if (!expr_unit_read(unit, (int)strlen(unit), &u->value.unit, &u->factor, &bad)) {
        u->value.unit.known = false; // mpg: compared with a bare number
        u->factor = 1.0;
    }
    return c->use_count++;
}

static bool resolve(void *context, const char *name, expr_value *out)
{
    mc_conditions *c = context;
    int car;
    mc_figure_id figure;
    if (!find_figure(c, name, &car, &figure)) {
        collect_meant(c, name);
        return false;
    }
    const int k = add_use(c, name, car, figure);
    line *l = &c->lines[c->line_count];
    bool known = false;
    for (int i = 0; i < l->count; i++)
        known = known || c->uses_of_lines[l->first + i] == k;
    if (!known) {
        c->uses_of_lines[c->uses_of_lines_count++] = k;
        l->count++;
    }
    *out = c->uses[k].value;
    return true;
}

// ---- reading -----------------------------------------------------------------------------------

// Where the only comparison of the formula is, outside all brackets: its operator in *begin ..
// *end. False: there is none, or there are more, or the formula has and, or, not.
static bool find_comparison(const char *text, int *begin, int *end)
{
    int depth = 0, found = 0;
    for (int i = 0; text[i];) {
        const unsigned char c = (unsigned char)text[i];
        if (isalpha(c) || c == '_') {
            int n = 0;
            while (isalnum((unsigned char)text[i + n]) || text[i + n] == '_' || text[i + n] == '.')
                n++;
            if ((n == 3 && (memcmp(text + i, "and", 3) == 0 || memcmp(text + i, "not", 3) == 0)) ||
                (n == 2 && memcmp(text + i, "or", 2) == 0))
                return false;
            i += n;
            continue;
        }
        depth += strchr("([", c) ? 1 : strchr(")]", c) ? -1 : 0;
        if (depth == 0 && strchr("<>=!", c)) {
            *begin = i;
            *end = i + (text[i + 1] == '=' ? 2 : 1);
            found++;
            i = *end;
        } else
            i++;
    }
    return found == 1;
}

// The use that is all of a side, or -1.
static int only_name(const mc_conditions *c, const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    for (int k = 0; k < c->use_count; k++)
        if (strlen(c->uses[k].name) == length && memcmp(c->uses[k].name, text, length) == 0)
            return k;
    return -1;
}

static bool is_truth(const expr_graph *g, expr_id id)
{
    const expr_node *n = expr_node_at(g, id);
    switch (n->op) {
    case EXPR_LESS:
    case EXPR_LEQ:
    case EXPR_EQUAL:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT:
        return true;
    case EXPR_CONST:
        return n->value == 0.0 || n->value == 1.0;
    case EXPR_SELECT: {
        const expr_id yes = n->b, no = n->c;
        return is_truth(g, yes) && is_truth(g, no);
    }
    default:
        return false;
    }
}

static mc_status reject(const mc_condition_line *in, const char *text, mc_error *error)
{
    const mc_status status = mc_error_set(error, MC_BAD_INPUT, in->file, in->line, in->column,
                                          "\"%.200s\" %s", in->formula, text);
    mc_error_quote(error, in->formula, 0);
    return status;
}

// Values of the sides of a comparison. Whatever is wrong with them has been found before.
static mc_status read_sides(mc_conditions *c, line *l, int begin, int end, expr_id out[2],
                            mc_error *error)
{
    const expr_scope scope = {c->graph, c, resolve, name_at};
    const size_t length = strlen(l->formula);
    char *left = arena_copy_text(&c->memory, l->formula, (size_t)begin);
    char *right = arena_copy_text(&c->memory, l->formula + end, length - (size_t)end);
    if (!left || !right)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for conditions");
    expr_value a, b;
    const expr_source one = {.text = left}, two = {.text = right};
    mc_status status = expr_parse(&scope, &one, 1, (expr_unit){0}, &a, error);
    if (status == MC_OK)
        status = expr_parse(&scope, &two, 1, (expr_unit){0}, &b, error);
    if (status != MC_OK)
        return status;
    out[0] = a.v[0];
    out[1] = b.v[0];
    l->sides = true;
    l->unit = a.unit.known ? a.unit : b.unit;
    l->left = only_name(c, left);
    l->right = only_name(c, right);
    return MC_OK;
}

static mc_status read_line(mc_conditions *c, const mc_condition_line *in, expr_id out[OUTPUTS],
                           mc_error *error)
{
    line *l = &c->lines[c->line_count];
    *l = (line){.first = c->uses_of_lines_count, .left = -1, .right = -1};
    l->formula = arena_copy_text(&c->memory, in->formula, strlen(in->formula));
    if (!l->formula)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for conditions");
    const expr_scope scope = {c->graph, c, resolve, name_at};
    const expr_source source = {in->formula, in->file, in->line, in->column};
    expr_value value;
    mc_status status = expr_parse(&scope, &source, 1, (expr_unit){0}, &value, error);
    if (status != MC_OK)
        return status;
    if (l->count == 0)
        return reject(in,
                      "is not a figure of the run; expected one such as collisions or smallest.gap",
                      error);
    if (!is_truth(c->graph, value.v[0]))
        return reject(in, "is a number, expected a condition such as smallest.gap > 1 m", error);
    int begin = 0, end = 0;
    out[0] = value.v[0];
    out[1] = out[2] = EXPR_ZERO;
    if (find_comparison(l->formula, &begin, &end))
        status = read_sides(c, l, begin, end, out + 1, error);
    c->line_count++;
    return status;
}

static mc_status make_program(mc_conditions *c, const expr_id *outputs, mc_error *error)
{
    const int count = OUTPUTS * c->line_count;
    if (expr_graph_status(c->graph, error) != MC_OK)
        return error ? error->code : MC_NO_MEMORY;
    c->program = expr_program_build(c->graph, outputs, NULL, count, error);
    if (c->program)
        c->machine = expr_machine_create(c->program, error);
    if (!c->machine)
        return MC_NO_MEMORY;
    const size_t work = (size_t)expr_machine_work(c->machine);
    c->x = arena_alloc(&c->memory, ((size_t)c->use_count + 1) * sizeof *c->x);
    c->y = arena_alloc(&c->memory, ((size_t)count + 1) * sizeof *c->y);
    c->work = arena_alloc(&c->memory, (work + 1) * sizeof *c->work);
    if (!c->x || !c->y || !c->work)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for conditions");
    return MC_OK;
}

static mc_status read_all(mc_conditions *c, const mc_condition_line *lines, int line_count,
                          mc_error *error)
{
    size_t words = 1; // more than the names the lines can hold
    for (int i = 0; i < line_count; i++)
        words += strlen(lines[i].formula);
    c->graph = expr_graph_create();
    c->lines = arena_alloc(&c->memory, ((size_t)line_count + 1) * sizeof *c->lines);
    c->uses = arena_alloc(&c->memory, words * sizeof *c->uses);
    c->uses_of_lines = arena_alloc(&c->memory, words * sizeof *c->uses_of_lines);
    expr_id *outputs =
        arena_alloc(&c->memory, (size_t)(OUTPUTS * line_count + 1) * sizeof *outputs);
    if (!c->graph || !c->lines || !c->uses || !c->uses_of_lines || !outputs)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for conditions");
    mc_status status = MC_OK;
    for (int i = 0; i < line_count && status == MC_OK; i++)
        status = read_line(c, &lines[i], outputs + OUTPUTS * (size_t)i, error);
    return status == MC_OK ? make_program(c, outputs, error) : status;
}

mc_conditions *mc_conditions_create(const mc_condition_line *lines, int line_count,
                                    const char *const *names, int name_count, mc_error *error)
{
    mc_conditions *c = calloc(1, sizeof *c);
    if (!c) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for conditions");
        return NULL;
    }
    c->cars = names;
    c->car_count = name_count;
    if (read_all(c, lines, line_count, error) != MC_OK) {
        mc_conditions_destroy(c);
        return NULL;
    }
    c->cars = NULL;
    return c;
}

void mc_conditions_destroy(mc_conditions *c)
{
    if (!c)
        return;
    expr_machine_destroy(c->machine);
    expr_program_destroy(c->program);
    expr_graph_destroy(c->graph);
    arena_free(&c->memory);
    free(c);
}

int mc_conditions_count(const mc_conditions *c)
{
    return c->line_count;
}

// ---- values ------------------------------------------------------------------------------------

static void evaluate(mc_conditions *c, const mc_figures *f)
{
    for (int k = 0; k < c->use_count; k++)
        c->x[k] = mc_figures_value(f, c->uses[k].car, c->uses[k].figure) * c->uses[k].factor;
    expr_machine_run(c->machine, c->x, NULL, c->y, c->work);
}

// Whether all figures of a line have a value.
static bool is_defined(const mc_conditions *c, const line *l)
{
    for (int i = 0; i < l->count; i++)
        if (isnan(c->x[c->uses_of_lines[l->first + i]]))
            return false;
    return true;
}

static bool holds(const mc_conditions *c, int i)
{
    return is_defined(c, &c->lines[i]) && c->y[OUTPUTS * i] != 0.0;
}

// A figure in its own unit.
static void print_figure(const mc_conditions *c, int k, char out[80])
{
    const char *unit = mc_figure_table[c->uses[k].figure].unit;
    const double value = c->x[k] / c->uses[k].factor;
    if (isnan(value))
        snprintf(out, 80, "no value");
    else
        snprintf(out, 80, "%.4g%s%s", value, unit[0] == '-' ? "" : " ", unit[0] == '-' ? "" : unit);
}

// A side of a comparison: a figure, or a value in SI units.
static void print_side(const mc_conditions *c, const line *l, int use_index, double value,
                       char out[80])
{
    char unit[48];
    if (use_index >= 0) {
        print_figure(c, use_index, out);
        return;
    }
    expr_unit_short(l->unit, unit);
    if (!l->unit.known || strcmp(unit, "-") == 0)
        unit[0] = '\0';
    snprintf(out, 80, "%.4g%s%s", value, unit[0] ? " " : "", unit);
}

// Behind the formula: values of both sides, or of the left one when the right one is a constant
// that can be read; of all names when the formula is more than a comparison.
static void print_values(const mc_conditions *c, int i, char *out, size_t size)
{
    const line *l = &c->lines[i];
    char text[80];
    size_t at = 0;
    if (l->sides && is_defined(c, l)) {
        print_side(c, l, l->left, c->y[OUTPUTS * i + 1], text);
        at = (size_t)snprintf(out, size, "%s", text);
        if (l->count > 1 || l->left < 0) {
            print_side(c, l, l->right, c->y[OUTPUTS * i + 2], text);
            snprintf(out + at, size - at, " against %s", text);
        }
        return;
    }
    out[0] = '\0';
    for (int k = 0; k < l->count && at < size; k++) {
        const int used = c->uses_of_lines[l->first + k];
        print_figure(c, used, text);
        at += (size_t)snprintf(out + at, size - at, "%s%s %s%s", k ? ", " : "", c->uses[used].name,
                               isnan(c->x[used]) ? "has " : "= ", text);
    }
}

void mc_conditions_result(mc_conditions *c, int i, const mc_figures *f, mc_condition_result *out)
{
    char values[240];
    evaluate(c, f);
    out->defined = is_defined(c, &c->lines[i]);
    out->holds = holds(c, i);
    print_values(c, i, values, sizeof values);
    snprintf(out->text, sizeof out->text, "%.150s: %s", c->lines[i].formula, values);
}

int mc_conditions_first(mc_conditions *c, const mc_figures *f)
{
    evaluate(c, f);
    for (int i = 0; i < c->line_count; i++)
        if (holds(c, i))
            return i;
    return -1;
}

int mc_conditions_failed(mc_conditions *c, const mc_figures *f)
{
    int failed = 0;
    evaluate(c, f);
    for (int i = 0; i < c->line_count; i++)
        failed += !holds(c, i);
    return failed;
}
