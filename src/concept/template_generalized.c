// template_generalized.c - suspensions without links: the wheel moves as tables say.
//
// Independent: the carrier slides along z; camber and toe follow tables of the travel, exactly or
// through a compliance (rad per N m), whose spring is then relaxed at the table's value.
// Dependent: the axle slides along z and rolls; toe (roll steer) follows a table of the roll angle.
#include "concept/template.h"

// Turns `name` in `from` about an axis through the wheel, as the table of a coordinate says.
static int follower(suspension *s, const char *name, int from, const double at[3],
                    const double axis[3], const template_table *table, const char *of, double sign)
{
    const double end[3] = {at[0] + axis[0], at[1] + axis[1], at[2] + axis[2]};
    const int body = template_frame(s, name);
    concept_edge *e = template_edge(s, name, "hinge", from, body, at);
    template_axis(s, e, at, end);
    template_follow(s, e, table, of, sign);
    return body;
}

// On the left, top outwards is a negative turn about x, and toe-in a negative turn about z; axes
// mirrored as rotations keep this on the right.
static void build_independent(suspension *s)
{
    static const double x[3] = {1, 0, 0}, z[3] = {0, 0, 1};
    const double *wheel = template_place(s, "wheel", NULL);
    const double above[3] = {wheel[0], wheel[1], wheel[2] + 0.5};
    const double *top = template_place(s, "spring_top", above);
    const double *low = template_place(s, "spring_bottom", wheel);
    const bool follows = s->camber.count || s->toe.count;
    // The mass is on what carries the wheel in the end.
    int carrier = follows ? template_frame(s, "slider")
                          : template_body(s, "carrier", 1, (const char *const[]){"wheel"});
    const int slider = carrier;
    concept_edge *slide = template_edge(s, "travel", "prism", s->chassis, slider, wheel);
    slide->axis[2] = 1.0;
    const char *travel = concept_text(s->concept, "%s.travel", s->concept->parts[slider].label);
    // Toe first: then both angles are those of the table, however large.
    if (s->toe.count)
        carrier = follower(s, "toed", carrier, wheel, z, &s->toe, travel, -1.0);
    if (s->camber.count)
        carrier = follower(s, "cambered", carrier, wheel, x, &s->camber, travel, -1.0);
    if (follows) {
        const int body = template_body(s, "carrier", 1, (const char *const[]){"wheel"});
        template_edge(s, "mount", "rigid", carrier, body, wheel);
    }
    template_springs(s, s->chassis, top, slider, low, template_place(s, "damper_top", top),
                     template_place(s, "damper_bottom", low));
    template_wheel_on(s, carrier, wheel, s->axle);
}

static void build_dependent(suspension *s)
{
    static const double x[3] = {1, 0, 0}, z[3] = {0, 0, 1};
    const double *wheel = template_place(s, "wheel", NULL);
    const double middle[3] = {wheel[0], 0.0, wheel[2]};
    const double above[3] = {wheel[0], wheel[1], wheel[2] + 0.5};
    const double *top = template_place(s, "spring_top", above);
    const double *low = template_place(s, "spring_bottom", wheel);
    if (s->side == 0) {
        const double front[3] = {middle[0] + x[0], middle[1], middle[2]};
        const int slider = template_frame(s, "slider");
        const bool steers = s->toe.count > 0;
        const int axle = steers ? template_frame(s, "roller")
                                : template_body(s, "axle", 1, (const char *const[]){"wheel"});
        concept_edge *slide = template_edge(s, "travel", "prism", s->chassis, slider, middle);
        slide->axis[2] = 1.0;
        template_hinge(s, "roll", slider, axle, middle, front);
        s->shared[0] = axle;
        if (steers) {
            const char *roll = concept_text(s->concept, "%s.angle", s->concept->parts[axle].label);
            s->shared[0] = follower(s, "toed", axle, middle, z, &s->toe, roll, 1.0);
            const int body = template_body(s, "axle", 1, (const char *const[]){"wheel"});
            template_edge(s, "mount", "rigid", s->shared[0], body, middle);
        }
        return;
    }
    template_springs(s, s->chassis, top, s->shared[0], low, template_place(s, "damper_top", top),
                     template_place(s, "damper_bottom", low));
    template_wheel_on(s, s->shared[0], wheel, s->axle);
}

#define SLIDER_POINTS                                                                              \
    {"wheel", "wheel centre", false},                                                              \
        {"spring_top", "spring on the chassis; default: 0.5 m above the wheel centre", true},      \
        {"spring_bottom", "spring on the carrier; default: the wheel centre", true},               \
        {"damper_top", "damper on the chassis; default: that of the spring", true},                \
    {                                                                                              \
        "damper_bottom", "damper on the carrier; default: that of the spring", true                \
    }

const suspension_template template_generalized_independent = {
    "generalized_independent",
    "wheels that slide along z, with tables of camber and toe",
    {SLIDER_POINTS},
    {{"carrier", "on each side", false}},
    .tables = 3,
    .build = build_independent,
};

const suspension_template template_generalized_dependent = {
    "generalized_dependent",  "axle that slides along z and rolls, with a table of roll steer",
    {SLIDER_POINTS},          {{"axle", "with both hubs", false}},
    .dependent = true,        .tables = 2,
    .build = build_dependent,
};
