// template_double_wishbone.c - two arms on hinges, an upright on their ball joints, a tie rod.
//
// Lower arm 1, upright on it 3, upper arm 1 degrees of freedom; the upper ball joint takes 3 and
// the tie rod 1, which leaves the travel of the wheel.
#include "concept/template.h"

static void build(suspension *s)
{
    const double *wheel = template_place(s, "wheel", NULL);
    const double *top = template_place(s, "spring_top", NULL);
    const double *low = template_place(s, "spring_bottom", NULL);
    const int lower = template_body(
        s, "lower_arm", 3, (const char *const[]){"lower_ball", "lower_front", "lower_rear"});
    const int upright =
        template_body(s, "upright", 3, (const char *const[]){"wheel", "lower_ball", "upper_ball"});
    const int upper = template_body(
        s, "upper_arm", 3, (const char *const[]){"upper_ball", "upper_front", "upper_rear"});
    const double *ball = template_place(s, "lower_ball", NULL);
    template_hinge(s, "lower_pivot", s->chassis, lower, template_place(s, "lower_rear", NULL),
                   template_place(s, "lower_front", NULL));
    template_edge(s, "lower_ball", "ball", lower, upright, ball);
    template_hinge(s, "upper_pivot", s->chassis, upper, template_place(s, "upper_rear", NULL),
                   template_place(s, "upper_front", NULL));
    template_edge(s, "upper_ball", "ball", upper, upright, template_place(s, "upper_ball", NULL));
    template_rod(s, "tie", s->steered ? s->rack : s->chassis, template_place(s, "tie_inner", NULL),
                 upright, template_place(s, "tie_outer", NULL));
    template_springs(s, s->chassis, top, lower, low, template_place(s, "damper_top", top),
                     template_place(s, "damper_bottom", low));
    template_wheel_on(s, upright, wheel, s->axle);
}

const suspension_template template_double_wishbone = {
    "double_wishbone",
    "two arms, upright and tie rod; spring and damper on the lower arm",
    {{"wheel", "wheel centre", false},
     {"upper_front", "upper arm on the chassis, front", false},
     {"upper_rear", "upper arm on the chassis, rear", false},
     {"upper_ball", "upper arm on the upright", false},
     {"lower_front", "lower arm on the chassis, front", false},
     {"lower_rear", "lower arm on the chassis, rear", false},
     {"lower_ball", "lower arm on the upright", false},
     {"tie_inner", "tie rod on the rack or chassis", false},
     {"tie_outer", "tie rod on the upright", false},
     {"spring_top", "spring on the chassis", false},
     {"spring_bottom", "spring on the lower arm", false},
     {"damper_top", "damper on the chassis; default: that of the spring", true},
     {"damper_bottom", "damper on the lower arm; default: that of the spring", true},
     {"rack", "middle of the rack; default: between the tie rods", true}},
    {{"upper_arm", "", false}, {"lower_arm", "", false}, {"upright", "", false}},
    .steerable = true,
    .build = build,
};
