// curve.c - one walk through the rows, a few points per curve.
#include "report/curve.h"

#include <math.h>
#include <stdlib.h>

typedef struct piece { // of one curve, while it is filled
    double low, low_t, high, high_t;
} piece;

typedef struct walk {
    const recorded *record;
    report_curve *curves;
    int curve_count;
    piece *pieces; // one per curve
    int64_t first, count, piece_rows, stride;
} walk;

static const piece nothing = {NAN, NAN, NAN, NAN};

static void add_point(report_curve *c, double x, double y)
{
    c->x[c->count] = x;
    c->y[c->count++] = y;
}

static void close_piece(report_curve *c, piece *p, double t)
{
    const bool low_first = p->low_t <= p->high_t;
    if (isnan(p->low)) {
        add_point(c, t, NAN);
    } else {
        add_point(c, low_first ? p->low_t : p->high_t, low_first ? p->low : p->high);
        if (p->low_t != p->high_t)
            add_point(c, low_first ? p->high_t : p->low_t, low_first ? p->high : p->low);
    }
    *p = nothing;
}

static void take_over_time(const walk *w, int k, int64_t row, double t, double y)
{
    report_curve *c = &w->curves[k];
    piece *p = &w->pieces[k];
    const bool last = row == w->count - 1;
    if (!isnan(y) && !(y >= p->low))
        p->low = y, p->low_t = t;
    if (!isnan(y) && !(y <= p->high))
        p->high = y, p->high_t = t;
    if ((row + 1) % w->piece_rows == 0 || last)
        close_piece(c, p, t);
    if (last && !isnan(y) && c->x[c->count - 1] < t) // curves end at the end
        add_point(c, t, y);
}

static mc_status take_block(void *context, const recorded_block *b, mc_error *error)
{
    (void)error;
    const walk *w = context;
    const recorded_quantity *quantities = w->record->quantities;
    for (int64_t i = 0; i < b->count; i++) {
        const int64_t row = b->first + i - w->first;
        for (int k = 0; k < w->curve_count; k++) {
            report_curve *c = &w->curves[k];
            double y = recorded_value(b, i, c->vehicle, &quantities[c->quantity]);
            if (c->minus >= 0)
                y -= recorded_value(b, i, c->minus, &quantities[c->quantity]);
            if (c->where &&
                recorded_value(b, i, c->vehicle, &quantities[c->where - 1]) != c->where_is)
                y = NAN;
            if (c->x_quantity < 0) {
                take_over_time(w, k, row, b->time[i], y);
            } else if (row % w->stride == 0 || row == w->count - 1) {
                const double x = recorded_value(b, i, c->vehicle, &quantities[c->x_quantity]);
                const double before = c->count > 0 ? c->x[c->count - 1] : 0.0;
                add_point(c, isnan(x) ? before : x, isnan(x) ? NAN : y);
            }
        }
    }
    return MC_OK;
}

mc_status curves_collect(recorded *r, int64_t first, int64_t count, report_curve *curves,
                         int curve_count, mc_error *error)
{
    walk w = {r, curves, curve_count, NULL, first, count, 1, 1};
    w.piece_rows = (count + CURVE_PIECES - 1) / CURVE_PIECES;
    w.stride = (count + CURVE_POINTS - 1) / CURVE_POINTS;
    w.pieces = reallocarray(NULL, (size_t)curve_count + 1, sizeof *w.pieces);
    bool good = w.pieces != NULL;
    int low = r->vehicle_count, high = -1;
    unsigned tables = 0;
    for (int k = 0; k < curve_count && good; k++) {
        report_curve *c = &curves[k];
        const int64_t capacity =
            c->x_quantity < 0 ? 2 * (count / w.piece_rows + 1) + 1 : count / w.stride + 2;
        c->x = reallocarray(NULL, (size_t)capacity, sizeof *c->x);
        c->y = reallocarray(NULL, (size_t)capacity, sizeof *c->y);
        c->count = 0;
        w.pieces[k] = nothing;
        good = c->x && c->y;
        tables |= 1u << r->quantities[c->quantity].table;
        if (c->where)
            tables |= 1u << r->quantities[c->where - 1].table;
        if (c->x_quantity >= 0)
            tables |= 1u << r->quantities[c->x_quantity].table;
        low = c->vehicle < low ? c->vehicle : low;
        low = c->minus >= 0 && c->minus < low ? c->minus : low;
        high = c->vehicle > high ? c->vehicle : high;
        high = c->minus > high ? c->minus : high;
    }
    mc_status status = MC_OK;
    if (!good)
        status = mc_error_set(error, MC_NO_MEMORY, r->path, 0, 0, "no memory left");
    else if (curve_count > 0)
        status = recorded_walk(r, &(recorded_part){first, count, low, high - low + 1, tables},
                               take_block, &w, error);
    free(w.pieces);
    return status;
}

void curves_free(report_curve *curves, int curve_count)
{
    for (int k = 0; k < curve_count; k++) {
        free(curves[k].x);
        free(curves[k].y);
    }
}
