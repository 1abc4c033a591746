// fuzz_formula.c - formulas, units and names: the promises of parse.h and unit.h.
#include "base/assert.h"
#include "expr/formula_scope.h"
#include "expr/parse.h"
#include "expr/unit.h"
#include "fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A failure is bad input with a text in one line, a place, and a caret within the quoted line.
static void check_failure(mc_status status, const mc_error *error, size_t length)
{
    mc_assert(status == MC_BAD_INPUT && error->code == status);
    mc_assert(strlen(error->text) > 8 && !strpbrk(error->text, "\r\n"));
    mc_assert(error->line >= 1 && (size_t)error->line <= length + 1);
    mc_assert(error->column >= 1 && (size_t)error->column <= length + 1);
    mc_assert(error->caret >= 1 && (size_t)error->caret <= strlen(error->excerpt) + 1);
    for (const char *c = error->excerpt; *c; c++)
        mc_assert((unsigned char)*c >= ' ');
}

// A value is made of nodes of the graph, of which there are not many more than characters, and its
// constants are finite.
static void check_value(const expr_graph *g, const expr_value *value, uint32_t before,
                        size_t length)
{
    mc_assert(value->size == 1 || value->size == 3);
    mc_assert(expr_node_count(g) - before <= 40 * length + 40);
    for (int k = 0; k < value->size; k++)
        mc_assert(value->v[k] < expr_node_count(g));
    double constant;
    for (expr_id i = 0; i < expr_node_count(g); i++)
        mc_assert(!expr_is_const(g, i, &constant) || isfinite(constant));
    char unit[48];
    expr_unit_print(value->unit, unit);
    mc_assert(strlen(unit) > 0);
}

static void check_formula(const expr_source *source, size_t length)
{
    expr_graph *g = formula_graph();
    mc_assert(g);
    const expr_scope scope = formula_scope(g);
    const expr_unit any = {0};
    const uint32_t before = expr_node_count(g);
    expr_value value, again;
    mc_error error = {0};
    const mc_status status = expr_parse(&scope, source, 0, any, &value, &error);
    if (status == MC_OK) {
        check_value(g, &value, before, length);
        const uint32_t count = expr_node_count(g); // the same formula is the same nodes
        mc_assert(expr_parse(&scope, source, value.size, value.unit, &again, &error) == MC_OK);
        mc_assert(memcmp(again.v, value.v, (size_t)value.size * sizeof value.v[0]) == 0);
        mc_assert(expr_node_count(g) == count);
    } else {
        check_failure(status, &error, length);
    }
    expr_graph_destroy(g);
}

// What is one number is a formula too, with that value, where nothing has a name.
static void check_number(const expr_source *source)
{
    const expr_unit any = {0};
    double number = 0.0, constant = 1.0;
    bool is_number;
    mc_assert(expr_parse_number(source, any, &number, &is_number, NULL) == MC_OK);
    if (!is_number)
        return;
    expr_graph *g = expr_graph_create();
    mc_assert(g);
    const expr_scope scope = {.graph = g};
    expr_value value;
    mc_assert(expr_parse(&scope, source, 1, any, &value, NULL) == MC_OK);
    mc_assert(expr_is_const(g, value.v[0], &constant) && constant == number);
    expr_graph_destroy(g);
}

static void check_unit(const char *text, int length)
{
    expr_unit unit;
    double factor;
    int bad = -1;
    if (expr_unit_read(text, length, &unit, &factor, &bad))
        mc_assert(unit.known && factor > 0.0 && bad == -1);
    else
        mc_assert(bad >= 0 && bad <= length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 70000)
        return 0;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    const expr_source source = {text, NULL, 0, 0};
    check_formula(&source, strlen(text));
    check_number(&source);
    check_unit(text, (int)size);
    const char *why;
    mc_assert(expr_name_valid(text, &why) == (why == NULL));
    free(text);
    return 0;
}
