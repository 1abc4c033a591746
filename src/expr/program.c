// program.c - from outputs of a graph to two lists of instructions.
//
// Order of a list: function calls as early as their arguments allow, those that do not depend on
// each other together (four angles then cost one vector call); everything else in the order in
// which the nodes were made. Who makes a graph goes from body to body and uses a value soon; depth
// first from the outputs tears that apart: 13 to 25 % slower on chains and vehicles, half as long
// again to compile.
#include "expr/program.h"

#include "base/assert.h"
#include "expr/function.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_MAX = 64 };

// How a node is computed in its part.
typedef struct form {
    uint8_t op; // expr_op of the instruction
    expr_id a, b, c;
} form;

typedef struct builder {
    const expr_graph *g;
    uint32_t count; // nodes looked at: all of the graph
    uint32_t *uses; // of each node, by nodes of its own part and by outputs
    expr_operand *at;
    uint32_t *level;  // calls that must be made before this node
    uint32_t *sincos; // temporary of the sine of an angle, + 1; 0: not made
    bool *needed;     // an instruction or an output reads this node; false: fused with its user
    expr_id *stack;
    int *input_place; // of each input: its index among variables or parameters
    expr_id *kept;
    int kept_count, kept_capacity;
    double *constants;
    int constant_count, constant_capacity;
    expr_part *part;
    int code_capacity;
    bool varies; // the part being built is `run`
    bool failed; // no memory
} builder;

static bool grow_array(void **array, int *capacity, int count, size_t size)
{
    if (count < *capacity)
        return true;
    const int more = *capacity ? 2 * *capacity : 256;
    void *p = realloc(*array, (size_t)more * size);
    if (!p)
        return false;
    *array = p;
    *capacity = more;
    return true;
}

// ---- which instruction computes a node -------------------------------------------------------

static const expr_node *node_at(const builder *b, expr_id id)
{
    return expr_node_at(b->g, id);
}

static bool in_part(const builder *b, expr_id id)
{
    const expr_node *n = node_at(b, id);
    return n->op > EXPR_INPUT && (bool)n->varies == b->varies;
}

// A product of this part that is used once.
static bool lone(const builder *b, expr_id id, expr_op op)
{
    return in_part(b, id) && node_at(b, id)->op == op && b->uses[id] == 1;
}

static form sum_form(const builder *b, expr_id x, expr_id y)
{
    if (lone(b, y, EXPR_MUL))
        return (form){EXPR_FMA, node_at(b, y)->a, node_at(b, y)->b, x};
    if (lone(b, x, EXPR_MUL))
        return (form){EXPR_FMA, node_at(b, x)->a, node_at(b, x)->b, y};
    return (form){EXPR_ADD, x, y, EXPR_NONE};
}

static form difference_form(const builder *b, expr_id x, expr_id y)
{
    if (lone(b, y, EXPR_MUL))
        return (form){EXPR_FNMA, node_at(b, y)->a, node_at(b, y)->b, x};
    if (lone(b, x, EXPR_MUL))
        return (form){EXPR_FMS, node_at(b, x)->a, node_at(b, x)->b, y};
    return (form){EXPR_SUB, x, y, EXPR_NONE};
}

static form form_of(const builder *b, expr_id id)
{
    const expr_node *n = node_at(b, id);
    switch ((expr_op)n->op) {
    case EXPR_ADD:
        return sum_form(b, n->a, n->b);
    case EXPR_SUB:
        return difference_form(b, n->a, n->b);
    case EXPR_NEG: // -(x - y) = y - x
        if (lone(b, n->a, EXPR_SUB))
            return difference_form(b, node_at(b, n->a)->b, node_at(b, n->a)->a);
        return (form){EXPR_NEG, n->a, EXPR_NONE, EXPR_NONE};
    case EXPR_CALL:
        if (n->c == EXPR_SIN || n->c == EXPR_COS)
            return (form){EXPR_SINCOS, n->a, EXPR_NONE, EXPR_NONE};
        return (form){EXPR_CALL, n->a, n->b, EXPR_NONE};
    case EXPR_SELECT:
        return (form){EXPR_SELECT, n->a, n->b, n->c};
    default:
        return (form){n->op, n->a, n->b, EXPR_NONE};
    }
}

// ---- uses ------------------------------------------------------------------------------------

// Counts the uses of every node that the outputs need, inside its own part.
static void count_uses(builder *b, const expr_id *outputs, int output_count)
{
    for (int i = 0; i < output_count; i++)
        b->uses[outputs[i]]++;
    for (expr_id i = b->count; i-- > 0;) {
        const expr_node *n = node_at(b, i);
        if (!b->uses[i] || n->op <= EXPR_INPUT)
            continue;
        b->uses[n->a]++;
        if (n->b != EXPR_NONE)
            b->uses[n->b]++;
        if (n->op == EXPR_SELECT)
            b->uses[n->c]++;
    }
}

// ---- operands --------------------------------------------------------------------------------

static expr_operand constant_operand(builder *b, double value)
{
    for (int i = b->constant_count; i-- > 0;) // few, and the newest are asked for again
        if (memcmp(&b->constants[i], &value, sizeof value) == 0)
            return (expr_operand){EXPR_AT_CONST, (uint32_t)i & 0x1fffffff};
    if (!grow_array((void **)&b->constants, &b->constant_capacity, b->constant_count,
                    sizeof *b->constants)) {
        b->failed = true;
        return (expr_operand){EXPR_AT_NONE, 0};
    }
    b->constants[b->constant_count] = value;
    return (expr_operand){EXPR_AT_CONST, (uint32_t)b->constant_count++ & 0x1fffffff};
}

// Where a node is found that this part does not compute.
static expr_operand outside_operand(builder *b, expr_id id)
{
    const expr_node *n = node_at(b, id);
    if (n->op == EXPR_CONST)
        return constant_operand(b, n->value);
    if (n->op == EXPR_INPUT && (bool)n->varies == b->varies)
        return (expr_operand){EXPR_AT_IN, (uint32_t)b->input_place[n->a] & 0x1fffffff};
    mc_assert(b->varies && !n->varies);
    if (!grow_array((void **)&b->kept, &b->kept_capacity, b->kept_count, sizeof *b->kept)) {
        b->failed = true;
        return (expr_operand){EXPR_AT_NONE, 0};
    }
    b->kept[b->kept_count] = id;
    return (expr_operand){EXPR_AT_KEPT, (uint32_t)b->kept_count++ & 0x1fffffff};
}

static expr_operand operand(builder *b, expr_id id)
{
    if (id == EXPR_NONE)
        return (expr_operand){EXPR_AT_NONE, 0};
    if (b->at[id].place == EXPR_AT_NONE) {
        mc_assert(!in_part(b, id));
        b->at[id] = outside_operand(b, id);
    }
    return b->at[id];
}

// ---- order -----------------------------------------------------------------------------------

static expr_instruction *append(builder *b)
{
    if (!grow_array((void **)&b->part->code, &b->code_capacity, b->part->count,
                    sizeof *b->part->code)) {
        b->failed = true;
        return NULL;
    }
    return &b->part->code[b->part->count++];
}

static void place(builder *b, expr_id id)
{
    const form f = form_of(b, id);
    const expr_operand x = operand(b, f.a), y = operand(b, f.b), z = operand(b, f.c);
    if (f.op == EXPR_SINCOS && b->sincos[f.a]) {
        const uint32_t sine = b->sincos[f.a] - 1;
        b->at[id] =
            (expr_operand){EXPR_AT_TEMP, (sine + (node_at(b, id)->c == EXPR_COS)) & 0x1fffffff};
        return;
    }
    expr_instruction *code = append(b);
    if (!code)
        return;
    const uint32_t to = (uint32_t)b->part->temp_count;
    *code = (expr_instruction){.op = f.op, .to = to, .a = x, .b = y, .c = z, .node = id};
    b->part->temp_count += f.op == EXPR_SINCOS ? 2 : 1;
    if (f.op == EXPR_CALL)
        code->function = (uint8_t)node_at(b, id)->c;
    if (f.op == EXPR_SINCOS)
        b->sincos[f.a] = to + 1;
    b->at[id] = (expr_operand){
        EXPR_AT_TEMP, (to + (f.op == EXPR_SINCOS && node_at(b, id)->c == EXPR_COS)) & 0x1fffffff};
}

static bool waiting(const builder *b, expr_id id)
{
    return id != EXPR_NONE && b->at[id].place == EXPR_AT_NONE && in_part(b, id);
}

// Computes a node and all it needs, without recursion: a graph may be deep.
static void visit(builder *b, expr_id root)
{
    if (!waiting(b, root))
        return;
    uint32_t depth = 0;
    b->stack[depth++] = root;
    while (depth > 0) {
        const expr_id id = b->stack[depth - 1];
        if (!waiting(b, id)) {
            depth--;
            continue;
        }
        const form f = form_of(b, id);
        const expr_id child[3] = {f.a, f.b, f.c};
        uint32_t added = 0;
        for (int k = 3; k-- > 0;)
            if (waiting(b, child[k]))
                b->stack[depth + added++] = child[k];
        if (added == 0) {
            place(b, id);
            depth--;
        }
        depth += added;
    }
}

static bool is_call(const builder *b, expr_id id)
{
    return in_part(b, id) && node_at(b, id)->op == EXPR_CALL;
}

static uint32_t above(const builder *b, expr_id child)
{
    if (child == EXPR_NONE || !in_part(b, child))
        return 0;
    return b->level[child] + is_call(b, child);
}

static void mark_group(builder *b, int first)
{
    const int count = b->part->count - first;
    for (int i = 0; i < count; i++)
        b->part->code[first + i].group = (uint16_t)(count - i < GROUP_MAX ? count - i : GROUP_MAX);
}

static void find_levels(builder *b)
{
    for (expr_id i = 0; i < b->count; i++) {
        if (!b->uses[i] || !in_part(b, i))
            continue;
        const expr_node *n = node_at(b, i);
        uint32_t level = above(b, n->a);
        if (n->b != EXPR_NONE && above(b, n->b) > level)
            level = above(b, n->b);
        if (n->op == EXPR_SELECT && above(b, n->c) > level)
            level = above(b, n->c);
        b->level[i] = level;
    }
}

// A call by the order in which it is made: by level, by function (cosines with the sines), by node.
typedef struct call {
    uint32_t level, function;
    expr_id id;
} call;

static int compare_calls(const void *x, const void *y)
{
    const call *a = x, *b = y;
    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

// Of each group the arguments first, then the calls together.
static void place_calls(builder *b)
{
    find_levels(b);
    size_t count = 0;
    for (expr_id i = 0; i < b->count; i++)
        count += b->uses[i] && is_call(b, i);
    call *calls = malloc((count + 1) * sizeof *calls);
    if (!calls) {
        b->failed = true;
        return;
    }
    count = 0;
    for (expr_id i = 0; i < b->count; i++)
        if (b->uses[i] && is_call(b, i)) {
            const uint32_t function = node_at(b, i)->c;
            calls[count++] = (call){b->level[i], function == EXPR_COS ? EXPR_SIN : function, i};
        }
    qsort(calls, count, sizeof *calls, compare_calls);
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && calls[to].level == calls[from].level &&
               calls[to].function == calls[from].function) {
            const expr_node *n = node_at(b, calls[to++].id);
            visit(b, n->a);
            if (n->b != EXPR_NONE)
                visit(b, n->b);
        }
        const int first = b->part->count;
        for (size_t k = from; k < to; k++)
            place(b, calls[k].id);
        mark_group(b, first);
    }
    free(calls);
}

// Backwards from the outputs; uses says which products are fused.
static void find_needed(builder *b, const expr_id *outputs, int output_count)
{
    for (int i = 0; i < output_count; i++)
        b->needed[outputs[i]] = true;
    for (expr_id i = b->count; i-- > 0;) {
        if (!b->needed[i] || !in_part(b, i))
            continue;
        const form f = form_of(b, i);
        b->needed[f.a] = true;
        if (f.b != EXPR_NONE)
            b->needed[f.b] = true;
        if (f.c != EXPR_NONE)
            b->needed[f.c] = true;
    }
}

static void build_part(builder *b, expr_part *part, bool varies, const expr_id *outputs,
                       int output_count)
{
    b->part = part;
    b->code_capacity = 0;
    b->varies = varies;
    memset(b->at, 0, b->count * sizeof *b->at);
    memset(b->uses, 0, b->count * sizeof *b->uses);
    memset(b->level, 0, b->count * sizeof *b->level);
    memset(b->sincos, 0, b->count * sizeof *b->sincos);
    memset(b->needed, 0, b->count * sizeof *b->needed);
    count_uses(b, outputs, output_count);
    find_needed(b, outputs, output_count);
    place_calls(b);
    for (expr_id i = 0; i < b->count && !b->failed; i++) // a node stands after those it uses
        if (b->needed[i] && waiting(b, i))
            place(b, i);
    part->output = calloc((size_t)output_count + 1, sizeof *part->output);
    if (!part->output) {
        b->failed = true;
        return;
    }
    part->output_count = output_count;
    for (int i = 0; i < output_count && !b->failed; i++)
        part->output[i] = operand(b, outputs[i]);
}

// ---- the whole -------------------------------------------------------------------------------

static bool list_inputs(const expr_graph *g, expr_program *p, builder *b)
{
    const int count = expr_input_count(g);
    p->variable = calloc((size_t)count + 1, sizeof *p->variable);
    p->parameter = calloc((size_t)count + 1, sizeof *p->parameter);
    b->input_place = calloc((size_t)count + 1, sizeof *b->input_place);
    if (!p->variable || !p->parameter || !b->input_place)
        return false;
    for (int i = 0; i < count; i++)
        if (expr_input_class(g, i) == EXPR_VARIABLE) {
            b->input_place[i] = p->variable_count;
            p->variable[p->variable_count++] = i;
        } else {
            b->input_place[i] = p->parameter_count;
            p->parameter[p->parameter_count++] = i;
        }
    return true;
}

static bool name_outputs(expr_program *p, const char *const *names)
{
    p->output_name = calloc((size_t)p->output_count + 1, sizeof *p->output_name);
    if (!p->output_name)
        return false;
    for (int i = 0; i < p->output_count; i++)
        if (names)
            snprintf(p->output_name[i], sizeof p->output_name[i], "%s", names[i]);
        else
            snprintf(p->output_name[i], sizeof p->output_name[i], "y%d", i);
    return true;
}

static bool build_parts(builder *b, expr_program *p, const expr_id *outputs)
{
    const size_t n = b->count;
    b->uses = malloc(n * sizeof *b->uses);
    b->at = malloc(n * sizeof *b->at);
    b->level = malloc(n * sizeof *b->level);
    b->sincos = malloc(n * sizeof *b->sincos);
    b->needed = malloc(n * sizeof *b->needed);
    b->stack = malloc((3 * n + 4) * sizeof *b->stack);
    if (b->uses && b->at && b->level && b->sincos && b->needed && b->stack) {
        build_part(b, &p->run, true, outputs, p->output_count);
        if (!b->failed)
            build_part(b, &p->prepare, false, b->kept, b->kept_count);
    } else {
        b->failed = true;
    }
    free(b->uses);
    free(b->at);
    free(b->level);
    free(b->sincos);
    free(b->needed);
    free(b->stack);
    free(b->input_place);
    p->kept_count = b->kept_count;
    p->constants = b->constants;
    p->constant_count = b->constant_count;
    free(b->kept);
    return !b->failed;
}

expr_program *expr_program_build(const expr_graph *g, const expr_id *outputs,
                                 const char *const *names, int output_count, mc_error *error)
{
    if (expr_graph_status(g, error) != MC_OK)
        return NULL;
    expr_program *p = calloc(1, sizeof *p);
    if (p) {
        p->graph = g;
        p->output_count = output_count;
        builder b = {.g = g, .count = expr_node_count(g)};
        if (list_inputs(g, p, &b) && name_outputs(p, names) && build_parts(&b, p, outputs))
            return p;
        expr_program_destroy(p);
    }
    mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the program");
    return NULL;
}

void expr_program_destroy(expr_program *p)
{
    if (!p)
        return;
    free(p->constants);
    free(p->variable);
    free(p->parameter);
    free(p->prepare.code);
    free(p->prepare.output);
    free(p->run.code);
    free(p->run.output);
    free(p->output_name);
    free(p);
}

expr_count expr_part_count(const expr_part *part)
{
    expr_count n = {0};
    for (int i = 0; i < part->count; i++)
        switch ((expr_op)part->code[i].op) {
        case EXPR_NEG:
        case EXPR_ADD:
        case EXPR_SUB:
            n.add++;
            break;
        case EXPR_MUL:
            n.mul++;
            break;
        case EXPR_FMA:
        case EXPR_FMS:
        case EXPR_FNMA:
            n.add++, n.mul++, n.fused++;
            break;
        case EXPR_DIV:
            n.div++;
            break;
        case EXPR_SQRT:
            n.sqrt++;
            break;
        case EXPR_SINCOS:
            n.sincos++;
            break;
        case EXPR_CALL:
            n.call++;
            break;
        case EXPR_SELECT:
            n.select++;
            break;
        case EXPR_ABS:
        case EXPR_FLOOR:
        case EXPR_MIN:
        case EXPR_MAX:
            n.other++;
            break;
        default:
            n.compare++;
        }
    n.flops = n.add + n.mul + n.div + n.sqrt;
    return n;
}

// ---- hash ------------------------------------------------------------------------------------

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 31);
}

static uint64_t mix_operand(uint64_t h, expr_operand o)
{
    return mix(h, (uint64_t)o.place << 32 | o.index);
}

static uint64_t mix_part(uint64_t h, const expr_part *part)
{
    for (int i = 0; i < part->count; i++) {
        const expr_instruction *c = &part->code[i];
        h = mix(h, (uint64_t)c->op << 48 | (uint64_t)c->function << 40 | c->to);
        h = mix_operand(mix_operand(mix_operand(h, c->a), c->b), c->c);
    }
    for (int i = 0; i < part->output_count; i++)
        h = mix_operand(h, part->output[i]);
    return h;
}

uint64_t expr_program_hash(const expr_program *p)
{
    uint64_t h = mix((uint64_t)p->variable_count << 32 | (uint32_t)p->parameter_count,
                     (uint64_t)p->kept_count << 32 | (uint32_t)p->output_count);
    for (int i = 0; i < p->constant_count; i++) {
        uint64_t bits;
        memcpy(&bits, &p->constants[i], sizeof bits);
        h = mix(h, bits);
    }
    return mix_part(mix_part(h, &p->prepare), &p->run);
}
