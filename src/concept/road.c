// road.c - bumps under the wheels of a concept.
//
// The vehicle stays, the road passes: at time t a wheel dx behind the first axle is at the station
// s = v t + dx. With u = (s - at)/length, limited to 0 .. 1,
//
//   bump   z = h/2 (1 - cos 2 pi u)     dz/dt = v h pi/length sin 2 pi u
//   ramp   z = h/2 (1 - cos pi u)       dz/dt = v h pi/(2 length) sin pi u
//
// Both are without kinks. A wheel touches the road in one point below its centre. The height of a
// bump is a parameter of the mechanism, NAME_height: runs over scaled roads need no new derivation.
#include "concept/road.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void read_bump(concept_reader *r, concept_road *road, const yaml_node *n)
{
    static const char *const sides[] = {"both", "left", "right"};
    static const char *const shapes[] = {"bump", "ramp"};
    if (!concept_check_keys(r, n, CONCEPT_BUMP))
        return;
    concept_bump b = {.name = concept_word(r, n->key),
                      .at = concept_number(r, n, CONCEPT_BUMP, "at", 0.0),
                      .length = concept_number(r, n, CONCEPT_BUMP, "length", 1.0),
                      .height = concept_number(r, n, CONCEPT_BUMP, "height", 0.0)};
    const double count = concept_number(r, n, CONCEPT_BUMP, "count", 1.0);
    const double every = concept_number(r, n, CONCEPT_BUMP, "every", 2.0 * b.length);
    const yaml_node *side = reader_get(&r->base, n, "side"),
                    *shape = reader_get(&r->base, n, "shape");
    const int s = side ? reader_choice(&r->base, side, sides, 3) : 0;
    b.side = s == 1 ? 1 : s == 2 ? -1 : 0;
    b.ramp = shape && reader_choice(&r->base, shape, shapes, 2) == 1;
    for (int k = 0; k < (int)count && r->base.status == MC_OK; k++) {
        if (road->count == ROAD_BUMPS_MAX) {
            reader_reject(&r->base, n->key, "more than %d bumps", ROAD_BUMPS_MAX);
            return;
        }
        road->bump[road->count] = b;
        road->bump[road->count++].at = b.at + k * every;
    }
}

void concept_read_road(concept_reader *r, const yaml_node *root)
{
    const yaml_node *n = reader_get(&r->base, root, "road");
    if (!n || !concept_check_keys(r, n, CONCEPT_ROAD))
        return;
    concept_road *road = reader_alloc(&r->base, 1, sizeof *road);
    if (!road)
        return;
    *road = (concept_road){.speed = concept_number(r, n, CONCEPT_ROAD, "speed", 0.0)};
    const yaml_node *each = concept_each(r, n, "bumps");
    for (const yaml_node *b = each ? each->first : NULL; b && r->base.status == MC_OK; b = b->next)
        read_bump(r, road, b);
    r->c->road = road;
}

void road_print(const concept_road *road, double dx, int side, bool rate, FILE *out)
{
    bool any = false;
    for (int k = 0; k < road->count; k++) {
        const concept_bump *b = &road->bump[k];
        const double turn = b->ramp ? PI : 2.0 * PI;
        if (b->side && b->side != side)
            continue;
        fputs(any ? " + " : "", out);
        any = true;
        char u[160];
        snprintf(u, sizeof u, "%.17g*min(max((%.17g*t + %.17g)/%.17g, 0), 1)", turn, road->speed,
                 dx - b->at, b->length);
        if (rate)
            fprintf(out, "%s_height*%.17g Hz*sin(%s)", b->name,
                    0.5 * turn * road->speed / b->length, u);
        else
            fprintf(out, "%s_height*(0.5 - 0.5*cos(%s))", b->name, u);
    }
    fputs(any ? "" : "0", out);
}

void road_print_terrain(const concept_road *road, double x0, FILE *out)
{
    fputs(road->count > 0 ? "terrain:\n  features:\n" : "", out);
    for (int k = 0; k < road->count; k++) {
        const concept_bump *b = &road->bump[k];
        fprintf(out,
                "    - {formula: \"%.17g*(0.5 - 0.5*cos(%.17g*min(max((x - %.17g)/%.17g, 0), "
                "1)))\", side: %s}\n",
                b->height, b->ramp ? PI : 2.0 * PI, x0 + b->at, b->length,
                b->side > 0   ? "left"
                : b->side < 0 ? "right"
                              : "both");
    }
}

void road_print_parameters(const concept_road *road, FILE *out)
{
    for (int k = 0; k < road->count; k++) // those of one name follow each other
        if (k == 0 || strcmp(road->bump[k].name, road->bump[k - 1].name) != 0)
            fprintf(out, "  %s_height: {value: %.17g m, doc: \"height of a bump of the road\"}\n",
                    road->bump[k].name, road->bump[k].height);
}

bool mc_concept_bump_at(const mc_concept *c, int i, mc_concept_bump *out)
{
    if (!c->road || i < 0 || i >= c->road->count)
        return false;
    const concept_bump *b = &c->road->bump[i];
    *out = (mc_concept_bump){b->name, b->at, b->length, b->height, b->ramp, b->side};
    return true;
}

double mc_concept_speed(const mc_concept *c)
{
    return c->road ? c->road->speed : 0.0;
}
