// graph.c - both graphs of a concept as a picture: parts with their connections above, the bodies
// that remain below.
//
// Parts stand in columns by assembly or axle; bodies as seen from above, the front at the top.
#include "concept/connection.h"
#include "draw/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BOX_W = 150, BOX_H = 20, GAP_X = 34, GAP_Y = 8, TOP = 28, COLUMNS_MAX = 64 };

typedef struct layout {
    const mc_concept *c;
    double *x, *y;               // of parts, their middles
    double *body_x, *body_y;     // of bodies
    double width, height, split; // split: where the second graph begins
} layout;

// Column of a part: its assembly, or behind them its axle.
static int column_of(const mc_concept *c, const concept_part *p)
{
    return p->assembly >= 0 ? p->assembly : c->assembly_count + (p->axle >= 0 ? p->axle : 0);
}

static const char *column_name(const mc_concept *c, int column)
{
    return column < c->assembly_count ? c->assemblies[column].name
                                      : c->axles[column - c->assembly_count].name;
}

// Column of a body in plan view, front at the top: wheels outside, what is in the middle between.
static int plan_column(const mc_concept *c, int body)
{
    double com[3];
    moments_centre(&c->bodies[body].moments, com);
    const int side = com[1] > 0.25 ? -1 : com[1] < -0.25 ? 1 : 0;
    return 2 + side * (c->bodies[body].wheel ? 2 : 1);
}

static void place_bodies(layout *l)
{
    const mc_concept *c = l->c;
    int rows[5] = {0}, most = 1;
    for (int b = 0; b < c->body_count; b++) {
        const int k = plan_column(c, b);
        rows[k]++;
        most = rows[k] > most ? rows[k] : most;
    }
    const double height = 46.0 * most;
    for (int b = 0; b < c->body_count; b++) {
        double com[3], other[3];
        const int k = plan_column(c, b);
        int before = 0; // those of the column that are further forward
        moments_centre(&c->bodies[b].moments, com);
        for (int i = 0; i < c->body_count; i++) {
            moments_centre(&c->bodies[i].moments, other);
            before += i != b && plan_column(c, i) == k &&
                      (other[0] > com[0] || (other[0] == com[0] && i < b));
        }
        l->body_x[b] = 20.0 + BOX_W / 2.0 + k * (l->width - 40.0 - BOX_W) / 4.0;
        l->body_y[b] = l->split + 46.0 + (before + 0.5) * height / rows[k];
    }
    l->height = l->split + height + 110.0;
}

static void place(layout *l)
{
    const mc_concept *c = l->c;
    const int columns = c->assembly_count + c->axle_count;
    int rows[COLUMNS_MAX] = {0}, most = 0;
    for (int i = 0; i < c->part_count; i++) {
        const int k = column_of(c, &c->parts[i]) % COLUMNS_MAX;
        l->x[i] = 20.0 + k * (BOX_W + GAP_X) + BOX_W / 2.0;
        l->y[i] = 90.0 + TOP + rows[k]++ * (BOX_H + GAP_Y);
        most = rows[k] > most ? rows[k] : most;
    }
    l->width = 40.0 + columns * (BOX_W + GAP_X);
    l->split = 90.0 + TOP + most * (BOX_H + GAP_Y) + 40.0;
    if (l->width < 960.0)
        l->width = 960.0;
    place_bodies(l);
}

static void box(FILE *out, double x, double y, const char *text, bool strong)
{
    char a[32], b[32];
    fprintf(out,
            "<rect class=\"mc-%s\" fill=\"none\" stroke=\"#66717d\" stroke-width=\"%s\" x=\"%s\" "
            "y=\"%s\" width=\"%d\" height=\"%d\" rx=\"5\"/>\n",
            "paper", strong ? "2" : "1", svg_px(x - BOX_W / 2.0, a), svg_px(y - BOX_H / 2.0, b),
            BOX_W, BOX_H);
    svg_label(out, x, y + 4.5, 12.0, "middle", "mc-ink", BOX_W - 8.0, text);
}

// Rigid: heavy; joints: a line; springs and bushings: dashed.
static void edge(FILE *out, double x1, double y1, double x2, double y2, const concept_edge *e)
{
    static const char *const style[] = {"stroke-width=\"4\" opacity=\"0.35\"",
                                        "stroke-width=\"1.6\"",
                                        "stroke-width=\"1.4\" stroke-dasharray=\"5 4\"",
                                        "stroke-width=\"1.4\" stroke-dasharray=\"2 3\""};
    const int kind = concept_edge_is_rigid(e)         ? 0
                     : e->kind->joint                 ? 1
                     : e->kind->class == CLASS_SPRING ? 2
                                                      : 3;
    static const int colour[] = {4, 1, 3, 2};
    char a[32], b[32], c[32], d[32];
    // Parts below each other: a bow to the side.
    const double bow =
        fabs(x1 - x2) < 1.0 ? BOX_W / 2.0 + 12.0 + fmin(fabs(y1 - y2) / 12.0, 18.0) : 0.0;
    fprintf(out, "<path class=\"mc-%d\" fill=\"none\" stroke=\"currentColor\" %s d=\"M%s %s",
            colour[kind], style[kind], svg_px(bow > 0.0 ? x1 + BOX_W / 2.0 : x1, a), svg_px(y1, b));
    if (bow > 0.0)
        fprintf(out, "Q%s %s ", svg_px(x1 + bow + 6.0, c), svg_px((y1 + y2) / 2.0, d));
    else
        putc('L', out);
    fprintf(out, "%s %s\"/>\n", svg_px(bow > 0.0 ? x2 + BOX_W / 2.0 : x2, a), svg_px(y2, b));
}

static void key(FILE *out, double x, double y)
{
    static const char *const names[] = {"rigid: one body", "joint", "spring, damper, limit",
                                        "bushing"};
    static const connection_kind kinds[] = {{.class = CLASS_RIGID},
                                            {.class = CLASS_JOINT, .joint = "hinge"},
                                            {.class = CLASS_SPRING},
                                            {.class = CLASS_BUSHING}};
    for (int i = 0; i < 4; i++) {
        const concept_edge e = {.kind = &kinds[i]};
        edge(out, x + 210.0 * i, y, x + 210.0 * i + 30.0, y, &e);
        svg_label(out, x + 210.0 * i + 38.0, y + 4.0, 12.0, "start", "mc-faint", 165.0, names[i]);
    }
}

static void draw_parts(const layout *l, FILE *out)
{
    const mc_concept *c = l->c;
    for (int i = 0; i < c->edge_count; i++) {
        const concept_edge *e = &c->edges[i];
        const double gx = l->width - 60.0, gy = l->split - 30.0;
        edge(out, e->from < 0 ? gx : l->x[e->from], e->from < 0 ? gy : l->y[e->from],
             e->to < 0 ? gx : l->x[e->to], e->to < 0 ? gy : l->y[e->to], e);
    }
    for (int k = 0; k < c->assembly_count + c->axle_count && k < COLUMNS_MAX; k++)
        svg_label(out, 20.0 + k * (BOX_W + GAP_X) + BOX_W / 2.0, 90.0 + 6.0, 14.0, "middle",
                  "mc-faint", BOX_W, column_name(c, k));
    for (int i = 0; i < c->part_count; i++) {
        const char *dot = strchr(c->parts[i].name, '.');
        if (c->parts[i].role != ROLE_IGNORED)
            box(out, l->x[i], l->y[i], dot ? dot + 1 : c->parts[i].name, false);
    }
}

static bool touches_ground(const mc_concept *c)
{
    for (int i = 0; i < c->edge_count; i++)
        if (c->edges[i].from < 0 || c->edges[i].to < 0)
            return true;
    return false;
}

static void draw_bodies(const layout *l, FILE *out)
{
    const mc_concept *c = l->c;
    const double gx = l->width / 2.0, gy = l->height - 24.0;
    char text[120];
    for (int i = 0; i < c->edge_count; i++) {
        const concept_edge *e = &c->edges[i];
        const int a = e->from < 0 ? -1 : c->parts[e->from].body;
        const int b = e->to < 0 ? -1 : c->parts[e->to].body;
        if (a != b)
            edge(out, a < 0 ? gx : l->body_x[a], a < 0 ? gy : l->body_y[a],
                 b < 0 ? gx : l->body_x[b], b < 0 ? gy : l->body_y[b], e);
    }
    for (int b = 0; b < c->body_count; b++) {
        snprintf(text, sizeof text, "%.80s %.5g kg", c->bodies[b].name, c->bodies[b].moments.mass);
        box(out, l->body_x[b], l->body_y[b], text, true);
    }
    if (touches_ground(c))
        box(out, gx, gy, "ground", true);
}

mc_status mc_concept_draw_graph(const mc_concept *c, const char *path, mc_error *error)
{
    const size_t parts = (size_t)c->part_count + 1, bodies = (size_t)c->body_count + 1;
    double *numbers = calloc(2 * parts + 2 * bodies, sizeof numbers[0]);
    char *text = NULL, caption[200];
    size_t size = 0;
    FILE *out = numbers ? open_memstream(&text, &size) : NULL;
    if (!out) {
        free(numbers);
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory for the graph");
    }
    layout l = {c, numbers, numbers + parts, numbers + 2 * parts, numbers + 2 * parts + bodies, 0,
                0, 0};
    place(&l);
    snprintf(caption, sizeof caption, "%d parts with %d connections; %d bodies remain",
             c->part_count, c->edge_count, c->body_count);
    const svg_locale locale = svg_locale_begin();
    svg_figure_begin(out, l.width, l.height, c->name, caption);
    key(out, 24.0, 70.0);
    draw_parts(&l, out);
    svg_label(out, 20.0, l.split + 4.0, 15.0, "start", "mc-ink", 300.0, "bodies");
    draw_bodies(&l, out);
    svg_figure_end(out);
    svg_locale_end(locale);
    free(numbers);
    if (fclose(out) != 0) {
        free(text);
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory for the graph");
    }
    return svg_save(path, text, size, error);
}
