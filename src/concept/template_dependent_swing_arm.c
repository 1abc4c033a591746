// template_dependent_swing_arm.c - a rigid axle on a yoke that swings about an axis across the
// vehicle; the axle rolls in the yoke. Two degrees of freedom: both wheels together, and roll.
#include "concept/template.h"

static void build(suspension *s)
{
    const double *pivot = template_place(s, "pivot", NULL);
    const double *roll = template_place(s, "roll", pivot);
    const double *wheel = template_place(s, "wheel", NULL);
    const double *top = template_place(s, "spring_top", NULL);
    const double *low = template_place(s, "spring_bottom", NULL);
    if (s->side == 0) {
        const double left[3] = {pivot[0], pivot[1] + 1.0, pivot[2]};
        const double front[3] = {roll[0] + 1.0, roll[1], roll[2]};
        const int yoke = template_body(s, "yoke", 1, (const char *const[]){"pivot"});
        const int axle = template_body(s, "axle", 1, (const char *const[]){"middle"});
        template_hinge(s, "pivot", s->chassis, yoke, pivot, left);
        template_hinge(s, "roll", yoke, axle, roll, front);
        s->shared[0] = axle;
        return;
    }
    template_springs(s, s->chassis, top, s->shared[0], low, template_place(s, "damper_top", top),
                     template_place(s, "damper_bottom", low));
    template_wheel_on(s, s->shared[0], wheel, s->axle);
}

const suspension_template template_dependent_swing_arm = {
    "dependent_swing_arm",
    "rigid axle on a yoke that swings about an axis across the vehicle",
    {{"wheel", "wheel centre", false},
     {"pivot", "yoke on the chassis, in the middle plane", false},
     {"middle", "middle of the axle", false},
     {"roll", "where the axle rolls in the yoke; default: the pivot", true},
     {"spring_top", "spring on the chassis", false},
     {"spring_bottom", "spring on the axle", false},
     {"damper_top", "damper on the chassis; default: that of the spring", true},
     {"damper_bottom", "damper on the axle; default: that of the spring", true}},
    {{"yoke", "swinging frame", true}, {"axle", "with both hubs", false}},
    .dependent = true,
    .build = build,
};
