// moments.c - mass, first and second moments of a distribution of mass.
#include "shape/moments.h"

#include "num/vec3.h"

#include <string.h>

const concept_pose concept_pose_none = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};

// Row and column of the six elements.
static const int row_of[6] = {0, 1, 2, 0, 0, 1}, column_of[6] = {0, 1, 2, 1, 2, 2};

void concept_pose_point(const concept_pose *pose, const double x[3], double out[3])
{
    double turned[3];
    mat3_mul_vec(pose->R, x, turned);
    for (int i = 0; i < 3; i++)
        out[i] = turned[i] + pose->at[i];
}

void moments_add(concept_moments *to, const concept_moments *more)
{
    to->mass += more->mass;
    for (int i = 0; i < 3; i++)
        to->first[i] += more->first[i];
    for (int i = 0; i < 6; i++)
        to->second[i] += more->second[i];
}

void moments_scale(concept_moments *m, double factor)
{
    m->mass *= factor;
    for (int i = 0; i < 3; i++)
        m->first[i] *= factor;
    for (int i = 0; i < 6; i++)
        m->second[i] *= factor;
}

void moments_point(concept_moments *to, double mass, const double at[3])
{
    to->mass += mass;
    for (int i = 0; i < 3; i++)
        to->first[i] += mass * at[i];
    for (int i = 0; i < 6; i++)
        to->second[i] += mass * at[row_of[i]] * at[column_of[i]];
}

concept_moments moments_moved(const concept_moments *m, const concept_pose *pose)
{
    concept_moments out = {.mass = m->mass};
    const double P[9] = {m->second[0], m->second[3], m->second[4], m->second[3], m->second[1],
                         m->second[5], m->second[4], m->second[5], m->second[2]};
    double turned[3], half[9], full[9], back[9];
    mat3_mul_vec(pose->R, m->first, turned);
    for (int i = 0; i < 9; i++)
        back[i] = pose->R[3 * (i % 3) + i / 3];
    mat3_mul(pose->R, P, half);
    mat3_mul(half, back, full);
    for (int i = 0; i < 3; i++)
        out.first[i] = turned[i] + m->mass * pose->at[i];
    for (int k = 0; k < 6; k++) {
        const int i = row_of[k], j = column_of[k];
        out.second[k] = full[3 * i + j] + turned[i] * pose->at[j] + pose->at[i] * turned[j] +
                        m->mass * pose->at[i] * pose->at[j];
    }
    return out;
}

concept_moments moments_mirrored(const concept_moments *m)
{
    concept_moments out = *m;
    out.first[1] = -out.first[1];
    out.second[3] = -out.second[3];
    out.second[5] = -out.second[5];
    return out;
}

void moments_centre(const concept_moments *m, double com[3])
{
    for (int i = 0; i < 3; i++)
        com[i] = m->mass > 0.0 ? m->first[i] / m->mass : 0.0;
}

// I = tr(P) 1 - P of the second moments P about the mass centre.
void moments_inertia(const concept_moments *m, double inertia[6])
{
    double c[3], P[6], trace = 0.0;
    moments_centre(m, c);
    for (int k = 0; k < 6; k++) {
        P[k] = m->second[k] - m->mass * c[row_of[k]] * c[column_of[k]];
        trace += k < 3 ? P[k] : 0.0;
    }
    for (int k = 0; k < 6; k++)
        inertia[k] = (k < 3 ? trace : 0.0) - P[k];
}

concept_moments moments_of_body(double mass, const double com[3], const double inertia[6])
{
    concept_moments out = {0};
    moments_point(&out, mass, com);
    const double trace = (inertia[0] + inertia[1] + inertia[2]) / 2.0;
    for (int k = 0; k < 6; k++)
        out.second[k] += (k < 3 ? trace : 0.0) - inertia[k];
    return out;
}
