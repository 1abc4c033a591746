// link.c - tables of radio and sensor, and noise by key.
#include "control/link.h"

#include <math.h>

const mc_param link_params[LINK_PARAM_COUNT] = {
    [LINK_DELAY] = {"delay", "s", 0.0, 0.0, 2.0, "from sending to receiving; whole control steps"},
    [LINK_LOSS] = {"loss", "-", 0.0, 0.0, 1.0, "share of the messages that never arrive"},
    [LINK_TIMEOUT] =
        {"timeout", "s", 0.5, 0.01, 60.0,
         "a sender not heard for longer counts as silent: the fallback law takes over"},
};

const mc_param sensor_params[SENSOR_PARAM_COUNT] = {
    [SENSOR_RANGE_BIAS] = {"range_bias", "m", 0.0, -100.0, 100.0, "added to the measured gap"},
    [SENSOR_RANGE_NOISE] = {"range_noise", "m", 0.0, 0.0, 10.0,
                            "standard deviation of the measured gap"},
    [SENSOR_SPEED_BIAS] = {"speed_bias", "m/s", 0.0, -20.0, 20.0,
                           "added to the measured speed of the car in front"},
    [SENSOR_SPEED_NOISE] = {"speed_noise", "m/s", 0.0, 0.0, 10.0,
                            "standard deviation of the measured speed of the car in front"},
    [SENSOR_DELAY] = {"delay", "s", 0.0, 0.0, 2.0, "of the range sensor; whole control steps"},
    [SENSOR_REACH] = {"reach", "m", 200.0, 1.0, 1e6, "cars farther ahead are not seen"},
};

// SplitMix64's mixing function over the parts of the key, one after the other.
static unsigned long long mix(unsigned long long z)
{
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static unsigned long long key(unsigned long long seed, unsigned a, unsigned b,
                              unsigned long long step)
{
    return mix(mix(mix(seed) ^ ((unsigned long long)a << 32 | b)) ^ step);
}

static double to_unit(unsigned long long bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

double noise_uniform(unsigned long long seed, unsigned a, unsigned b, unsigned long long step)
{
    return to_unit(key(seed, a, b, step));
}

double noise_normal(unsigned long long seed, unsigned a, unsigned b, unsigned long long step)
{
    const unsigned long long first = key(seed, a, b, step);
    const double u = 1.0 - to_unit(first), v = to_unit(mix(first)); // u in (0, 1]
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);        // Box and Muller
}
