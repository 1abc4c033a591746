// vector.c - symbolic vectors and matrices.
#include "multibody/vector.h"

#include <stdio.h>
#include <string.h>

mb_vec mb_vec_zero(void)
{
    return (mb_vec){{EXPR_ZERO, EXPR_ZERO, EXPR_ZERO}};
}

mb_vec mb_vec_unit(int axis)
{
    mb_vec e = mb_vec_zero();
    e.v[axis] = EXPR_ONE;
    return e;
}

bool mb_vec_is_zero(mb_vec a)
{
    return a.v[0] == EXPR_ZERO && a.v[1] == EXPR_ZERO && a.v[2] == EXPR_ZERO;
}

mb_vec mb_vec_add(expr_graph *g, mb_vec a, mb_vec b)
{
    for (int i = 0; i < 3; i++)
        a.v[i] = expr_add(g, a.v[i], b.v[i]);
    return a;
}

mb_vec mb_vec_sub(expr_graph *g, mb_vec a, mb_vec b)
{
    for (int i = 0; i < 3; i++)
        a.v[i] = expr_sub(g, a.v[i], b.v[i]);
    return a;
}

mb_vec mb_vec_neg(expr_graph *g, mb_vec a)
{
    for (int i = 0; i < 3; i++)
        a.v[i] = expr_neg(g, a.v[i]);
    return a;
}

mb_vec mb_vec_scale(expr_graph *g, expr_id s, mb_vec a)
{
    for (int i = 0; i < 3; i++)
        a.v[i] = expr_mul(g, s, a.v[i]);
    return a;
}

mb_vec mb_vec_cross(expr_graph *g, mb_vec a, mb_vec b)
{
    mb_vec c;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c.v[i] = expr_sub(g, expr_mul(g, a.v[j], b.v[k]), expr_mul(g, a.v[k], b.v[j]));
    }
    return c;
}

expr_id mb_vec_dot(expr_graph *g, mb_vec a, mb_vec b)
{
    expr_id sum = EXPR_ZERO;
    for (int i = 0; i < 3; i++)
        sum = expr_add(g, sum, expr_mul(g, a.v[i], b.v[i]));
    return sum;
}

void mb_node_label(expr_graph *g, const char *owner, const char *what, expr_id a)
{
    char text[160];
    snprintf(text, sizeof text, "%s_%s", owner, what);
    expr_label(g, a, text);
}

void mb_vec_label(expr_graph *g, const char *owner, const char *what, mb_vec a)
{
    for (int i = 0; i < 3; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s_%c", what, "xyz"[i]);
        mb_node_label(g, owner, text, a.v[i]);
    }
}

mb_mat mb_mat_identity(void)
{
    mb_mat a;
    for (int i = 0; i < 9; i++)
        a.m[i] = i % 4 == 0 ? EXPR_ONE : EXPR_ZERO;
    return a;
}

bool mb_mat_is_identity(const mb_mat *a)
{
    const mb_mat one = mb_mat_identity();
    return memcmp(a->m, one.m, sizeof one.m) == 0;
}

mb_mat mb_mat_transpose(const mb_mat *a)
{
    mb_mat t;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t.m[3 * i + j] = a->m[3 * j + i];
    return t;
}

mb_mat mb_mat_mul(expr_graph *g, const mb_mat *a, const mb_mat *b)
{
    mb_mat c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            expr_id sum = EXPR_ZERO;
            for (int k = 0; k < 3; k++)
                sum = expr_add(g, sum, expr_mul(g, a->m[3 * i + k], b->m[3 * k + j]));
            c.m[3 * i + j] = sum;
        }
    return c;
}

mb_vec mb_mat_times(expr_graph *g, const mb_mat *a, mb_vec b)
{
    mb_vec c;
    for (int i = 0; i < 3; i++)
        c.v[i] = mb_vec_dot(g, (mb_vec){{a->m[3 * i], a->m[3 * i + 1], a->m[3 * i + 2]}}, b);
    return c;
}

mb_vec mb_mat_back(expr_graph *g, const mb_mat *a, mb_vec b)
{
    mb_vec c;
    for (int i = 0; i < 3; i++)
        c.v[i] = mb_vec_dot(g, mb_mat_column(a, i), b);
    return c;
}

mb_vec mb_mat_column(const mb_mat *a, int column)
{
    return (mb_vec){{a->m[column], a->m[3 + column], a->m[6 + column]}};
}

mb_mat mb_mat_axis(expr_graph *g, int axis, expr_id angle)
{
    const expr_id s = expr_sin(g, angle), c = expr_cos(g, angle);
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    mb_mat R = mb_mat_identity();
    R.m[3 * j + j] = R.m[3 * k + k] = c;
    R.m[3 * j + k] = expr_neg(g, s);
    R.m[3 * k + j] = s;
    return R;
}

// R = 1 + 2 (w [v] + [v]^2) with v the vector part.
mb_mat mb_mat_quaternion(expr_graph *g, const expr_id q[4])
{
    const expr_id two = expr_const(g, 2.0);
    expr_id d[4]; // twice the vector part
    for (int i = 1; i < 4; i++)
        d[i] = expr_mul(g, two, q[i]);
    mb_mat R;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R.m[4 * i] =
            expr_sub(g, EXPR_ONE,
                     expr_add(g, expr_mul(g, d[j + 1], q[j + 1]), expr_mul(g, d[k + 1], q[k + 1])));
        const expr_id product = expr_mul(g, d[i + 1], q[j + 1]);
        const expr_id turn = expr_mul(g, d[k + 1], q[0]);
        R.m[3 * i + j] = expr_sub(g, product, turn);
        R.m[3 * j + i] = expr_add(g, product, turn);
    }
    return R;
}

mb_mat mb_mat_spin_square(expr_graph *g, mb_vec w)
{
    mb_mat W;
    expr_id square[3];
    for (int i = 0; i < 3; i++)
        square[i] = expr_square(g, w.v[i]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        W.m[4 * i] = expr_neg(g, expr_add(g, square[j], square[k]));
        W.m[3 * i + j] = W.m[3 * j + i] = expr_mul(g, w.v[i], w.v[j]);
    }
    return W;
}

mb_mat mb_mat_symmetric(const expr_id six[6])
{
    return (mb_mat){{six[0], six[3], six[4], six[3], six[1], six[5], six[4], six[5], six[2]}};
}

mb_mat mb_mat_turn(expr_graph *g, const mb_mat *R, const mb_mat *B)
{
    const mb_mat RB = mb_mat_mul(g, R, B), Rt = mb_mat_transpose(R);
    return mb_mat_mul(g, &RB, &Rt);
}

mb_mat mb_mat_turn_symmetric(expr_graph *g, const mb_mat *R, const mb_mat *S)
{
    const mb_mat RS = mb_mat_mul(g, R, S);
    mb_mat out;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            expr_id sum = EXPR_ZERO;
            for (int k = 0; k < 3; k++)
                sum = expr_add(g, sum, expr_mul(g, RS.m[3 * i + k], R->m[3 * j + k]));
            out.m[3 * i + j] = out.m[3 * j + i] = sum;
        }
    return out;
}

// With j, k the axes that turn: row and column of the fixed axis turn as vectors; of the 2x2 block
// [a b; e d] the mean m = (a + d)/2 and the skew part w = (b - e)/2 stay, and the pair
// ((a - d)/2, (b + e)/2) turns by the double angle. Five products less than R B R'.
mb_mat mb_mat_turn_axis(expr_graph *g, int axis, expr_id c, expr_id s, const mb_mat *B)
{
    const int i = axis, j = (axis + 1) % 3, k = (axis + 2) % 3;
    const expr_id half = expr_const(g, 0.5);
    const expr_id c2 = expr_sub(g, expr_square(g, c), expr_square(g, s));
    const expr_id s2 = expr_mul(g, expr_const(g, 2.0), expr_mul(g, s, c));
    const expr_id a = B->m[4 * j], d = B->m[4 * k], b = B->m[3 * j + k], e = B->m[3 * k + j];
    const expr_id mean = expr_mul(g, half, expr_add(g, a, d));
    const expr_id spread = expr_mul(g, half, expr_sub(g, a, d));
    const expr_id shear = expr_mul(g, half, expr_add(g, b, e));
    const expr_id skew = expr_mul(g, half, expr_sub(g, b, e));
    const expr_id p = expr_sub(g, expr_mul(g, spread, c2), expr_mul(g, shear, s2));
    const expr_id o = expr_add(g, expr_mul(g, spread, s2), expr_mul(g, shear, c2));
    mb_mat out = *B;
    out.m[4 * j] = expr_add(g, mean, p);
    out.m[4 * k] = expr_sub(g, mean, p);
    out.m[3 * j + k] = expr_add(g, o, skew);
    out.m[3 * k + j] = expr_sub(g, o, skew);
    // (row i, then column i): v_j' = c v_j - s v_k, v_k' = s v_j + c v_k
    const expr_id rj = B->m[3 * i + j], rk = B->m[3 * i + k];
    out.m[3 * i + j] = expr_sub(g, expr_mul(g, c, rj), expr_mul(g, s, rk));
    out.m[3 * i + k] = expr_add(g, expr_mul(g, s, rj), expr_mul(g, c, rk));
    const expr_id cj = B->m[3 * j + i], ck = B->m[3 * k + i];
    out.m[3 * j + i] = expr_sub(g, expr_mul(g, c, cj), expr_mul(g, s, ck));
    out.m[3 * k + i] = expr_add(g, expr_mul(g, s, cj), expr_mul(g, c, ck));
    return out;
}
