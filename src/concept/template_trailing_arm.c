// template_trailing_arm.c - one arm on a hinge across the vehicle, which carries the wheel.
#include "concept/template.h"

static void build(suspension *s)
{
    const double *pivot = template_place(s, "pivot", NULL);
    const double *top = template_place(s, "spring_top", NULL);
    const double *low = template_place(s, "spring_bottom", NULL);
    const double left[3] = {pivot[0], pivot[1] + 1.0, pivot[2]};
    const int arm = template_body(s, "arm", 2, (const char *const[]){"wheel", "pivot"});
    template_hinge(s, "pivot", s->chassis, arm, pivot, left);
    template_springs(s, s->chassis, top, arm, low, template_place(s, "damper_top", top),
                     template_place(s, "damper_bottom", low));
    template_wheel_on(s, arm, template_place(s, "wheel", NULL), s->axle);
}

const suspension_template template_trailing_arm = {
    "trailing_arm",
    "independent: one arm, turning about an axis across the vehicle",
    {{"wheel", "wheel centre", false},
     {"pivot", "arm on the chassis", false},
     {"spring_top", "spring on the chassis", false},
     {"spring_bottom", "spring on the arm", false},
     {"damper_top", "damper on the chassis; default: that of the spring", true},
     {"damper_bottom", "damper on the arm; default: that of the spring", true}},
    {{"arm", "", false}},
    .build = build,
};
