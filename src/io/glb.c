// glb.c - triangles of a GLB file, every reference checked before it is followed.
#include "io/glb.h"

#include "io/json_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NODE_DEPTH_MAX = 32, PRIMITIVES_MAX = 100000, TRIANGLES = 4 };
enum { BYTE_U = 5121, SHORT_U = 5123, INT_U = 5125, FLOAT = 5126 }; // component types

typedef enum table { ACCESSORS, VIEWS, MESHES, NODES, MATERIALS, TABLES } table;
static const char *const table_names[TABLES] = {"accessors", "bufferViews", "meshes", "nodes",
                                                "materials"};

typedef struct glb {
    const char *file;
    arena *memory;
    mc_error *error;
    mc_status status;
    const json_node *root;
    const json_node **rows[TABLES]; // lists as arrays
    int count[TABLES];
    const uint8_t *data; // the binary chunk
    size_t data_size;
    int visited, opened; // nodes, primitives
    long long triangles;
    glb_mesh *mesh; // NULL while triangles are counted
} glb;

static bool reject(glb *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool reject(glb *g, const char *format, ...)
{
    char text[400];
    if (g->status != MC_OK)
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    g->status = mc_error_set(g->error, MC_BAD_INPUT, g->file, 0, 0, "%s", text);
    return false;
}

static uint32_t u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

// ---- JSON ----

// A whole number of a map, not below 0; fallback where it is not given, -1 when it is no such
// number.
static long long whole(const json_node *map, const char *key, long long fallback)
{
    const json_node *n = json_text_find(map, key);
    if (!n)
        return fallback;
    return n->kind == JSON_NUMBER && n->number >= 0.0 && n->number < 1e15 &&
                   n->number == floor(n->number)
               ? (long long)n->number
               : -1;
}

static const json_node *row(glb *g, table of, long long index, const char *user)
{
    if (index >= 0 && index < g->count[of])
        return g->rows[of][index];
    reject(g, "%s refers to %s %lld; the file has %d of them", user, table_names[of], index,
           g->count[of]);
    return NULL;
}

static bool numbers(glb *g, const json_node *list, double *out, int count, const char *what)
{
    const json_node *n = list->first;
    for (int k = 0; k < count; k++, n = n->next) {
        if (list->kind != JSON_LIST || list->count != count || n->kind != JSON_NUMBER)
            return reject(g, "%s: expected a list of %d numbers", what, count);
        out[k] = n->number;
    }
    return true;
}

static bool take_tables(glb *g)
{
    for (int t = 0; t < TABLES; t++) {
        const json_node *list = json_text_find(g->root, table_names[t]);
        if (list && list->kind != JSON_LIST)
            return reject(g, "%s: expected a list", table_names[t]);
        const int count = list ? list->count : 0;
        g->rows[t] = arena_alloc(g->memory, ((size_t)count + 1) * sizeof *g->rows[t]);
        if (!g->rows[t]) {
            g->status = mc_error_set(g->error, MC_NO_MEMORY, g->file, 0, 0, "no memory");
            return false;
        }
        for (const json_node *n = list ? list->first : NULL; n; n = n->next)
            g->rows[t][g->count[t]++] = n;
    }
    return true;
}

// Nothing outside of the file, and nothing that must be known to read it.
static bool check_outside(glb *g)
{
    static const char *const lists[] = {"buffers", "images"};
    for (size_t k = 0; k < 2; k++) {
        const json_node *list = json_text_find(g->root, lists[k]);
        for (const json_node *n = list ? list->first : NULL; n; n = n->next) {
            const json_node *uri = json_text_find(n, "uri");
            if (uri && (k == 0 || strncmp(uri->text, "data:", 5) != 0))
                return reject(g, "%s: refers to \"%.60s\"; expected everything in this one file",
                              lists[k], uri->text);
        }
    }
    const json_node *needed = json_text_find(g->root, "extensionsRequired");
    for (const json_node *n = needed ? needed->first : NULL; n; n = n->next)
        if (strncmp(n->text, "KHR_materials_", 14) != 0 &&
            strcmp(n->text, "KHR_texture_transform") != 0 &&
            strcmp(n->text, "KHR_lights_punctual") != 0)
            return reject(g, "needs the extension %.60s, which is not supported; export without it",
                          n->text);
    return true;
}

// ---- accessors ----

typedef struct accessor {
    const uint8_t *at;
    size_t stride;
    long long count;
    int type; // of components
} accessor;

static int size_of(int type)
{
    return type == BYTE_U ? 1 : type == SHORT_U ? 2 : type == INT_U || type == FLOAT ? 4 : 0;
}

// Accessor `index`, with elements of so many components of a type that `user` may have.
static bool open_accessor(glb *g, long long index, int components, const char *user, accessor *out)
{
    const json_node *a = row(g, ACCESSORS, index, user);
    if (!a)
        return false;
    const json_node *type = json_text_find(a, "type");
    const int component = (int)whole(a, "componentType", 0), each = size_of(component);
    const bool vector = components == 3;
    if (!type || strcmp(type->text, vector ? "VEC3" : "SCALAR") != 0 || !each ||
        (component == FLOAT) != vector)
        return reject(g, "accessor %lld of %s: expected %s", index, user,
                      vector ? "VEC3 of floats" : "SCALAR of unsigned whole numbers");
    if (json_text_find(a, "sparse"))
        return reject(g, "accessor %lld is sparse, which is not supported", index);
    const json_node *view = row(g, VIEWS, whole(a, "bufferView", -1), user);
    if (!view)
        return false;
    const long long count = whole(a, "count", -1), from = whole(a, "byteOffset", 0);
    const long long begin = whole(view, "byteOffset", 0), size = whole(view, "byteLength", -1);
    const long long element = (long long)each * components;
    const long long stride = whole(view, "byteStride", element);
    if (whole(view, "buffer", -1) != 0 || begin < 0 || size < 0 || (size_t)begin > g->data_size ||
        (size_t)size > g->data_size - (size_t)begin)
        return reject(g,
                      "bufferView of accessor %lld ends outside of the %zu bytes of the file's "
                      "buffer",
                      index, g->data_size);
    if (count < 1 || from < 0 || stride < element || stride > 252 || from > size ||
        count > GLB_FILE_MAX || (count - 1) * stride + element > size - from)
        return reject(g, "accessor %lld: its %lld elements end outside of its bufferView", index,
                      count);
    *out = (accessor){g->data + begin + from, (size_t)stride, count, component};
    return true;
}

static bool read_vector(glb *g, const accessor *a, long long i, const char *what, double out[3])
{
    for (int k = 0; k < 3; k++) {
        float value;
        memcpy(&value, a->at + (size_t)i * a->stride + 4 * (size_t)k, sizeof value);
        if (!(fabsf(value) < 1e6f))
            return reject(g, "%s: value %lld is %g; expected a finite number of metres", what, i,
                          (double)value);
        out[k] = (double)value;
    }
    return true;
}

static long long read_index(const accessor *a, long long i)
{
    const uint8_t *at = a->at + (size_t)i * a->stride;
    return a->type == BYTE_U ? at[0] : a->type == SHORT_U ? at[0] | at[1] << 8 : (long long)u32(at);
}

// ---- materials ----

static bool read_material(glb *g, const json_node *primitive, float colour[3], bool *painted)
{
    const long long index = whole(primitive, "material", -2);
    colour[0] = colour[1] = colour[2] = 0.8f;
    *painted = false;
    if (index == -2)
        return true;
    const json_node *m = row(g, MATERIALS, index, "a primitive");
    if (!m)
        return false;
    const json_node *name = json_text_find(m, "name");
    for (const char *c = name ? name->text : ""; *c; c++)
        *painted = *painted || strncasecmp(c, "paint", 5) == 0;
    const json_node *pbr = json_text_find(m, "pbrMetallicRoughness");
    const json_node *base = json_text_find(pbr, "baseColorFactor");
    double rgba[4] = {0.8, 0.8, 0.8, 1.0};
    if (base && !numbers(g, base, rgba, 4, "baseColorFactor"))
        return false;
    for (int k = 0; k < 3; k++)
        colour[k] = *painted ? 1.0f : (float)fmin(fmax(rgba[k], 0.0), 1.0);
    return true;
}

// ---- triangles ----

// Rows of a 3x4 matrix: from a node to the scene.
typedef struct place {
    double m[12];
} place;

static void point(const place *p, const double v[3], bool direction, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = p->m[4 * k] * v[0] + p->m[4 * k + 1] * v[1] + p->m[4 * k + 2] * v[2] +
                 (direction ? 0.0 : p->m[4 * k + 3]);
}

// Normals by the cofactors of the matrix.
static place cofactors(const place *p)
{
    place out = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            out.m[4 * i + j] =
                p->m[4 * a + c] * p->m[4 * b + d] - p->m[4 * a + d] * p->m[4 * b + c];
        }
    return out;
}

// From the axes of glTF (z forward, x left, y up) to those of vehicles.
static void put(float *to, const double v[3])
{
    to[0] = (float)v[2], to[1] = (float)v[0], to[2] = (float)v[1];
}

static void unit(double v[3], const double otherwise[3])
{
    const double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        v[k] = size > 1e-20 ? v[k] / size : otherwise ? otherwise[k] : k == 1;
}

typedef struct primitive {
    accessor position, normal, index;
    bool has_normal, has_index, painted;
    float colour[3];
    long long triangles;
} primitive;

static bool open_primitive(glb *g, const json_node *from, primitive *out)
{
    *out = (primitive){.triangles = 0};
    const long long mode = whole(from, "mode", TRIANGLES);
    if (mode >= 0 && mode < TRIANGLES) // points and lines
        return true;
    if (mode != TRIANGLES)
        return reject(g, "a primitive has mode %lld; expected triangles (mode 4)", mode);
    const json_node *attributes = json_text_find(from, "attributes");
    const json_node *index = json_text_find(from, "indices");
    out->has_normal = json_text_find(attributes, "NORMAL");
    out->has_index = index;
    if (!open_accessor(g, whole(attributes, "POSITION", -1), 3, "POSITION", &out->position) ||
        (out->has_normal &&
         !open_accessor(g, whole(attributes, "NORMAL", -1), 3, "NORMAL", &out->normal)) ||
        (index && !open_accessor(g, whole(from, "indices", -1), 1, "indices", &out->index)) ||
        !read_material(g, from, out->colour, &out->painted))
        return false;
    if (out->has_normal && out->normal.count < out->position.count)
        return reject(g, "a primitive has %lld normals for %lld positions", out->normal.count,
                      out->position.count);
    out->triangles = (index ? out->index.count : out->position.count) / 3;
    return true;
}

static bool add_triangle(glb *g, const primitive *p, long long t, const place *at,
                         const place *turn)
{
    double corner[3][3], normal[3][3], face[3];
    long long v[3];
    for (int k = 0; k < 3; k++) {
        double raw[3];
        v[k] = p->has_index ? read_index(&p->index, 3 * t + k) : 3 * t + k;
        if (v[k] >= p->position.count)
            return reject(g, "index %lld is %lld; the primitive has %lld positions", 3 * t + k,
                          v[k], p->position.count);
        if (!read_vector(g, &p->position, v[k], "POSITION", raw))
            return false;
        point(at, raw, false, corner[k]);
    }
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        face[k] = (corner[1][a] - corner[0][a]) * (corner[2][b] - corner[0][b]) -
                  (corner[1][b] - corner[0][b]) * (corner[2][a] - corner[0][a]);
    }
    unit(face, NULL);
    glb_mesh *m = g->mesh;
    for (int k = 0; k < 3; k++) {
        double raw[3];
        if (p->has_normal && !read_vector(g, &p->normal, v[k], "NORMAL", raw))
            return false;
        if (p->has_normal)
            point(turn, raw, true, normal[k]);
        else
            memcpy(normal[k], face, sizeof face);
        unit(normal[k], face);
        put(m->position + 9 * (size_t)m->count + 3 * k, corner[k]);
        put(m->normal + 9 * (size_t)m->count + 3 * k, normal[k]);
        m->colour[3 * (size_t)m->count + (size_t)k] = p->colour[k];
    }
    m->painted[m->count++] = p->painted;
    return true;
}

static bool add_mesh(glb *g, long long index, const place *at)
{
    const json_node *mesh = row(g, MESHES, index, "a node");
    const json_node *list = json_text_find(mesh, "primitives");
    const place turn = cofactors(at);
    for (const json_node *n = list ? list->first : NULL; n; n = n->next) {
        primitive p;
        if (++g->opened > PRIMITIVES_MAX)
            return reject(g, "more than %d primitives", (int)PRIMITIVES_MAX);
        if (!open_primitive(g, n, &p))
            return false;
        g->triangles += p.triangles;
        for (long long t = 0; g->mesh && t < p.triangles; t++)
            if (!add_triangle(g, &p, t, at, &turn))
                return false;
    }
    return g->status == MC_OK;
}

// ---- nodes ----

static place product(const place *a, const place *b)
{
    place out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            double sum = j == 3 ? a->m[4 * i + 3] : 0.0;
            for (int k = 0; k < 3; k++)
                sum += a->m[4 * i + k] * b->m[4 * k + j];
            out.m[4 * i + j] = sum;
        }
    return out;
}

static bool read_place(glb *g, const json_node *node, place *out)
{
    const json_node *matrix = json_text_find(node, "matrix");
    double c[16], t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (matrix) { // by columns
        if (!numbers(g, matrix, c, 16, "matrix"))
            return false;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++)
                out->m[4 * i + j] = c[4 * j + i];
        return true;
    }
    const json_node *move = json_text_find(node, "translation"),
                    *turn = json_text_find(node, "rotation"),
                    *scale = json_text_find(node, "scale");
    if ((move && !numbers(g, move, t, 3, "translation")) ||
        (turn && !numbers(g, turn, q, 4, "rotation")) ||
        (scale && !numbers(g, scale, s, 3, "scale")))
        return false;
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                         2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                         2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            out->m[4 * i + j] = r[3 * i + j] * s[j];
        out->m[4 * i + 3] = t[i];
    }
    return true;
}

static bool visit(glb *g, long long index, const place *parent, int depth)
{
    place own;
    const json_node *node = row(g, NODES, index, "the scene");
    if (!node)
        return false;
    if (depth > NODE_DEPTH_MAX)
        return reject(g, "nodes are nested more than %d deep, or contain themselves",
                      (int)NODE_DEPTH_MAX);
    if (++g->visited > GLB_NODES_MAX)
        return reject(g, "more than %d nodes", (int)GLB_NODES_MAX);
    if (!read_place(g, node, &own))
        return false;
    const place at = product(parent, &own);
    const long long mesh = whole(node, "mesh", -2);
    if (mesh != -2 && !add_mesh(g, mesh, &at))
        return false;
    const json_node *children = json_text_find(node, "children");
    for (const json_node *n = children ? children->first : NULL; n; n = n->next)
        if (!visit(g, n->kind == JSON_NUMBER ? (long long)n->number : -1, &at, depth + 1))
            return false;
    return true;
}

static bool walk(glb *g)
{
    const place here = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    const json_node *scenes = json_text_find(g->root, "scenes");
    const long long number = whole(g->root, "scene", 0);
    const json_node *scene = number >= 0 ? json_text_item(scenes, (size_t)number) : NULL;
    const json_node *list = json_text_find(scene, "nodes");
    g->visited = g->opened = 0, g->triangles = 0;
    for (const json_node *n = list ? list->first : NULL; n; n = n->next)
        if (!visit(g, n->kind == JSON_NUMBER ? (long long)n->number : -1, &here, 0))
            return false;
    return true;
}

// ---- the file ----

// The chunks: JSON, then one buffer.
static bool open_chunks(glb *g, const uint8_t *bytes, size_t size)
{
    if (size < 20 || memcmp(bytes, "glTF", 4) != 0)
        return reject(g, "is not a binary glTF file; expected .glb, exported as one file");
    if (u32(bytes + 4) != 2)
        return reject(g, "is glTF of version %u; expected version 2", u32(bytes + 4));
    if (u32(bytes + 8) > size)
        return reject(g, "is cut off: %zu bytes, its header says %u", size, u32(bytes + 8));
    const size_t length = u32(bytes + 12);
    if (memcmp(bytes + 16, "JSON", 4) != 0 || length > size - 20)
        return reject(g, "has no JSON in its first chunk, or it is cut off");
    const size_t next = 20 + (length + 3) / 4 * 4;
    if (next < size && size - next >= 8 && memcmp(bytes + next + 4, "BIN", 4) == 0) {
        g->data = bytes + next + 8;
        g->data_size = u32(bytes + next);
        if (g->data_size > size - next - 8)
            return reject(g, "is cut off: its buffer has %zu of %zu bytes", size - next - 8,
                          g->data_size);
    }
    const mc_status status =
        json_text_parse((const char *)bytes + 20, length, g->file, g->memory, &g->root, g->error);
    g->status = status;
    return status == MC_OK;
}

static void measure(glb_mesh *m)
{
    for (int k = 0; k < 3; k++)
        m->low[k] = INFINITY, m->high[k] = -INFINITY;
    for (size_t i = 0; i < 9 * (size_t)m->count; i++) {
        m->low[i % 3] = fminf(m->low[i % 3], m->position[i]);
        m->high[i % 3] = fmaxf(m->high[i % 3], m->position[i]);
    }
}

static bool make_room(glb *g, glb_mesh *out)
{
    const size_t n = (size_t)g->triangles;
    *out = (glb_mesh){.position = arena_alloc(g->memory, 9 * n * sizeof(float)),
                      .normal = arena_alloc(g->memory, 9 * n * sizeof(float)),
                      .colour = arena_alloc(g->memory, 3 * n * sizeof(float)),
                      .painted = arena_alloc(g->memory, n * sizeof(bool))};
    g->mesh = out;
    if (out->position && out->normal && out->colour && out->painted)
        return true;
    g->status = mc_error_set(g->error, MC_NO_MEMORY, g->file, 0, 0, "no memory for its triangles");
    return false;
}

mc_status glb_parse(const char *bytes, size_t size, const char *file, arena *memory, glb_mesh *out,
                    mc_error *error)
{
    glb g = {.file = file, .memory = memory, .error = error};
    *out = (glb_mesh){0};
    if (!open_chunks(&g, (const uint8_t *)bytes, size) || !take_tables(&g) || !check_outside(&g) ||
        !walk(&g))
        return g.status;
    if (g.triangles < 1 || g.triangles > GLB_TRIANGLES_MAX) {
        reject(&g, "has %lld triangles in its scene; expected 1 to %d", g.triangles,
               (int)GLB_TRIANGLES_MAX);
        return g.status;
    }
    if (!make_room(&g, out) || !walk(&g))
        return g.status;
    measure(out);
    for (int k = 0; k < 3; k++)
        if (!(out->high[k] - out->low[k] > 1e-4f && out->high[k] - out->low[k] < 1e5f))
            reject(&g, "is %g m by %g m by %g m large; expected a body with some size",
                   (double)(out->high[0] - out->low[0]), (double)(out->high[1] - out->low[1]),
                   (double)(out->high[2] - out->low[2]));
    return g.status;
}
