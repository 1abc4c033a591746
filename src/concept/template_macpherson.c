// template_macpherson.c - lower arm, upright with the strut, tie rod.
//
// The upper end of the strut stays on a line of the upright: two rows. Arm 1, upright 3 degrees of
// freedom, less 2 and the tie rod: the travel of the wheel.
#include "concept/template.h"

static void build(suspension *s)
{
    const double *top = template_place(s, "strut_top", NULL);
    const double *low = template_place(s, "strut_bottom", NULL);
    const int lower = template_body(
        s, "lower_arm", 3, (const char *const[]){"lower_ball", "lower_front", "lower_rear"});
    const int upright = template_body(s, "upright", 3,
                                      (const char *const[]){"wheel", "lower_ball", "strut_bottom"});
    template_hinge(s, "lower_pivot", s->chassis, lower, template_place(s, "lower_rear", NULL),
                   template_place(s, "lower_front", NULL));
    template_edge(s, "lower_ball", "ball", lower, upright, template_place(s, "lower_ball", NULL));
    concept_edge *strut = template_edge(s, "strut", "point_on_line", upright, s->chassis, top);
    template_axis(s, strut, low, top);
    template_rod(s, "tie", s->steered ? s->rack : s->chassis, template_place(s, "tie_inner", NULL),
                 upright, template_place(s, "tie_outer", NULL));
    template_springs(s, s->chassis, top, upright, low, top, low);
    template_wheel_on(s, upright, template_place(s, "wheel", NULL), s->axle);
}

const suspension_template template_macpherson = {
    "macpherson",
    "lower arm, upright with strut, tie rod; spring and damper along the strut",
    {{"wheel", "wheel centre", false},
     {"lower_front", "lower arm on the chassis, front", false},
     {"lower_rear", "lower arm on the chassis, rear", false},
     {"lower_ball", "lower arm on the upright", false},
     {"strut_top", "strut on the chassis", false},
     {"strut_bottom", "strut on the upright: lower end of the spring", false},
     {"tie_inner", "tie rod on the rack or chassis", false},
     {"tie_outer", "tie rod on the upright", false},
     {"rack", "middle of the rack; default: between the tie rods", true}},
    {{"lower_arm", "", false}, {"upright", "with the strut", false}},
    .steerable = true,
    .build = build,
};
