// obstacles.c - the section obstacles of a scenario: fixed bodies beside or on the road.
#include "scenario/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool read_shape(scenario_reader *r, const yaml_node *map, obstacle *o)
{
    const yaml_node *node = reader_get(&r->base, map, "shape");
    const char *word = node ? reader_text(&r->base, node) : obstacle_shape_name[OBSTACLE_BOX];
    for (int k = 0; word && k < OBSTACLE_SHAPES; k++)
        if (strcmp(word, obstacle_shape_name[k]) == 0) {
            o->shape = (obstacle_shape)k;
            return true;
        }
    if (word)
        reader_reject(&r->base, node,
                      "%.60s is not a shape; expected box, cylinder, ellipsoid or "
                      "prism",
                      word);
    return false;
}

// Corners of a prism must enclose an area.
static bool encloses(const obstacle *o)
{
    double area = 0.0;
    for (int i = 1; i + 1 < o->point_count; i++)
        for (int k = i + 1; k < o->point_count; k++) {
            const double *a = o->point[0], *b = o->point[i], *c = o->point[k];
            area = fmax(area, fabs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])));
        }
    return area > 1e-4;
}

static void read_points(scenario_reader *r, const yaml_node *map, obstacle *o)
{
    const yaml_node *node = reader_get(&r->base, map, "points");
    if (node && o->shape != OBSTACLE_PRISM) {
        reader_reject(&r->base, node->key, "points are those of a prism; this is a %s",
                      obstacle_shape_name[o->shape]);
        return;
    }
    if (o->shape != OBSTACLE_PRISM)
        return;
    if (!node || node->kind != YAML_SEQUENCE || node->count < 3 ||
        node->count > OBSTACLE_POLYGON_MAX) {
        reader_reject(&r->base, node ? node : map,
                      "a prism needs points: 3 to %d corners [x, y] of its base, in m",
                      OBSTACLE_POLYGON_MAX);
        return;
    }
    for (const yaml_node *n = node->first; n && r->base.status == MC_OK; n = n->next) {
        if (n->kind != YAML_SEQUENCE || n->count != 2) {
            reader_reject(&r->base, n, "a corner has two numbers, [x, y] in m");
            return;
        }
        double *to = o->point[o->point_count++], factor;
        const expr_unit metre = reader_unit_of("m", &factor);
        to[0] = reader_literal(&r->base, n->first, metre);
        to[1] = reader_literal(&r->base, n->first->next, metre);
        if (r->base.status == MC_OK && !(fabs(to[0]) <= 1000.0 && fabs(to[1]) <= 1000.0))
            reader_reject(&r->base, n,
                          "a corner at %g, %g m; expected within 1000 m of the place "
                          "of the obstacle",
                          to[0], to[1]);
    }
    if (r->base.status == MC_OK && !encloses(o))
        reader_reject(&r->base, node, "the corners are on one line; expected an area");
}

static void read_obstacle(scenario_reader *r, const yaml_node *map, int number,
                          scenario_obstacle *out)
{
    if (!scenario_check_keys(r, map, SECTION_OBSTACLE, NULL, 0))
        return;
    const yaml_node *name = reader_get(&r->base, map, "name");
    char own[32];
    snprintf(own, sizeof own, "obstacle%d", number);
    out->o = obstacle_default();
    out->place = scenario_place_of(map);
    out->name = name ? scenario_label(r, name) : reader_copy(&r->base, own);
    out->o.x = scenario_number(r, map, SECTION_OBSTACLE, "x");
    out->o.y = scenario_number(r, map, SECTION_OBSTACLE, "y");
    out->o.heading = scenario_number(r, map, SECTION_OBSTACLE, "heading");
    scenario_params(r, map, obstacle_params, OBSTACLE_PARAM_COUNT, out->o.p);
    if (r->base.status == MC_OK && read_shape(r, map, &out->o))
        read_points(r, map, &out->o);
}

void scenario_read_obstacles(scenario_reader *r, const yaml_node *root)
{
    scenario *s = r->s;
    int count;
    const yaml_node *n = scenario_elements(r, root, "obstacles", YAML_SEQUENCE, &count);
    if (!n || r->base.status != MC_OK)
        return;
    if (count > SCENARIO_OBSTACLES_MAX) {
        reader_reject(&r->base, n, "%d obstacles; expected at most %d", count,
                      SCENARIO_OBSTACLES_MAX);
        return;
    }
    scenario_obstacle *all = reader_alloc(&r->base, count, sizeof *all);
    for (int i = 0; n && all && r->base.status == MC_OK; n = n->next, i++) {
        read_obstacle(r, n, i + 1, &all[i]);
        for (int k = 0; k < i && r->base.status == MC_OK; k++)
            if (strcmp(all[k].name, all[i].name) == 0)
                reader_reject(&r->base, n, "two obstacles are called %.100s", all[i].name);
    }
    s->obstacles = all;
    s->obstacle_count = r->base.status == MC_OK ? count : 0;
}
