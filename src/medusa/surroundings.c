// surroundings.c - what platoon.dat may say after its vehicles: the surface of the road, obstacles.
#include "medusa/surroundings.h"

#include <math.h>
#include <string.h>

enum { PLACE_X, PLACE_Y, PLACE_ORIENTATION, PLACE_COUNT };
const mc_param medusa_obstacle_params[MEDUSA_OBSTACLE_PARAM_COUNT] = {
    [PLACE_X] = {"X", "m", NAN, -1e8, 1e8, "position of its middle along x"},
    [PLACE_Y] = {"Y", "m", NAN, -1e8, 1e8, "position of its middle along y"},
    [PLACE_ORIENTATION] = {"ORIENTATION", "rad", 0.0, -1e3, 1e3,
                           "of its length from the x axis (left is positive)"},
};
_Static_assert((int)PLACE_COUNT == (int)MEDUSA_OBSTACLE_PARAM_COUNT, "rows of a place");

// Takes {key value} up to the first word that is not a row of the table; seen: bit k for row k.
static bool read_key(keyword_cursor *cursor, const char *block, const mc_param *rows, int count,
                     double *values, unsigned *seen)
{
    for (int k = 0; k < count; k++) {
        if (!keyword_is(cursor, rows[k].name))
            continue;
        const keyword_token key = keyword_take(cursor);
        if (*seen >> k & 1)
            keyword_blame(cursor, &key, "%s appears twice in %s", rows[k].name, block);
        *seen |= 1u << k;
        keyword_value(cursor, &rows[k], &values[k], NULL);
        return true;
    }
    return false;
}

static void read_surface(keyword_cursor *cursor, medusa_surroundings *out)
{
    const road_shape *shape = NULL;
    for (int k = 0; !shape && road_shape_at(k); k++)
        if (keyword_is(cursor, road_shape_at(k)->name))
            shape = road_shape_at(k);
    if (!shape) {
        keyword_reject(cursor, "the name of a surface (slope, waves)");
        return;
    }
    keyword_take(cursor);
    for (int k = 0; k < shape->param_count; k++)
        out->surface.shape_p[k] = shape->params[k].fallback;
    unsigned seen = 0;
    while (read_key(cursor, "ROAD_SURFACE", shape->params, shape->param_count, out->surface.shape_p,
                    &seen))
        continue;
    out->surface.shape = shape;
}

static void read_obstacle(keyword_cursor *cursor, obstacle *o)
{
    int shape = 0;
    while (shape < OBSTACLE_PRISM && !keyword_is(cursor, obstacle_shape_name[shape]))
        shape++;
    if (shape == OBSTACLE_PRISM) {
        keyword_reject(cursor, "the shape of an obstacle (box, cylinder, ellipsoid)");
        return;
    }
    keyword_take(cursor);
    *o = obstacle_default();
    o->shape = (obstacle_shape)shape;
    double place[PLACE_COUNT] = {NAN, NAN, 0.0};
    unsigned seen = 0, seen_place = 0;
    while (read_key(cursor, "OBSTACLE", medusa_obstacle_params, PLACE_COUNT, place, &seen_place) ||
           read_key(cursor, "OBSTACLE", obstacle_params, OBSTACLE_PARAM_COUNT, o->p, &seen))
        continue;
    for (int k = 0; k < PLACE_COUNT && cursor->status == MC_OK; k++)
        if (isnan(place[k]))
            keyword_reject(cursor, "%s (%s): OBSTACLE needs it", medusa_obstacle_params[k].name,
                           medusa_obstacle_params[k].doc);
    o->x = place[PLACE_X], o->y = place[PLACE_Y], o->heading = place[PLACE_ORIENTATION];
}

void medusa_surroundings_read(keyword_cursor *cursor, arena *a, medusa_surroundings *out)
{
    static const char shortest[] = "OBSTACLE box X 0 Y 0 ";
    const size_t room = cursor->length / (sizeof shortest - 1) + 1;
    for (bool more = true; more && cursor->status == MC_OK;) {
        const keyword_token word = cursor->token;
        more = false;
        if (keyword_is(cursor, "ROAD_SURFACE")) {
            keyword_take(cursor);
            if (out->surface.shape)
                keyword_blame(cursor, &word, "ROAD_SURFACE appears twice");
            read_surface(cursor, out);
            more = true;
        } else if (keyword_is(cursor, "OBSTACLE")) {
            keyword_take(cursor);
            if (!out->obstacles) {
                out->obstacles = arena_alloc(a, room * sizeof *out->obstacles);
                out->line = word.line, out->column = word.column;
            }
            if (!out->obstacles) {
                cursor->status = mc_error_set(cursor->error, MC_NO_MEMORY, cursor->file, 0, 0,
                                              "no memory for the obstacles");
                return;
            }
            read_obstacle(cursor, &out->obstacles[out->obstacle_count++]);
            more = true;
        }
    }
}

mc_status medusa_road_make(const medusa_surroundings *s, arena *a, struct mc_road *out,
                           mc_error *error)
{
    road_fault fault;
    const road_plan plan = {.lane_count = 1, .lane_width = 3.4, .surface = &s->surface};
    mc_status status = road_make(a, 1, 3.4, NULL, 0, NULL, 0, out, error);
    if (status == MC_OK)
        status = road_network_make(a, &plan, out, &out->net, &fault, error);
    return status;
}
