// roads.c - the section road of a scenario: lanes, line, slope, bank, friction, ramps, files.
#include "road/network.h"
#include "road_files/crg.h"
#include "road_files/xodr.h"
#include "scenario/reader.h"
#include "scenario/road_formula.h"
#include "scenario/section_text.h"
#include "terrain_file/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- stretches ----

typedef struct stretch {
    road_stretch s;
    road_side side;
    const yaml_node *node;
} stretch;

static int compare_stretches(const void *a, const void *b)
{
    const stretch *x = a, *y = b;
    if (x->s.from != y->s.from)
        return x->s.from < y->s.from ? -1 : 1;
    return (x->node->line > y->node->line) - (x->node->line < y->node->line);
}

static void read_stretch(scenario_reader *r, const yaml_node *map, scenario_section section,
                         const char *key, road_stretch *out)
{
    if (!scenario_check_keys(r, map, section, NULL, 0))
        return;
    out->from = scenario_number(r, map, section, "from");
    out->to = scenario_number(r, map, section, "to");
    out->value = scenario_number(r, map, section, key);
    out->transition = scenario_number(r, map, section, "transition");
    const yaml_node *transition = reader_get(&r->base, map, "transition");
    const double half = 0.5 * (out->to - out->from);
    if (r->base.status != MC_OK)
        return;
    if (!(half > 0.0))
        reader_reject(&r->base, yaml_find(map, "to"),
                      "to is %.9g m, expected more than from, %.9g m", out->to, out->from);
    else if (transition && out->transition > half)
        reader_reject(&r->base, transition,
                      "transition is %.9g m; the stretch is %.9g m long, so at most %.9g m",
                      out->transition, 2.0 * half, half);
    else
        out->transition = fmin(out->transition, half);
}

// The sides of a stretch of friction.
static void read_side(scenario_reader *r, const yaml_node *map, road_side *out)
{
    out->right = scenario_number(r, map, SECTION_FRICTION, "mu_right");
    out->divide = scenario_number(r, map, SECTION_FRICTION, "divide");
    out->seam = scenario_number(r, map, SECTION_FRICTION, "seam");
    const yaml_node *divide = yaml_find(map, "divide"), *seam = yaml_find(map, "seam");
    if (r->base.status == MC_OK && isnan(out->right) && (divide || seam))
        reader_reject(&r->base, divide ? divide : seam, "%s needs mu_right, the friction beyond it",
                      divide ? "divide" : "seam");
}

// Stretches in order of the road; they must not overlap. sides: of stretches of friction, else
// NULL.
static road_stretch *read_stretches(scenario_reader *r, const yaml_node *map, const char *list,
                                    scenario_section section, const char *key, int *count,
                                    road_side **sides)
{
    const yaml_node *n = scenario_elements(r, map, list, YAML_SEQUENCE, count);
    stretch *found = arena_alloc(&r->scratch, (size_t)*count * sizeof found[0]);
    road_stretch *out = arena_alloc(&r->s->memory, (size_t)*count * sizeof out[0]);
    if (sides)
        *sides = arena_alloc(&r->s->memory, (size_t)*count * sizeof **sides);
    if (!found || !out || (sides && !*sides))
        reader_no_memory(&r->base);
    for (int i = 0; n && r->base.status == MC_OK; n = n->next, i++) {
        found[i].node = n;
        read_stretch(r, n, section, key, &found[i].s);
        if (sides && r->base.status == MC_OK)
            read_side(r, n, &found[i].side);
    }
    if (r->base.status != MC_OK)
        return NULL;
    if (*count)
        qsort(found, (size_t)*count, sizeof found[0], compare_stretches);
    for (int i = 0; i < *count; i++) {
        out[i] = found[i].s;
        if (sides)
            (*sides)[i] = found[i].side;
        if (i > 0 && out[i].from < out[i - 1].to)
            reader_reject(&r->base, found[i].node,
                          "%s %.9g .. %.9g m overlaps that of %.9g .. %.9g m on line %d",
                          scenario_section_name(section), out[i].from, out[i].to, out[i - 1].from,
                          out[i - 1].to, found[i - 1].node->line);
    }
    return out;
}

// The formula of a road profile: z or grade.
static road_formula *read_formula(scenario_reader *r, const yaml_node *map)
{
    const bool height = yaml_find(map, "z") != NULL;
    law_text *text = reader_alloc(&r->base, 1, sizeof *text);
    mc_error error = {0};
    if (r->base.status == MC_OK && height == (yaml_find(map, "grade") != NULL))
        reader_reject(&r->base, map, "a road profile has either z, its height, or grade");
    if (r->base.status != MC_OK)
        return NULL;
    scenario_law_text(r, map, SECTION_ROAD_PROFILE, SECTION_ROAD_PROFILE, height ? "z" : "grade",
                      text);
    if (r->base.status != MC_OK)
        return NULL;
    road_formula *f = road_formula_create(text, height, r->s->file, &error);
    if (!f)
        scenario_reject_by(r, map, &error);
    return f;
}

// The slope of the road by a formula. No map: it has none.
static void read_profile(scenario_reader *r, const yaml_node *map)
{
    scenario *s = r->s;
    if (!map || reader_is_empty(map) || r->base.status != MC_OK)
        return;
    if (s->grade_count > 0) {
        reader_reject(&r->base, map->key,
                      "the road has %d grade%s and a profile; expected only one of both",
                      s->grade_count, s->grade_count == 1 ? "" : "s");
        return;
    }
    if (!scenario_check_keys(r, map, SECTION_ROAD_PROFILE, NULL, 0))
        return;
    const double from = scenario_number(r, map, SECTION_ROAD_PROFILE, "from");
    const double to = scenario_number(r, map, SECTION_ROAD_PROFILE, "to");
    if (r->base.status == MC_OK && !(from < to))
        reader_reject(&r->base, yaml_find(map, "to"),
                      "to is %.9g m, expected more than from, %.9g m", to, from);
    s->profile = read_formula(r, map);
    mc_error error = {0};
    if (!s->profile)
        return;
    const road_formula_numbers numbers = road_formula_numbers_of(s->profile);
    *numbers.from = from;
    *numbers.to = to;
    if (road_formula_apply(s->profile, &s->memory, &s->road, &error) != MC_OK)
        scenario_reject_by(r, map, &error);
}

// ---- lines ----

// A curvature by its radius, left positive.
static double curvature_of(scenario_reader *r, const yaml_node *map, const char *key)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    const double radius = scenario_number(r, map, SECTION_ROAD_LINE, key);
    if (!node || r->base.status != MC_OK)
        return 0.0;
    if (!(fabs(radius) >= 5.0)) {
        reader_reject(&r->base, node,
                      "%s is %.9g m; expected at least 5 m, left positive, right negative", key,
                      radius);
        return 0.0;
    }
    return 1.0 / radius;
}

static void read_piece(scenario_reader *r, const yaml_node *map, double before, road_piece *out)
{
    static const char *const kinds[] = {"straight", "arc", "clothoid"};
    if (!scenario_check_keys(r, map, SECTION_ROAD_LINE, NULL, 0))
        return;
    int kind = -1, count = 0;
    for (int k = 0; k < 3; k++)
        if (yaml_find(map, kinds[k]))
            kind = k, count++;
    const yaml_node *radius = yaml_find(map, "radius"), *to = yaml_find(map, "to_radius");
    if (count != 1) {
        reader_reject(&r->base, map,
                      "a piece of a line has one of straight, arc and clothoid, but %d of them are "
                      "given",
                      count);
    } else if (kind == 1 && !radius) {
        reader_reject(&r->base, map, "an arc needs its radius, such as {arc: 200, radius: 300}");
    } else if (kind != 1 && radius) {
        reader_reject(&r->base, radius->key, "a %s has no radius%s", kinds[kind],
                      kind == 2 ? "; did you mean to_radius?" : "");
    } else if (kind != 2 && to) {
        reader_reject(&r->base, to->key, "%s %s has no to_radius; only a clothoid has",
                      kind == 1 ? "an" : "a", kinds[kind]);
    } else {
        out->length = scenario_number(r, map, SECTION_ROAD_LINE, kinds[kind]);
        const double k = curvature_of(r, map, kind == 1 ? "radius" : "to_radius");
        out->k0 = kind == 0 ? 0.0 : kind == 1 ? k : before;
        out->k1 = kind == 0 ? 0.0 : k;
    }
}

static road_piece *read_line(scenario_reader *r, const yaml_node *map, int *count)
{
    const yaml_node *n = scenario_elements(r, map, "line", YAML_SEQUENCE, count);
    road_piece *out = reader_alloc(&r->base, *count, sizeof *out);
    double before = 0.0;
    for (int i = 0; n && r->base.status == MC_OK; n = n->next, i++) {
        read_piece(r, n, before, &out[i]);
        before = out[i].k1;
    }
    return out;
}

// Bank comes and goes by cubics without a kink.
static road_polys read_bank(scenario_reader *r, const yaml_node *map)
{
    int count;
    const road_stretch *s = read_stretches(r, map, "bank", SECTION_BANK, "bank", &count, NULL);
    if (r->base.status != MC_OK || count == 0)
        return (road_polys){0};
    road_poly *p = reader_alloc(&r->base, 4 * count + 1, sizeof *p);
    if (r->base.status != MC_OK)
        return (road_polys){0};
    int n = 0;
    if (s[0].from > -HUGE_VAL)
        p[n++] = (road_poly){.at = s[0].from - 1.0};
    for (int k = 0; k < count; k++) {
        const double a = s[k].from, d = s[k].to, l = s[k].transition, v = s[k].value;
        n -= p[n - 1].at >= a; // the flat piece before begins where this one does
        p[n++] = road_poly_between(a, a + l, 0.0, v, 0.0, 0.0);
        if (d - l > a + l)
            p[n++] = (road_poly){.at = a + l, .a = v};
        p[n++] = road_poly_between(d - l, d, v, 0.0, 0.0, 0.0);
        p[n++] = (road_poly){.at = d};
    }
    return (road_polys){p, n};
}

// ---- sections and ramps ----

static int use_of(scenario_reader *r, const yaml_node *map, const char *key)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    return node ? reader_choice(&r->base, node, scenario_road_uses, ROAD_USE_COUNT) : -1;
}

void scenario_read_section(scenario_reader *r, const yaml_node *map, int lanes,
                           road_lane_stretch *out)
{
    const scenario_section section = SECTION_ROAD_SECTION;
    if (!scenario_check_keys(r, map, section, NULL, 0))
        return;
    const double taper = scenario_number(r, map, section, "taper");
    *out = (road_lane_stretch){.lane = scenario_whole(r, map, section, "lane") - 1,
                               .from = scenario_number(r, map, section, "from"),
                               .to = scenario_number(r, map, section, "to"),
                               .width = scenario_number(r, map, section, "width"),
                               .speed = scenario_number(r, map, section, "speed"),
                               .headway = scenario_number(r, map, section, "headway"),
                               .separation = scenario_number(r, map, section, "separation"),
                               .use = use_of(r, map, "use"),
                               .enter = use_of(r, map, "enter")};
    const double half = 0.5 * (out->to - out->from);
    const yaml_node *given = yaml_find(map, "taper");
    if (r->base.status != MC_OK)
        return;
    if (!(half > 0.0))
        reader_reject(&r->base, yaml_find(map, "to"),
                      "to is %.9g m, expected more than from, %.9g m", out->to, out->from);
    else if (given && isnan(out->width))
        reader_reject(&r->base, given->key, "taper without a width to change to");
    else if (given && taper > half)
        reader_reject(&r->base, given,
                      "taper is %.9g m; the section is %.9g m long, so at most %.9g m", taper,
                      2.0 * half, half);
    else if (out->lane >= lanes)
        reader_reject(&r->base, yaml_find(map, "lane"), "lane %d of a road with %d lane%s",
                      out->lane + 1, lanes, lanes == 1 ? "" : "s");
    out->in = out->out = isnan(out->width) ? 0.0 : fmin(taper, half);
}

static void read_sections(scenario_reader *r, const yaml_node *map, road_plan *plan)
{
    const yaml_node *n = scenario_elements(r, map, "sections", YAML_SEQUENCE, &plan->stretch_count);
    road_lane_stretch *out = reader_alloc(&r->base, plan->stretch_count, sizeof *out);
    for (int i = 0; n && r->base.status == MC_OK; n = n->next, i++)
        scenario_read_section(r, n, plan->lane_count, &out[i]);
    plan->stretches = out;
}

static void read_ramp(scenario_reader *r, const yaml_node *map, double lane_width, road_ramp *out)
{
    static const char *const kinds[] = {"on", "off"};
    if (!scenario_check_keys(r, map, SECTION_RAMP, NULL, 0))
        return;
    const yaml_node *name = scenario_need(r, map, SECTION_RAMP, "name");
    const yaml_node *kind = scenario_need(r, map, SECTION_RAMP, "kind");
    const yaml_node *line = scenario_need(r, map, SECTION_RAMP, "line");
    if (r->base.status != MC_OK || !name || !kind || !line)
        return;
    out->name = reader_text(&r->base, name);
    out->on = reader_choice(&r->base, kind, kinds, 2) == 0;
    out->connector = scenario_flag(r, map, "connector", false);
    out->at = scenario_number(r, map, SECTION_RAMP, "at");
    out->length = scenario_number(r, map, SECTION_RAMP, "length");
    out->taper = scenario_number(r, map, SECTION_RAMP, "taper");
    out->width = scenario_number(r, map, SECTION_RAMP, "width");
    out->speed = scenario_number(r, map, SECTION_RAMP, "speed");
    if (isnan(out->width))
        out->width = lane_width;
    out->pieces = read_line(r, map, &out->piece_count);
    out->grades = read_stretches(r, map, "grades", SECTION_GRADE, "grade", &out->grade_count, NULL);
    out->bank = read_bank(r, map);
    if (r->base.status == MC_OK && out->piece_count == 0)
        reader_reject(&r->base, line, "ramp %.100s has a line without pieces", out->name);
}

static void read_ramps(scenario_reader *r, const yaml_node *map, road_plan *plan)
{
    if (scenario_read_ramp_lines(r, map, plan))
        return;
    const yaml_node *n = scenario_elements(r, map, "ramps", YAML_SEQUENCE, &plan->ramp_count);
    road_ramp *out = reader_alloc(&r->base, plan->ramp_count, sizeof *out);
    for (int i = 0; n && r->base.status == MC_OK; n = n->next, i++) {
        read_ramp(r, n, plan->lane_width, &out[i]);
        for (int k = 0; k < i && r->base.status == MC_OK; k++)
            if (strcmp(out[k].name, out[i].name) == 0)
                reader_reject(&r->base, yaml_find(n, "name"), "two ramps are called %.100s",
                              out[i].name);
    }
    plan->ramps = out;
}

// ---- files ----

enum { ROAD_FILE_MAX = 1 << 28 }; // bytes

static road_surface *read_surface(scenario_reader *r, const yaml_node *map)
{
    const yaml_node *node = reader_get(&r->base, map, "surface");
    const mc_file *file = node ? scenario_take_file(r, node, ROAD_FILE_MAX) : NULL;
    crg_surface *crg = file ? reader_alloc(&r->base, 1, sizeof *crg) : NULL;
    mc_error error = {0};
    if (!crg)
        return NULL;
    if (crg_parse(&r->s->memory, file->bytes, file->size, file->path, crg, &error) != MC_OK) {
        r->base.status = error.code;
        *r->base.error = error;
        return NULL;
    }
    return &crg->surface;
}

static bool take_file(void *context, const yaml_node *node, const char **bytes, size_t *size,
                      const char **path)
{
    const mc_file *file = scenario_take_file(context, node, ROAD_FILE_MAX);
    if (file)
        *bytes = file->bytes, *size = file->size, *path = file->path;
    return file != NULL;
}

typedef struct beside { // the file of the road
    scenario_reader *r;
    const yaml_node *node;
} beside;

// A file that the file of the road names, from the folder of that.
static bool take_beside(void *context, const char *name, const char **bytes, size_t *size,
                        const char **path, mc_error *error)
{
    const beside *of = context;
    const char *own = reader_text(&of->r->base, of->node), *slash = strrchr(own, '/');
    char text[4096];
    const int length = snprintf(text, sizeof text, "%.*s%s",
                                slash && name[0] != '/' ? (int)(slash + 1 - own) : 0, own, name);
    yaml_node node = *of->node;
    node.text = (char *)reader_copy(&of->r->base, text);
    const mc_file *file = length < (int)sizeof text && of->r->base.status == MC_OK
                              ? scenario_take_file(of->r, &node, ROAD_FILE_MAX)
                              : NULL;
    if (file)
        *bytes = file->bytes, *size = file->size, *path = file->path;
    else
        snprintf(error->text, sizeof error->text, "%s", "cannot be read");
    return file != NULL;
}

static road_surface *read_terrain(scenario_reader *r, const yaml_node *map)
{
    const yaml_node *node = reader_get(&r->base, map, "terrain");
    const terrain_files files = {r, take_file};
    road_surface *s = node ? reader_alloc(&r->base, 1, sizeof *s) : NULL;
    if (s && yaml_find(map, "surface"))
        reader_reject(&r->base, yaml_find(map, "surface")->key,
                      "the road has terrain; a surface is a feature of it");
    const road_terrain *t = s ? terrain_read(&r->base, node, &files) : NULL;
    if (t)
        s->terrain = t;
    return t ? s : NULL;
}

static void read_file(scenario_reader *r, const yaml_node *map, const yaml_node *node)
{
    static const char *const own[] = {
        "lanes",     "lane_width", "line",    "closed", "bank",    "sections", "ramps",
        "ramp_file", "ramp_lines", "surface", "grades", "profile", "terrain"};
    for (size_t k = 0; k < sizeof own / sizeof own[0]; k++) {
        const yaml_node *other = yaml_find(map, own[k]);
        if (other && r->base.status == MC_OK)
            reader_reject(&r->base, other->key, "the road comes from %.200s, which has its own %s",
                          reader_text(&r->base, node), own[k]);
    }
    const mc_file *file = scenario_take_file(r, node, ROAD_FILE_MAX);
    mc_error error = {0};
    if (!file || r->base.status != MC_OK)
        return;
    scenario *s = r->s;
    xodr_notes notes;
    beside here = {r, node};
    const xodr_files files = {&here, take_beside};
    if (xodr_parse_with(&s->memory, file->bytes, file->size, file->path, &files, &s->road, NULL,
                        &notes, &error) != MC_OK) {
        if (r->base.status == MC_OK)
            *r->base.error = error;
        r->base.status = error.code;
        return;
    }
    s->road_file = true;
    for (int k = 0; k < notes.count; k++)
        scenario_warn(r, scenario_place_of(node), "%s:%d: %s", file->path, notes.line[k],
                      notes.text[k]);
}

// ---- the road ----

// Element `index` of a list.
static const yaml_node *element(const yaml_node *map, const char *list, int index)
{
    const yaml_node *n = yaml_find(map, list);
    n = n ? n->first : NULL;
    for (int i = 0; n && i < index; i++)
        n = n->next;
    return n ? n : map;
}

static void reject_plan(scenario_reader *r, const yaml_node *map, road_fault fault,
                        const mc_error *error)
{
    const yaml_node *line = yaml_find(map, "line"), *closed = yaml_find(map, "closed");
    const yaml_node *sections = yaml_find(map, "sections");
    const yaml_node *lines = yaml_find(map, "ramp_lines");
    lines = lines ? lines : yaml_find(map, "ramp_file");
    const yaml_node *at = fault.what == ROAD_FAULT_RAMP && lines ? lines
                          : fault.what == ROAD_FAULT_RAMP    ? element(map, "ramps", fault.index)
                          : fault.what == ROAD_FAULT_STRETCH ? element(map, "sections", fault.index)
                          : strstr(error->text, "close") && closed   ? closed
                          : strstr(error->text, "lanes") && sections ? sections
                          : line                                     ? line
                                                                     : map;
    reader_reject(&r->base, at, "%s", error->text);
}

// Curves, lanes that change, ramps, a surface: if any is given.
static void read_plan(scenario_reader *r, const yaml_node *map)
{
    scenario *s = r->s;
    road_plan *plan = reader_alloc(&r->base, 1, sizeof *plan);
    if (r->base.status != MC_OK)
        return;
    plan->lane_count = s->road.lane_count;
    plan->lane_width = s->road.lane_width;
    plan->pieces = read_line(r, map, &plan->piece_count);
    plan->closed = scenario_flag(r, map, "closed", false);
    plan->bank = read_bank(r, map);
    read_sections(r, map, plan);
    read_ramps(r, map, plan);
    plan->surface = read_surface(r, map);
    if (yaml_find(map, "terrain"))
        plan->surface = read_terrain(r, map);
    if (r->base.status != MC_OK)
        return;
    if (plan->closed && plan->piece_count == 0) {
        reader_reject(&r->base, yaml_find(map, "closed"), "a closed road needs a line");
        return;
    }
    if (plan->piece_count == 0 && plan->bank.count == 0 && plan->stretch_count == 0 &&
        plan->ramp_count == 0 && !plan->surface)
        return;
    if (plan->lane_count + (plan->ramp_count > 0) > ROAD_LANES_MAX) {
        reader_reject(&r->base, yaml_find(map, "lanes"),
                      "%d lanes and one more for ramps; expected at most %d", plan->lane_count,
                      ROAD_LANES_MAX);
        return;
    }
    road_fault fault = {0};
    mc_error error = {0};
    if (road_network_make(&s->memory, plan, &s->road, &s->road.net, &fault, &error) != MC_OK)
        reject_plan(r, map, fault, &error);
    s->plan = plan;
}

void scenario_read_road(scenario_reader *r, const yaml_node *root)
{
    scenario *s = r->s;
    static const yaml_node none = {.kind = YAML_MAPPING, .text = ""};
    const yaml_node *map = reader_get(&r->base, root, "road");
    map = map ? map : &none;
    if (!scenario_check_keys(r, map, SECTION_ROAD, NULL, 0))
        return;
    const int lanes = scenario_whole(r, map, SECTION_ROAD, "lanes");
    const double width = scenario_number(r, map, SECTION_ROAD, "lane_width");
    s->headway = scenario_number(r, map, SECTION_ROAD, "headway");
    s->distance = scenario_number(r, map, SECTION_ROAD, "distance");
    s->speed = scenario_number(r, map, SECTION_ROAD, "speed");
    s->headway_commanded = yaml_find(map, "headway") != NULL;
    s->speed_commanded = yaml_find(map, "speed") != NULL;
    s->distance_commanded = yaml_find(map, "distance") != NULL;
    const yaml_node *file = yaml_find(map, "file");
    int grade_count, friction_count;
    road_stretch *grades =
        read_stretches(r, map, "grades", SECTION_GRADE, "grade", &grade_count, NULL);
    road_stretch *frictions =
        read_stretches(r, map, "friction", SECTION_FRICTION, "mu", &friction_count, &s->sides);
    if (r->base.status != MC_OK)
        return;
    s->grades = grades, s->grade_count = grade_count;
    s->frictions = frictions, s->friction_count = friction_count;
    mc_error error = {0};
    if (road_make(&s->memory, lanes, width, grades, grade_count, frictions, friction_count,
                  &s->road, &error) != MC_OK ||
        road_set_sides(&s->memory, frictions, s->sides, friction_count, &s->road, &error) != MC_OK)
        reader_reject(&r->base, map, "%s", error.text);
    read_profile(r, yaml_find(map, "profile"));
    if (r->base.status != MC_OK)
        return;
    if (file)
        read_file(r, map, file);
    else
        read_plan(r, map);
}
