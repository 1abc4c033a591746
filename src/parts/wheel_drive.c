// wheel_drive.c - engine, gears and axles as torque at the wheels.
#include "parts/wheel_drive.h"

#include "num/table.h"

#include <math.h>
#include <stddef.h>

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

double wheel_drive_torque(const wheel_drive *d, double spin, double target)
{
    const double command = d->gain * (target - spin);
    return fmin(fmax(command, -d->brake_torque), wheel_drive_torque_max(d, spin, NULL));
}
