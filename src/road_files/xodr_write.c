// xodr_write.c - a road to an OpenDRIVE file.
#include "road_files/xodr_write.h"

#include "road/network.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEIGHT_ERROR 1e-10 // m, of cubics that follow the height

typedef struct writer {
    FILE *out;
    const road *road;
    const xodr_write_options *options;
    xml_notes *notes;
} writer;

static void note(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(writer *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (w->notes->count < XML_NOTES_MAX) {
        w->notes->line[w->notes->count] = 0;
        vsnprintf(w->notes->text[w->notes->count++], sizeof w->notes->text[0], format, list);
    }
    va_end(list);
}

static void write_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char *word = *text == '&'   ? "&amp;"
                           : *text == '<' ? "&lt;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        if (word)
            fputs(word, out);
        else
            fputc(*text, out);
    }
}

// ---- the line ----

static void write_piece(FILE *out, double s, road_pose at, const road_piece *p)
{
    fprintf(out,
            "      <geometry s=\"%.17g\" x=\"%.17g\" y=\"%.17g\" hdg=\"%.17g\" length=\"%.17g\">",
            s, at.x, at.y, at.heading, p->length);
    if (p->k0 == 0.0 && p->k1 == 0.0)
        fprintf(out, "<line/>");
    else if (p->k0 == p->k1)
        fprintf(out, "<arc curvature=\"%.17g\"/>", p->k0);
    else
        fprintf(out, "<spiral curvStart=\"%.17g\" curvEnd=\"%.17g\"/>", p->k0, p->k1);
    fprintf(out, "</geometry>\n");
}

static double write_line(writer *w, const road_branch *b)
{
    road_pose at = b ? b->path.start : (road_pose){0};
    double s = 0.0;
    fprintf(w->out, "    <planView>\n");
    if (!b || b->endless) {
        const road_piece straight = {w->options->length, 0.0, 0.0};
        write_piece(w->out, 0.0, at, &straight);
        s = straight.length;
    } else {
        for (int k = 0; k < b->path.piece_count; k++) {
            write_piece(w->out, s, at, &b->path.pieces[k]);
            s += b->path.pieces[k].length;
            at = road_pieces_end(at, &b->path.pieces[k], 1);
        }
    }
    fprintf(w->out, "    </planView>\n");
    return s;
}

// ---- heights ----

static void write_cubic(FILE *out, const char *name, const char *key, double at, double a, double b,
                        double c, double d)
{
    fprintf(out, "<%s %s=\"%.17g\" a=\"%.17g\" b=\"%.17g\" c=\"%.17g\" d=\"%.17g\"/>", name, key,
            at, a, b, c, d);
}

typedef struct climb {
    writer *w;
    const road *along;
    double base;
} climb;

// Cubics with the heights and slopes of both ends, halved until they meet the height between.
static void write_climb(const climb *c, double from, double to, int depth)
{
    const road_poly p = road_poly_between(
        from, to, c->base + road_height(c->along, from), c->base + road_height(c->along, to),
        sin(road_slope(c->along, from)), sin(road_slope(c->along, to)));
    double worst = 0.0;
    for (int k = 1; k < 4; k++) {
        const double s = from + 0.25 * k * (to - from);
        worst = fmax(worst, fabs(road_poly_value(&p, s) - c->base - road_height(c->along, s)));
    }
    if (worst > HEIGHT_ERROR && depth < 12) {
        write_climb(c, from, 0.5 * (from + to), depth + 1);
        write_climb(c, 0.5 * (from + to), to, depth + 1);
        return;
    }
    fprintf(c->w->out, "      ");
    write_cubic(c->w->out, "elevation", "s", from, p.a, p.b, p.c, p.e);
    fprintf(c->w->out, "\n");
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void write_elevation(writer *w, const road_branch *b, double length)
{
    const road *along = b && b->along ? b->along : w->road;
    const climb c = {w, along, b ? b->base : 0.0};
    const int points = along->slope.count + along->curve.count;
    double *at = malloc(((size_t)points + 2) * sizeof *at);
    int n = 0;
    if (!at || (road_is_level(along) && c.base == 0.0)) {
        free(at);
        return;
    }
    at[n++] = 0.0;
    for (int k = 0; k < points; k++) {
        const double x = k < along->slope.count ? along->slope.x[k]
                                                : along->curve.points[k - along->slope.count].x;
        if (x > 1e-9 && x < length - 1e-9)
            at[n++] = x;
    }
    qsort(at, (size_t)n, sizeof *at, compare_numbers);
    at[n] = length;
    fprintf(w->out, "    <elevationProfile>\n");
    for (int k = 0; k < n; k++)
        if (at[k + 1] - at[k] > 1e-9)
            write_climb(&c, at[k], at[k + 1], 0);
    fprintf(w->out, "    </elevationProfile>\n");
    free(at);
}

// The cubics within 0 .. length, each about the place where it begins there.
static void write_polys(FILE *out, const char *name, const road_polys *polys, double length)
{
    for (int k = 0; k < polys->count; k++) {
        const road_poly *p = &polys->p[k];
        const double end = k + 1 < polys->count ? polys->p[k + 1].at : HUGE_VAL;
        const double at = k == 0 || p->at < 0.0 ? 0.0 : p->at, d = at - p->at;
        if (end <= 0.0 || at >= length)
            continue;
        fprintf(out, "      ");
        write_cubic(out, name, "s", at, p->a + d * (p->b + d * (p->c + d * p->e)),
                    p->b + d * (2.0 * p->c + 3.0 * d * p->e), p->c + 3.0 * d * p->e, p->e);
        fprintf(out, "\n");
    }
}

// ---- lanes ----

static bool is_absent(const road_lane *l)
{
    return l->use == MC_ROAD_CLOSED && l->a == 0.0 && l->b == 0.0 && l->c == 0.0 && l->e == 0.0;
}

// The id of a strip in a section: -1, -2, ... of those that exist; 0: it does not.
static int id_of(const road_section *section, int strip)
{
    int id = 0;
    for (int k = 0; k <= strip; k++)
        id -= !is_absent(&section->lane[k]);
    return is_absent(&section->lane[strip]) ? 0 : id;
}

static void write_lane(writer *w, const road_lanes *lanes, int section, int strip)
{
    const road_section *now = &lanes->sections[section];
    const road_lane *l = &now->lane[strip];
    const int id = id_of(now, strip), before = section > 0 ? id_of(now - 1, strip) : 0;
    const int after = section + 1 < lanes->section_count ? id_of(now + 1, strip) : 0;
    if (id == 0)
        return;
    fprintf(w->out, "          <lane id=\"%d\" type=\"%s\" level=\"false\">", id,
            l->use == MC_ROAD_CLOSED ? "restricted" : "driving");
    fprintf(w->out, "<link>");
    if (before)
        fprintf(w->out, "<predecessor id=\"%d\"/>", before);
    if (after)
        fprintf(w->out, "<successor id=\"%d\"/>", after);
    fprintf(w->out, "</link>");
    write_cubic(w->out, "width", "sOffset", 0.0, l->a, l->b, l->c, l->e);
    if (!isnan(l->speed))
        fprintf(w->out, "<speed sOffset=\"0\" max=\"%.17g\" unit=\"m/s\"/>", l->speed);
    fprintf(w->out, "</lane>\n");
}

static void write_sections(writer *w, const road_lanes *lanes)
{
    fprintf(w->out, "    <lanes>\n");
    for (int i = 0; i < lanes->section_count; i++) {
        const road_section *x = &lanes->sections[i];
        fprintf(w->out, "      ");
        write_cubic(w->out, "laneOffset", "s", i ? x->s : 0.0, x->a, x->b, x->c, x->e);
        fprintf(w->out, "\n");
    }
    for (int i = 0; i < lanes->section_count; i++) {
        fprintf(w->out,
                "      <laneSection s=\"%.17g\">\n"
                "        <center><lane id=\"0\" type=\"none\" level=\"false\"/></center>\n"
                "        <right>\n",
                i ? lanes->sections[i].s : 0.0);
        for (int k = 0; k < lanes->count; k++)
            write_lane(w, lanes, i, k);
        fprintf(w->out, "        </right>\n      </laneSection>\n");
    }
    fprintf(w->out, "    </lanes>\n");
}

// Of a straight road without a network.
static void write_plain_lanes(writer *w)
{
    road_lane all[ROAD_LANES_MAX];
    const double width = w->road->lane_width;
    for (int k = 0; k < w->road->lane_count; k++)
        all[k] = (road_lane){.a = width, .speed = NAN, .headway = NAN, .separation = NAN};
    const road_section one = {.a = 0.5 * width, .lane = all};
    const road_lanes lanes = {w->road->lane_count, &one, 1, w->options->length};
    write_sections(w, &lanes);
}

static void note_rules(writer *w, const road_branch *b, const char *name)
{
    for (int i = 0; i < b->lanes.section_count; i++)
        for (int k = 0; k < b->lanes.count; k++) {
            const road_lane *l = &b->lanes.sections[i].lane[k];
            if ((l->use != MC_ROAD_ANY && l->use != MC_ROAD_CLOSED) || l->enter != MC_ROAD_ANY ||
                !isnan(l->headway) || !isnan(l->separation)) {
                note(w,
                     "path %s: which vehicles may use or enter a lane, its headway and its "
                     "separation have no place in OpenDRIVE",
                     name);
                return;
            }
        }
}

// ---- links ----

static bool is_ramp(const mc_road_ramp *r)
{
    return r->to > r->from;
}

// How many paths the end of a path leads to; *last: one of them.
static int links_of(const road *r, int path, mc_road_ramp *last)
{
    int count = 0;
    mc_road_ramp ramp;
    for (int k = 0; mc_road_ramp_at(r, k, &ramp); k++)
        if (!is_ramp(&ramp) && ramp.path == path)
            *last = ramp, count++;
    return count;
}

// The junction that a path belongs to: that of the path which leads to it and to others.
static int junction_of(const road *r, int path)
{
    mc_road_ramp ramp, any;
    for (int k = 0; mc_road_ramp_at(r, k, &ramp); k++)
        if (!is_ramp(&ramp) && ramp.main == path && links_of(r, ramp.path, &any) > 1)
            return 1000 + ramp.path;
    return -1;
}

static void write_link(writer *w, int path, bool closed)
{
    mc_road_ramp to;
    const int count = links_of(w->road, path, &to);
    if (closed)
        fprintf(w->out,
                "    <link><predecessor elementType=\"road\" elementId=\"%d\" "
                "contactPoint=\"end\"/><successor elementType=\"road\" elementId=\"%d\" "
                "contactPoint=\"start\"/></link>\n",
                path, path);
    else if (count == 1)
        fprintf(w->out,
                "    <link><successor elementType=\"road\" elementId=\"%d\" "
                "contactPoint=\"start\"/></link>\n",
                to.main);
    else if (count > 1)
        fprintf(w->out, "    <link><successor elementType=\"junction\" elementId=\"%d\"/></link>\n",
                1000 + path);
}

static void write_junctions(writer *w)
{
    mc_road_ramp ramp, any;
    for (int path = 0; path < mc_road_path_count(w->road); path++) {
        if (links_of(w->road, path, &any) < 2)
            continue;
        fprintf(w->out, "  <junction id=\"%d\" name=\"\">\n", 1000 + path);
        int id = 0;
        for (int k = 0; mc_road_ramp_at(w->road, k, &ramp); k++)
            if (!is_ramp(&ramp) && ramp.path == path)
                fprintf(w->out,
                        "    <connection id=\"%d\" incomingRoad=\"%d\" connectingRoad=\"%d\" "
                        "contactPoint=\"start\"><laneLink from=\"-1\" to=\"%d\"/></connection>\n",
                        id++, path, ramp.main, -ramp.lane - 1);
        fprintf(w->out, "  </junction>\n");
    }
}

static void write_ramp(writer *w, int path)
{
    mc_road_ramp r;
    for (int k = 0; mc_road_ramp_at(w->road, k, &r); k++) {
        if (r.path != path || !is_ramp(&r))
            continue;
        fprintf(w->out,
                "    <userData code=\"motorcade.ramp\" value=\"%s %d %d %.17g %.17g %.17g %.17g "
                "%d\"/>\n",
                r.on ? "on" : "off", r.main, r.lane, r.at, r.from, r.to,
                isnan(r.speed) ? -1.0 : r.speed, r.connector);
        note(w,
             "ramp %.80s is a road of its own: where it meets the main road is in userData, "
             "which other programs pass over",
             r.name);
    }
}

// ---- roads ----

static void write_surface(writer *w, int path)
{
    if (path != 0 || !w->options->surface)
        return;
    fprintf(w->out, "    <surface><CRG file=\"");
    write_escaped(w->out, w->options->surface);
    fprintf(w->out,
            "\" sStart=\"%.17g\" sEnd=\"%.17g\" orientation=\"same\" mode=\"attached\" "
            "purpose=\"elevation\" sOffset=\"0\" tOffset=\"0\" zOffset=\"0\" zScale=\"1\"/>"
            "</surface>\n",
            w->options->surface_from, w->options->surface_to);
}

static void write_road(writer *w, int path)
{
    const road_branch *b = w->road->net ? &w->road->net->branches[path] : NULL;
    const double length = !b || b->endless ? w->options->length : b->path.length;
    fprintf(w->out, "  <road name=\"");
    write_escaped(w->out, b ? b->name : "main");
    fprintf(w->out, "\" length=\"%.17g\" id=\"%d\" junction=\"%d\">\n", length, path,
            junction_of(w->road, path));
    write_link(w, path, b && b->path.closed);
    write_line(w, b);
    write_elevation(w, b, length);
    if (b && b->bank.count) {
        fprintf(w->out, "    <lateralProfile>\n");
        write_polys(w->out, "superelevation", &b->bank, length);
        fprintf(w->out, "    </lateralProfile>\n");
    }
    if (b) {
        write_sections(w, &b->lanes);
        note_rules(w, b, b->name);
    } else {
        write_plain_lanes(w);
    }
    write_surface(w, path);
    write_ramp(w, path);
    fprintf(w->out, "  </road>\n");
}

char *xodr_text(const mc_road *r, const char *name, const xodr_write_options *options,
                xml_notes *notes, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return NULL;
    *notes = (xml_notes){0};
    writer w = {out, r, options, notes};
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OpenDRIVE>\n"
                 "  <header revMajor=\"1\" revMinor=\"6\" name=\"");
    write_escaped(out, name);
    fprintf(out, "\" version=\"1.00\"/>\n");
    for (int path = 0; path < mc_road_path_count(r); path++)
        write_road(&w, path);
    write_junctions(&w);
    fprintf(out, "</OpenDRIVE>\n");
    if (r->friction.count || r->split_count)
        note(&w, "stretches with other friction are not written");
    const bool good = !ferror(out);
    if (fclose(out) != 0 || !good) {
        free(text);
        return NULL;
    }
    return text;
}
