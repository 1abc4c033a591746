// joint_general.c - any of three travels and three angles are free, the others are held.
//
// With the turn R = R1 R2 R3 of a sequence and the held angles known, what the free angles leave:
//   none free        R is constant: three rows as of a fixed joint
//   one, the k-th    a hinge: its axis, e_k turned by the held angles before it on `from` and back
//                    by those after it on `to`
//   two              the first and the third of the free axes stay at a fixed angle
//   three            nothing
#include "multibody/closing.h"

static mb_mat held_turn(expr_graph *g, const mb_closing *joint, int first, int last)
{
    mb_mat R = mb_mat_identity();
    for (int k = first; k < last; k++) {
        const mb_mat next = mb_mat_axis(g, joint->sequence[k], joint->held[3 + k]);
        R = mb_mat_mul(g, &R, &next);
    }
    return R;
}

// The axis of angle k: on `from`, turned by the held angles before; on `to`, back by those after.
static mb_vec axis_on(mb_close *c, const mb_closing *joint, int k, bool to)
{
    expr_graph *g = mb_close_graph(c);
    const mb_mat frame = mb_close_frame(c, to);
    const mb_vec e = mb_vec_unit(joint->sequence[k]);
    const mb_mat before = held_turn(g, joint, 0, k), after = held_turn(g, joint, k + 1, 3);
    return mb_mat_times(g, &frame, to ? mb_mat_back(g, &after, e) : mb_mat_times(g, &before, e));
}

static void hold_all_angles(mb_close *c, const mb_closing *joint)
{
    expr_graph *g = mb_close_graph(c);
    const mb_mat from = mb_close_frame(c, false), to = mb_close_frame(c, true);
    const mb_mat turn = held_turn(g, joint, 0, 3), held = mb_mat_mul(g, &from, &turn);
    for (int k = 0; k < 3; k++)
        mb_close_direction(c, mb_mat_column(&held, k), mb_mat_column(&to, (k + 1) % 3), EXPR_ZERO);
}

// A hinge about the k-th axis: two directions of `from` across it.
static void hold_two_angles(mb_close *c, const mb_closing *joint, int k)
{
    expr_graph *g = mb_close_graph(c);
    const mb_mat frame = mb_close_frame(c, false), before = held_turn(g, joint, 0, k);
    for (int i = 1; i < 3; i++) {
        const mb_vec across = mb_vec_unit((joint->sequence[k] + i) % 3);
        const mb_vec p = mb_mat_times(g, &frame, mb_mat_times(g, &before, across));
        mb_close_direction(c, p, axis_on(c, joint, k, true), EXPR_ZERO);
    }
}

static void hold_one_angle(mb_close *c, const mb_closing *joint, int held)
{
    expr_graph *g = mb_close_graph(c);
    const int first = held == 0 ? 1 : 0, last = held == 2 ? 1 : 2;
    expr_id cosine = EXPR_ZERO; // of the angle between the two axes
    if (held == 1) {
        const mb_mat turn = held_turn(g, joint, 1, 2);
        cosine = mb_vec_dot(g, mb_vec_unit(joint->sequence[0]),
                            mb_mat_times(g, &turn, mb_vec_unit(joint->sequence[2])));
    }
    mb_close_direction(c, axis_on(c, joint, first, false), axis_on(c, joint, last, true), cosine);
}

static void rows(mc_joint *c)
{
    const mb_closing *joint = mb_close_joint(c);
    const mb_mat frame = mb_close_frame(c, false);
    int free_count = 0, free_one = 0, held_one = 0;
    for (int k = 0; k < 3; k++) {
        free_count += joint->free[3 + k];
        *(joint->free[3 + k] ? &free_one : &held_one) = k;
    }
    if (!joint->free[0] && !joint->free[1] && !joint->free[2] && joint->held[0] == EXPR_ZERO &&
        joint->held[1] == EXPR_ZERO && joint->held[2] == EXPR_ZERO)
        mb_close_point(c);
    else
        for (int k = 0; k < 3; k++)
            if (!joint->free[k])
                mb_close_slide(c, mb_mat_column(&frame, k), joint->held[k]);
    if (free_count == 0)
        hold_all_angles(c, joint);
    else if (free_count == 1)
        hold_two_angles(c, joint, free_one);
    else if (free_count == 2)
        hold_one_angle(c, joint, held_one);
}

const mb_closing_kind mb_joint_general = {
    .is = {.name = "general",
           .doc = "some of tx ty tz and three angles are free, the others held",
           .turns = MC_JOINT_TURNS_GENERAL,
           .rows = rows},
    .general = true,
    .in_tree = true,
    .tree = MB_GENERAL,
};
