// read_shapes.c - the key shape of bodies: what they look like.
//
// Its numbers are read into a graph of their own (mb_model.looks), which stands in for the model's
// while they are read. So they may be formulas of parameters, as all numbers of a body, and no node
// of the equations of motion is made or moved by them.
#include "mechanism_file/reader.h"

#include "multibody/shape.h"
#include "multibody/vector.h"

#include <math.h>
#include <string.h>

enum { SHAPES_MAX = 64, CORNERS_MAX = 64, POINTS_MAX = 20000 };

typedef struct shape_reader {
    multibody_reader *r;
    const yaml_node *map;
    mb_shape *shape;
} shape_reader;

static const yaml_node *get(const shape_reader *s, const char *key)
{
    return reader_get(&s->r->base, s->map, key);
}

// A key that this kind cannot do without.
static const yaml_node *need(const shape_reader *s, const char *key)
{
    const yaml_node *node = get(s, key);
    if (!node && s->r->base.status == MC_OK)
        reader_reject(&s->r->base, s->map, "a %s needs the key %s", mb_shape_names[s->shape->kind],
                      key);
    return node;
}

static double value_of(const shape_reader *s, expr_id node)
{
    const mb_model *m = s->r->model;
    return mb_model_value(m, m->graph, node);
}

static expr_id number(const shape_reader *s, const yaml_node *node)
{
    const expr_unit metre = multibody_unit(MULTIBODY_SHAPE, "at", -1);
    const expr_id id = multibody_number(s->r, node, metre, LITERAL_CONSTANT, "", "");
    if (s->r->base.status == MC_OK) // values of a graph without memory are 0
        s->r->base.status = expr_graph_status(s->r->model->graph, s->r->base.error);
    if (s->r->base.status == MC_OK && !isfinite(value_of(s, id)))
        reader_reject(&s->r->base, node, "the value is not a finite number");
    return id;
}

// A length above 0, times a factor; EXPR_ZERO: the key is missing.
static expr_id length(const shape_reader *s, const char *key, double factor)
{
    const yaml_node *node = get(s, key);
    if (!node || s->r->base.status != MC_OK)
        return EXPR_ZERO;
    const expr_id id = number(s, node);
    if (s->r->base.status == MC_OK && !(value_of(s, id) > 0.0))
        reader_reject(&s->r->base, node, "%s is %.9g m, it must be above 0", key, value_of(s, id));
    return expr_mul(s->r->model->graph, expr_const(s->r->model->graph, factor), id);
}

static void vector(const shape_reader *s, const yaml_node *list, expr_id out[3])
{
    if (!list || !reader_is_list(&s->r->base, list, 3, 3))
        return;
    int i = 0;
    for (const yaml_node *n = list->first; n && s->r->base.status == MC_OK; n = n->next)
        out[i++] = number(s, n);
}

static void places(const shape_reader *s, const yaml_node *list, int min, int max)
{
    mb_shape *shape = s->shape;
    if (!list || !reader_is_list(&s->r->base, list, min, max))
        return;
    shape->points = reader_alloc(&s->r->base, list->count, sizeof shape->points[0]);
    for (const yaml_node *n = list->first; n && s->r->base.status == MC_OK; n = n->next)
        vector(s, n, shape->points[shape->point_count++]);
}

// ---- where it is ----

// Rows of a turn that takes z to an axis.
static void turn_to(expr_graph *g, const double z[3], expr_id out[9])
{
    const int across = fabs(z[0]) < 0.9 ? 0 : 1;
    double x[3], y[3], square = 0.0;
    for (int k = 0; k < 3; k++) {
        x[k] = (k == across) - z[across] * z[k];
        square += x[k] * x[k];
    }
    for (int k = 0; k < 3; k++)
        x[k] /= sqrt(square);
    for (int k = 0; k < 3; k++)
        y[k] = z[(k + 1) % 3] * x[(k + 2) % 3] - z[(k + 2) % 3] * x[(k + 1) % 3];
    for (int k = 0; k < 3; k++) {
        out[3 * k] = expr_const(g, x[k]);
        out[3 * k + 1] = expr_const(g, y[k]);
        out[3 * k + 2] = expr_const(g, z[k]);
    }
}

static void read_place(const shape_reader *s)
{
    mb_shape *shape = s->shape;
    multibody_orientation(s->r, get(s, "orientation"), shape->turn);
    vector(s, get(s, "at"), shape->at);
    if (shape->kind != MC_SHAPE_CYLINDER && shape->kind != MC_SHAPE_WHEEL)
        return;
    double axis[3] = {0.0};
    const yaml_node *node = get(s, "axis");
    if (node)
        multibody_axis(s->r, node, axis);
    else
        axis[shape->kind == MC_SHAPE_WHEEL ? 1 : 2] = 1.0;
    if (s->r->base.status == MC_OK)
        turn_to(s->r->model->graph, axis, shape->turn);
}

// ---- kinds ----

static void read_box(const shape_reader *s)
{
    const yaml_node *size = need(s, "size"), *n = size ? size->first : NULL;
    vector(s, size, s->shape->size);
    for (int k = 0; k < 3 && s->r->base.status == MC_OK; k++, n = n->next)
        if (!(value_of(s, s->shape->size[k]) > 0.0))
            reader_reject(&s->r->base, n, "size along %c is %.9g m, it must be above 0", "xyz"[k],
                          value_of(s, s->shape->size[k]));
}

static void read_round(const shape_reader *s)
{
    const char *along = s->shape->kind == MC_SHAPE_WHEEL ? "width" : "length";
    need(s, "radius");
    need(s, along);
    s->shape->size[0] = s->shape->size[1] = length(s, "radius", 2.0);
    s->shape->size[2] = length(s, along, 1.0);
}

static void read_beam(const shape_reader *s)
{
    mb_shape *shape = s->shape;
    const yaml_node *ends[2] = {need(s, "from"), need(s, "to")};
    const yaml_node *radius = get(s, "radius"), *width = get(s, "width");
    if (s->r->base.status == MC_OK && (!radius == !width || (radius && get(s, "height"))))
        reader_reject(&s->r->base, s->map,
                      "a beam has either the key radius or the key width, with it height");
    shape->round = radius != NULL;
    shape->size[0] = radius ? length(s, "radius", 2.0) : length(s, "width", 1.0);
    shape->size[1] = get(s, "height") ? length(s, "height", 1.0) : shape->size[0];
    shape->points = reader_alloc(&s->r->base, 2, sizeof shape->points[0]);
    double square = 0.0;
    for (int k = 0; k < 2 && s->r->base.status == MC_OK; k++)
        vector(s, ends[k], shape->points[k]);
    for (int k = 0; k < 3 && s->r->base.status == MC_OK; k++) {
        const double d = value_of(s, shape->points[1][k]) - value_of(s, shape->points[0][k]);
        square += d * d;
    }
    if (s->r->base.status == MC_OK && !(square > 0.0))
        reader_reject(&s->r->base, s->map, "the ends of the beam are at the same place");
}

static void add_face(mb_shape *shape, int a, int b, int c)
{
    int *face = shape->faces[shape->face_count++];
    face[0] = a, face[1] = b, face[2] = c;
}

// A fan from its first corner: it is flat and convex.
static void read_panel(const shape_reader *s)
{
    mb_shape *shape = s->shape;
    places(s, need(s, "corners"), 3, CORNERS_MAX);
    shape->size[2] =
        get(s, "thickness") ? length(s, "thickness", 1.0) : expr_const(s->r->model->graph, 0.01);
    if (s->r->base.status != MC_OK)
        return;
    shape->faces = reader_alloc(&s->r->base, shape->point_count - 2, sizeof shape->faces[0]);
    for (int k = 2; k < shape->point_count && s->r->base.status == MC_OK; k++)
        add_face(shape, 0, k - 1, k);
}

static void read_mesh(const shape_reader *s)
{
    mb_shape *shape = s->shape;
    places(s, need(s, "vertices"), 3, POINTS_MAX);
    const yaml_node *list = need(s, "faces");
    if (!list || !reader_is_list(&s->r->base, list, 1, POINTS_MAX))
        return;
    shape->faces = reader_alloc(&s->r->base, list->count, sizeof shape->faces[0]);
    for (const yaml_node *n = list->first; n && s->r->base.status == MC_OK; n = n->next) {
        int face[3] = {0}, i = 0;
        if (!reader_is_list(&s->r->base, n, 3, 3))
            return;
        for (const yaml_node *p = n->first; p && s->r->base.status == MC_OK; p = p->next) {
            const double at = reader_literal(&s->r->base, p, (expr_unit){.known = true});
            if (!(at >= 0.0 && at < shape->point_count && at == floor(at)))
                reader_reject(&s->r->base, p, "expected the number of a vertex, 0 .. %d",
                              shape->point_count - 1);
            else
                face[i++] = (int)at;
        }
        add_face(shape, face[0], face[1], face[2]);
    }
}

// ---- the key ----

static void read_shape(multibody_reader *r, const yaml_node *map, mb_shape *out)
{
    static void (*const read[MC_SHAPE_COUNT])(const shape_reader *) = {
        [MC_SHAPE_BOX] = read_box,     [MC_SHAPE_CYLINDER] = read_round,
        [MC_SHAPE_BEAM] = read_beam,   [MC_SHAPE_PANEL] = read_panel,
        [MC_SHAPE_WHEEL] = read_round, [MC_SHAPE_MESH] = read_mesh,
    };
    static const mc_shape_finish usual[MC_SHAPE_COUNT] = {
        [MC_SHAPE_BOX] = MC_SHAPE_FINISH_PAINT,    [MC_SHAPE_CYLINDER] = MC_SHAPE_FINISH_STEEL,
        [MC_SHAPE_BEAM] = MC_SHAPE_FINISH_STEEL,   [MC_SHAPE_PANEL] = MC_SHAPE_FINISH_GLASS,
        [MC_SHAPE_WHEEL] = MC_SHAPE_FINISH_RUBBER, [MC_SHAPE_MESH] = MC_SHAPE_FINISH_PAINT,
    };
    const shape_reader s = {r, map, out};
    if (map->kind == YAML_MAPPING && !yaml_find(map, "kind"))
        reader_reject(&r->base, map,
                      "a shape needs the key kind (box, cylinder, beam, panel, wheel or mesh)");
    const yaml_node *word = map->kind == YAML_MAPPING ? get(&s, "kind") : NULL;
    const int kind = word ? reader_choice(&r->base, word, mb_shape_names, MC_SHAPE_COUNT) : -1;
    if (r->base.status != MC_OK || !multibody_check_keys(r, map, MULTIBODY_SHAPE, kind))
        return;
    const yaml_node *finish = get(&s, "finish");
    out->kind = (mc_shape_kind)kind;
    out->finish = usual[kind];
    if (finish) {
        const int k = reader_choice(&r->base, finish, mb_finish_names, MC_SHAPE_FINISH_COUNT);
        out->finish = k < 0 ? usual[kind] : (mc_shape_finish)k;
    }
    read_place(&s);
    if (r->base.status == MC_OK)
        read[kind](&s);
}

static void read_shapes(multibody_reader *r, const yaml_node *node, mb_body *body)
{
    const bool list = node->kind == YAML_SEQUENCE;
    if (list && !reader_is_list(&r->base, node, 1, SHAPES_MAX))
        return;
    body->shapes = reader_alloc(&r->base, list ? node->count : 1, sizeof body->shapes[0]);
    for (const yaml_node *n = list ? node->first : node; n && r->base.status == MC_OK;
         n = list ? n->next : NULL)
        read_shape(r, n, &body->shapes[body->shape_count++]);
}

static mb_body *body_of(const mb_model *m, const char *name)
{
    for (int i = 0; i < m->body_count; i++)
        if (strcmp(m->bodies[i].name, name) == 0)
            return &m->bodies[i];
    return NULL;
}

void multibody_shapes(multibody_reader *r, const yaml_node *root)
{
    mb_model *m = r->model;
    const yaml_node *bodies = r->base.status == MC_OK ? yaml_find(root, "bodies") : NULL;
    bool any = false;
    for (const yaml_node *n = bodies ? bodies->first : NULL; n; n = n->next)
        any = any || yaml_find(n, "shape");
    if (!any)
        return;
    m->looks = expr_graph_create();
    if (!m->looks) {
        reader_no_memory(&r->base);
        return;
    }
    for (int i = 0; i < m->parameter_count; i++)
        expr_input(m->looks, m->parameters[i].name, EXPR_PARAMETER);
    expr_graph *const motion = m->graph;
    m->graph = m->looks;
    for (const yaml_node *n = bodies->first; n && r->base.status == MC_OK; n = n->next) {
        const yaml_node *shape = yaml_find(n, "shape");
        mb_body *body = shape ? body_of(m, n->key->text) : NULL;
        if (body)
            read_shapes(r, shape, body);
    }
    if (r->base.status == MC_OK)
        r->base.status = expr_graph_status(m->looks, r->base.error);
    m->graph = motion;
}
