// mileage.c - eq (13) of the DYNAVIS report; see mileage.h.
#include "run/mileage.h"

#include <math.h>

const mc_param mileage_params[MILEAGE_PARAM_COUNT] = {
    [MILEAGE_WINDOW] = {"window", "s", 100.0, 0.01, 1e6, "length of the window"},
    [MILEAGE_ALPHA] = {"alpha", "1/s", 0.1, 0.0, 100.0, "rate of the low-pass filter"},
    [MILEAGE_MIN_FUEL] = {"min_fuel", "gal", 1e-3, 0.0, 10.0, "minimum fuel burnt in the window"},
    [MILEAGE_START] = {"start", "mpg", 10.0, 0.0, 1e4, "value displayed at the start"},
};

int mileage_samples(const double p[MILEAGE_PARAM_COUNT], double step)
{
    return (int)fmin(fmax(round(p[MILEAGE_WINDOW] / step), 2.0), 1e9);
}

void mileage_begin(mileage *m, const double p[MILEAGE_PARAM_COUNT], double x, double fuel)
{
    *m = (mileage){
        .value = p[MILEAGE_START], .base_x = x, .base_fuel = fuel, .next_x = x, .next_fuel = fuel};
}

void mileage_take(mileage *m, const double p[MILEAGE_PARAM_COUNT], int window, double step,
                  double x, double fuel)
{
    m->k += 1.0;
    m->after = m->after + 1.0 < window ? m->after + 1.0 : 0.0;
    const double after = m->after;
    // k0 = floor((k - 2) / N): the window that began two samples ago becomes the one in use.
    if (m->k > 2.0 && (window == 2 ? after == 0.0 : after == 2.0)) {
        m->base_x = m->next_x;
        m->base_fuel = m->next_fuel;
    }
    if (after == 0.0) {
        m->next_x = x;
        m->next_fuel = fuel;
    }
    const double gallons = (fuel - m->base_fuel) / MILEAGE_GALLON;
    if (gallons < p[MILEAGE_MIN_FUEL] || gallons <= 0.0)
        return;
    const double now = (x - m->base_x) / MILEAGE_MILE / gallons;
    const double share = fmin(p[MILEAGE_ALPHA] * step, 1.0);
    m->value = (1.0 - share) * m->value + share * now;
}
