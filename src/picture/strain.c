// strain.c - see strain.h.
#include "picture/strain.h"

#include "render/look.h"

#include <math.h>
#include <string.h>

void strain_of_directors(const double pose[12], double f[9])
{
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 3; k++)
            f[3 * k + axis] = pose[3 + 3 * axis + k];
}

static int inverse_transposed(const double m[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            out[3 * i + j] = m[3 * a + c] * m[3 * b + d] - m[3 * a + d] * m[3 * b + c];
        }
    const double det = m[0] * out[0] + m[1] * out[1] + m[2] * out[2];
    if (!(fabs(det) > 1e-12))
        return 0;
    for (int k = 0; k < 9; k++)
        out[k] /= det;
    return 1;
}

void strain_rotation(const double f[9], double r[9])
{
    double inverse[9];
    memcpy(r, f, 9 * sizeof *r);
    for (int k = 0; k < 20 && inverse_transposed(r, inverse); k++) {
        double change = 0.0;
        for (int i = 0; i < 9; i++) {
            const double next = 0.5 * (r[i] + inverse[i]);
            change = fmax(change, fabs(next - r[i]));
            r[i] = next;
        }
        if (change < 1e-13)
            break;
    }
}

void strain_magnified(const double f[9], const double r[9], double k, double out[9])
{
    for (int i = 0; i < 9; i++)
        out[i] = r[i] + k * (f[i] - r[i]);
}

double strain_equivalent(const double f[9])
{
    double e[9], sum = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            e[3 * i + j] =
                0.5 * (f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j] - (i == j));
    const double mean = (e[0] + e[4] + e[8]) / 3.0;
    e[0] -= mean, e[4] -= mean, e[8] -= mean;
    for (int k = 0; k < 9; k++)
        sum += e[k] * e[k];
    return sqrt(2.0 / 3.0 * sum);
}

double strain_scale_end(double largest)
{
    static const double steps[] = {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};
    const double unit = pow(10.0, floor(log10(largest)));
    int k = 0;
    while (k < 10 && steps[k] * unit < largest)
        k++;
    return steps[k] * unit;
}

void strain_colour(double share, float out[3])
{
    enum { STOPS = 4 };
    const float *stop = look_floats("strain/ramp", 3 * STOPS);
    const double u = fmin(fmax(share, 0.0), 1.0) * (STOPS - 1);
    const int k = u < STOPS - 2 ? (int)u : STOPS - 2;
    for (int c = 0; c < 3; c++)
        out[c] = stop[3 * k + c] + (float)(u - k) * (stop[3 * k + 3 + c] - stop[3 * k + c]);
}
