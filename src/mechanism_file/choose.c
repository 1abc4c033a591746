// choose.c - the spanning tree of a graph whose equations cost least.
//
// What a tree costs is known only when its equations are derived: zeros, fill and the form that
// wins depend on it. So every candidate is read and its forward equations are counted. Up to
// ALL_MAX spanning trees are all counted. Beyond that: from a tree, each cut joint is exchanged
// with each joint of the loop it closes; the first exchange that saves is taken, until none does.
// This is repeated from other trees while the budget lasts, which is counted, not timed: the same
// file always gives the same tree.
#include "mechanism_file/choose.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    EDGES_MAX = 64,      // joints of a graph whose spanning trees are listed
    ALL_MAX = 128,       // spanning trees that are all counted
    DERIVED_MAX = 400,   // trees counted in all,
    FLOPS_MAX = 1500000, // and what they may cost together
    RESTARTS = 3,
};

typedef struct candidate {
    bool *in_tree, *root;
    int flops; // INT_MAX: cannot be derived
} candidate;

typedef struct search {
    const char *bytes, *name;
    size_t length;
    mb_form form;
    const mb_model *first; // with the graph and a first tree
    candidate *list;
    int count, best;
    long long spent;
    unsigned random;
    bool no_memory;
} search;

// ---- one tree ----

static int count_flops(const search *s, const candidate *c)
{
    mb_model model;
    mc_error error;
    int flops;
    const mechanism_tree tree = {c->in_tree, c->root};
    if (mechanism_parse_tree(s->bytes, s->length, s->name, &tree, &model, &error) != MC_OK)
        return INT_MAX;
    const mc_status status = mb_derive_cost(&model, s->form, &flops, &error);
    mb_model_free(&model);
    return status == MC_OK ? flops : INT_MAX;
}

static bool budget_left(const search *s)
{
    return !s->no_memory && s->count < DERIVED_MAX && (s->count < 2 || s->spent < FLOPS_MAX);
}

// The number of the candidate with this tree; counted first if it is new; -1: no memory.
static int try(search *s, const bool *in_tree, const bool *root)
{
    const size_t edges = (size_t)s->first->edge_count, bodies = (size_t)s->first->body_count;
    for (int i = 0; i < s->count; i++)
        if (memcmp(s->list[i].in_tree, in_tree, edges) == 0 &&
            memcmp(s->list[i].root, root, bodies) == 0)
            return i;
    bool *both = malloc(edges + bodies + 1);
    if (!both) {
        s->no_memory = true;
        return -1;
    }
    memcpy(both, in_tree, edges);
    memcpy(both + edges, root, bodies);
    candidate *c = &s->list[s->count];
    *c = (candidate){.in_tree = both, .root = both + edges};
    c->flops = count_flops(s, c);
    s->spent += c->flops == INT_MAX ? 1000 : c->flops;
    if (s->best < 0 || c->flops < s->list[s->best].flops)
        s->best = s->count;
    return s->count++;
}

// ---- trees ----

static int find_set(int *set, int i)
{
    while (set[i] != i)
        i = set[i] = set[set[i]];
    return i;
}

static bool join(int *set, const mb_edge *e)
{
    const int a = find_set(set, e->from + 1), b = find_set(set, e->to + 1);
    set[a] = b;
    return a != b;
}

// Which in_tree has no loop and as many joints as the first tree: a spanning tree.
static bool spans(const search *s, const bool *in_tree)
{
    const mb_model *m = s->first;
    int set[m->body_count + 1], count = 0, target = 0;
    for (int i = 0; i <= m->body_count; i++)
        set[i] = i;
    for (int i = 0; i < m->edge_count; i++) {
        target += m->edges[i].in_tree;
        count += in_tree[i];
        if (in_tree[i] && !join(set, &m->edges[i]))
            return false;
    }
    return count == target;
}

// Calls try for every spanning tree from edge i on; false: more than ALL_MAX of them. counting:
// only counts.
typedef struct every {
    search *s;
    bool *in_tree;
    int found, target;
    bool counting;
} every;

static bool each_tree(every *e, int i, int taken, const int *set)
{
    const mb_model *m = e->s->first;
    if (taken == e->target) {
        bool whole = true; // the pinned ones are all there
        for (int k = i; k < m->edge_count; k++)
            whole = whole && !m->edges[k].pinned;
        if (!whole)
            return true;
        if (!e->counting)
            try(e->s, e->in_tree, m->root);
        return ++e->found <= ALL_MAX && !e->s->no_memory;
    }
    if (m->edge_count - i < e->target - taken)
        return true;
    const mb_edge *edge = &m->edges[i];
    int joined[m->body_count + 1];
    memcpy(joined, set, sizeof joined);
    if (edge->can_be_tree && join(joined, edge)) {
        e->in_tree[i] = true;
        if (!each_tree(e, i + 1, taken + 1, joined))
            return false;
        e->in_tree[i] = false;
    }
    return edge->pinned || each_tree(e, i + 1, taken, set);
}

static bool visit_all(search *s, bool counting)
{
    const mb_model *m = s->first;
    if (m->edge_count > EDGES_MAX)
        return false;
    int set[m->body_count + 1];
    bool in_tree[m->edge_count + 1];
    every e = {.s = s, .in_tree = in_tree, .counting = counting};
    memset(in_tree, 0, sizeof in_tree);
    for (int i = 0; i <= m->body_count; i++)
        set[i] = i;
    for (int i = 0; i < m->edge_count; i++)
        e.target += m->edges[i].in_tree;
    return each_tree(&e, 0, 0, set);
}

// ---- search ----

// Exchanges that save, until there is none. at: the candidate to begin with; the last one.
static int improve(search *s, int at)
{
    const mb_model *m = s->first;
    const int n = m->edge_count;
    bool tree[n + 1], root[m->body_count + 1];
    // k counts the exchanges since the last that saved; i, j go round.
    for (int k = 0, i = 0, j = 0; k < n * n && budget_left(s); k++) {
        const bool *now = s->list[at].in_tree;
        j = j + 1 < n ? j + 1 : 0;
        i = j == 0 ? (i + 1) % n : i;
        if (now[i] || !m->edges[i].can_be_tree || !now[j] || m->edges[j].pinned)
            continue;
        memcpy(tree, now, (size_t)n);
        memcpy(root, s->list[at].root, (size_t)m->body_count);
        tree[i] = true;
        tree[j] = false;
        if (!spans(s, tree))
            continue;
        const int next = try(s, tree, root);
        if (next >= 0 && s->list[next].flops < s->list[at].flops) {
            at = next;
            k = 0;
        }
    }
    return at;
}

// Another free body to hang a tree on, where that saves.
static void try_roots(search *s)
{
    const mb_model *m = s->first;
    const size_t bodies = (size_t)m->body_count;
    bool root[bodies + 1], tree[m->edge_count + 1];
    for (int b = 0; b < m->body_count && budget_left(s); b++) {
        const candidate *best = &s->list[s->best];
        int set[bodies + 1];
        memcpy(tree, best->in_tree, (size_t)m->edge_count);
        memcpy(root, best->root, bodies);
        for (int i = 0; i <= m->body_count; i++)
            set[i] = i;
        for (int i = 0; i < m->edge_count; i++)
            if (tree[i])
                join(set, &m->edges[i]);
        if (root[b] || find_set(set, b + 1) == find_set(set, 0))
            continue;
        for (int i = 0; i < m->body_count; i++)
            if (find_set(set, i + 1) == find_set(set, b + 1))
                root[i] = i == b;
        try(s, tree, root);
    }
}

static unsigned next_random(search *s)
{
    s->random = s->random * 1664525u + 1013904223u;
    return s->random >> 8;
}

// A spanning tree of joints taken in any order.
static void random_tree(search *s, bool *in_tree)
{
    const mb_model *m = s->first;
    int set[m->body_count + 1], order[m->edge_count + 1];
    for (int i = 0; i <= m->body_count; i++)
        set[i] = i;
    for (int i = 0; i < m->edge_count; i++) {
        in_tree[i] = m->edges[i].pinned && join(set, &m->edges[i]);
        const int k = (int)(next_random(s) % (unsigned)(i + 1));
        order[i] = order[k];
        order[k] = i;
    }
    for (int i = 0; i < m->edge_count; i++) {
        const mb_edge *e = &m->edges[order[i]];
        if (e->can_be_tree && !e->pinned)
            in_tree[order[i]] = join(set, e);
    }
}

static bool look(search *s)
{
    const mb_model *m = s->first;
    bool in_tree[m->edge_count + 1];
    for (int i = 0; i < m->edge_count; i++)
        in_tree[i] = m->edges[i].in_tree;
    int at = try(s, in_tree, m->root); // first, so that a tie keeps it
    const bool all = visit_all(s, true);
    if (all)
        visit_all(s, false);
    else if (at >= 0)
        improve(s, at);
    for (int k = 0; !all && k < RESTARTS && budget_left(s); k++) {
        random_tree(s, in_tree);
        at = try(s, in_tree, m->root);
        if (at >= 0)
            improve(s, at);
    }
    const int before = s->best;
    try_roots(s);
    if (!all && s->best != before && s->best >= 0)
        improve(s, s->best);
    return all;
}

static void report(const search *s, bool all, mb_model *m, mechanism_choice *out)
{
    const candidate *best = &s->list[s->best];
    *out = (mechanism_choice){.derived = s->count, .all = all, .flops = best->flops};
    out->other = arena_alloc(&m->memory, ((size_t)m->edge_count + 1) * sizeof *out->other);
    for (int i = 0; i < s->count; i++) {
        const candidate *c = &s->list[i];
        if (c->flops == INT_MAX)
            continue;
        out->worst = c->flops > out->worst ? c->flops : out->worst;
        for (int k = 0; out->other && k < m->edge_count; k++)
            if (c->in_tree[k] != best->in_tree[k] && (!out->other[k] || c->flops < out->other[k]))
                out->other[k] = c->flops;
    }
}

mc_status mechanism_choose(const char *bytes, size_t length, const char *name, mb_form form,
                           mb_model *out, mechanism_choice *choice, mc_error *error)
{
    *choice = (mechanism_choice){0};
    mc_status status = mechanism_parse(bytes, length, name, out, error);
    if (status != MC_OK || out->edge_count == 0)
        return status;
    search s = {.bytes = bytes,
                .name = name,
                .length = length,
                .form = form,
                .first = out,
                .best = -1,
                .random = 1};
    s.list = calloc(DERIVED_MAX + 2 * ALL_MAX, sizeof *s.list);
    bool all = false;
    s.no_memory = !s.list;
    if (!s.no_memory)
        all = look(&s);
    if (s.best >= 0 && s.list[s.best].flops < INT_MAX && !s.no_memory) {
        const mechanism_tree tree = {s.list[s.best].in_tree, s.list[s.best].root};
        mb_model taken;
        status = mechanism_parse_tree(bytes, length, name, &tree, &taken, error);
        mb_model_free(out);
        *out = taken; // empty on failure
        if (status == MC_OK)
            report(&s, all, out, choice);
    } // else: deriving the first tree says what is wrong
    for (int i = 0; i < s.count; i++)
        free(s.list[i].in_tree);
    free(s.list);
    return status;
}
