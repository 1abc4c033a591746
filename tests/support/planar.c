// planar.c - impacts in a plane by cases.
#include "support/planar.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

planar planar_of(const double m[2], const double i[2], const double r[4], const double normal[2],
                 const double tangent[2])
{
    planar p = {0};
    for (int k = 0; k < 2; k++) {
        const double arm_n = r[2 * k] * normal[1] - r[2 * k + 1] * normal[0];
        const double arm_t = r[2 * k] * tangent[1] - r[2 * k + 1] * tangent[0];
        p.nn += 1.0 / m[k] + arm_n * arm_n / i[k];
        p.nt += arm_n * arm_t / i[k];
        p.tt += 1.0 / m[k] + arm_t * arm_t / i[k];
    }
    return p;
}

void planar_compression(const planar *p, double mu, double *p_n, double *p_t, int *stick)
{
    const double det = p->nn * p->tt - p->nt * p->nt;
    *p_n = (-p->tt * p->n + p->nt * p->t) / det;
    *p_t = (-p->nn * p->t + p->nt * p->n) / det;
    *stick = fabs(*p_t) <= mu * *p_n;
    if (*stick)
        return;
    for (int way = -1; way <= 1; way += 2) { // slips along `way`
        *p_n = -p->n / (p->nn - mu * way * p->nt);
        *p_t = -mu * way * *p_n;
        if (way * (p->t + p->nt * *p_n + p->tt * *p_t) > 0.0 && *p_n > 0.0)
            return;
    }
    fail_msg("no case fits");
}

planar_result planar_impact(const planar *p, double mu, double e)
{
    planar_result r = {0};
    double first;
    planar_compression(p, mu, &r.n, &first, &r.stick_first);
    const double again = e * r.n, middle = p->t + p->nt * r.n + p->tt * first;
    const double sticking = -(middle + p->nt * again) / p->tt;
    const double second = fmax(-mu * again, fmin(mu * again, sticking));
    const double end = middle + p->nt * again + p->tt * second;
    r.stick_last = fabs(sticking) <= mu * again;
    r.back = !r.stick_last && end * p->t < 0.0;
    r.n += again;
    r.t = first + second;
    return r;
}
