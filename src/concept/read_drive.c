// read_drive.c - the drive of a concept: engine, gears and brakes as torques at the wheels.
#include "concept/reader.h"

#include <math.h>

static void read_curve(concept_reader *r, const yaml_node *node, wheel_drive *out)
{
    template_table curve;
    if (!node)
        return;
    if (node->count > WHEEL_DRIVE_POINTS) {
        reader_reject(&r->base, node, "%d points; expected at most %d", node->count,
                      WHEEL_DRIVE_POINTS);
        return;
    }
    concept_table(r, node, "rad/s", "N*m", &curve);
    for (int k = 0; k < curve.count && r->base.status == MC_OK; k++) {
        out->speed[k] = curve.x[k];
        out->torque[k] = curve.y[k];
        if (!(curve.x[k] >= 0.0 && curve.y[k] >= 0.0))
            reader_reject(&r->base, node, "%.9g rad/s, %.9g N m: expected neither below 0",
                          curve.x[k], curve.y[k]);
    }
    out->point_count = curve.count;
}

static void read_gears(concept_reader *r, const yaml_node *node, wheel_drive *out)
{
    out->gear[0] = 1.0;
    out->gear_count = 1;
    if (!node || !reader_is_list(&r->base, node, 1, WHEEL_DRIVE_GEARS))
        return;
    out->gear_count = 0;
    for (const yaml_node *n = node->first; n && r->base.status == MC_OK; n = n->next) {
        const double ratio = concept_number_at(r, n, "-");
        out->gear[out->gear_count++] = ratio;
        if (r->base.status == MC_OK && !(ratio > 0.0 && ratio < 1000.0))
            reader_reject(&r->base, n, "a gear of %.9g; expected a ratio above 0, below 1000",
                          ratio);
    }
}

void concept_read_drive(concept_reader *r, const yaml_node *root)
{
    const yaml_node *map = reader_get(&r->base, root, "drive");
    wheel_drive *d = &r->c->drive;
    if (!map || r->base.status != MC_OK || !concept_check_keys(r, map, CONCEPT_DRIVE))
        return;
    const yaml_node *curve = reader_get(&r->base, map, "curve");
    const yaml_node *torque = reader_get(&r->base, map, "wheel_torque");
    r->c->has_drive = true;
    read_curve(r, curve, d);
    read_gears(r, reader_get(&r->base, map, "gears"), d);
    d->final_drive = concept_number(r, map, CONCEPT_DRIVE, "final_drive", 1.0);
    d->efficiency = concept_number(r, map, CONCEPT_DRIVE, "efficiency", 0.95);
    d->wheel_torque = concept_number(r, map, CONCEPT_DRIVE, "wheel_torque", NAN);
    d->brake_torque = concept_number(r, map, CONCEPT_DRIVE, "brake_torque", 0.0);
    for (int k = 0; k < r->c->axle_count; k++)
        d->wheels += r->c->axles[k].driven ? 2 : 0;
    if (r->base.status == MC_OK && !curve && !torque)
        reader_reject(&r->base, map->key, "a drive needs curve or wheel_torque");
    if (r->base.status == MC_OK && d->wheels == 0)
        reader_reject(&r->base, map->key,
                      "no axle is driven: expected \"driven: true\" under one of the axles");
}
