// road.c - stretches to lines, and looking them up.
#include "road/road.h"

#include "road/network.h"

#include <math.h>

static const double SLOPE_MAX = 60.0; // degrees
static const double DEGREE = 57.29577951308232;

enum { POINTS = 4 }; // of a stretch: up, flat, flat, down

// ---- making ----

struct road_split {
    double from, to; // m, of the stretch
    road_side side;
};

static mc_status check_stretch(const char *what, const road_stretch *s, int k, mc_error *error)
{
    if (!isfinite(s->from) || !isfinite(s->to) || !isfinite(s->value) || !isfinite(s->transition))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s %d: a number is not finite", what,
                            k + 1);
    if (!(s->from < s->to))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s %d: it must end after its start, but goes from %g m to %g m", what,
                            k + 1, s->from, s->to);
    if (!(s->transition > 0.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s %d: the transition is %g m; it must be above 0", what, k + 1,
                            s->transition);
    if (s->transition > 0.5 * (s->to - s->from))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s %d: the transition is %g m, longer than half the stretch of %g m",
                            what, k + 1, s->transition, s->to - s->from);
    return MC_OK;
}

static mc_status check_order(const char *what, const road_stretch *s, int k, mc_error *error)
{
    if (k == 0 || s[k].from >= s[k - 1].to)
        return MC_OK;
    if (s[k].from < s[k - 1].from)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s %d starts at %g m, before %s %d at %g m: sort them by their start",
                            what, k + 1, s[k].from, what, k, s[k - 1].from);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "%s %d starts at %g m, but %s %d ends only at %g m: they must not overlap",
                        what, k + 1, s[k].from, what, k, s[k - 1].to);
}

static mc_status check_grades(const road_stretch *s, int count, mc_error *error)
{
    for (int k = 0; k < count; k++) {
        mc_status status = check_stretch("grade", &s[k], k, error);
        if (status == MC_OK)
            status = check_order("grade", s, k, error);
        if (status != MC_OK)
            return status;
        if (!(fabs(s[k].value) * DEGREE < SLOPE_MAX))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "grade %d: a slope of %g degrees; it must be between -%g and %g "
                                "degrees",
                                k + 1, s[k].value * DEGREE, SLOPE_MAX, SLOPE_MAX);
    }
    return MC_OK;
}

static mc_status check_frictions(const road_stretch *s, int count, mc_error *error)
{
    for (int k = 0; k < count; k++) {
        mc_status status = check_stretch("friction", &s[k], k, error);
        if (status == MC_OK)
            status = check_order("friction", s, k, error);
        if (status != MC_OK)
            return status;
        if (!(s[k].value > 0.0))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "friction %d: %g; it must be above 0 (1: the reference road)",
                                k + 1, s[k].value);
    }
    return MC_OK;
}

// Adds a point; one at the place of the last point has its value already.
static int add_point(double *x, double *value, int count, double at, double v)
{
    if (count > 0 && at <= x[count - 1])
        return count;
    x[count] = at;
    value[count] = v;
    return count + 1;
}

static mc_status make_line(arena *memory, const road_stretch *s, int count, double fallback,
                           road_line *out, mc_error *error)
{
    *out = (road_line){.fallback = fallback};
    if (count == 0)
        return MC_OK;
    double *x = arena_alloc(memory, (size_t)count * POINTS * sizeof *x);
    double *value = arena_alloc(memory, (size_t)count * POINTS * sizeof *value);
    if (!x || !value)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the road");
    int n = 0;
    for (int k = 0; k < count; k++) {
        n = add_point(x, value, n, s[k].from, fallback);
        n = add_point(x, value, n, s[k].from + s[k].transition, s[k].value);
        n = add_point(x, value, n, s[k].to - s[k].transition, s[k].value);
        n = add_point(x, value, n, s[k].to, fallback);
    }
    *out = (road_line){x, value, n, fallback};
    return MC_OK;
}

// Rise over a piece of length l on which the slope goes linearly from a to b:
// integral of sin = l sin((a + b)/2) sin(d)/d with d = (b - a)/2.
static double rise(double a, double b, double l)
{
    const double d = 0.5 * (b - a);
    const double ratio = fabs(d) < 1e-4 ? 1.0 - d * d / 6.0 : sin(d) / d;
    return l * sin(0.5 * (a + b)) * ratio;
}

// Height at x; height: of the points of the slope.
static double height_at(const road_line *slope, const double *height, double x)
{
    const int k = road_line_piece(slope, x) - 1;
    if (k < 0)
        return height[0] + (x - slope->x[0]) * sin(slope->value[0]);
    const double l = x - slope->x[k];
    if (k == slope->count - 1)
        return height[k] + l * sin(slope->value[k]);
    const double share = l / (slope->x[k + 1] - slope->x[k]);
    const double here = slope->value[k] + share * (slope->value[k + 1] - slope->value[k]);
    return height[k] + rise(slope->value[k], here, l);
}

static mc_status make_height(arena *memory, road *out, mc_error *error)
{
    out->height = (road_line){0};
    const road_line *slope = &out->slope;
    if (slope->count == 0)
        return MC_OK;
    double *height = arena_alloc(memory, (size_t)slope->count * sizeof *height);
    if (!height)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the road");
    for (int k = 1; k < slope->count; k++)
        height[k] = height[k - 1] +
                    rise(slope->value[k - 1], slope->value[k], slope->x[k] - slope->x[k - 1]);
    const double origin = height_at(slope, height, 0.0);
    for (int k = 0; k < slope->count; k++)
        height[k] -= origin;
    out->height = (road_line){slope->x, height, slope->count, 0.0};
    return MC_OK;
}

mc_status road_make(arena *memory, int lane_count, double lane_width, const road_stretch *grades,
                    int grade_count, const road_stretch *frictions, int friction_count, road *out,
                    mc_error *error)
{
    *out = (road){.lane_count = 1, .lane_width = 3.4, .friction.fallback = 1.0};
    if (lane_count < 1)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "a road of %d lanes; it must have at least 1", lane_count);
    if (!(lane_width > 0.0) || !isfinite(lane_width))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "lanes %g m wide; the width must be above 0", lane_width);
    mc_status status = check_grades(grades, grade_count, error);
    if (status == MC_OK)
        status = check_frictions(frictions, friction_count, error);
    if (status != MC_OK)
        return status;
    out->lane_count = lane_count;
    out->lane_width = lane_width;
    status = make_line(memory, grades, grade_count, 0.0, &out->slope, error);
    if (status == MC_OK)
        status = make_line(memory, frictions, friction_count, 1.0, &out->friction, error);
    return status == MC_OK ? make_height(memory, out, error) : status;
}

mc_status road_set_sides(arena *memory, const road_stretch *frictions, const road_side *sides,
                         int count, road *out, mc_error *error)
{
    struct road_split *splits = arena_alloc(memory, ((size_t)count + 1) * sizeof *splits);
    road_stretch *right = arena_alloc(memory, ((size_t)count + 1) * sizeof *right);
    if (!splits || !right)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the road");
    int n = 0;
    for (int k = 0; k < count; k++) {
        right[k] = frictions[k];
        if (isnan(sides[k].right))
            continue;
        if (!(sides[k].right > 0.0) || !isfinite(sides[k].right) || !isfinite(sides[k].divide) ||
            !(sides[k].seam > 0.0) || !isfinite(sides[k].seam))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "friction %d: %g on the right of %g m, over %g m; friction and "
                                "width of the seam must be above 0",
                                k + 1, sides[k].right, sides[k].divide, sides[k].seam);
        right[k].value = sides[k].right;
        splits[n++] = (struct road_split){frictions[k].from, frictions[k].to, sides[k]};
    }
    out->splits = splits;
    out->split_count = n;
    return make_line(memory, right, n > 0 ? count : 0, 1.0, &out->right, error);
}

void road_set_curve(road *r, const road_curve *curve)
{
    r->curve = *curve;
}

// ---- looking up ----

int road_line_piece(const road_line *l, double x)
{
    int low = -1; // x[low] <= x < x[high]
    for (int high = l->count; high - low > 1;) {
        const int middle = (low + high) / 2;
        if (l->x[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

void road_line_window(const road_line *l, int piece, road_window *out)
{
    if (l->count == 0) {
        *out = (road_window){-HUGE_VAL, HUGE_VAL, 0.0, l->fallback, 0.0};
    } else if (piece == 0) {
        *out = (road_window){-HUGE_VAL, l->x[0], l->x[0], l->value[0], 0.0};
    } else if (piece >= l->count) {
        const int last = l->count - 1;
        *out = (road_window){l->x[last], HUGE_VAL, l->x[last], l->value[last], 0.0};
    } else {
        const int k = piece - 1;
        *out = (road_window){l->x[k], l->x[k + 1], l->x[k], l->value[k],
                             (l->value[k + 1] - l->value[k]) / (l->x[k + 1] - l->x[k])};
    }
}

static double line_value(const road_line *l, double x)
{
    if (l->count == 0)
        return l->fallback;
    road_window w;
    road_line_window(l, road_line_piece(l, x), &w);
    return w.value + w.rate * (x - w.at);
}

double road_slope(const road *r, double x)
{
    if (!r)
        return 0.0;
    return r->curve.count > 0 ? road_curve_slope(&r->curve, x) : line_value(&r->slope, x);
}

double road_slope_rate(const road *r, double x)
{
    if (road_is_level(r))
        return 0.0;
    if (r->curve.count > 0) {
        road_cubic p;
        road_curve_piece(&r->curve, x, &p);
        const double d = x - p.at;
        return p.rate + d * (2.0 * p.bend + d * 3.0 * p.twist);
    }
    road_window w;
    road_line_window(&r->slope, road_line_piece(&r->slope, x), &w);
    return w.rate;
}

double road_friction(const road *r, double x)
{
    return r ? line_value(&r->friction, x) : 1.0;
}

double road_friction_at(const road *r, double x, double offset)
{
    const double left = road_friction(r, x);
    for (int k = 0; r && k < r->split_count && r->splits[k].from < x; k++) {
        const road_side *side = &r->splits[k].side;
        if (x >= r->splits[k].to)
            continue;
        const double share = (offset - side->divide) / side->seam + 0.5;
        const double right = line_value(&r->right, x);
        return right + fmin(fmax(share, 0.0), 1.0) * (left - right);
    }
    return left;
}

double road_height(const road *r, double x)
{
    if (road_is_level(r))
        return 0.0;
    return r->curve.count > 0 ? road_curve_height(&r->curve, x)
                              : height_at(&r->slope, r->height.value, x);
}

double road_lane_y(const road *r, int lane)
{
    return -lane * r->lane_width;
}

int road_lane_at(const road *r, double y)
{
    const double lane = -y / r->lane_width;
    if (!(lane > 0.0))
        return 0;
    if (lane >= r->lane_count - 1)
        return r->lane_count - 1;
    const int whole = (int)lane;
    return whole + (lane - whole >= 0.5); // as round(), without the call
}

// Field by field: a compiler clears a literal of this size first, which takes longer.
static inline void set_point(const road *r, double x, double y, double grade, double height,
                             double friction, mc_road_point *out)
{
    const int lane = r ? road_lane_at(r, y) : -1;
    const bool beside = !r || !(fabs(y - road_lane_y(r, lane)) <= 0.5 * r->lane_width);
    out->station = x;
    out->offset = y;
    out->heading = out->curvature = 0.0;
    out->grade = grade;
    out->bank = 0.0;
    out->height = height;
    out->normal[0] = -0.0;
    out->normal[1] = 0.0;
    out->normal[2] = 1.0;
    out->friction = friction;
    out->lane = beside ? -1 : lane;
    out->path = 0;
    out->gravity[0] = out->gravity[1] = 0.0;
    out->gravity[2] = -1.0;
    out->bump = out->bump_x = out->bump_y = 0.0;
}

static void straight_at(const road *r, double x, double y, mc_road_point *out)
{
    if (r && road_is_level(r) && r->friction.count == 0) { // most roads, and most questions
        set_point(r, x, y, 0.0, 0.0, r->friction.fallback, out);
        return;
    }
    const double grade = road_slope(r, x);
    set_point(r, x, y, grade, road_height(r, x), road_friction_at(r, x, y), out);
    out->normal[0] = out->gravity[0] = -sin(grade);
    out->normal[2] = cos(grade);
    out->gravity[2] = -out->normal[2];
}

void mc_road_at(const mc_road *r, double x, double y, double hint, mc_road_point *out)
{
    if (r && r->net)
        road_network_at(r, x, y, hint, out);
    else
        straight_at(r, x, y, out); // it meets a place once, whatever the hint
}

void mc_road_on(const mc_road *r, int path, double x, double y, double hint, mc_road_point *out)
{
    if (!r || !r->net)
        straight_at(r, x, y, out);
    else if (path < 0 || path >= r->net->branch_count)
        road_network_at(r, x, y, NAN, out);
    else
        road_network_on(r, path, x, y, hint, out);
}
