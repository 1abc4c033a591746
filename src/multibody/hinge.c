// hinge.c - B_q and B_p of tree joints and of joints beside the tree.
//
// With a the direction of a rate of turning, in the axes of the joint on `to`, and u that of a
// travel, in the axes of the joint on `from`:
//   turning   a.(w_n - R' w_m)                                     a' the dual of the axes, so that
//                                                                  a.w is the rate of one angle
//   travel    u.(R (v_n + w_n x at) - v_m - w_m x r)               of the point's place on `from`
#include "multibody/hinge.h"

#include "multibody/closing.h"

#include <stdio.h>
#include <string.h>

typedef struct making {
    expr_graph *g;
    mb_hinge *h;
} making;

static void set_word(mb_hinge *h, int row, const char *word)
{
    snprintf(h->word[row], sizeof h->word[row], "%s", word);
}

static void turn_row(making *k, int row, mb_vec a, bool free)
{
    expr_graph *g = k->g;
    const mb_vec n = mb_mat_times(g, &k->h->on_to, a);
    const mb_vec m = mb_vec_neg(g, mb_mat_times(g, &k->h->R, n));
    memcpy(&k->h->q[6 * row], n.v, sizeof n.v);
    memcpy(&k->h->p[6 * row], m.v, sizeof m.v);
    k->h->free[row] = free;
}

static void slide_row(making *k, int row, mb_vec u, bool free)
{
    expr_graph *g = k->g;
    const mb_vec m = mb_mat_times(g, &k->h->on_from, u), n = mb_mat_back(g, &k->h->R, m);
    const mb_vec about_n = mb_vec_cross(g, k->h->at, n), about_m = mb_vec_cross(g, m, k->h->r);
    const mb_vec back = mb_vec_neg(g, m);
    memcpy(&k->h->q[6 * row], about_n.v, sizeof about_n.v);
    memcpy(&k->h->q[6 * row + 3], n.v, sizeof n.v);
    memcpy(&k->h->p[6 * row], about_m.v, sizeof about_m.v);
    memcpy(&k->h->p[6 * row + 3], back.v, sizeof back.v);
    k->h->free[row] = free;
}

// Rows along an axis and across it: at its own place where it is a coordinate axis, else the last.
static int axis_rows(const double axis[3], double rows[3][3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        if (axis[j] != 0.0 || axis[l] != 0.0)
            continue;
        memset(rows, 0, 9 * sizeof(double));
        rows[i][i] = axis[i];
        rows[j][j] = rows[l][l] = 1.0;
        return i;
    }
    mb_close_across(axis, rows[0], rows[1]);
    memcpy(rows[2], axis, sizeof rows[2]);
    return 2;
}

static mb_vec constant(expr_graph *g, const double a[3])
{
    mb_vec v;
    for (int i = 0; i < 3; i++)
        v.v[i] = a[i] == 0.0 ? EXPR_ZERO : expr_const(g, a[i]);
    return v;
}

static void turn_about(making *k, const double axis[3], const char *word)
{
    double rows[3][3];
    const int own = axis_rows(axis, rows);
    for (int i = 0; i < 3; i++)
        turn_row(k, i, constant(k->g, rows[i]), i == own);
    set_word(k->h, own, word);
}

// along: the travel along the axis is free, else the two across it.
static void slide_along(making *k, const double axis[3], bool along, const char *word)
{
    double rows[3][3];
    const int own = axis_rows(axis, rows);
    for (int i = 0; i < 3; i++) {
        slide_row(k, 3 + i, constant(k->g, rows[i]), (i == own) == along);
        if ((i == own) == along)
            set_word(k->h, 3 + i, along ? word : i == (own + 1) % 3 ? "travel_1" : "travel_2");
    }
}

static void turn_plain(making *k, bool free)
{
    static const char *const words[] = {"wx", "wy", "wz"};
    for (int i = 0; i < 3; i++) {
        turn_row(k, i, mb_vec_unit(i), free);
        set_word(k->h, i, words[i]);
    }
}

static void slide_plain(making *k, const bool free[3])
{
    static const char *const words[] = {"tx", "ty", "tz"};
    for (int i = 0; i < 3; i++) {
        slide_row(k, 3 + i, mb_vec_unit(i), free && free[i]);
        set_word(k->h, 3 + i, words[i]);
    }
}

// ---- a sequence of angles --------------------------------------------------------------------

// Turns of the angles first..last-1, the held ones or all.
static mb_mat turned(expr_graph *g, const int sequence[3], const expr_id angle[3], int first,
                     int last)
{
    mb_mat R = mb_mat_identity();
    for (int k = first; k < last; k++) {
        const mb_mat next = mb_mat_axis(g, sequence[k], angle[k]);
        R = mb_mat_mul(g, &R, &next);
    }
    return R;
}

// Three axes n in the axes of the joint on `to`; those that are free have the rates a.w with a the
// dual of them. Rows of held angles are across the free axes.
static void turn_sequence(making *k, const mb_vec n[3], const bool free[3])
{
    expr_graph *g = k->g;
    const int count = free[0] + free[1] + free[2];
    if (count == 3) {
        const expr_id volume = mb_vec_dot(g, n[0], mb_vec_cross(g, n[1], n[2]));
        for (int i = 0; i < 3; i++) {
            const mb_vec across = mb_vec_cross(g, n[(i + 1) % 3], n[(i + 2) % 3]);
            turn_row(k, i, mb_vec_scale(g, expr_div(g, EXPR_ONE, volume), across), true);
        }
        return;
    }
    if (count != 2) { // the others are across the one, or all three plain
        for (int i = 0; i < 3; i++)
            turn_row(k, i, n[i], free[i]);
        return;
    }
    const int held = !free[0] ? 0 : !free[1] ? 1 : 2;
    const int i = held == 0 ? 1 : 0, j = held == 2 ? 1 : 2;
    const mb_vec across = mb_vec_cross(g, n[i], n[j]);
    const expr_id inverse = expr_div(g, EXPR_ONE, mb_vec_dot(g, across, across));
    turn_row(k, i, mb_vec_scale(g, inverse, mb_vec_cross(g, n[j], across)), true);
    turn_row(k, j, mb_vec_scale(g, inverse, mb_vec_cross(g, across, n[i])), true);
    turn_row(k, held, across, false);
}

static void sequence_words(making *k, const int sequence[3])
{
    for (int i = 0; i < 3; i++) {
        char word[] = "rx2";
        word[1] = (char)('x' + sequence[i]);
        word[2] = i == 2 && sequence[2] == sequence[0] ? '2' : '\0';
        set_word(k->h, i, word);
    }
}

// The axis of angle i and the two other coordinate axes, as they stand on `to`.
static void hinge_axes(expr_graph *g, const int sequence[3], const expr_id angle[3], int i,
                       mb_vec n[3])
{
    const mb_mat after = turned(g, sequence, angle, i + 1, 3);
    for (int j = 0; j < 3; j++) {
        const int axis = (sequence[i] + j - i + 3) % 3;
        n[j] = mb_mat_back(g, &after, mb_vec_unit(axis));
    }
}

static int only_free(const bool free[3])
{
    return free[0] ? 0 : free[1] ? 1 : 2;
}

static void general_turns(making *k, const mb_links *links, int body)
{
    const mb_body *b = &links->model->bodies[body];
    const int count = b->free[3] + b->free[4] + b->free[5];
    expr_id angle[3];
    mb_vec n[3] = {mb_vec_unit(0), mb_vec_unit(1), mb_vec_unit(2)};
    for (int i = 0, used = b->free[0] + b->free[1] + b->free[2]; i < 3; i++)
        angle[i] = b->free[3 + i] ? links->q[links->body_q[body] + used++] : b->held[3 + i];
    if (count == 1)
        hinge_axes(k->g, b->sequence, angle, only_free(b->free + 3), n);
    for (int i = 0; i < 3 && count > 1; i++) {
        const mb_mat after = turned(k->g, b->sequence, angle, i + 1, 3);
        n[i] = mb_mat_back(k->g, &after, mb_vec_unit(b->sequence[i]));
    }
    turn_sequence(k, n, b->free + 3);
    sequence_words(k, b->sequence);
}

// The same where the angles are not coordinates: the first free axis stands on `from`, the last on
// `to`, one between them across both (its angle between -90 and 90 degrees, or 0 and 180 where the
// first and the last axis are alike).
static void closing_turns(making *k, const mb_closing *joint)
{
    expr_graph *g = k->g;
    const int *s = joint->sequence;
    const bool *free = joint->free + 3;
    const expr_id *held = joint->held + 3;
    const int count = free[0] + free[1] + free[2];
    mb_vec n[3] = {mb_vec_unit(0), mb_vec_unit(1), mb_vec_unit(2)};
    if (count == 1)
        hinge_axes(g, s, held, only_free(free), n);
    if (count > 1) {
        const int first = only_free(free), last = free[2] ? 2 : 1;
        const mb_mat before = turned(g, s, held, 0, first), after = turned(g, s, held, last + 1, 3);
        const mb_vec on_from = mb_mat_times(g, &before, mb_vec_unit(s[first]));
        const mb_vec on_inboard = mb_mat_times(g, &k->h->on_from, on_from);
        n[first] = mb_mat_back(g, &k->h->on_to, mb_mat_back(g, &k->h->R, on_inboard));
        n[last] = mb_mat_back(g, &after, mb_vec_unit(s[last]));
    }
    if (count == 3) {
        mb_vec across = mb_vec_cross(g, n[0], n[2]);
        if (s[0] != s[2] && (s[1] - s[0] + 3) % 3 == 1)
            across = mb_vec_neg(g, across);
        const expr_id size = expr_sqrt(g, mb_vec_dot(g, across, across));
        n[1] = mb_vec_scale(g, expr_div(g, EXPR_ONE, size), across);
    }
    turn_sequence(k, n, free);
    sequence_words(k, s);
}

// ---- joints of the tree ----------------------------------------------------------------------

static void set_tree_rows(making *k, const mb_links *links, int body)
{
    const mb_body *b = &links->model->bodies[body];
    static const bool all[3] = {true, true, true};
    switch (b->joint) {
    case MB_HINGE:
        turn_about(k, b->axis, "angle");
        slide_plain(k, NULL);
        break;
    case MB_PRISM:
        turn_plain(k, false);
        slide_along(k, b->axis, true, "travel");
        break;
    case MB_GENERAL:
        general_turns(k, links, body);
        slide_plain(k, b->free);
        break;
    case MB_FREE:
        turn_plain(k, true);
        slide_plain(k, all);
        for (int i = 0; i < 9 && b->quasi_velocity; i++) // R' R is 1
            k->h->q[6 * (3 + i / 3) + 3 + i % 3] = i % 4 == 0 ? EXPR_ONE : EXPR_ZERO;
        break;
    default: // ball, fixed
        turn_plain(k, b->joint == MB_BALL);
        slide_plain(k, NULL);
    }
}

// Free rates to velocities: turning comes after travel in v.
static void find_velocities(mb_hinge *h, int first)
{
    int next = first;
    for (int i = 0; i < 6; i++)
        h->velocity[i] = -1;
    for (int i = 0; i < 6; i++) {
        const int row = (i + 3) % 6;
        if (h->free[row])
            h->velocity[row] = next++;
    }
}

// What a velocity does in the axes of the body itself, where that is one of them.
static void plain_partials(mb_hinge *h, const mb_body *b, int first)
{
    if (b->joint != MB_BALL && b->joint != MB_FREE)
        return;
    const int turning = b->joint == MB_FREE ? 3 : 0;
    for (int k = 0; k < h->partial_count; k++) {
        const int own = h->partial_velocity[k] - first;
        if (own >= turning)
            h->partial_spin[k] = mb_vec_unit(own - turning);
        else if (b->quasi_velocity)
            h->partial_slide[k] = mb_vec_unit(own);
    }
}

bool mb_hinge_of_body(mb_frames *f, const mb_links *links, int body, mb_hinge *out)
{
    expr_graph *g = links->graph;
    const mb_body *b = &links->model->bodies[body];
    static const expr_id origin[3] = {EXPR_ZERO, EXPR_ZERO, EXPR_ZERO};
    mb_pair pair;
    if (!mb_frames_pair(f, b->inboard, origin, body, origin, &pair))
        return false;
    memset(out, 0, sizeof *out); // EXPR_ZERO
    out->name = b->name;
    out->closing = -1;
    out->outboard = body, out->inboard = b->inboard;
    const mb_mat back = mb_mat_transpose(&pair.from);
    out->R = mb_mat_mul(g, &back, &pair.to);
    out->r = mb_mat_back(g, &pair.from, pair.span.d);
    out->on_to = mb_mat_identity();
    out->on_from = mb_mat_identity();
    if (b->joint != MB_FREE)
        memcpy(out->on_from.m, b->turn, sizeof b->turn);
    for (int k = 0; k < pair.span.count; k++) {
        out->partial_velocity[k] = pair.span.velocity[k];
        out->partial_spin[k] = mb_mat_back(g, &pair.to, pair.spin[k]);
        out->partial_slide[k] = mb_mat_back(g, &pair.to, pair.span.partial[k]);
    }
    out->partial_count = pair.span.count;
    plain_partials(out, b, links->body_v[body]);
    mb_pair_free(&pair);
    making k = {g, out};
    set_tree_rows(&k, links, body);
    find_velocities(out, links->body_v[body]);
    return true;
}

// ---- joints beside the tree ------------------------------------------------------------------

// Two axes of a cross: that on `from`, that on `to`.
static void turn_cross(making *k, const mb_closing *joint)
{
    expr_graph *g = k->g;
    static const bool free[3] = {true, true, false};
    const mb_vec on_inboard = mb_mat_times(g, &k->h->on_from, constant(g, joint->from.axis));
    const mb_vec first = mb_mat_back(g, &k->h->on_to, mb_mat_back(g, &k->h->R, on_inboard));
    const mb_vec second = constant(g, joint->to.axis);
    const mb_vec n[3] = {first, second, mb_vec_zero()};
    turn_sequence(k, n, free);
    set_word(k->h, 0, "angle_1");
    set_word(k->h, 1, "angle_2");
}

static void set_closing_rows(making *k, const mb_closing *joint)
{
    static const bool all[3] = {true, true, true};
    const mb_closing_kind *kind = joint->kind;
    switch (kind->is.turns) {
    case MC_JOINT_TURNS_FREELY:
    case MC_JOINT_TURNS_NOT:
        turn_plain(k, kind->is.turns == MC_JOINT_TURNS_FREELY);
        break;
    case MC_JOINT_TURNS_ABOUT_AXIS:
        turn_about(k, joint->to.axis, "angle");
        break;
    case MC_JOINT_TURNS_AS_CROSS:
        turn_cross(k, joint);
        break;
    case MC_JOINT_TURNS_GENERAL:
        closing_turns(k, joint);
        break;
    }
    if (kind->general)
        slide_plain(k, joint->free);
    else if (kind->is.slides == MC_JOINT_SLIDES_ALONG_AXIS ||
             kind->is.slides == MC_JOINT_SLIDES_ACROSS_AXIS)
        slide_along(k, joint->from.axis, kind->is.slides == MC_JOINT_SLIDES_ALONG_AXIS, "travel");
    else
        slide_plain(k, kind->is.slides == MC_JOINT_SLIDES_FREELY ? all : NULL);
}

bool mb_hinge_of_closing(mb_frames *f, const mb_links *links, int closing, mb_hinge *out)
{
    expr_graph *g = links->graph;
    const mb_closing *joint = &links->model->closings[closing];
    mb_pair pair;
    if (!mb_frames_pair(f, joint->from.body, joint->from.at, joint->to.body, joint->to.at, &pair))
        return false;
    memset(out, 0, sizeof *out); // EXPR_ZERO
    out->name = joint->name;
    out->closing = closing;
    out->outboard = joint->to.body, out->inboard = joint->from.body;
    const mb_mat back = mb_mat_transpose(&pair.from);
    const mb_vec on_from = {{joint->from.at[0], joint->from.at[1], joint->from.at[2]}};
    out->seen = pair.from;
    out->R = mb_mat_mul(g, &back, &pair.to);
    out->r = mb_vec_add(g, on_from, mb_mat_back(g, &pair.from, pair.span.d));
    out->at = (mb_vec){{joint->to.at[0], joint->to.at[1], joint->to.at[2]}};
    memcpy(out->on_from.m, joint->from.turn, sizeof out->on_from.m);
    memcpy(out->on_to.m, joint->to.turn, sizeof out->on_to.m);
    for (int i = 0; i < 6; i++)
        out->velocity[i] = -1;
    mb_pair_free(&pair);
    making k = {g, out};
    set_closing_rows(&k, joint);
    return true;
}

// ---- wrenches and columns --------------------------------------------------------------------

void mb_hinge_wrench(expr_graph *g, const mb_hinge *h, mb_vec torque, mb_vec force,
                     expr_id on_outboard[6], expr_id on_inboard[6])
{
    const mb_vec f = mb_mat_back(g, &h->R, force);
    const mb_vec n = mb_vec_add(g, mb_mat_back(g, &h->R, torque), mb_vec_cross(g, h->at, f));
    const mb_vec back = mb_vec_neg(g, force);
    const mb_vec about = mb_vec_neg(g, mb_vec_add(g, torque, mb_vec_cross(g, h->r, force)));
    memcpy(on_outboard, n.v, sizeof n.v);
    memcpy(on_outboard + 3, f.v, sizeof f.v);
    memcpy(on_inboard, about.v, sizeof about.v);
    memcpy(on_inboard + 3, back.v, sizeof back.v);
}

void mb_hinge_carry(expr_graph *g, const mb_hinge *h, const expr_id inboard[6], expr_id outboard[6])
{
    const mb_vec w = {{inboard[0], inboard[1], inboard[2]}};
    const mb_vec v = {{inboard[3], inboard[4], inboard[5]}};
    const mb_vec spin = mb_mat_back(g, &h->R, w);
    const mb_vec velocity = mb_mat_back(g, &h->R, mb_vec_add(g, v, mb_vec_cross(g, w, h->r)));
    memcpy(outboard, spin.v, sizeof spin.v);
    memcpy(outboard + 3, velocity.v, sizeof velocity.v);
}
