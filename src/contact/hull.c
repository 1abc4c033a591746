// hull.c - hulls of points: their faces, the axis that separates two of them, the area they share.
#include "contact/hull.h"

#include "num/vec3.h"

#include <math.h>
#include <string.h>

static const double flat = 1e-9;     // of the size: points this near to a plane are in it
static const double parallel = 1e-6; // sine: edges this parallel have no axis of their own
static const double prefer = 1e-7;   // m: by which a later axis must separate better
enum {
    CORNERS_MAX = 2 * HULL_POINTS_MAX,
    FIRST = CORNERS_MAX * HULL_FACES_MAX * HULL_FACES_MAX // in an id
};

static void minus(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static bool unit(double v[3], double smallest)
{
    const double length = vec3_norm(v);
    for (int k = 0; k < 3 && length > smallest; k++)
        v[k] /= length;
    return length > smallest;
}

// ---- making ------------------------------------------------------------------------------------

// Corners of a face in order: by Jarvis' march in its plane, which leaves out those between others.
static bool add_face(hull *h, const double normal[3], double offset, double tolerance)
{
    int on[HULL_POINTS_MAX], count = 0;
    for (int i = 0; i < h->point_count; i++)
        if (fabs(vec3_dot(normal, h->point[i]) - offset) <= tolerance)
            on[count++] = i;
    const int loop_max = (int)(sizeof h->loop / sizeof h->loop[0]);
    if (h->face_count == HULL_FACES_MAX || h->loop_count + count > loop_max)
        return false;
    hull_face *f = &h->face[h->face_count++];
    *f = (hull_face){.offset = offset, .first = h->loop_count};
    memcpy(f->normal, normal, sizeof f->normal);
    int start = 0; // the smallest by x, y, z is a corner
    for (int i = 1; i < count; i++) {
        const double *a = h->point[on[i]], *b = h->point[on[start]];
        int k = 0;
        while (k < 2 && a[k] == b[k])
            k++;
        start = a[k] < b[k] ? i : start;
    }
    int at = start;
    do {
        h->loop[h->loop_count++] = on[at];
        f->count++;
        int next = at == 0 ? 1 : 0;
        for (int i = 0; i < count; i++) {
            double u[3], v[3], w[3];
            if (i == at || i == next)
                continue;
            minus(h->point[on[next]], h->point[on[at]], u);
            minus(h->point[on[i]], h->point[on[at]], v);
            vec3_cross(u, v, w);
            const double side = vec3_dot(w, normal), size = vec3_norm(u) * vec3_norm(v);
            if (side < -flat * size || (side <= flat * size && vec3_norm(v) > vec3_norm(u)))
                next = i;
        }
        at = next;
    } while (at != start && f->count < count);
    return true;
}

static bool known_face(const hull *h, const double normal[3])
{
    for (int i = 0; i < h->face_count; i++)
        if (vec3_dot(h->face[i].normal, normal) > 1.0 - 1e-12)
            return true;
    return false;
}

// Every plane through three points that has all others on one side.
static bool find_faces(hull *h)
{
    const double tolerance = flat * h->size;
    for (int i = 0; i < h->point_count; i++)
        for (int j = i + 1; j < h->point_count; j++)
            for (int k = j + 1; k < h->point_count; k++) {
                double u[3], v[3], n[3];
                minus(h->point[j], h->point[i], u);
                minus(h->point[k], h->point[i], v);
                vec3_cross(u, v, n);
                if (!unit(n, flat * vec3_norm(u) * vec3_norm(v)))
                    continue;
                double low = 0.0, high = 0.0, offset = vec3_dot(n, h->point[i]);
                for (int p = 0; p < h->point_count; p++) {
                    const double off = vec3_dot(n, h->point[p]) - offset;
                    low = fmin(low, off), high = fmax(high, off);
                }
                if (low < -tolerance && high > tolerance)
                    continue;
                if (low >= -tolerance && high <= tolerance)
                    return false; // all in one plane
                if (high > tolerance) {
                    offset = -offset;
                    for (int x = 0; x < 3; x++)
                        n[x] = -n[x];
                }
                if (!known_face(h, n) && !add_face(h, n, offset, tolerance))
                    return false;
            }
    return h->face_count >= 4;
}

// Each edge once: by the face in which it runs from the smaller number to the larger.
static bool find_edges(hull *h)
{
    for (int f = 0; f < h->face_count; f++)
        for (int k = 0; k < h->face[f].count; k++) {
            const int *loop = h->loop + h->face[f].first;
            const int from = loop[k], to = loop[(k + 1) % h->face[f].count];
            double along[3], cross[3];
            if (from > to)
                continue;
            if (h->edge_count == HULL_EDGES_MAX)
                return false;
            minus(h->point[to], h->point[from], along);
            unit(along, 0.0);
            int d = 0;
            for (; d < h->direction_count; d++) {
                vec3_cross(along, h->direction[d], cross);
                if (vec3_norm(cross) < flat)
                    break;
            }
            if (d == h->direction_count)
                memcpy(h->direction[h->direction_count++], along, sizeof along);
            h->edge[h->edge_count++] = (hull_edge){from, to, d};
        }
    return true;
}

bool hull_make(const double (*points)[3], int count, hull *out)
{
    *out = (hull){0};
    if (count < 4)
        return false;
    double extent = 0.0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            extent = fmax(extent, fabs(points[i][k] - points[0][k]));
    for (int i = 0; i < count; i++) {
        bool again = false;
        for (int j = 0; j < out->point_count && !again; j++) {
            double d[3];
            minus(points[i], out->point[j], d);
            again = vec3_norm(d) <= flat * extent;
        }
        if (again)
            continue;
        if (out->point_count == HULL_POINTS_MAX)
            return false;
        memcpy(out->point[out->point_count++], points[i], sizeof out->point[0]);
        out->size = fmax(out->size, vec3_norm(points[i]));
    }
    return find_faces(out) && find_edges(out);
}

void hull_place(const hull *h, const double centre[3], const double R[9], hull *out)
{
    out->point_count = h->point_count, out->face_count = h->face_count;
    out->edge_count = h->edge_count, out->direction_count = h->direction_count;
    out->loop_count = h->loop_count, out->size = h->size;
    for (int i = 0; i < h->point_count; i++) {
        mat3_mul_vec(R, h->point[i], out->point[i]);
        for (int k = 0; k < 3; k++)
            out->point[i][k] += centre[k];
    }
    for (int i = 0; i < h->face_count; i++) {
        hull_face *f = &out->face[i];
        *f = h->face[i];
        mat3_mul_vec(R, h->face[i].normal, f->normal);
        f->offset += vec3_dot(f->normal, centre);
    }
    memcpy(out->edge, h->edge, (size_t)h->edge_count * sizeof h->edge[0]);
    for (int i = 0; i < h->direction_count; i++)
        mat3_mul_vec(R, h->direction[i], out->direction[i]);
    memcpy(out->loop, h->loop, (size_t)h->loop_count * sizeof h->loop[0]);
}

// ---- the axis that separates -------------------------------------------------------------------

typedef enum axis_kind { AXIS_FACE_B, AXIS_FACE_A, AXIS_EDGES } axis_kind;

typedef struct axis {
    axis_kind kind;
    double gap, normal[3]; // from b to a
    int a, b;              // face, or directions of edges
} axis;

static double lowest(const hull *h, const double n[3])
{
    double low = INFINITY;
    for (int i = 0; i < h->point_count; i++)
        low = fmin(low, vec3_dot(n, h->point[i]));
    return low;
}

static double highest(const hull *h, const double n[3])
{
    double high = -INFINITY;
    for (int i = 0; i < h->point_count; i++)
        high = fmax(high, vec3_dot(n, h->point[i]));
    return high;
}

// The face of `of` that separates it best from the other.
static double best_face(const hull *of, const hull *other, int *face)
{
    double best = -INFINITY;
    for (int i = 0; i < of->face_count; i++) {
        const double gap = lowest(other, of->face[i].normal) - of->face[i].offset;
        if (gap > best)
            best = gap, *face = i;
    }
    return best;
}

static void try_edges(const hull *a, const hull *b, axis *best)
{
    double limit = best->gap + prefer;
    for (int i = 0; i < a->direction_count; i++)
        for (int j = 0; j < b->direction_count; j++) {
            double n[3];
            vec3_cross(a->direction[i], b->direction[j], n);
            if (!unit(n, parallel))
                continue;
            const double up = lowest(a, n) - highest(b, n), down = lowest(b, n) - highest(a, n);
            const double gap = fmax(up, down), side = up >= down ? 1.0 : -1.0;
            if (gap <= limit)
                continue;
            limit = gap;
            *best = (axis){AXIS_EDGES, gap, {side * n[0], side * n[1], side * n[2]}, i, j};
        }
}

static axis find_axis(const hull *a, const hull *b)
{
    int face_a = 0, face_b = 0;
    const double of_b = best_face(b, a, &face_b), of_a = best_face(a, b, &face_a);
    axis best = {.kind = AXIS_FACE_B, .gap = of_b, .b = face_b};
    memcpy(best.normal, b->face[face_b].normal, sizeof best.normal);
    if (of_a > of_b + prefer) {
        best = (axis){.kind = AXIS_FACE_A, .gap = of_a, .a = face_a};
        for (int k = 0; k < 3; k++)
            best.normal[k] = -a->face[face_a].normal[k];
    }
    try_edges(a, b, &best);
    return best;
}

double hull_gap(const hull *a, const hull *b, double normal[3])
{
    const axis best = find_axis(a, b);
    memcpy(normal, best.normal, sizeof best.normal);
    return best.gap;
}

// ---- where they touch --------------------------------------------------------------------------

// The edge of h along a direction that is farthest along n.
static const hull_edge *farthest_edge(const hull *h, int direction, const double n[3])
{
    const hull_edge *best = NULL;
    double far = -INFINITY;
    for (int i = 0; i < h->edge_count; i++) {
        const hull_edge *e = &h->edge[i];
        const double at = vec3_dot(n, h->point[e->from]) + vec3_dot(n, h->point[e->to]);
        if (e->direction == direction && at > far)
            far = at, best = e;
    }
    return best;
}

// Half way between the nearest points of the lines of two edges.
static hull_point edges_meet(const hull *a, const hull *b, const axis *x)
{
    const double down[3] = {-x->normal[0], -x->normal[1], -x->normal[2]};
    const double *p = a->point[farthest_edge(a, x->a, down)->from];
    const double *q = b->point[farthest_edge(b, x->b, x->normal)->from];
    const double *u = a->direction[x->a], *v = b->direction[x->b];
    double d[3];
    minus(q, p, d);
    const double c = vec3_dot(u, v), scale = 1.0 / (1.0 - c * c);
    const double s = (vec3_dot(d, u) - c * vec3_dot(d, v)) * scale;
    const double t = (c * vec3_dot(d, u) - vec3_dot(d, v)) * scale;
    hull_point out = {.gap = x->gap, .id = -1 - x->a - HULL_EDGES_MAX * x->b};
    for (int k = 0; k < 3; k++)
        out.point[k] = 0.5 * (p[k] + s * u[k] + q[k] + t * v[k]);
    return out;
}

// The part of a polygon on the inner side of a plane; how many corners.
static int clip(double (*from)[3], int count, const double n[3], double offset, double slack,
                double (*to)[3])
{
    int made = 0;
    for (int i = 0; i < count; i++) {
        const double *p = from[i], *q = from[(i + 1) % count];
        const double here = vec3_dot(n, p) - offset, next = vec3_dot(n, q) - offset;
        if (here <= slack && made < CORNERS_MAX)
            memcpy(to[made++], p, sizeof to[0]);
        if ((here < -slack && next > slack) || (here > slack && next < -slack)) {
            const double share = here / (here - next);
            for (int k = 0; k < 3 && made < CORNERS_MAX; k++)
                to[made][k] = p[k] + share * (q[k] - p[k]);
            made += made < CORNERS_MAX;
        }
    }
    return made;
}

// Corners of face f of h.
static int corners(const hull *h, const hull_face *f, double (*out)[3])
{
    for (int k = 0; k < f->count; k++)
        memcpy(out[k], h->point[h->loop[f->first + k]], sizeof out[0]);
    return f->count;
}

// The face of h that looks most against n.
static int opposite(const hull *h, const double n[3])
{
    int best = 0;
    for (int i = 1; i < h->face_count; i++)
        if (vec3_dot(h->face[i].normal, n) < vec3_dot(h->face[best].normal, n) - 1e-9)
            best = i;
    return best;
}

// The point of h that is deepest along a face.
static void deepest(const hull *h, const hull_face *f, double out[3])
{
    int best = 0;
    for (int i = 1; i < h->point_count; i++)
        if (vec3_dot(f->normal, h->point[i]) < vec3_dot(f->normal, h->point[best]))
            best = i;
    memcpy(out, h->point[best], 3 * sizeof *out);
}

// The polygon of `other` over face number `face` of `of`.
static int faces_meet(const hull *of, const hull *other, int face, hull_point *out)
{
    double one[CORNERS_MAX][3], two[CORNERS_MAX][3], (*from)[3] = one, (*to)[3] = two;
    const hull_face *f = &of->face[face];
    const int incident = opposite(other, f->normal);
    const double slack = flat * (of->size + other->size);
    int count = corners(other, &other->face[incident], from);
    for (int k = 0; k < f->count && count > 0; k++) {
        const double *p = of->point[of->loop[f->first + k]];
        const double *q = of->point[of->loop[f->first + (k + 1) % f->count]];
        double along[3], side[3];
        minus(q, p, along);
        vec3_cross(along, f->normal, side);
        unit(side, 0.0);
        count = clip(from, count, side, vec3_dot(side, p), slack, to);
        double(*swap)[3] = from;
        from = to, to = swap;
    }
    if (count == 0) { // beside each other: not in contact yet
        deepest(other, f, from[0]);
        count = 1;
    }
    for (int i = 0; i < count; i++) {
        out[i].gap = vec3_dot(f->normal, from[i]) - f->offset;
        out[i].id = 1 + i + CORNERS_MAX * (face + HULL_FACES_MAX * incident);
        for (int k = 0; k < 3; k++)
            out[i].point[k] = from[i][k] - 0.5 * out[i].gap * f->normal[k];
    }
    return count;
}

int hull_reduce(hull_point *points, int count)
{
    bool taken[CORNERS_MAX] = {false};
    double far[CORNERS_MAX];
    int next = 0, kept = 0;
    if (count <= HULL_MEET_MAX)
        return count;
    for (int i = 0; i < count; i++) {
        far[i] = INFINITY;
        next = points[i].gap < points[next].gap - prefer ? i : next;
    }
    for (int n = 0; n < HULL_MEET_MAX; n++) {
        taken[next] = true;
        int best = -1;
        for (int i = 0; i < count; i++) {
            double d[3];
            minus(points[i].point, points[next].point, d);
            far[i] = fmin(far[i], vec3_norm(d));
            if (!taken[i] && (best < 0 || far[i] > far[best]))
                best = i;
        }
        next = best;
    }
    for (int i = 0; i < count; i++) // in their order around the face
        if (taken[i])
            points[kept++] = points[i];
    return kept;
}

bool hull_id_of_first(int id)
{
    return id > FIRST;
}

int hull_meet(const hull *a, const hull *b, double normal[3], hull_point out[HULL_MEET_MAX])
{
    hull_point all[CORNERS_MAX];
    const axis best = find_axis(a, b);
    memcpy(normal, best.normal, sizeof best.normal);
    if (best.kind == AXIS_EDGES) {
        out[0] = edges_meet(a, b, &best);
        return 1;
    }
    int count =
        best.kind == AXIS_FACE_B ? faces_meet(b, a, best.b, all) : faces_meet(a, b, best.a, all);
    count = hull_reduce(all, count);
    for (int i = 0; i < count && best.kind == AXIS_FACE_A; i++)
        all[i].id += FIRST;
    memcpy(out, all, (size_t)count * sizeof *out);
    return count;
}
