// template_swing_arm.c - independent swing arm: one arm on a hinge along any axis, which carries
// the wheel.
#include "concept/template.h"

static void build(suspension *s)
{
    const double *top = template_place(s, "spring_top", NULL);
    const double *low = template_place(s, "spring_bottom", NULL);
    const int arm =
        template_body(s, "arm", 3, (const char *const[]){"wheel", "pivot_front", "pivot_rear"});
    template_hinge(s, "pivot", s->chassis, arm, template_place(s, "pivot_rear", NULL),
                   template_place(s, "pivot_front", NULL));
    template_springs(s, s->chassis, top, arm, low, template_place(s, "damper_top", top),
                     template_place(s, "damper_bottom", low));
    template_wheel_on(s, arm, template_place(s, "wheel", NULL), s->axle);
}

const suspension_template template_swing_arm = {
    "swing_arm",
    "independent: one arm, turning about the line through two pivots",
    {{"wheel", "wheel centre", false},
     {"pivot_front", "arm on the chassis, front", false},
     {"pivot_rear", "arm on the chassis, rear", false},
     {"spring_top", "spring on the chassis", false},
     {"spring_bottom", "spring on the arm", false},
     {"damper_top", "damper on the chassis; default: that of the spring", true},
     {"damper_bottom", "damper on the arm; default: that of the spring", true}},
    {{"arm", "", false}},
    .build = build,
};
