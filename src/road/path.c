// path.c - pieces to cells, and the nearest point of a line.
#include "road/path.h"

#include <math.h>

#define TURN 0.03      // rad, of half a cell by its curvature
#define TWIST 0.001    // rad, of half a cell by the change of its curvature
#define CELL_MAX 100.0 // m, of a cell that is not straight
#define BEYOND 1e8     // m, of the straights before and after an open path
#define NEAR 3e-3      // m: a step as small as that leaves an error of 1e-12 m
#define EDGE 1e-9      // m: a foot may be that far outside of its cell
enum { BINS_MAX = 1 << 20, CELLS_MAX = 1 << 22, TRIES = 24 };

typedef long double wide; // poses of thousands of cells: rounding must not add up

typedef struct wide_pose {
    wide x, y, heading;
} wide_pose;

// ---- making ----

// Coefficients of the integral of exp(i (a t + b t^2)): with e the series of the exponential,
// e' = i (a + 2 b t) e.
static void set_series(road_cell *cell)
{
    enum { DEGREE = 7 };
    double re[DEGREE] = {1.0}, im[DEGREE] = {0.0}; // of e
    for (int n = 0; n + 1 < DEGREE; n++) {
        const double before_re = n > 0 ? re[n - 1] : 0.0, before_im = n > 0 ? im[n - 1] : 0.0;
        re[n + 1] = -(cell->a * im[n] + 2.0 * cell->b * before_im) / (n + 1);
        im[n + 1] = (cell->a * re[n] + 2.0 * cell->b * before_re) / (n + 1);
    }
    for (int n = 0; n < 5; n++)
        cell->p[n] = re[n + 2] / (n + 3);
    for (int n = 0; n < 6; n++)
        cell->q[n] = im[n + 1] / (n + 2);
}

// The line in the frame of the cell.
static inline void local_place(const road_cell *cell, double t, double *x, double *y)
{
    const double t2 = t * t, t4 = t2 * t2, *p = cell->p, *q = cell->q;
    *x = t + t * t2 * ((p[0] + p[1] * t) + (p[2] + p[3] * t) * t2 + p[4] * t4);
    *y = t2 * ((q[0] + q[1] * t) + (q[2] + q[3] * t) * t2 + (q[4] + q[5] * t) * t4);
}

static int cells_of(const road_piece *p)
{
    const double k = fmax(fabs(p->k0), fabs(p->k1)), rate = fabs(p->k1 - p->k0) / p->length;
    if (k == 0.0)
        return 1;
    double half = fmin(0.5 * CELL_MAX, TURN / k);
    if (rate > 0.0)
        half = fmin(half, sqrt(TWIST / (0.5 * rate)));
    const double count = ceil(0.5 * p->length / half);
    return count < CELLS_MAX ? (int)count : CELLS_MAX;
}

static wide_pose moved(wide_pose from, double x, double y, wide turn)
{
    const wide c = cosl(from.heading), s = sinl(from.heading);
    return (wide_pose){from.x + c * x - s * y, from.y + s * x + c * y, from.heading + turn};
}

// Cell j of n of a piece that begins at `at`; *end: where the cell ends. cells NULL: only that.
static void make_cell(const road_piece *p, double station, wide_pose at, wide heading, int j, int n,
                      road_cell *cell, wide_pose *end)
{
    const double rate = (p->k1 - p->k0) / p->length;
    const double from = p->length * j / n, to = p->length * (j + 1) / n;
    const double half = 0.5 * (to - from), middle = 0.5 * (from + to);
    *cell = (road_cell){.s = station + middle,
                        .lo = -half,
                        .hi = half,
                        .a = p->k0 + rate * middle,
                        .b = 0.5 * rate};
    set_series(cell);
    double x, y;
    local_place(cell, cell->lo, &x, &y);
    const wide turn = heading + (wide)p->k0 * middle + 0.5L * rate * middle * middle;
    const wide_pose pose = moved((wide_pose){at.x, at.y, turn}, -x, -y, 0.0L);
    cell->x = (double)pose.x;
    cell->y = (double)pose.y;
    cell->heading = (double)turn;
    cell->c = (double)cosl(turn);
    cell->n = (double)sinl(turn);
    local_place(cell, cell->hi, &x, &y);
    *end = moved(pose, x, y, 0.0L);
    end->heading = heading + (wide)p->k0 * to + 0.5L * rate * to * to;
}

static wide_pose wide_of(road_pose p)
{
    return (wide_pose){p.x, p.y, p.heading};
}

static road_pose pose_of(wide_pose p)
{
    return (road_pose){(double)p.x, (double)p.y, (double)p.heading};
}

road_pose road_pieces_end(road_pose start, const road_piece *pieces, int count)
{
    wide_pose at = wide_of(start);
    for (int k = 0; k < count; k++) {
        const wide heading = at.heading;
        const int n = cells_of(&pieces[k]);
        road_cell cell;
        for (int j = 0; j < n; j++)
            make_cell(&pieces[k], 0.0, at, heading, j, n, &cell, &at);
    }
    return pose_of(at);
}

static mc_status check_pieces(const road_piece *pieces, int count, int *cells, double *length,
                              mc_error *error)
{
    *cells = 2;
    *length = 0.0;
    for (int k = 0; k < count; k++) {
        const road_piece *p = &pieces[k];
        if (!(p->length > 0.0) || !(p->length <= 1e7) || !isfinite(p->k0) || !isfinite(p->k1))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "piece %d of the line is %g m long with curvatures %g and %g 1/m; "
                                "expected a length above 0",
                                k + 1, p->length, p->k0, p->k1);
        *cells += cells_of(p);
        *length += p->length;
        if (*cells > CELLS_MAX)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "the line turns too much up to piece %d; expected a shorter one",
                                k + 1);
    }
    return MC_OK;
}

static road_cell straight_cell(double s, wide_pose at, double lo, double hi)
{
    return (road_cell){.s = s,
                       .lo = lo,
                       .hi = hi,
                       .x = (double)at.x,
                       .y = (double)at.y,
                       .c = (double)cosl(at.heading),
                       .n = (double)sinl(at.heading),
                       .heading = (double)at.heading};
}

static mc_status make_bins(arena *memory, road_path *path, mc_error *error)
{
    const int first = path->closed ? 0 : 1, last = path->cell_count - 1 - first;
    double shortest = path->length;
    for (int i = first; i <= last; i++)
        shortest = fmin(shortest, path->cells[i].hi - path->cells[i].lo);
    const double count = fmin(ceil(path->length / shortest), BINS_MAX);
    path->bin_count = (int)count;
    path->bin_rate = count / path->length;
    int *bin = arena_alloc(memory, (size_t)path->bin_count * sizeof *bin);
    if (!bin)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the road");
    for (int k = 0, i = first; k < path->bin_count; k++) {
        const double s = k / path->bin_rate;
        while (i < last && s >= path->cells[i].s + path->cells[i].hi)
            i++;
        bin[k] = i;
    }
    path->bin = bin;
    return MC_OK;
}

static mc_status check_closed(const road_path *path, mc_error *error)
{
    const double away = hypot(path->end.x - path->start.x, path->end.y - path->start.y);
    const double turn = remainder(path->end.heading - path->start.heading, 2.0 * M_PI);
    if (away <= ROAD_CLOSE && fabs(turn) <= ROAD_CLOSE)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "the line does not close: its end is %.6g m and %.6g rad from its start",
                        away, turn);
}

mc_status road_path_make(arena *memory, road_pose start, const road_piece *pieces, int count,
                         bool closed, road_path *out, mc_error *error)
{
    *out = (road_path){.closed = closed, .pieces = pieces, .piece_count = count, .start = start};
    int room;
    mc_status status = check_pieces(pieces, count, &room, &out->length, error);
    if (status == MC_OK && count == 0)
        status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the line has no pieces");
    if (status != MC_OK)
        return status;
    road_cell *cells = arena_alloc(memory, (size_t)room * sizeof *cells);
    if (!cells)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the road");
    wide_pose at = wide_of(start);
    int used = 0;
    double station = 0.0;
    bool straight = true;
    if (!closed)
        cells[used++] = straight_cell(0.0, at, -BEYOND, 0.0);
    for (int k = 0; k < count; k++) {
        const wide heading = at.heading;
        const int n = cells_of(&pieces[k]);
        for (int j = 0; j < n; j++)
            make_cell(&pieces[k], station, at, heading, j, n, &cells[used++], &at);
        station += pieces[k].length;
        straight = straight && pieces[k].k0 == 0.0 && pieces[k].k1 == 0.0;
    }
    if (!closed)
        cells[used++] = straight_cell(out->length, at, 0.0, BEYOND);
    out->cells = cells;
    out->cell_count = used;
    out->end = pose_of(at);
    out->axis = !closed && straight && start.x == 0.0 && start.y == 0.0 && start.heading == 0.0;
    status = closed ? check_closed(out, error) : MC_OK;
    return status == MC_OK ? make_bins(memory, out, error) : status;
}

// ---- looking up ----

static inline double wrapped(const road_path *path, double s)
{
    if (!path->closed || (s >= 0.0 && s < path->length))
        return s;
    const double rest = s - path->length * floor(s / path->length);
    return rest < path->length ? rest : 0.0; // rounding, just below 0
}

// fmin and fmax are calls, for the sake of values that are not numbers.
static inline double within(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

// The cell of a station within the path, or the straights beyond it.
static inline int cell_at(const road_path *path, double s)
{
    if (!(s >= 0.0))
        return 0;
    if (s >= path->length)
        return path->cell_count - 1;
    const int bin = (int)(s * path->bin_rate), last = path->cell_count - 1;
    int i = path->bin[bin < path->bin_count ? bin : path->bin_count - 1];
    while (i < last && s >= path->cells[i].s + path->cells[i].hi)
        i++;
    return i;
}

road_pose road_path_place(const road_path *path, double station, double offset)
{
    if (path->axis)
        return (road_pose){station, offset, 0.0};
    const double s = wrapped(path, station);
    const road_cell *cell = &path->cells[cell_at(path, s)];
    const double t = s - cell->s, turn = t * (cell->a + cell->b * t);
    double x, y;
    local_place(cell, t, &x, &y);
    x -= offset * sin(turn);
    y += offset * cos(turn);
    return (road_pose){cell->x + cell->c * x - cell->n * y, cell->y + cell->n * x + cell->c * y,
                       cell->heading + turn};
}

double road_path_curvature(const road_path *path, double station)
{
    const double s = wrapped(path, station);
    const road_cell *cell = &path->cells[cell_at(path, s)];
    return cell->a + 2.0 * cell->b * (s - cell->s);
}

// One step towards the foot. With d from the line at t to the place, T and N along and across it:
//   f = d . T = 0,  g = d . N,  f' = -(1 - k g),  f'' = k' g - k^2 f,  g' = -k f
// so t moves by f / m + f''/(2 m) (f/m)^2, m = 1 - k g, with an error of third order, and g by
// -k f/2 of that. m is kept above 0.1: nearer than that to the centre of curvature there is no one
// foot.
typedef struct foot_step {
    double step, offset;
} foot_step;

static inline foot_step step_to_foot(const road_cell *cell, double px, double py, double t)
{
    const double turn = t * (cell->a + cell->b * t), turn2 = turn * turn; // |turn| < 0.04
    const double c = 1.0 + turn2 * (-0.5 + turn2 * (1.0 / 24.0 - turn2 * (1.0 / 720.0)));
    const double n = turn * (1.0 + turn2 * (-1.0 / 6.0 + turn2 * (1.0 / 120.0 - turn2 / 5040.0)));
    double x, y;
    local_place(cell, t, &x, &y);
    const double dx = px - x, dy = py - y, k = cell->a + 2.0 * cell->b * t;
    const double f = dx * c + dy * n, g = dy * c - dx * n;
    const double apart = 1.0 - k * g, inverse = 1.0 / (apart > 0.1 ? apart : 0.1);
    const double first = f * inverse;
    const double step = first * (1.0 + 0.5 * first * inverse * (2.0 * cell->b * g - k * k * f));
    return (foot_step){step, g - 0.5 * k * f * step};
}

static inline void set_foot(const road_path *path, const road_cell *cell, double t, double offset,
                            road_foot *out)
{
    *out = (road_foot){.station = wrapped(path, cell->s + t),
                       .offset = offset,
                       .heading = cell->heading + t * (cell->a + cell->b * t),
                       .curvature = cell->a + 2.0 * cell->b * t};
}

// The same step from t = 0, where the line is at the origin and along x: good to 1e-3 of the cell.
static inline double first_guess(const road_cell *cell, double px, double py)
{
    const double apart = 1.0 - cell->a * py, inverse = 1.0 / (apart > 0.1 ? apart : 0.1);
    const double first = px * inverse;
    return first * (1.0 + 0.5 * first * inverse * (2.0 * cell->b * py - cell->a * cell->a * px));
}

// From the cell of the station hint on, cell by cell; false: no foot found near it.
static bool follow(const road_path *path, double x, double y, double hint, road_foot *out)
{
    double s = wrapped(path, hint);
    for (int tries = 0; tries < TRIES;) {
        const road_cell *cell = &path->cells[cell_at(path, s)];
        const double dx = x - cell->x, dy = y - cell->y;
        const double px = cell->c * dx + cell->n * dy, py = cell->c * dy - cell->n * dx;
        double t = first_guess(cell, px, py);
        while (t >= cell->lo - NEAR && t <= cell->hi + NEAR && tries++ < TRIES) {
            const foot_step to = step_to_foot(cell, px, py, t);
            t += to.step;
            if (to.step < NEAR && to.step > -NEAR) {
                if (t < cell->lo - EDGE || t > cell->hi + EDGE)
                    break;
                set_foot(path, cell, t, to.offset, out);
                return true;
            }
        }
        if (!isfinite(t))
            return false;
        // A guess from far away says little of the line there: cell by cell.
        const double reach = cell->hi - cell->lo;
        s = wrapped(path, within(cell->s + t, cell->s - reach, cell->s + reach));
        tries++;
    }
    return false;
}

// The nearest place of one cell, and its distance squared.
static double nearest_of(const road_cell *cell, double px, double py, double *at)
{
    double t = within(px, cell->lo, cell->hi), x, y;
    for (int tries = 0; tries < TRIES; tries++) {
        const double before = t;
        t = within(t + step_to_foot(cell, px, py, t).step, cell->lo, cell->hi);
        if (fabs(t - before) < NEAR)
            break;
    }
    local_place(cell, t, &x, &y);
    *at = t;
    return (px - x) * (px - x) + (py - y) * (py - y);
}

// All cells: those that may be nearer than the best so far.
static void search(const road_path *path, double x, double y, road_foot *out)
{
    double best = HUGE_VAL, best_t = 0.0;
    int found = 0;
    for (int i = 0; i < path->cell_count; i++) {
        const road_cell *cell = &path->cells[i];
        const double dx = x - cell->x, dy = y - cell->y;
        const double px = cell->c * dx + cell->n * dy, py = cell->c * dy - cell->n * dx;
        // The cell is within `sag` of its tangent, which is nowhere nearer than that.
        const double sag = cell->a == 0.0 && cell->b == 0.0 ? 0.0 : 0.04 * (cell->hi - cell->lo);
        const double along = px - within(px, cell->lo, cell->hi);
        const double bound = sqrt(along * along + py * py) - sag;
        double t;
        if (bound > 0.0 && bound * bound > best)
            continue;
        const double distance = nearest_of(cell, px, py, &t);
        if (distance < best) {
            best = distance;
            best_t = t;
            found = i;
        }
    }
    const road_cell *cell = &path->cells[found];
    const double dx = x - cell->x, dy = y - cell->y;
    const double px = cell->c * dx + cell->n * dy, py = cell->c * dy - cell->n * dx;
    const foot_step to = step_to_foot(cell, px, py, best_t);
    const bool inside = best_t > cell->lo && best_t < cell->hi && fabs(to.step) < NEAR;
    set_foot(path, cell, inside ? best_t + to.step : best_t, to.offset, out);
}

void road_path_project(const road_path *path, double x, double y, double hint, road_foot *out)
{
    if (path->axis) {
        *out = (road_foot){.station = x, .offset = y};
        return;
    }
    if (!isfinite(x) || !isfinite(y)) {
        *out = (road_foot){.station = NAN, .offset = NAN};
        return;
    }
    if (!isnan(hint) && follow(path, x, y, hint, out))
        return;
    search(path, x, y, out);
}
