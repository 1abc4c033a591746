// print_ground.c - a derived mechanism on the ground: wheels that roll, driven and braked.
//
// Driven wheels are turned towards the target speed, over their rolling radius, by the law of
// parts/wheel_drive.h: gain times what is missing, at most what engine, gears and driven axles
// give, and at least what the brakes do; the gain is the torque of a standing wheel per rad/s.
// Brakes by a formula of their own are motors of speed 0, which lock a wheel and hold it.
#include "concept/derive.h"

static void print_wheels(const derivation *d, FILE *out)
{
    const mc_concept *c = d->concept;
    bool any = false;
    for (int k = 0; k < c->axle_count; k++)
        for (int side = 0; side < 2; side++) {
            const concept_axle *a = &c->axles[k];
            if (!derive_has_wheel(d, k, side))
                continue;
            const concept_part *wheel = &c->parts[a->wheel[side]];
            fputs(any ? "" : "\nwheels:\n", out);
            any = true;
            fprintf(out, "  tyre_%s%c: {body: %s, radius: %.17g, width: %.17g", a->suffix,
                    "lr"[side], c -> bodies[wheel->body].name, wheel->radius, wheel->width);
            if (a->tyre_stiffness > 0.0)
                fprintf(out, ", stiffness: %.17g, damping: %.17g", a->tyre_stiffness,
                        a->tyre_damping);
            fputs("}\n", out);
        }
}

// N m at each driven wheel, by the mean spin of its axle: the axle has an open differential.
void derive_print_drive(const derivation *d, int axle, FILE *out)
{
    const mc_concept *c = d->concept;
    const mc_concept_options *o = d->options;
    const concept_axle *a = &c->axles[axle];
    double spin[WHEEL_DRIVE_CURVE_MAX], torque[WHEEL_DRIVE_CURVE_MAX];
    char mean[2 * CONCEPT_NAME + 60];
    const int count = wheel_drive_curve(&c->drive, spin, torque);
    const double radius = o->rolling ? o->rolling[axle] : c->parts[a->wheel[0]].radius;
    snprintf(mean, sizeof mean, "(%s.angle_rate + %s.angle_rate)/2",
             c->bodies[c->parts[a->wheel[0]].body].name,
             c->bodies[c->parts[a->wheel[1]].body].name);
    fprintf(out, "    load: \"min(max(%.17g*((%s)/%.17g - %s), -%.17g), ", torque[0], o->target,
            radius, mean, c->drive.brake_torque);
    if (count == 1)
        fprintf(out, "%.17g", torque[0]);
    else
        fprintf(out, "table(abs(%s)", mean);
    for (int i = 0; i < count && count > 1; i++)
        fprintf(out, "; %.17g, %.17g", spin[i], torque[i]);
    fprintf(out, "%s)\"\n", count > 1 ? ")" : "");
}

static void print_brakes(const derivation *d, FILE *out)
{
    const mc_concept *c = d->concept;
    bool any = false;
    for (int k = 0; k < c->axle_count && d->options->brake; k++)
        for (int side = 0; side < 2; side++) {
            const concept_axle *a = &c->axles[k];
            if (!derive_has_wheel(d, k, side))
                continue;
            fputs(any ? "" : "\nmotors:\n", out);
            any = true;
            fprintf(out, "  brake_%s%c: {body: %s, speed: 0, max: \"(%s)*%.17g\"}\n", a->suffix,
                    "lr"[side], c -> bodies[c->parts[a->wheel[side]].body].name, d->options->brake,
                    c->drive.brake_torque);
        }
}

void derive_print_ground(const derivation *d, FILE *out)
{
    if (!d->options->wheels)
        return;
    print_wheels(d, out);
    print_brakes(d, out);
}
