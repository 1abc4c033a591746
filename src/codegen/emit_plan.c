// emit_plan.c - see emit_plan.h.
#include "codegen/emit_plan.h"

#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---- the function table ----------------------------------------------------------------------

const emit_function emit_functions[] = {
    {"sincos", -1, 1, 2},      {"tan", EXPR_TAN, 1, 1},     {"asin", EXPR_ASIN, 1, 1},
    {"acos", EXPR_ACOS, 1, 1}, {"atan", EXPR_ATAN, 1, 1},   {"sinh", EXPR_SINH, 1, 1},
    {"cosh", EXPR_COSH, 1, 1}, {"tanh", EXPR_TANH, 1, 1},   {"exp", EXPR_EXP, 1, 1},
    {"log", EXPR_LOG, 1, 1},   {"log10", EXPR_LOG10, 1, 1}, {"atan2", EXPR_ATAN2, 2, 1},
    {"pow", EXPR_POW, 2, 1},   {"hypot", EXPR_HYPOT, 2, 1},
};
const int emit_function_count = sizeof emit_functions / sizeof emit_functions[0];

// The list against the struct it describes: as long, and in the same order.
_Static_assert(sizeof emit_functions / sizeof emit_functions[0] ==
                   sizeof(expr_functions) / sizeof(expr_unary *),
               "every function of expr_functions needs a row");
#define AT(field, row)                                                                             \
    _Static_assert(offsetof(expr_functions, field) == (row) * sizeof(expr_unary *), "out of "      \
                                                                                    "order")
AT(sincos, 0);
AT(tan, 1);
AT(asin, 2);
AT(acos, 3);
AT(atan, 4);
AT(sinh, 5);
AT(cosh, 6);
AT(tanh, 7);
AT(exp, 8);
AT(log, 9);
AT(log10, 10);
AT(atan2, 11);
AT(pow, 12);
AT(hypot, 13);

const emit_function *emit_function_of(const expr_instruction *i)
{
    if (i->op == EXPR_SINCOS || i->function == EXPR_SIN || i->function == EXPR_COS)
        return &emit_functions[0];
    for (int n = 1; n < emit_function_count; n++)
        if (emit_functions[n].function == i->function)
            return &emit_functions[n];
    mc_assert(false); // a function without a row
    return NULL;
}

// ---- names -----------------------------------------------------------------------------------

static size_t hash_word(const char *word)
{
    uint64_t hash = 14695981039346656037u; // FNV-1a
    for (; *word; word++) {
        const unsigned char c = (unsigned char)*word;
        hash = (hash ^ (c >= 'A' && c <= 'Z' ? c + 32u : c)) * 1099511628211u;
    }
    return (size_t)(hash ^ hash >> 32);
}

static size_t find_word(const emit_words *words, const char *word)
{
    size_t at = hash_word(word) & (words->capacity - 1);
    while (words->word[at] && strcasecmp(words->word[at], word) != 0)
        at = (at + 1) & (words->capacity - 1);
    return at;
}

static bool is_taken(const emit_words *words, const char *word)
{
    return words->word[find_word(words, word)] != NULL;
}

// The room was chosen for all words there will be. Gives the stored copy; NULL: no memory.
static char *take(emit_words *words, const char *word)
{
    const size_t at = find_word(words, word);
    if (!words->word[at]) {
        words->word[at] = strdup(word);
        words->count++;
    }
    mc_assert(words->count < words->capacity);
    return words->word[at];
}

static char *take_input(emit_words *words, const expr_program *p, int input)
{
    char word[48], name[EMIT_NAME_SIZE];
    expr_identifier(expr_input_name(p->graph, input), word);
    snprintf(name, sizeof name, "%s", word);
    if (is_taken(words, name)) // numbers differ, so this ends
        snprintf(name, sizeof name, "%s_%d", word, input);
    while (is_taken(words, name))
        strcat(name, "_");
    return take(words, name);
}

bool emit_names_create(emit_names *n, const expr_program *p, const char *name)
{
    *n = (emit_names){0};
    static const char *const endings[] = {"",           "_prepare",   "_run",
                                          "_run_lanes", "_functions", "_piece"};
    const size_t ending_count = sizeof endings / sizeof endings[0];
    const int input_count = p->variable_count + p->parameter_count;
    size_t capacity = 64;
    while (capacity < 2 * ((size_t)input_count + ending_count))
        capacity *= 2;
    n->taken.word = calloc(capacity, sizeof *n->taken.word);
    n->taken.capacity = capacity;
    n->variable = calloc((size_t)p->variable_count + 1, sizeof *n->variable);
    n->parameter = calloc((size_t)p->parameter_count + 1, sizeof *n->parameter);
    bool good = n->taken.word && n->variable && n->parameter;
    for (size_t i = 0; good && i < ending_count; i++) {
        char word[EMIT_NAME_SIZE];
        snprintf(word, sizeof word, "%s%s", name, endings[i]);
        good = take(&n->taken, word) != NULL;
    }
    for (int i = 0; good && i < p->variable_count; i++)
        good = (n->variable[i] = take_input(&n->taken, p, p->variable[i])) != NULL;
    for (int i = 0; good && i < p->parameter_count; i++)
        good = (n->parameter[i] = take_input(&n->taken, p, p->parameter[i])) != NULL;
    if (!good)
        emit_names_destroy(n);
    return good;
}

void emit_names_destroy(emit_names *n)
{
    for (size_t i = 0; n->taken.word && i < n->taken.capacity; i++)
        free(n->taken.word[i]);
    free(n->taken.word);
    free(n->variable);
    free(n->parameter);
    *n = (emit_names){0};
}

// What an angle is called, "" for one without a name.
static const char *word_of(const emit_plan *plan, expr_operand value, char out[48])
{
    out[0] = '\0';
    if (value.place == EXPR_AT_IN)
        snprintf(out, 48, "%.40s", plan->in_name[value.index]);
    if (value.place == EXPR_AT_TEMP) {
        const expr_id node = plan->part->code[plan->maker[value.index]].node;
        const char *label = node == EXPR_NONE ? NULL : expr_label_of(plan->program->graph, node);
        if (label)
            expr_identifier(label, out);
    }
    return out;
}

void emit_temp_name(const emit_plan *plan, uint32_t temp, char out[EMIT_NAME_SIZE])
{
    if (!plan->names) {
        snprintf(out, EMIT_NAME_SIZE, "t%u", temp);
        return;
    }
    const expr_instruction *i = &plan->part->code[plan->maker[temp]];
    char word[48] = "";
    if (i->op == EXPR_SINCOS) {
        const char *angle = word_of(plan, i->a, word);
        snprintf(out, EMIT_NAME_SIZE, "%s%s%s_%u", temp == i->to ? "sin" : "cos", *angle ? "_" : "",
                 angle, temp);
    } else {
        const char *label =
            i->node == EXPR_NONE ? NULL : expr_label_of(plan->program->graph, i->node);
        if (label)
            expr_identifier(label, word);
        snprintf(out, EMIT_NAME_SIZE, "%s%s%u", label ? word : "t", label ? "_" : "", temp);
    }
    while (is_taken(&plan->names->taken, out)) // an input; inputs seldom end with '_'
        strcat(out, "_");
}

// ---- plan ------------------------------------------------------------------------------------

static void *fill(int count, int value)
{
    int *array = malloc(((size_t)count + 1) * sizeof *array);
    for (int i = 0; array && i < count; i++)
        array[i] = value;
    return array;
}

static void use(emit_plan *plan, expr_operand value)
{
    mc_assert(value.place != EXPR_AT_TEMP || (int)value.index < plan->part->temp_count);
    mc_assert(value.place != EXPR_AT_IN || (int)value.index < plan->in_count);
    if (value.place == EXPR_AT_TEMP)
        plan->used[value.index] = true;
    plan->uses_in |= value.place == EXPR_AT_IN;
    plan->uses_kept |= value.place == EXPR_AT_KEPT;
}

// Backwards from the outputs: what is read, and by that which instructions count.
static void find_live(emit_plan *plan)
{
    const expr_part *part = plan->part;
    for (int o = part->output_count - 1; o >= 0; o--) {
        const expr_operand value = part->output[o];
        use(plan, value);
        if (value.place == EXPR_AT_TEMP) {
            plan->next_output[o] = plan->first_output[value.index];
            plan->first_output[value.index] = o;
        }
    }
    for (int n = part->count - 1; n >= 0; n--) {
        const expr_instruction *i = &part->code[n];
        const bool pair = i->op == EXPR_SINCOS;
        mc_assert((int)i->to + pair < part->temp_count);
        plan->maker[i->to] = n;
        if (pair)
            plan->maker[i->to + 1] = n;
        plan->live[n] = plan->used[i->to] || (pair && plan->used[i->to + 1]);
        if (!plan->live[n])
            continue;
        use(plan, i->a);
        use(plan, i->b);
        use(plan, i->c);
        plan->uses_functions |= pair || i->op == EXPR_CALL;
    }
}

static int group_of(const expr_part *part, int n)
{
    const expr_instruction *i = &part->code[n];
    const int group = (i->op == EXPR_CALL || i->op == EXPR_SINCOS) && i->group > 1 ? i->group : 1;
    mc_assert(group <= part->count - n);
    return group;
}

// Pieces of equal length, none longer than `piece` unless a group of calls alone is; a group is
// never cut. begin has room for part->count + 2.
static void cut(emit_plan *plan, int piece)
{
    const expr_part *part = plan->part;
    int live_count = 0;
    for (int n = 0; n < part->count; n++)
        live_count += plan->live[n];
    const int pieces = live_count > piece ? (live_count + piece - 1) / piece : 1;
    const int length = live_count > 0 ? (live_count + pieces - 1) / pieces : 1;
    int filled = 0;
    plan->piece_count = 1;
    plan->begin[0] = 0;
    for (int n = 0, group; n < part->count; n += group) {
        group = group_of(part, n);
        int more = 0;
        for (int m = n; m < n + group; m++)
            more += plan->live[m];
        if (filled > 0 && filled + more > length) {
            plan->begin[plan->piece_count++] = n;
            filled = 0;
        }
        filled += more;
    }
    plan->begin[plan->piece_count] = part->count;
}

static void note_last(const emit_plan *plan, expr_operand value, int piece, int *last)
{
    if (value.place == EXPR_AT_TEMP && plan->piece_of[value.index] != piece)
        last[value.index] = piece;
}

// Slots for values that cross a cut, in the order in which they are made. free_slot[s] is a stack
// of free slots; those whose last reader is piece j come back when piece j + 1 begins.
static bool place(emit_plan *plan)
{
    const expr_part *part = plan->part;
    int *last = fill(part->temp_count, -1), *free_slot = fill(part->temp_count, 0);
    int *returned = fill(plan->piece_count + 1, -1), *next = fill(part->temp_count, -1);
    const bool good = last && free_slot && returned && next;
    for (int piece = 0; good && piece < plan->piece_count; piece++)
        for (int n = plan->begin[piece]; n < plan->begin[piece + 1]; n++) {
            const expr_instruction *i = &part->code[n];
            plan->piece_of[i->to] = piece;
            if (i->op == EXPR_SINCOS)
                plan->piece_of[i->to + 1] = piece;
            if (!plan->live[n])
                continue;
            note_last(plan, i->a, piece, last);
            note_last(plan, i->b, piece, last);
            note_last(plan, i->c, piece, last);
        }
    int free_count = 0;
    for (int piece = 0; good && piece < plan->piece_count; piece++) {
        for (int t = piece > 0 ? returned[piece - 1] : -1; t >= 0; t = next[t])
            free_slot[free_count++] = plan->slot[t];
        for (int n = plan->begin[piece]; n < plan->begin[piece + 1]; n++) {
            const expr_instruction *i = &part->code[n];
            for (uint32_t t = i->to; t <= i->to + (i->op == EXPR_SINCOS); t++) {
                if (last[t] < 0)
                    continue;
                plan->slot[t] = free_count > 0 ? free_slot[--free_count] : plan->slot_count++;
                next[t] = returned[last[t]];
                returned[last[t]] = (int)t;
            }
        }
    }
    free(last), free(free_slot), free(returned), free(next);
    return good;
}

mc_status emit_plan_create(emit_plan *plan, const expr_program *p, const expr_part *part,
                           const emit_names *names, int piece, mc_error *error)
{
    *plan = (emit_plan){.program = p, .part = part, .names = names};
    plan->in_count = part == &p->run ? p->variable_count : p->parameter_count;
    if (names)
        plan->in_name = part == &p->run ? names->variable : names->parameter;
    plan->live = calloc((size_t)part->count + 1, sizeof *plan->live);
    plan->used = calloc((size_t)part->temp_count + 1, sizeof *plan->used);
    plan->maker = fill(part->temp_count, -1);
    plan->piece_of = fill(part->temp_count, -1);
    plan->slot = fill(part->temp_count, -1);
    plan->first_output = fill(part->temp_count, -1);
    plan->next_output = fill(part->output_count, -1);
    plan->seen_temp = fill(part->temp_count, -1);
    plan->seen_in = fill(plan->in_count, -1);
    plan->begin = fill(part->count + 2, 0);
    bool good = plan->live && plan->used && plan->maker && plan->piece_of && plan->slot &&
                plan->first_output && plan->next_output && plan->seen_temp && plan->seen_in &&
                plan->begin;
    if (good) {
        find_live(plan);
        cut(plan, piece);
        good = place(plan);
    }
    if (good)
        return MC_OK;
    emit_plan_destroy(plan);
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for %d instructions",
                        part->count);
}

void emit_plan_destroy(emit_plan *plan)
{
    free(plan->live), free(plan->used), free(plan->maker), free(plan->piece_of);
    free(plan->slot), free(plan->first_output), free(plan->next_output);
    free(plan->seen_temp), free(plan->seen_in), free(plan->begin);
    *plan = (emit_plan){0};
}

// ---- walk ------------------------------------------------------------------------------------

static void bring(emit_plan *plan, int piece, expr_operand value, const emit_visitor *v)
{
    int *seen = NULL;
    if (value.place == EXPR_AT_IN)
        seen = &plan->seen_in[value.index];
    if (value.place == EXPR_AT_TEMP && plan->piece_of[value.index] != piece)
        seen = &plan->seen_temp[value.index];
    if (!seen || *seen == piece)
        return;
    *seen = piece;
    v->bring(v->context, value);
}

static void bring_all(emit_plan *plan, int piece, const expr_instruction *i, const emit_visitor *v)
{
    bring(plan, piece, i->a, v);
    bring(plan, piece, i->b, v);
    bring(plan, piece, i->c, v);
}

static void finish(const emit_plan *plan, uint32_t temp, const emit_visitor *v)
{
    if (plan->slot[temp] >= 0)
        v->keep(v->context, temp, plan->slot[temp]);
    for (int o = plan->first_output[temp]; o >= 0; o = plan->next_output[o])
        v->output(v->context, o, plan->part->output[o]);
}

bool emit_walk(emit_plan *plan, int piece, const emit_visitor *v)
{
    const expr_part *part = plan->part;
    const expr_instruction **members = malloc((UINT16_MAX + 1) * sizeof *members);
    if (!members)
        return false;
    for (int n = plan->begin[piece], group; n < plan->begin[piece + 1]; n += group) {
        group = group_of(part, n);
        int count = 0;
        for (int m = n; m < n + group; m++)
            if (plan->live[m])
                members[count++] = &part->code[m];
        for (int m = 0; m < count; m++)
            bring_all(plan, piece, members[m], v);
        if (count > 0 && (members[0]->op == EXPR_CALL || members[0]->op == EXPR_SINCOS))
            v->call(v->context, members, count);
        else if (count > 0)
            v->compute(v->context, members[0]);
        for (int m = 0; m < count; m++) {
            finish(plan, members[m]->to, v);
            if (members[m]->op == EXPR_SINCOS)
                finish(plan, members[m]->to + 1, v);
        }
    }
    free(members);
    if (piece < plan->piece_count - 1)
        return true;
    for (int o = 0; o < part->output_count; o++) // what is given, not computed
        if (part->output[o].place != EXPR_AT_TEMP) {
            bring(plan, piece, part->output[o], v);
            v->output(v->context, o, part->output[o]);
        }
    return true;
}

// ---- text ------------------------------------------------------------------------------------

void emit_substitute(expr_text *t, const char *format, const expr_instruction *i,
                     void (*operand)(void *context, expr_text *t, expr_operand value),
                     void *context)
{
    for (const char *c = format; *c;) {
        const size_t plain = strcspn(c, "$");
        expr_text_put(t, c, plain);
        c += plain;
        if (!*c)
            break;
        operand(context, t, c[1] == 'a' ? i->a : c[1] == 'b' ? i->b : i->c);
        c += 2;
    }
}

void emit_comment(expr_text *t, const char *lead, const char *text)
{
    enum { COLUMNS = 100 };
    size_t column = 0;
    char before = '\0';
    expr_text_add(t, "%s", lead);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '\n' && !c[1])
            break;
        if (*c == '\n' || column >= COLUMNS) {
            expr_text_add(t, "\n%s", lead);
            column = 0;
            before = '\0';
            if (*c == '\n')
                continue;
        }
        if (*c >= 0x80 && *c < 0xc0) // the rest of a letter of several bytes
            continue;
        const char safe = *c == '\t' ? ' ' : *c < ' ' || *c >= 0x7f || *c == '\\' ? '.' : (char)*c;
        if ((before == '*' && safe == '/') || (before == '/' && safe == '*') ||
            (before == '?' && safe == '?'))
            expr_text_put(t, " ", 1);
        expr_text_put(t, &safe, 1);
        before = safe;
        column++;
    }
    expr_text_put(t, "\n", 1);
}
