// template_live_axle.c - rigid axles: longitudinally constrained, on leaf springs, on links.
//
// Constrained: the axle rises and rolls. Leaf: the front half of each leaf holds the axle like a
// link from its eye, the leaf holds it sideways, and two springs a `spread` in front of and behind
// the pad carry it and resist wind-up, k spread^2. Links: two lower links, one upper link and a
// Panhard rod leave rise and roll.
#include "concept/template.h"

static int add_axle(suspension *s, const char *free)
{
    const double *middle = template_place(s, "middle", NULL);
    const int axle = template_body(s, "axle", 1, (const char *const[]){"middle"});
    concept_edge *e = template_edge(s, "location", "general", s->chassis, axle, middle);
    e->free = free;
    s->shared[0] = axle;
    return axle;
}

static void add_sides(suspension *s)
{
    const double *top = template_place(s, "spring_top", NULL);
    const double *low = template_place(s, "spring_bottom", NULL);
    template_springs(s, s->chassis, top, s->shared[0], low, template_place(s, "damper_top", top),
                     template_place(s, "damper_bottom", low));
    template_wheel_on(s, s->shared[0], template_place(s, "wheel", NULL), s->axle);
}

static void build_longitudinal(suspension *s)
{
    if (s->side == 0)
        add_axle(s, "tz, rx");
    else
        add_sides(s);
}

static void build_links(suspension *s)
{
    if (s->side == 0) {
        const int axle = add_axle(s, "tx, ty, tz, rx, ry, rz");
        template_rod(s, "upper_link", s->chassis, template_place(s, "upper_chassis", NULL), axle,
                     template_place(s, "upper_axle", NULL));
        template_rod(s, "panhard", s->chassis, template_place(s, "panhard_chassis", NULL), axle,
                     template_place(s, "panhard_axle", NULL));
        return;
    }
    template_rod(s, "lower_link", s->chassis, template_place(s, "lower_chassis", NULL),
                 s->shared[0], template_place(s, "lower_axle", NULL));
    add_sides(s);
}

// Half of the leaf's rate in front of the pad, half behind it.
static void build_leaf(suspension *s)
{
    const double *pad = template_place(s, "spring_bottom", NULL);
    const double *top = template_place(s, "spring_top", NULL);
    if (s->side == 0) {
        add_axle(s, "tx, tz, rx, ry, rz");
        return;
    }
    template_rod(s, "leaf", s->chassis, template_place(s, "eye_front", NULL), s->shared[0], pad);
    const template_spring whole = s->spring, damper = s->damper;
    s->spring.stiffness /= 2.0, s->spring.preload /= 2.0, s->spring.stop /= 2.0;
    for (int i = 0; i < s->spring.curve.count; i++)
        s->spring.curve.y[i] /= 2.0;
    s->damper.given = false;
    for (int k = 1; k >= -1; k -= 2) {
        const double x = k * s->spread;
        const double upper[3] = {top[0] + x, top[1], top[2]};
        const double lower[3] = {pad[0] + x, pad[1], pad[2]};
        const char *before = s->suffix;
        s->suffix = concept_text(s->concept, "%s_%s", k > 0 ? "front" : "rear", before);
        template_springs(s, s->chassis, upper, s->shared[0], lower, upper, lower);
        s->suffix = before;
    }
    s->spring = whole, s->damper = damper;
    s->spring.given = false;
    template_springs(s, s->chassis, top, s->shared[0], pad, template_place(s, "damper_top", top),
                     template_place(s, "damper_bottom", pad));
    s->spring.given = whole.given;
    template_wheel_on(s, s->shared[0], template_place(s, "wheel", NULL), s->axle);
}

#define AXLE_POINTS                                                                                \
    {"wheel", "wheel centre", false}, {"middle", "middle of the axle", false},                     \
        {"spring_top", "spring on the chassis", false},                                            \
        {"spring_bottom", "spring on the axle", false},                                            \
        {"damper_top", "damper on the chassis; default: that of the spring", true},                \
    {                                                                                              \
        "damper_bottom", "damper on the axle; default: that of the spring", true                   \
    }

const suspension_template template_live_axle_longitudinal = {
    "live_axle_longitudinal",
    "rigid axle that rises and rolls, held along and across the vehicle",
    {AXLE_POINTS},
    {{"axle", "with both hubs", false}},
    .dependent = true,
    .build = build_longitudinal,
};

const suspension_template template_live_axle_links = {
    "live_axle_links",
    "rigid axle on two lower links, an upper link and a Panhard rod",
    {AXLE_POINTS,
     {"lower_chassis", "lower link on the chassis", false},
     {"lower_axle", "lower link on the axle", false},
     {"upper_chassis", "upper link on the chassis", false},
     {"upper_axle", "upper link on the axle", false},
     {"panhard_chassis", "Panhard rod on the chassis", false},
     {"panhard_axle", "Panhard rod on the axle", false}},
    {{"axle", "with both hubs", false}},
    .dependent = true,
    .build = build_links,
};

const suspension_template template_live_axle_leaf = {
    "live_axle_leaf",
    "rigid axle on leaf springs",
    {AXLE_POINTS, {"eye_front", "front eye of the leaf, on the chassis", false}},
    {{"axle", "with both hubs", false}},
    .dependent = true,
    .build = build_leaf,
};
