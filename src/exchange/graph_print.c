// graph_print.c - the road of a graph as the key `road` of a scenario.
#include "exchange/graph.h"

#include <math.h>

static void print_pieces(FILE *out, const char *indent, const road_piece *p, int count)
{
    for (int k = 0; k < count; k++)
        if (p[k].k0 == 0.0)
            fprintf(out, "%s- {straight: %.9g}\n", indent, p[k].length);
        else
            fprintf(out, "%s- {arc: %.9g, radius: %.9g}\n", indent, p[k].length, 1.0 / p[k].k0);
}

// The limit of a lane of the road on an edge of the chain; its lane is missing: -1.
static double speed_on(const graph_road *road, int i, int strip)
{
    const graph_edge *e = &road->g->edges[road->chain[i]];
    for (int k = 0; k < e->lane_count; k++)
        if (road->strip[i][k] == strip)
            return e->lanes[k].speed;
    return -1.0;
}

static void print_stretch(FILE *out, const graph_road *road, int strip, int from, int to,
                          double speed)
{
    const double begin = from == 0 ? 0.0 : road->begin[from];
    const double end = to + 1 < road->chain_count ? road->begin[to + 1] : road->path.length;
    if (!(end - begin > 0.01))
        return;
    if (speed < 0.0)
        fprintf(out, "    - {lane: %d, from: %.9g, to: %.9g, width: 0, taper: %.6g}\n", strip + 1,
                begin, end, fmax(fmin(60.0, 0.45 * (end - begin)), 0.002));
    else
        fprintf(out, "    - {lane: %d, from: %.9g, to: %.9g, speed: %.9g}\n", strip + 1, begin, end,
                speed);
}

// Where a lane is missing or has another limit than the road.
static void print_sections(const graph_road *road, FILE *out)
{
    bool any = false;
    for (int strip = 0; strip < road->lanes; strip++)
        for (int i = 0, next; i < road->chain_count; i = next) {
            const double speed = speed_on(road, i, strip);
            for (next = i + 1; next < road->chain_count; next++) {
                const double other = speed_on(road, next, strip);
                if (!(other == speed || (isnan(other) && isnan(speed))))
                    break;
            }
            if (isnan(speed) || speed == road->speed)
                continue;
            if (!any)
                fprintf(out, "  sections:\n");
            any = true;
            print_stretch(out, road, strip, i, next - 1, speed);
        }
}

void graph_print_road(const graph_road *road, FILE *out, const char *commands)
{
    fprintf(out, "road:\n  lanes: %d\n  lane_width: %.6g\n%s", road->lanes, road->width, commands);
    if (!isnan(road->speed))
        fprintf(out, "  speed: %.9g\n", road->speed);
    fprintf(out, "  line:\n");
    print_pieces(out, "    ", road->path.pieces, road->path.piece_count);
    print_sections(road, out);
    if (road->ramp_count)
        fprintf(out, "  ramps:\n");
    for (int k = 0; k < road->ramp_count; k++) {
        const graph_ramp *r = &road->ramps[k];
        fprintf(out,
                "    - name: %s\n      kind: \"%s\"\n      at: %.9g\n      length: %.9g\n"
                "      taper: %.9g\n      width: %.6g\n",
                r->name, r->on ? "on" : "off", r->at, r->length, r->taper, r->width);
        if (!isnan(r->speed))
            fprintf(out, "      speed: %.9g\n", r->speed);
        fprintf(out, "      line:\n");
        print_pieces(out, "        ", r->pieces, r->piece_count);
    }
}
