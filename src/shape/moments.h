// moments.h - mass, first and second moments of a distribution of mass: what parts and bodies have
// in common, and how they add.
//
//     mass = int dm,   first = int x dm,   second = int x x' dm   (xx yy zz xy xz yz)
//
// All about the origin of the vehicle. They add without reference to mass centres, so sums do not
// depend on how parts are grouped, except for rounding.
#pragma once

typedef struct concept_moments {
    double mass;      // kg; of a shape with density 1: m3
    double first[3];  // kg m
    double second[6]; // kg m2
} concept_moments;

// A place: turned by R (rows), then moved by `at`.
typedef struct concept_pose {
    double at[3], R[9];
} concept_pose;

extern const concept_pose concept_pose_none;

void concept_pose_point(const concept_pose *pose, const double x[3], double out[3]);

void moments_add(concept_moments *to, const concept_moments *more);
void moments_scale(concept_moments *m, double factor);
void moments_point(concept_moments *to, double mass, const double at[3]);
// int of (x + e)(x + e)' as seen after moving and turning the distribution.
concept_moments moments_moved(const concept_moments *m, const concept_pose *pose);
concept_moments moments_mirrored(const concept_moments *m); // y becomes -y

// Mass centre, and inertia tensor about it: xx yy zz xy xz yz. Zero mass: both zero.
void moments_centre(const concept_moments *m, double com[3]);
void moments_inertia(const concept_moments *m, double inertia[6]);
// From a mass, its centre, and the inertia tensor about that.
concept_moments moments_of_body(double mass, const double com[3], const double inertia[6]);
