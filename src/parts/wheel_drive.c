// wheel_drive.c - engine, gears and axles as torque at the wheels.
#include "parts/wheel_drive.h"

#include "num/table.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

double wheel_drive_torque_max(const wheel_drive *d, double spin, int *gear)
{
    const table curve = {.x = d->speed, .y = d->torque, .count = d->point_count};
    const double low = d->speed[0], high = d->speed[d->point_count - 1];
    double most = 0.0;
    int found = 0;
    for (int k = 0; k < d->gear_count; k++) {
        const double ratio = d->gear[k] * d->final_drive, n = fabs(spin) * ratio;
        if (n > high || (n < low && k > 0)) // only the first gear slips
            continue;
        const double torque =
            table_value(&curve, fmax(n, low), NULL, NULL) * ratio * d->efficiency / d->wheels;
        if (torque > most) {
            most = torque;
            found = k;
        }
    }
    if (gear)
        *gear = found;
    return isnan(d->wheel_torque) ? most : d->wheel_torque;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The spin between two at which another gear takes over, by bisection.
static double change_of_gear(const wheel_drive *d, double low, double high)
{
    int first, gear;
    wheel_drive_torque_max(d, low, &first);
    for (int k = 0; k < 100 && high - low > 1e-15 * high; k++) {
        const double middle = 0.5 * (low + high);
        wheel_drive_torque_max(d, middle, &gear);
        *(gear == first ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

int wheel_drive_curve(const wheel_drive *d, double spin[WHEEL_DRIVE_CURVE_MAX],
                      double torque[WHEEL_DRIVE_CURVE_MAX])
{
    int count = 0, gears[2];
    spin[count++] = 0.0;
    if (!isnan(d->wheel_torque)) {
        torque[0] = d->wheel_torque;
        return 1;
    }
    for (int k = 0; k < d->gear_count; k++)
        for (int i = 0; i < d->point_count; i++) {
            const double w = d->speed[i] / (d->gear[k] * d->final_drive);
            spin[count++] = w;
            if (i + 1 == d->point_count)
                spin[count++] = w * (1.0 + 1e-9);
            else if (i == 0 && w > 0.0) // the clutch no longer slips
                spin[count++] = w * (1.0 - 1e-9);
        }
    qsort(spin, (size_t)count, sizeof spin[0], by_size);
    for (int i = 0, n = count; i + 1 < n && count < WHEEL_DRIVE_CURVE_MAX; i++) {
        wheel_drive_torque_max(d, spin[i], &gears[0]);
        wheel_drive_torque_max(d, spin[i + 1], &gears[1]);
        if (gears[0] != gears[1] && spin[i + 1] > spin[i] * (1.0 + 3e-9))
            spin[count++] = change_of_gear(d, spin[i], spin[i + 1]);
    }
    qsort(spin, (size_t)count, sizeof spin[0], by_size);
    int kept = 1;
    for (int i = 1; i < count; i++)
        if (spin[i] > spin[kept - 1])
            spin[kept++] = spin[i];
    for (int i = 0; i < kept; i++)
        torque[i] = wheel_drive_torque_max(d, spin[i], NULL);
    return kept;
}

double wheel_drive_torque(const wheel_drive *d, double spin, double target)
{
    const double command = d->gain * (target - spin);
    return fmin(fmax(command, -d->brake_torque), wheel_drive_torque_max(d, spin, NULL));
}
