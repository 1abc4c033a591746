// graph.c - a mechanism whose joints all stand under `joints`, none at a body.
//
// Of every joint becomes a joint of the tree or one that closes a loop. The tree hangs on the
// ground; bodies that no joint of it reaches hang on a free body, its root. A joint of the tree may
// be crossed against its direction: a hinge or a prism then has its axis turned round, so that its
// coordinate, that of `to` against `from`, is the same either way.
//
// The frame of a body is the user's, not that of its joint; mb_body says how it stands in it.
#include "mechanism_file/reader.h"

#include "multibody/closing.h"
#include "multibody/vector.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- reading ----

void multibody_graph_begin(multibody_reader *r, const yaml_node *root)
{
    const yaml_node *bodies = yaml_find(root, "bodies"), *joints = yaml_find(root, "joints");
    bool graph = joints && joints->kind == YAML_MAPPING && joints->count > 0;
    for (const yaml_node *n = bodies->first; n; n = n->next)
        graph = graph && n->kind == YAML_MAPPING && !yaml_find(n, "joint");
    if (!graph) {
        const yaml_node *cut = reader_get(&r->base, root, "cut");
        if (cut)
            reader_reject(&r->base, cut->key,
                          "only a graph has the key cut: the bodies of this file have joints of "
                          "their own");
        return;
    }
    multibody_graph *g = arena_alloc(&r->scratch, sizeof *g);
    if (!g) {
        reader_no_memory(&r->base);
        return;
    }
    *g = (multibody_graph){.joint_count = joints->count};
    g->bodies = reader_alloc(&r->base, bodies->count, sizeof g->bodies[0]);
    g->joints = reader_alloc(&r->base, joints->count, sizeof g->joints[0]);
    g->start_given = reader_alloc(&r->base, bodies->count, sizeof g->start_given[0]);
    if (r->base.status == MC_OK)
        r->graph = g;
}

void multibody_graph_body_read(multibody_reader *r, const yaml_node *map, int index)
{
    multibody_graph_body *body = &r->graph->bodies[index];
    const yaml_node *at = reader_get(&r->base, map, "position");
    const yaml_node *turn = reader_get(&r->base, map, "orientation");
    body->start = reader_get(&r->base, map, "start");
    body->placed = at != NULL;
    body->turned = turn != NULL;
    multibody_orientation(r, turn, body->turn);
    int i = 0;
    if (at && reader_is_list(&r->base, at, 3, 3))
        for (const yaml_node *n = at->first; n; n = n->next)
            multibody_value_later(r, n, multibody_unit(MULTIBODY_BODY, "position", -1),
                                  &body->at[i++]);
}

static expr_id joint_number(multibody_reader *r, const multibody_graph_joint *joint,
                            const char *key)
{
    const yaml_node *node = reader_get(&r->base, joint->map, key);
    const mb_closing_kind *kind = joint->closing.kind;
    const bool single = kind->in_tree && (kind->tree == MB_HINGE || kind->tree == MB_PRISM);
    char place[PLACE_SIZE];
    if (!node || r->base.status != MC_OK)
        return EXPR_ZERO;
    if (!single) {
        reader_reject(&r->base, node->key, "a %s joint has no %s; it is for hinge, prism",
                      kind->is.name, key);
        return EXPR_ZERO;
    }
    const char *unit = "";
    const multibody_key *row;
    for (int i = 0; (row = multibody_key_at(i)); i++)
        if (row->section == MULTIBODY_JOINT && strcmp(row->name, key) == 0 &&
            row->joints & (1u << kind->tree))
            unit = row->unit;
    snprintf(place, sizeof place, "%s.%s", joint->closing.name, key);
    if (strcmp(key, "load") == 0)
        return EXPR_ZERO;
    return multibody_number(r, node, multibody_unit(MULTIBODY_JOINT, key, (int)kind->tree),
                            LITERAL_PARAMETER, unit, place);
}

static void read_joint(multibody_reader *r, const yaml_node *map, multibody_graph_joint *out)
{
    *out = (multibody_graph_joint){.map = map, .joined = {-1, -1}};
    multibody_joint(r, map, &out->closing);
    if (r->base.status != MC_OK)
        return;
    out->stiffness = joint_number(r, out, "stiffness");
    out->damping = joint_number(r, out, "damping");
    out->rest = joint_number(r, out, "rest");
    joint_number(r, out, "load");
    const yaml_node *load = reader_get(&r->base, map, "load");
    if (load && r->base.status == MC_OK)
        out->load = multibody_formula(r, load);
    const yaml_node *start = reader_get(&r->base, map, "start");
    const mb_closing_kind *kind = out->closing.kind;
    if (start && (!kind->in_tree || kind->tree == MB_FIXED))
        reader_reject(&r->base, start->key, "a %s joint has no start: it has no coordinate",
                      kind->is.name);
}

// The joint that a gear or a rack names.
static int find_joint(multibody_reader *r, const yaml_node *map, const char *key)
{
    const multibody_graph *g = r->graph;
    const yaml_node *node = multibody_need(r, map, key, MULTIBODY_JOINT);
    const char *names[g->joint_count + 1];
    int count = 0;
    for (int i = 0; node && i < g->joint_count; i++) {
        const mb_closing_kind *kind = g->joints[i].closing.kind;
        if (!kind->in_tree || (kind->tree != MB_HINGE && kind->tree != MB_PRISM))
            continue;
        names[count++] = g->joints[i].closing.name;
        if (strcmp(g->joints[i].closing.name, reader_text(&r->base, node)) == 0)
            return i;
    }
    if (node)
        reader_unknown(&r->base, node, "hinge or prism", names, count);
    return -1;
}

// ---- what the file speaks of ----

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Whether the text has NAME.word with a word that is one of a coordinate.
static bool speaks_of(const char *text, const char *name)
{
    static const char *const words[] = {"angle", "travel", "tx",  "ty",  "tz",  "rx",
                                        "ry",    "rz",     "rx2", "ry2", "rz2", "qw",
                                        "qx",    "qy",     "qz",  "wx",  "wy",  "wz"};
    const size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length) {
        const char *word = at + length + 1;
        if ((at > text && (is_name(at[-1]) || at[-1] == '.')) || at[length] != '.')
            continue;
        size_t size = 0;
        while (is_name(word[size]))
            size++;
        if (size > 5 && strncmp(word + size - 5, "_rate", 5) == 0)
            size -= 5;
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            if (strlen(words[k]) == size && strncmp(word, words[k], size) == 0)
                return true;
    }
    return false;
}

static bool spoken_of(const yaml_node *node, const char *name)
{
    if (node->kind == YAML_SCALAR)
        return speaks_of(node->text, name);
    for (const yaml_node *n = node->first; n; n = n->next)
        if (spoken_of(n, name))
            return true;
    return false;
}

static void find_edges(multibody_reader *r, const yaml_node *root)
{
    multibody_graph *g = r->graph;
    mb_model *m = r->model;
    m->edge_count = g->joint_count;
    m->edges = reader_alloc(&r->base, g->joint_count, sizeof m->edges[0]);
    m->root = reader_alloc(&r->base, m->body_count, sizeof m->root[0]);
    for (int i = 0; i < g->joint_count && r->base.status == MC_OK; i++) {
        const multibody_graph_joint *joint = &g->joints[i];
        const mb_closing_kind *kind = joint->closing.kind;
        mb_body like = {.joint = kind->tree};
        memcpy(like.free, joint->closing.free, sizeof like.free);
        const bool switched =
            joint->closing.change.on_when.text || joint->closing.change.off_when.text;
        const bool loaded = joint->stiffness != EXPR_ZERO || joint->damping != EXPR_ZERO ||
                            joint->load.text || reader_get(&r->base, joint->map, "start");
        m->edges[i] =
            (mb_edge){.name = joint->closing.name,
                      .kind = kind->is.name,
                      .from = joint->closing.from.body,
                      .to = joint->closing.to.body,
                      .velocities = kind->in_tree ? mb_velocity_count(&like) : 0,
                      .can_be_tree = kind->in_tree && !switched,
                      .forward = kind->in_tree && kind->tree == MB_GENERAL,
                      .pinned = kind->in_tree && (loaded || spoken_of(root, joint->closing.name)),
                      .line = joint->closing.line};
    }
    for (int i = 0; i < g->joint_count && r->base.status == MC_OK; i++)
        if (m->edges[i].pinned && !m->edges[i].can_be_tree)
            reader_reject(
                &r->base, g->joints[i].map->key,
                "joint %s is switched by a condition and has no coordinate: it cannot have "
                "start values, a spring, a damper or a load, nor be used in formulas",
                m->edges[i].name);
    for (int i = 0; i < g->joint_count && r->base.status == MC_OK; i++)
        if (g->joints[i].closing.kind->of_joints)
            for (int side = 0; side < 2; side++) {
                const int joint = find_joint(r, g->joints[i].map, side ? "to" : "from");
                g->joints[i].joined[side] = joint;
                if (joint >= 0)
                    m->edges[joint].pinned = true;
            }
}

// `cut: [pin]`: joints that the tree must not have.
static void read_cuts(multibody_reader *r, const yaml_node *root)
{
    const yaml_node *list = reader_get(&r->base, root, "cut");
    mb_model *m = r->model;
    if (list && list->kind != YAML_SEQUENCE)
        reader_reject(&r->base, list, "expected a list of joints such as [pin]");
    for (const yaml_node *n = list ? list->first : NULL; n && r->base.status == MC_OK;
         n = n->next) {
        const char *word = reader_text(&r->base, n), *names[m->edge_count + 1];
        int found = -1;
        for (int i = 0; i < m->edge_count; i++) {
            names[i] = m->edges[i].name;
            if (strcmp(names[i], word) == 0)
                found = i;
        }
        if (found < 0)
            reader_unknown(&r->base, n, "joint", names, m->edge_count);
        else if (m->edges[found].pinned)
            reader_reject(&r->base, n,
                          "joint %s cannot be cut: the file uses its coordinate, or gives it a "
                          "start value, spring, damper or load",
                          word);
        else
            m->edges[found].can_be_tree = false;
    }
}

// ---- the tree ----

static int find_set(int *set, int i)
{
    while (set[i] != i)
        i = set[i] = set[set[i]];
    return i;
}

// Joins the two sides; false: they were joined already. Sets: bodies from 1, the ground 0.
static bool join(int *set, const mb_edge *e)
{
    const int a = find_set(set, e->from + 1), b = find_set(set, e->to + 1);
    set[a] = b;
    return a != b;
}

// A first guess: joints with few velocities first.
static void guess(multibody_reader *r)
{
    mb_model *m = r->model;
    int set[m->body_count + 1];
    for (int i = 0; i <= m->body_count; i++)
        set[i] = i;
    for (int i = 0; i < m->edge_count; i++) {
        mb_edge *e = &m->edges[i];
        if (e->pinned && !(e->in_tree = join(set, e)))
            reader_reject(&r->base, r->graph->joints[i].map->key,
                          "joint %s closes a loop of joints whose coordinates the file uses, or "
                          "gives start values, springs, dampers or loads: at least one joint of a "
                          "loop must have none of these, so that it can be cut",
                          e->name);
        if (r->base.status != MC_OK)
            return;
    }
    for (int velocities = 0; velocities <= MB_VELOCITY_MAX; velocities++)
        for (int i = 0; i < m->edge_count; i++) {
            mb_edge *e = &m->edges[i];
            if (e->can_be_tree && !e->pinned && e->velocities == velocities)
                e->in_tree = join(set, e);
        }
}

// The edge that leads from a reached body (or the ground) to one that is not; -1: none.
static int next_edge(const mb_model *m, const bool *reached, bool *reversed)
{
    for (int i = 0; i < m->edge_count; i++) {
        const mb_edge *e = &m->edges[i];
        const bool from = e->from < 0 || reached[e->from], to = e->to < 0 || reached[e->to];
        if (!e->in_tree || from == to)
            continue;
        *reversed = to;
        return i;
    }
    return -1;
}

// Of the bodies not reached: the one with start values if there is one, else that of the tree
// given, else the one with the most joints.
static int choose_root(const multibody_reader *r, const bool *reached)
{
    const mb_model *m = r->model;
    int best = -1, best_score = -1;
    for (int b = 0; b < m->body_count; b++) {
        if (reached[b])
            continue;
        int score = 0;
        for (int i = 0; i < m->edge_count; i++)
            score += m->edges[i].from == b || m->edges[i].to == b;
        if (r->graph->bodies[b].start)
            score += 2 * m->edge_count + 2;
        else if (r->tree && r->tree->root[b])
            score += m->edge_count + 1;
        if (score > best_score)
            best = b, best_score = score;
    }
    return best;
}

// The frame `to` turned so that its axis has the components of the axis on `from`.
static mb_mat aligned(expr_graph *g, const mb_closing *joint)
{
    mb_mat R;
    memcpy(R.m, joint->to.turn, sizeof R.m);
    const double *a = joint->from.axis, *b = joint->to.axis;
    double c = 0.0, n[3], s2 = 0.0;
    for (int i = 0; i < 3; i++) {
        n[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
        c += a[i] * b[i];
        s2 += n[i] * n[i];
    }
    if (joint->kind->tree != MB_HINGE || (s2 == 0.0 && c > 0.0))
        return R;
    // Rodrigues' formula for the turn that takes a to b; half a turn about anything across a.
    double u[3] = {0}, w[3], A[9];
    if (s2 < 1e-24)
        mb_close_across(a, u, w);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int k = 3 - i - j;
            const double sign = (j - i + 3) % 3 == 1 ? -1.0 : 1.0;
            const double cross = i == j ? 0.0 : sign * n[k];
            A[3 * i + j] = s2 < 1e-24 ? 2.0 * u[i] * u[j] - (i == j)
                                      : c * (i == j) + cross + n[i] * n[j] / (1.0 + c);
        }
    mb_mat turn;
    for (int i = 0; i < 9; i++)
        turn.m[i] = expr_const(g, A[i]);
    return mb_mat_mul(g, &R, &turn);
}

static bool is_rotor(const mb_body *body)
{
    const int k = body->axisymmetric;
    const mb_mat one = mb_mat_identity();
    if (k < 0 || body->joint != MB_HINGE || fabs(body->axis[k]) < 1.0 - 1e-12)
        return false;
    if (!body->mounted)
        return true;
    return body->mount_at[(k + 1) % 3] == EXPR_ZERO && body->mount_at[(k + 2) % 3] == EXPR_ZERO &&
           memcmp(one.m, body->mount_turn, sizeof one.m) == 0;
}

// Makes joint i the joint of its outer body.
static void hang(multibody_reader *r, int i)
{
    const mb_model *m = r->model;
    expr_graph *g = m->graph;
    const multibody_graph_joint *joint = &r->graph->joints[i];
    const mb_closing *closing = &joint->closing;
    const bool reversed = m->edges[i].reversed;
    const mb_mount *inner = reversed ? &closing->to : &closing->from;
    const mb_mount *outer = reversed ? &closing->from : &closing->to;
    mb_body *body = &m->bodies[outer->body];
    mb_mat to = aligned(g, closing), from, own;
    memcpy(from.m, closing->from.turn, sizeof from.m);
    own = reversed ? from : to;
    body->owner = closing->name;
    body->inboard = inner->body;
    body->joint = closing->kind->tree;
    memcpy(body->at, inner->at, sizeof body->at);
    memcpy(body->turn, reversed ? to.m : from.m, sizeof body->turn);
    for (int k = 0; k < 3; k++)
        body->axis[k] = reversed ? -closing->from.axis[k] : closing->from.axis[k];
    memcpy(body->sequence, closing->sequence, sizeof body->sequence);
    memcpy(body->free, closing->free, sizeof body->free);
    memcpy(body->held, closing->held, sizeof body->held);
    body->stiffness = joint->stiffness;
    body->damping = joint->damping;
    body->rest = joint->rest;
    body->load = joint->load;
    const mb_vec at = {{outer->at[0], outer->at[1], outer->at[2]}};
    body->mounted = !mb_vec_is_zero(at) || !mb_mat_is_identity(&own);
    if (body->mounted) { // the inverse of where the joint is on the body
        const mb_vec back = mb_vec_neg(g, mb_mat_back(g, &own, at));
        const mb_mat turn = mb_mat_transpose(&own);
        memcpy(body->mount_at, back.v, sizeof body->mount_at);
        memcpy(body->mount_turn, turn.m, sizeof body->mount_turn);
    }
    if (!is_rotor(body))
        body->axisymmetric = -1;
    const yaml_node *start = reader_get(&r->base, joint->map, "start");
    multibody_start(r, start, body);
    r->graph->start_given[outer->body] = start != NULL;
}

static void check_bodies(multibody_reader *r, const yaml_node *root)
{
    const mb_model *m = r->model;
    const yaml_node *n = yaml_find(root, "bodies")->first;
    for (int b = 0; b < m->body_count && r->base.status == MC_OK; b++, n = n->next) {
        bool named = false;
        for (int i = 0; i < m->edge_count; i++)
            named = named || m->edges[i].from == b || m->edges[i].to == b;
        if (!named && !r->graph->bodies[b].start && !r->graph->bodies[b].placed)
            reader_reject(
                &r->base, n->key,
                "no joint names body %s; give it one under joints, or a position or start "
                "if it is free",
                m->bodies[b].name);
        if (r->graph->bodies[b].start && !m->root[b])
            reader_reject(&r->base, r->graph->bodies[b].start->key,
                          "%s hangs on joint %s: give its start values there; only a body that no "
                          "joint connects to the ground has its own",
                          m->bodies[b].name, m->bodies[b].owner);
    }
}

static const char *name_of(const mb_model *m, int body)
{
    return body < 0 ? "ground" : m->bodies[body].name;
}

// Directions from the ground and the roots outwards; joints of the tree to their bodies.
static void make_tree(multibody_reader *r)
{
    mb_model *m = r->model;
    bool reached[m->body_count + 1], reversed;
    memset(reached, 0, sizeof reached);
    for (int count = 0; count < m->body_count && r->base.status == MC_OK; count++) {
        const int i = next_edge(m, reached, &reversed);
        if (i < 0) {
            const int b = choose_root(r, reached);
            reached[b] = m->root[b] = true;
            m->bodies[b].joint = MB_FREE;
            m->bodies[b].axisymmetric = -1;
            const mb_mat one = mb_mat_identity();
            memcpy(m->bodies[b].turn, one.m, sizeof one.m);
            multibody_start(r, r->graph->bodies[b].start, &m->bodies[b]);
            continue;
        }
        mb_edge *e = &m->edges[i];
        e->reversed = reversed;
        reached[reversed ? e->from : e->to] = true;
        if (reversed && e->forward)
            r->base.status = mc_error_set(
                r->base.error, MC_BAD_INPUT, m->file, r->tree ? 0 : e->line, 0,
                "joint %s is general and can only be passed from %s to %s; swap the two and its "
                "coordinates, or cut it",
                e->name, name_of(m, e->from), name_of(m, e->to));
        else
            hang(r, i);
    }
}

// The others close loops.
static void close_rest(multibody_reader *r)
{
    mb_model *m = r->model;
    const multibody_graph *g = r->graph;
    m->closings = reader_alloc(&r->base, g->joint_count, sizeof m->closings[0]);
    for (int i = 0; i < g->joint_count && r->base.status == MC_OK; i++) {
        if (m->edges[i].in_tree)
            continue;
        mb_closing *out = &m->closings[m->closing_count++];
        *out = g->joints[i].closing;
        for (int side = 0; side < 2 && out->kind->of_joints; side++) {
            const mb_edge *e = &m->edges[g->joints[i].joined[side]];
            (side ? &out->to : &out->from)->body = e->reversed ? e->from : e->to;
        }
    }
}

void multibody_graph_joints(multibody_reader *r, const yaml_node *root)
{
    multibody_graph *g = r->graph;
    mb_model *m = r->model;
    int i = 0;
    for (const yaml_node *n = yaml_find(root, "joints")->first; n && r->base.status == MC_OK;
         n = n->next)
        read_joint(r, n, &g->joints[i++]);
    if (r->base.status == MC_OK)
        find_edges(r, root);
    if (r->base.status == MC_OK)
        read_cuts(r, root);
    for (i = 0; r->tree && i < m->edge_count; i++)
        m->edges[i].in_tree = r->tree->in_tree[i];
    if (r->base.status == MC_OK && !r->tree)
        guess(r);
    if (r->base.status == MC_OK)
        make_tree(r);
    if (r->base.status == MC_OK)
        check_bodies(r, root);
    if (r->base.status == MC_OK)
        close_rest(r);
}
