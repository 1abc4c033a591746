// template_walking_tandem.c - two axles at the ends of walking beams, one beam on each side.
//
// The saddle of a beam moves up and down on the chassis, with the spring; the beam turns in it. An
// axle hangs on the left beam by a ball joint and on the right one by a point on its line; a torque
// rod keeps it from turning about itself. Four degrees of freedom for four wheels.
#include "concept/template.h"

static void beam(suspension *s)
{
    const double *pivot = template_place(s, "pivot", NULL);
    const double left[3] = {pivot[0], pivot[1] + 1.0, pivot[2]};
    const double *top = template_place(s, "spring_top", NULL);
    const double *low = template_place(s, "spring_bottom", pivot);
    const int saddle = template_body(s, "saddle", 1, (const char *const[]){"pivot"});
    const int walker =
        template_body(s, "beam", 3, (const char *const[]){"pivot", "beam_front", "beam_rear"});
    concept_edge *slide = template_edge(s, "slide", "prism", s->chassis, saddle, pivot);
    slide->axis[2] = 1.0;
    template_hinge(s, "walk", saddle, walker, pivot, left);
    template_springs(s, s->chassis, top, saddle, low, template_place(s, "damper_top", top),
                     template_place(s, "damper_bottom", low));
    s->shared[s->side > 0 ? 0 : 1] = walker;
}

static void axle(suspension *s, int k, const char *name, const char *rod, const char *rod_axle,
                 const char *rod_chassis, const char *end, const char *middle)
{
    const double *at = template_place(s, end, NULL);
    const double mirrored[3] = {at[0], -at[1], at[2]};
    const double left[3] = {at[0], at[1] + 1.0, at[2]};
    const int body = template_body(s, name, 1, &middle);
    template_edge(s, k ? "rear_hold" : "front_hold", "ball", s->shared[0], body, at);
    concept_edge *line = template_edge(s, k ? "rear_line" : "front_line", "point_on_line", body,
                                       s->shared[1], mirrored);
    template_axis(s, line, at, left);
    template_rod(s, rod, s->chassis, template_place(s, rod_chassis, NULL), body,
                 template_place(s, rod_axle, NULL));
    s->shared[2 + k] = body;
}

static void build(suspension *s)
{
    if (s->side == 0) { // the beams of both sides first
        for (s->side = 1; s->side >= -1; s->side -= 2)
            beam(s);
        s->side = 0;
        axle(s, 0, "front_axle", "front_rod", "front_rod_axle", "front_rod_chassis", "beam_front",
             "front_middle");
        axle(s, 1, "rear_axle", "rear_rod", "rear_rod_axle", "rear_rod_chassis", "beam_rear",
             "rear_middle");
        return;
    }
    template_wheel_on(s, s->shared[2], template_place(s, "wheel", NULL), s->axle);
    template_wheel_on(s, s->shared[3], template_place(s, "rear_wheel", NULL), s->axle + 1);
}

const suspension_template template_walking_tandem = {
    "walking_tandem",
    "two axles at the ends of walking beams",
    {{"wheel", "centre of the front wheel", false},
     {"rear_wheel", "centre of the rear wheel", false},
     {"pivot", "beam on its saddle", false},
     {"beam_front", "front axle on the beam", false},
     {"beam_rear", "rear axle on the beam", false},
     {"front_middle", "middle of the front axle", false},
     {"rear_middle", "middle of the rear axle", false},
     {"front_rod_chassis", "torque rod of the front axle on the chassis", false},
     {"front_rod_axle", "torque rod on the front axle", false},
     {"rear_rod_chassis", "torque rod of the rear axle on the chassis", false},
     {"rear_rod_axle", "torque rod on the rear axle", false},
     {"spring_top", "spring on the chassis", false},
     {"spring_bottom", "spring on the saddle; default: the pivot", true},
     {"damper_top", "damper on the chassis; default: that of the spring", true},
     {"damper_bottom", "damper on the saddle; default: that of the spring", true}},
    {{"saddle", "on each side", false},
     {"beam", "on each side", false},
     {"front_axle", "with both hubs", false},
     {"rear_axle", "with both hubs", false}},
    .dependent = true,
    .axle_count = 2,
    .build = build,
};
