// string_stability_measure.c - gains from recorded motion.
#include "motorcade/string_stability.h"

#include <math.h>
#include <stddef.h>

typedef struct window {
    const double *t;
    int first, last; // rows, both included
} window;

static double integral(const window *w, const double *y, double about, int power)
{
    double sum = 0.0;
    for (int i = w->first; i < w->last; i++) {
        const double a = y[i] - about, b = y[i + 1] - about;
        sum += 0.5 * (w->t[i + 1] - w->t[i]) * (power == 2 ? a * a + b * b : a + b);
    }
    return sum;
}

static mc_status find_window(const double *t, int row_count, double from, double to, window *out,
                             mc_error *error)
{
    *out = (window){t, row_count, -1};
    for (int i = 0; i < row_count; i++) {
        if (!isfinite(t[i]) || (i > 0 && !(t[i] > t[i - 1])))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "times must increase: row %d has %.9g s after %.9g s", i + 1, t[i],
                                i > 0 ? t[i - 1] : 0.0);
        if (t[i] >= from && t[i] <= to) {
            out->first = i < out->first ? i : out->first;
            out->last = i;
        }
    }
    if (out->last > out->first)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "fewer than two rows between %.9g and %.9g s; the data go from %.9g to "
                        "%.9g s",
                        from, to, row_count > 0 ? t[0] : NAN,
                        row_count > 0 ? t[row_count - 1] : NAN);
}

mc_status mc_stability_measure(const double *t, int row_count, const double *const *y,
                               int car_count, double from, double to, mc_stability_about about,
                               mc_stability_gains *gains, mc_error *error)
{
    window w;
    const mc_status status = find_window(t, row_count, from, to, &w, error);
    if (status != MC_OK)
        return status;
    const double span = t[w.last] - t[w.first];
    for (int k = 0; k < car_count; k++) {
        double rest = 0.0, max = 0.0;
        for (int i = w.first; i <= w.last; i++)
            if (!isfinite(y[k][i]))
                return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                    "car %d has no finite value at %.9g s", k + 1, t[i]);
        if (about == MC_STABILITY_ABOUT_START)
            rest = y[k][w.first];
        else if (about == MC_STABILITY_ABOUT_MEAN)
            rest = integral(&w, y[k], 0.0, 1) / span;
        for (int i = w.first; i <= w.last; i++)
            max = fmax(max, fabs(y[k][i] - rest));
        gains[k] = (mc_stability_gains){.l2 = NAN,
                                        .l_infinity = NAN,
                                        .size_l2 = sqrt(integral(&w, y[k], rest, 2) / span),
                                        .size_l_infinity = max};
        if (k > 0 && gains[k - 1].size_l_infinity > 0.0) {
            gains[k].l2 = gains[k].size_l2 / gains[k - 1].size_l2;
            gains[k].l_infinity = max / gains[k - 1].size_l_infinity;
        }
    }
    return MC_OK;
}
