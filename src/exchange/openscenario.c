// openscenario.c - OpenSCENARIO files (.xosc, 1.x).
//
// Read are vehicles with their boxes, positions and speeds at the start, and the events of the
// storyboard whose actions and triggers have a counterpart (storyboard.h). Vehicles are points that
// follow their speeds over time and change lanes at given times; they do not react to each other,
// as with the default controllers of the format.
#include "exchange/formats.h"
#include "exchange/recorded.h"
#include "exchange/storyboard.h"
#include "expr/graph.h"
#include "expr/parse.h"
#include "motorcade/laws.h"
#include "road/road.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.81
#define AFTER 10.0 // s, of a run after the last event

// ---- parameters ----

#define NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

static bool no_name(void *context, const char *name, expr_value *out)
{
    (void)context, (void)name, (void)out;
    return false;
}

// The value of a formula without variables; false: it is none.
static bool constant_of(const char *text, double *value)
{
    expr_graph *g = expr_graph_create();
    const expr_scope scope = {.graph = g, .resolve = no_name};
    const expr_source source = {.text = text};
    expr_value out;
    mc_error error = {0};
    bool good = g && expr_parse(&scope, &source, 1, (expr_unit){0}, &out, &error) == MC_OK;
    const expr_node *node = good ? expr_node_at(g, out.v[0]) : NULL;
    good = node && node->op == EXPR_CONST && isfinite(node->value);
    *value = good ? node->value : 0.0;
    if (g)
        expr_graph_destroy(g);
    return good;
}

// The value of a parameter: of the nearest declarations around the element; NULL: none.
static const char *parameter_of(const xml_node *node, const char *name, size_t length)
{
    for (const xml_node *n = node; n; n = n->parent) {
        const xml_node *list = xml_first(n, "ParameterDeclarations");
        for (const xml_node *p = xml_first(list, "ParameterDeclaration"); p;
             p = xml_next(p, "ParameterDeclaration")) {
            const char *own = xml_get(p, "name"), *value = xml_get(p, "value");
            if (own && value && strlen(own) == length && strncmp(own, name, length) == 0)
                return value;
        }
    }
    return NULL;
}

// ${...}: a formula of numbers and parameters, as text; NULL: it is none.
static const char *formula_of(xml_reader *r, const xml_node *node, const char *text)
{
    char formula[400], number[40];
    size_t used = 0;
    const size_t end = strlen(text) - 1;
    for (size_t i = 2; i < end;) {
        const size_t length = text[i] == '$' ? strspn(text + i + 1, NAME) : 0;
        const char *value = length ? parameter_of(node, text + i + 1, length) : NULL;
        if (text[i] == '$' && !value)
            return NULL;
        const int n = snprintf(formula + used, sizeof formula - used, value ? "(%s)" : "%.1s",
                               value ? value : text + i);
        used += n > 0 ? (size_t)n : 0;
        if (used >= sizeof formula)
            return NULL;
        i += 1 + length;
    }
    double value;
    if (!constant_of(formula, &value))
        return NULL;
    snprintf(number, sizeof number, "%.17g", value);
    return arena_copy_text(r->memory, number, strlen(number));
}

// Values of attributes that begin with $ are those of parameters; what is unknown stays as it is
// and is rejected where it is used.
static void replace(xml_reader *r, xml_node *node)
{
    xml_attribute *list = NULL;
    for (int k = 0; k < node->attribute_count && r->status == MC_OK; k++) {
        const char *text = node->attributes[k].value;
        const size_t size = strlen(text);
        if (text[0] != '$' || size < 2)
            continue;
        const char *value = text[1] == '{' && text[size - 1] == '}'
                                ? formula_of(r, node, text)
                                : parameter_of(node, text + 1, size - 1);
        if (!value)
            continue;
        if (!list) {
            list = xml_alloc(r, node->attribute_count, sizeof *list);
            if (!list)
                return;
            memcpy(list, node->attributes, (size_t)node->attribute_count * sizeof *list);
        }
        list[k].value = value;
    }
    if (list)
        node->attributes = list;
    for (xml_node *n = node->first; n && r->status == MC_OK; n = n->next)
        replace(r, n);
}

// ---- entities ----

static double within(xml_reader *r, const xml_node *n, const char *key, double min, double max)
{
    const double value = xml_number(r, n, key);
    if (r->status == MC_OK && !(value >= min && value <= max))
        xml_reject(r, n, "%s is %.6g; expected %.6g .. %.6g", key, value, min, max);
    return value;
}

static void read_entity(story *s, const xml_node *n, story_entity *out)
{
    const xml_node *vehicle = xml_first(n, "Vehicle");
    const xml_node *box = xml_first(vehicle, "BoundingBox"), *size = xml_first(box, "Dimensions"),
                   *centre = xml_first(box, "Center"),
                   *performance = xml_first(vehicle, "Performance");
    *out = (story_entity){.id = xml_word(&s->r, n, "name"),
                          .node = n,
                          .length = 4.5,
                          .width = 1.8,
                          .height = 1.5,
                          .middle = 1.4,
                          .mass = 1500.0,
                          .max_speed = 70.0,
                          .max_acceleration = 10.0,
                          .max_brake = 10.0,
                          .vehicle = vehicle || xml_first(n, "CatalogReference")};
    out->name = document_name_of(s->d, out->id);
    if (xml_first(n, "CatalogReference"))
        xml_note(&s->r, n, "%.40s: catalogs are not read; it is a car of 4.5 m", out->name);
    if (!out->vehicle)
        xml_note(&s->r, n, "%.40s is not a vehicle: not read", out->name);
    if (size) {
        out->length = within(&s->r, size, "length", 0.5, 30.0);
        out->width = within(&s->r, size, "width", 0.3, 5.0);
        out->height = within(&s->r, size, "height", 0.3, 5.0);
    }
    if (centre)
        out->middle = xml_number(&s->r, centre, "x");
    if (performance) {
        out->max_speed = xml_number(&s->r, performance, "maxSpeed");
        out->max_acceleration = xml_number(&s->r, performance, "maxAcceleration");
        out->max_brake = xml_number(&s->r, performance, "maxDeceleration");
    }
    if (vehicle)
        out->mass = fmin(fmax(xml_number_or(&s->r, vehicle, "mass", 1500.0), 100.0), 1e5);
}

static void read_entities(story *s, const xml_node *root)
{
    const xml_node *list = xml_need(&s->r, root, "Entities");
    int count = 0;
    for (const xml_node *n = xml_first(list, "ScenarioObject"); n;
         n = xml_next(n, "ScenarioObject"))
        count++;
    if (s->r.status == MC_OK && (count == 0 || count > STORY_ENTITIES_MAX))
        xml_reject(&s->r, list, "%d entities; expected 1 .. %d", count, STORY_ENTITIES_MAX);
    s->entities = xml_alloc(&s->r, count, sizeof *s->entities);
    for (const xml_node *n = xml_first(list, "ScenarioObject"); n && s->r.status == MC_OK;
         n = xml_next(n, "ScenarioObject")) {
        read_entity(s, n, &s->entities[s->entity_count]);
        for (int k = 0; k < s->entity_count && s->r.status == MC_OK; k++)
            if (strcmp(s->entities[k].id, s->entities[s->entity_count].id) == 0)
                xml_reject(&s->r, n, "two entities are called \"%.60s\"; the other is on line %d",
                           s->entities[k].id, s->entities[k].node->line);
        s->entity_count++;
    }
}

// ---- the start ----

static void teleport(story *s, story_entity *e, const xml_node *action)
{
    story_place place;
    if (!story_position(s, xml_need(&s->r, action, "Position"), 0.0, &place))
        return;
    if (!place.main) {
        xml_note(&s->r, action, "%.40s is not on the main road: not read", e->name);
        return;
    }
    e->placed = true;
    e->lane = e->start_lane = place.lane;
    e->start = place.station + e->middle;
    e->offset = place.offset;
    if (!plan_start(s->r.memory, &e->plan, e->start, e->v))
        s->r.status = mc_error_set(s->r.error, MC_NO_MEMORY, s->r.file, 0, 0, "no memory left");
}

// Speed actions of the start count at once, whatever their dynamics.
static void start_speed(story *s, story_entity *e, const xml_node *action)
{
    const xml_node *target = xml_need(&s->r, action, "SpeedActionTarget");
    const xml_node *absolute = xml_first(target, "AbsoluteTargetSpeed"),
                   *relative = xml_first(target, "RelativeTargetSpeed");
    double v = 0.0;
    if (absolute)
        v = xml_number(&s->r, absolute, "value");
    if (relative) {
        const int of = story_entity_of(s, relative, xml_word(&s->r, relative, "entityRef"));
        v = (of >= 0 ? s->entities[of].v : 0.0) + xml_number(&s->r, relative, "value");
    }
    if (s->r.status == MC_OK && !(v >= 0.0 && v <= 150.0))
        xml_reject(&s->r, target, "the speed is to be %.6g m/s; expected 0 .. 150 m/s", v);
    e->v = v;
    if (e->placed)
        plan_start(s->r.memory, &e->plan, e->start, v);
}

static void read_private(story *s, const xml_node *private)
{
    const int k = story_entity_of(s, private, xml_word(&s->r, private, "entityRef"));
    for (const xml_node *n = xml_first(private, "PrivateAction"); n && s->r.status == MC_OK;
         n = xml_next(n, "PrivateAction")) {
        story_entity *e = &s->entities[k];
        const xml_node *where = xml_first(n, "TeleportAction"),
                       *speed = xml_first(xml_first(n, "LongitudinalAction"), "SpeedAction");
        if (!e->vehicle)
            continue;
        if (where)
            teleport(s, e, where);
        else if (speed)
            start_speed(s, e, speed);
        else if (n->first)
            xml_note(&s->r, n->first, "%.60s of %.40s at the start is not read", n->first->name,
                     e->name);
    }
}

static void read_init(story *s, const xml_node *storyboard)
{
    const xml_node *init = xml_need(&s->r, storyboard, "Init"),
                   *actions = xml_first(init, "Actions");
    for (const xml_node *n = xml_first(actions, "Private"); n && s->r.status == MC_OK;
         n = xml_next(n, "Private"))
        read_private(s, n);
    const xml_node *global = xml_first(actions, "GlobalAction");
    if (global)
        xml_note(&s->r, global, "GlobalAction is not read");
    int placed = 0;
    for (int k = 0; k < s->entity_count; k++)
        placed += s->entities[k].placed;
    if (s->r.status == MC_OK && placed == 0)
        xml_reject(&s->r, init ? init : storyboard,
                   "no vehicle has a position on the main road at the start; expected a "
                   "TeleportAction");
}

// ---- writing ----

static void print_limits(const story *s, int entity, FILE *out)
{
    for (int k = 0; k < s->change_count; k++)
        if (s->changes[k].entity == entity) {
            fprintf(out, "  %s_%d: {law: %s, manual: true, ", s->entities[entity].name, k + 1,
                    mc_law_default(MC_LAW_ROLE_PROFILE));
            recorded_print_limits(out, s->changes[k].distance, s->changes[k].duration);
            fprintf(out, "}\n");
        }
}

static void print_vehicle(const story *s, const story_entity *e, FILE *out)
{
    const double centre = story_lane_middle(s, e->start_lane, e->start);
    fprintf(out, "  - {name: %s, model: %s, controller: %s, lane: %d, x: %.9g, v: %.9g", e->name,
            e->name, e->name, e->start_lane + 1, e->start, e->plan.v[0]);
    if (e->offset != 0.0 && isfinite(centre))
        fprintf(out, ", y: %.9g", centre + e->offset);
    fprintf(out, ", profile: {table: [");
    for (int k = 0; k < e->plan.count; k++)
        fprintf(out, "%s[%.9g, %.9g]", k ? ", " : "", e->plan.t[k], e->plan.v[k]);
    fprintf(out, "]}}\n");
}

static void print_story(const story *s, FILE *out, double end)
{
    fprintf(out, "time: {end: %.9g, step: 0.05}\nmodels:\n", end);
    for (int k = 0; k < s->entity_count; k++) {
        const story_entity *e = &s->entities[k];
        if (e->placed)
            fprintf(out,
                    "  %s: {kind: %s, length: %.6g, width: %.6g, height: %.6g, mass: %.6g, "
                    "max_acceleration: %.6g, max_brake: %.6g, max_speed: %.6g}\n",
                    e->name, document_car_kind(), e->length, e->width, e->height, e->mass,
                    fmin(fmax(e->max_acceleration / GRAVITY, 2.0), 5.0),
                    fmin(fmax(e->max_brake / GRAVITY, 2.0), 5.0),
                    fmin(fmax(e->max_speed, 1.0), 200.0));
    }
    fprintf(out, "controllers:\n");
    for (int k = 0; k < s->entity_count; k++)
        if (s->entities[k].placed) {
            fprintf(out, "  %s: {law: %s, manual: true}\n", s->entities[k].name,
                    mc_law_default(MC_LAW_ROLE_PROFILE));
            print_limits(s, k, out);
        }
    fprintf(out, "vehicles:\n");
    for (int k = 0; k < s->entity_count; k++)
        if (s->entities[k].placed)
            print_vehicle(s, &s->entities[k], out);
    for (int k = 0; k < s->change_count; k++) {
        const story_change *c = &s->changes[k];
        const char *name = s->entities[c->entity].name;
        fprintf(out,
                "%s  - {at: %.9g, vehicle: %s, controller: %s_%d}\n"
                "  - {at: %.9g, vehicle: %s, driver_lane: %d}\n",
                k ? "" : "events:\n", c->at, name, name, k + 1, c->at, name, c->lane + 1);
    }
}

// ---- the road ----

// A path as seen from a folder; both must exist. Falls back to the path itself.
static const char *seen_from(document *d, const char *folder, const char *path)
{
    char a[PATH_MAX], b[PATH_MAX], text[3 * PATH_MAX] = "";
    if (!realpath(folder[0] ? folder : ".", a) || !realpath(path, b))
        return path;
    size_t same = 0;
    for (size_t i = 0; a[i] == b[i] || (!a[i] && b[i] == '/'); i++) {
        if ((!a[i] || a[i] == '/') && (b[i] == '/' || !b[i]))
            same = i;
        if (!a[i] || !b[i])
            break;
    }
    size_t used = 0;
    for (const char *c = a + same; *c; c++)
        if (*c == '/' && c[1] && used + 4 < sizeof text) {
            memcpy(text + used, "../", 4);
            used += 3;
        }
    snprintf(text + used, sizeof text - used, "%s", b + same + (b[same] == '/'));
    const char *copy = arena_copy_text(&d->memory, text, strlen(text));
    return copy ? copy : path;
}

static const char *folder_of(document *d, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *copy = arena_copy_text(&d->memory, path, slash ? (size_t)(slash - path) : 0);
    return copy ? copy : "";
}

static void read_network(story *s, const xml_node *root, const char *path,
                         const mc_exchange_options *options)
{
    const xml_node *network = xml_need(&s->r, root, "RoadNetwork"),
                   *logic = xml_need(&s->r, network, "LogicFile");
    if (!logic)
        return;
    const char *file = document_beside(s->d, path, xml_word(&s->r, logic, "filepath")), *bytes;
    size_t size;
    mc_error error = {0};
    road *made = xml_alloc(&s->r, 1, sizeof *made);
    xodr_notes *notes = xml_alloc(&s->r, 1, sizeof *notes);
    if (s->r.status != MC_OK)
        return;
    if (document_read(s->d, file, &bytes, &size, &error) != MC_OK) {
        xml_reject(&s->r, logic, "the road network %.100s: %.200s", file, error.text);
        return;
    }
    made->friction.fallback = 1.0;
    s->r.status =
        xodr_parse_with(s->r.memory, bytes, size, file, NULL, made, &s->index, notes, s->r.error);
    s->road = made;
    fprintf(s->d->out, "road:\n  file: ");
    document_quote(
        s->d->out,
        seen_from(s->d, options->folder ? options->folder : folder_of(s->d, path), file));
    fprintf(s->d->out, "\n");
}

static void check_version(xml_reader *r, const xml_node *root)
{
    const xml_node *header = xml_need(r, root, "FileHeader");
    if (!header)
        return;
    const int major = xml_whole(r, header, "revMajor");
    if (r->status == MC_OK && major != 1)
        xml_reject(r, header, "revMajor is %d; expected 1", major);
}

static mc_status read(document *d, const char *path, const xml_node *root,
                      const mc_exchange_options *options, mc_error *error)
{
    static const char *const passed_over[] = {"CatalogLocation",     "SceneGraphFile",
                                              "Controller",          "TrafficSignalController",
                                              "MonitorDeclarations", "VariableDeclaration"};
    xml_notes *notes = arena_alloc(&d->memory, sizeof *notes);
    if (!notes)
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    story s = {.r = {.memory = &d->memory, .file = path, .error = error, .notes = notes},
               .d = d,
               .end = NAN};
    check_version(&s.r, root);
    for (xml_node *n = root->first; n && s.r.status == MC_OK; n = n->next)
        replace(&s.r, n);
    fprintf(d->out, "motorcade: scenario\nname: ");
    document_quote(d->out, path);
    fprintf(d->out, "\n");
    const xml_node *storyboard = s.r.status == MC_OK ? xml_need(&s.r, root, "Storyboard") : NULL;
    if (s.r.status == MC_OK)
        read_network(&s, root, path, options);
    if (s.r.status == MC_OK)
        read_entities(&s, root);
    if (s.r.status == MC_OK)
        read_init(&s, storyboard);
    if (s.r.status == MC_OK)
        story_play(&s, storyboard);
    if (s.r.status != MC_OK)
        return s.r.status;
    print_story(&s, d->out,
                options->end > 0.0 ? options->end
                : isnan(s.end)     ? s.last + AFTER
                                   : s.end);
    xml_note_unread(&s.r, root, passed_over, (int)(sizeof passed_over / sizeof passed_over[0]));
    document_take_notes(d, &s.r);
    return s.r.status;
}

const exchange_format exchange_openscenario = {
    .name = "OpenSCENARIO",
    .word = "openscenario",
    .ending = ".xosc",
    .root = "OpenSCENARIO",
    .doc = "vehicles on an OpenDRIVE road, their start, speeds, lane changes, synchronization",
    .read = read,
};
