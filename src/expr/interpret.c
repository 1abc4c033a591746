// interpret.c - translates programs into bytecode for the interpreter.
//
// Temporaries get slots by one pass over the program: a slot is free again after the last step that
// reads it, and the slot freed last is taken first, so that the frame stays in the cache. Before
// that the instructions are sorted into rows of equal operations: a processor that has to guess
// which of 20 operations comes next, 2000 times, spends more time on wrong guesses than on all the
// rest.
#include "expr/interpret.h"
#include "base/assert.h"
#include "base/cpu.h"
#include "expr/functions_lanes.h"
#include "expr/interpret_lanes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct expr_machine {
    machine_part prepare, run;
    double *constants;
    const expr_functions *functions;
    machine_run_one *one;
    machine_run_lanes *lanes;
    int work;
};

// The largest frame, in values: offsets in bytes must fit 32 bits at every width.
enum { VALUE_MAX = 1 << 24 };

// What the translation of one part needs to know.
typedef struct translation {
    const expr_part *from;
    expr_instruction *list;           // its instructions in the order in which they are done
    int shared_count, constant_count; // values in front of the inputs
    int input_count;
    int *made;    // place in the list after which a temporary is there
    int *waiting; // the first of those in the window that lack a temporary; -1: none
    int *last;    // index of the last instruction that reads a temporary; count: an output
    uint32_t *at; // slot of every temporary
    uint32_t *free_slots;
    int free_count, slot_count;
    machine_step *code; // operands are numbers of values, not yet offsets
    int code_count;
} translation;

static bool is_call(const expr_instruction *i)
{
    return i->op == EXPR_CALL || i->op == EXPR_SINCOS;
}

// ---- fewer kinds of operations, in longer rows
// -----------------------------------------------------

enum { NUMBER_ONE, NUMBER_MINUS_ONE, NUMBER_MINUS_ZERO, NUMBER_COUNT }; // after the constants
static const double numbers[NUMBER_COUNT] = {1.0, -1.0, -0.0};

static expr_operand number(const translation *t, int which)
{
    const uint32_t index = (uint32_t)(t->constant_count - NUMBER_COUNT + which);
    return (expr_operand){EXPR_AT_CONST, index & 0x1fffffff};
}

// Products, sums and differences as a b + c, bit for bit: a factor of 1 and a summand of -0 change
// nothing, not even the sign of a zero.
static expr_instruction as_fused(const translation *t, expr_instruction i)
{
    switch (i.op) {
    case EXPR_MUL:
        i.c = number(t, NUMBER_MINUS_ZERO);
        break;
    case EXPR_ADD:
        i.c = i.b;
        i.b = number(t, NUMBER_ONE);
        break;
    case EXPR_SUB:
        i.c = i.a;
        i.a = i.b;
        i.b = number(t, NUMBER_MINUS_ONE);
        break;
    default:
        return i;
    }
    i.op = EXPR_FMA;
    return i;
}

enum { WINDOW = 64 }; // instructions looked at ahead; more would need more slots at once

// Those of one operation that can be done, the one that is ready for longest first, so that the
// processor need not wait for its operands.
typedef struct ready_row {
    unsigned char slot[WINDOW];
    int count;
} ready_row;

// Instructions that wait to be done, each in a slot. One whose operands are not all there is in the
// list of a temporary that is missing, so that it is looked at again only when that is made.
typedef struct window {
    expr_instruction wait[WINDOW];
    int number[WINDOW];          // in the program
    int since[WINDOW];           // when its operands were all there
    int next[WINDOW];            // in the list of the same temporary; -1: the last
    unsigned char spare[WINDOW]; // slots not in use
    int count, spare_count;
    ready_row ready[EXPR_OP_COUNT];
} window;

static void begin(window *w)
{
    w->count = 0;
    w->spare_count = WINDOW;
    for (int k = 0; k < WINDOW; k++)
        w->spare[k] = (unsigned char)k;
    for (int op = 0; op < EXPR_OP_COUNT; op++)
        w->ready[op].count = 0;
}

static void add_ready(window *w, int k)
{
    ready_row *const row = &w->ready[w->wait[k].op];
    int at = row->count++;
    for (; at > 0; at--) {
        const int other = row->slot[at - 1];
        if (w->since[other] < w->since[k] ||
            (w->since[other] == w->since[k] && w->number[other] < w->number[k]))
            break;
        row->slot[at] = (unsigned char)other;
    }
    row->slot[at] = (unsigned char)k;
}

// Slot k to the ready ones, or to the list of a temporary that it lacks.
static void look_at(window *w, translation *t, int k)
{
    const expr_instruction *const i = &w->wait[k];
    const expr_operand operand[] = {i->a, i->b, i->c};
    w->since[k] = 0;
    for (int o = 0; o < 3; o++) {
        if (operand[o].place != EXPR_AT_TEMP)
            continue;
        const uint32_t temp = operand[o].index;
        if (t->made[temp] == INT_MAX) {
            w->next[k] = t->waiting[temp];
            t->waiting[temp] = k;
            return;
        }
        if (t->made[temp] > w->since[k])
            w->since[k] = t->made[temp];
    }
    add_ready(w, k);
}

static void add_waiting(window *w, translation *t, expr_instruction i, int number)
{
    const int k = w->spare[--w->spare_count];
    w->count++;
    w->wait[k] = i;
    w->number[k] = number;
    look_at(w, t, k);
}

// The next instruction: of the operation of the last one, else of the kind that is ready most
// often.
static expr_instruction take_ready(window *w, int last_op)
{
    int op = last_op;
    if (op < 0 || w->ready[op].count == 0) {
        op = 0;
        for (int k = 1; k < EXPR_OP_COUNT; k++)
            if (w->ready[k].count > w->ready[op].count)
                op = k;
    }
    ready_row *const row = &w->ready[op];
    mc_assert(row->count > 0);
    const unsigned char k = row->slot[0];
    memmove(row->slot, row->slot + 1, (size_t)--row->count);
    w->spare[w->spare_count++] = k;
    w->count--;
    return w->wait[k];
}

// A temporary has been computed: those that lack it are looked at again.
static void make(window *w, translation *t, uint32_t temp, int when)
{
    t->made[temp] = when;
    for (int k = t->waiting[temp]; k >= 0;) {
        const int next = w->next[k];
        look_at(w, t, k);
        k = next;
    }
}

// Writes the instructions of the part to t->list: calls stay where they are, what stands between
// them is sorted into rows.
static void arrange(translation *t)
{
    const expr_part *const part = t->from;
    window w;
    begin(&w);
    for (int i = 0; i < part->temp_count; i++) {
        t->made[i] = INT_MAX;
        t->waiting[i] = -1;
    }
    int written = 0, last_op = -1;
    for (int next = 0; next < part->count || w.count > 0;) {
        if (next < part->count && w.count < WINDOW && !is_call(&part->code[next])) {
            add_waiting(&w, t, as_fused(t, part->code[next]), next);
            next++;
            continue;
        }
        if (w.count == 0) { // a call
            const expr_instruction *const call = &part->code[next++];
            t->list[written++] = *call;
            t->made[call->to] = written;
            if (call->op == EXPR_SINCOS)
                t->made[call->to + 1] = written;
            continue;
        }
        const expr_instruction i = take_ready(&w, last_op);
        t->list[written++] = i;
        make(&w, t, i.to, written);
        last_op = i.op;
    }
}

// ---- slots
// -----------------------------------------------------------------------------------------

static void note_use(translation *t, expr_operand o, int index)
{
    if (o.place == EXPR_AT_TEMP)
        t->last[o.index] = index;
}

// Number of instructions from `index` on that are done as one step.
static int group_size(const translation *t, int index)
{
    const expr_instruction *const first = &t->list[index];
    if (!is_call(first) || first->group <= 1)
        return 1;
    int size = first->group < MACHINE_CALL_MAX ? first->group : MACHINE_CALL_MAX;
    mc_assert(size <= t->from->count - index);
    for (int i = 1; i < size; i++)
        mc_assert(first[i].op == first->op && first[i].function == first->function);
    return size;
}

static void find_last_uses(translation *t)
{
    const expr_part *const part = t->from;
    for (int i = 0; i < part->temp_count; i++)
        t->last[i] = -1;
    for (int i = 0; i < part->count; i++) {
        note_use(t, t->list[i].a, i);
        note_use(t, t->list[i].b, i);
        note_use(t, t->list[i].c, i);
    }
    for (int i = 0; i < part->output_count; i++)
        note_use(t, part->output[i], part->count);
}

static uint32_t value_of(const translation *t, expr_operand o)
{
    const uint32_t shared = (uint32_t)t->shared_count, inputs = (uint32_t)t->input_count;
    switch ((expr_place)o.place) {
    case EXPR_AT_CONST:
        return o.index;
    case EXPR_AT_KEPT:
        return (uint32_t)t->constant_count + o.index;
    case EXPR_AT_IN:
        return shared + o.index;
    case EXPR_AT_TEMP:
        return shared + inputs + t->at[o.index];
    case EXPR_AT_NONE:
        break;
    }
    return 0;
}

static uint32_t take_slot(translation *t, uint32_t temporary)
{
    t->at[temporary] =
        t->free_count > 0 ? t->free_slots[--t->free_count] : (uint32_t)t->slot_count++;
    return t->at[temporary];
}

// Frees the slot of an operand that is read for the last time at `index`, once.
static void free_operand(translation *t, expr_operand o, int index)
{
    if (o.place == EXPR_AT_TEMP && t->last[o.index] == index) {
        t->last[o.index] = -1;
        t->free_slots[t->free_count++] = t->at[o.index];
    }
}

static void free_operands(translation *t, int index)
{
    const expr_instruction *const i = &t->list[index];
    free_operand(t, i->a, index);
    free_operand(t, i->b, index);
    free_operand(t, i->c, index);
}

// A result that is never read: its slot is free at once.
static void free_unread(translation *t, uint32_t temporary)
{
    if (t->last[temporary] < 0)
        t->free_slots[t->free_count++] = t->at[temporary];
}

static uint32_t temp_value(const translation *t, uint32_t temporary)
{
    return value_of(t, (expr_operand){EXPR_AT_TEMP, temporary & 0x1fffffff});
}

// Results of grouped calls get slots before the arguments' slots are freed.
static void translate_call(translation *t, int index, int size)
{
    const expr_instruction *const first = &t->list[index];
    t->code[t->code_count++] =
        (machine_step){.op = first->op, .count = (uint16_t)size, .to = first->function};
    const bool pair = first->op == EXPR_SINCOS;
    for (int i = 0; i < size; i++) {
        machine_step *const s = &t->code[t->code_count++];
        *s = (machine_step){.op = MACHINE_END};
        s->a = value_of(t, first[i].a);
        s->b = value_of(t, first[i].b);
        take_slot(t, first[i].to);
        s->to = temp_value(t, first[i].to);
        if (pair) {
            take_slot(t, first[i].to + 1);
            s->c = temp_value(t, first[i].to + 1);
        }
    }
    for (int i = 0; i < size; i++)
        free_operands(t, index + i);
    for (int i = 0; i < size; i++) {
        free_unread(t, first[i].to);
        if (pair)
            free_unread(t, first[i].to + 1);
    }
}

static void translate_step(translation *t, int index)
{
    const expr_instruction *const i = &t->list[index];
    mc_assert(i->op >= EXPR_NEG && i->op < EXPR_OP_COUNT);
    machine_step *const s = &t->code[t->code_count++];
    *s = (machine_step){.op = i->op, .count = 1};
    s->a = value_of(t, i->a);
    s->b = value_of(t, i->b);
    s->c = value_of(t, i->c);
    free_operands(t, index); // the result may take the slot of an operand
    take_slot(t, i->to);
    s->to = temp_value(t, i->to);
    free_unread(t, i->to);
}

// Tells the first step of every row how long it is. Operands of calls are passed over.
static void count_rows(translation *t)
{
    for (int i = 0; i < t->code_count;) {
        machine_step *const s = &t->code[i];
        int length = 1;
        if (s->op == EXPR_CALL || s->op == EXPR_SINCOS) {
            length += s->count;
        } else {
            while (s->op != MACHINE_END && s[length].op == s->op && length < UINT16_MAX)
                length++;
            s->count = (uint16_t)length;
        }
        i += length;
    }
}

// ---- from numbers of values to offsets ---------------------------------------------------------

static uint32_t offset_of(const translation *t, uint32_t v, machine_width width)
{
    const uint32_t shared = (uint32_t)t->shared_count;
    if (width == MACHINE_ONE)
        return v * 8u;
    if (v < shared)
        return v * 32u;
    if (width == MACHINE_BLOCK)
        return v * 32u;
    return (shared + (v - shared) * MACHINE_BLOCKS_COUNT) * 32u + MACHINE_MOVES;
}

static bool place_code(const translation *t, machine_part *part, machine_width width)
{
    const expr_part *const from = t->from;
    part->code[width] = malloc((size_t)t->code_count * sizeof(machine_step));
    part->output[width] = malloc((size_t)(from->output_count + 1) * sizeof(uint32_t));
    if (!part->code[width] || !part->output[width])
        return false;
    for (int i = 0; i < t->code_count; i++) {
        machine_step s = t->code[i];
        const bool head = s.op == EXPR_CALL || s.op == EXPR_SINCOS; // `to` is the function
        s.to = head ? s.to : offset_of(t, s.to, width);
        s.a = offset_of(t, s.a, width);
        s.b = offset_of(t, s.b, width);
        s.c = offset_of(t, s.c, width);
        part->code[width][i] = s;
    }
    for (int i = 0; i < from->output_count; i++)
        part->output[width][i] = offset_of(t, value_of(t, from->output[i]), width);
    const uint32_t end = (uint32_t)(t->shared_count + t->input_count + t->slot_count);
    part->gather[width] = offset_of(t, end, width) & ~7u;
    return true;
}

static bool allocate(translation *t)
{
    const size_t temps = (size_t)t->from->temp_count + 1, steps = (size_t)t->from->count;
    t->list = malloc((steps + 1) * sizeof *t->list);
    t->made = malloc(temps * sizeof *t->made);
    t->waiting = malloc(temps * sizeof *t->waiting);
    t->last = malloc(temps * sizeof *t->last);
    t->at = calloc(temps, sizeof *t->at);
    t->free_slots = malloc(temps * sizeof *t->free_slots);
    t->code = malloc((2 * steps + 1) * sizeof *t->code); // a call has a head
    return t->list && t->made && t->waiting && t->last && t->at && t->free_slots && t->code;
}

static void release(translation *t)
{
    free(t->list);
    free(t->made);
    free(t->waiting);
    free(t->last);
    free(t->at);
    free(t->free_slots);
    free(t->code);
}

static mc_status translate(const expr_part *from, const expr_program *p, const double *constants,
                           bool run, machine_part *part, mc_error *error)
{
    const int kept = run ? p->kept_count : 0;
    translation t = {.from = from,
                     .constant_count = p->constant_count + NUMBER_COUNT,
                     .shared_count = p->constant_count + NUMBER_COUNT + kept,
                     .input_count = run ? p->variable_count : p->parameter_count};
    if (!allocate(&t)) {
        release(&t);
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a program of %d steps",
                            from->count);
    }
    arrange(&t);
    find_last_uses(&t);
    for (int i = 0; i < from->count;) {
        const int size = group_size(&t, i);
        if (is_call(&t.list[i]))
            translate_call(&t, i, size);
        else
            translate_step(&t, i);
        i += size;
    }
    t.code[t.code_count++] = (machine_step){.op = MACHINE_END};
    count_rows(&t);

    *part = (machine_part){.constant_count = t.constant_count,
                           .kept_count = kept,
                           .input_count = t.input_count,
                           .slot_count = t.slot_count,
                           .output_count = from->output_count,
                           .constants = constants};
    mc_status status = MC_OK;
    if (t.shared_count + t.input_count + t.slot_count > VALUE_MAX)
        status =
            mc_error_set(error, MC_FAILED, NULL, 0, 0,
                         "program too large for the interpreter: %d values at once, at most %d",
                         t.slot_count, VALUE_MAX);
    for (int w = 0; w < (run ? MACHINE_WIDTHS : 1) && status == MC_OK; w++)
        if (!place_code(&t, part, (machine_width)w))
            status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0,
                                  "no memory for a program of %d steps", from->count);
    release(&t);
    return status;
}

// Doubles of the frame at the widest of its widths.
static int frame_size(const machine_part *part, bool run)
{
    const int shared = part->constant_count + part->kept_count;
    const int own = part->input_count + part->slot_count + 4 * MACHINE_CALL_MAX;
    return run ? (shared + own * MACHINE_BLOCKS_COUNT) * 4 : shared + own;
}

static void free_part(machine_part *part)
{
    for (int w = 0; w < MACHINE_WIDTHS; w++) {
        free(part->code[w]);
        free(part->output[w]);
    }
}

expr_machine *expr_machine_create(const expr_program *p, mc_error *error)
{
    expr_machine *m = calloc(1, sizeof *m);
    double *constants = malloc(((size_t)p->constant_count + NUMBER_COUNT) * sizeof(double));
    if (!m || !constants) {
        free(m);
        free(constants);
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a program");
        return NULL;
    }
    if (p->constant_count > 0)
        memcpy(constants, p->constants, (size_t)p->constant_count * sizeof(double));
    memcpy(constants + p->constant_count, numbers, sizeof numbers);
    m->constants = constants;
    if (translate(&p->prepare, p, constants, false, &m->prepare, error) != MC_OK ||
        translate(&p->run, p, constants, true, &m->run, error) != MC_OK) {
        expr_machine_destroy(m);
        return NULL;
    }
    const int prepare = frame_size(&m->prepare, false), run = frame_size(&m->run, true);
    m->work = prepare > run ? prepare : run;
    const cpu_level level = cpu_level_best();
    m->functions = expr_functions_of(level);
    m->one = machine_run_one_plain;
    m->lanes = machine_run_lanes_plain;
#if defined __x86_64__
    if (level == CPU_AVX2) {
        m->one = machine_run_one_avx2;
        m->lanes = machine_run_lanes_avx2;
    }
#endif
    return m;
}

void expr_machine_destroy(expr_machine *m)
{
    if (!m)
        return;
    free_part(&m->prepare);
    free_part(&m->run);
    free(m->constants);
    free(m);
}

int expr_machine_work(const expr_machine *m)
{
    return m->work;
}

void expr_machine_prepare(const expr_machine *m, const double *p, double *k, double *work)
{
    m->one(&m->prepare, m->functions, p, NULL, k, work);
}

void expr_machine_run(const expr_machine *m, const double *x, const double *k, double *y,
                      double *work)
{
    m->one(&m->run, m->functions, x, k, y, work);
}

void expr_machine_run_lanes(const expr_machine *m, int block_count, const double *x,
                            const double *k, double *y, double *work)
{
    m->lanes(&m->run, m->functions, block_count, x, k, y, work);
}
