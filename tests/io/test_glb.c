// test_glb.c - triangles of binary glTF: places, turns and scales of nodes, normals, colours; every
// way in which a file can be broken is rejected with a reason.
#include "io/glb.h"
#include "io/json_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- a file from its JSON and its buffer ----

typedef struct bytes {
    char data[1 << 17];
    size_t size;
} bytes;

static void put_u32(bytes *b, uint32_t value)
{
    for (int k = 0; k < 4; k++)
        b->data[b->size++] = (char)(value >> 8 * k);
}

static void make(bytes *b, const char *json, const void *buffer, size_t size)
{
    const size_t length = strlen(json), padded = (length + 3) / 4 * 4;
    b->size = 0;
    memcpy(b->data, "glTF", 4);
    b->size = 4;
    put_u32(b, 2);
    put_u32(b, (uint32_t)(28 + padded + size));
    put_u32(b, (uint32_t)padded);
    memcpy(b->data + b->size, "JSON", 4);
    memset(b->data + b->size + 4, ' ', padded);
    memcpy(b->data + b->size + 4, json, length);
    b->size += 4 + padded;
    put_u32(b, (uint32_t)size);
    memcpy(b->data + b->size, "BIN", 4);
    memcpy(b->data + b->size + 4, buffer, size);
    b->size += 4 + size;
}

// A tetrahedron of four corners and its faces.
typedef struct solid {
    float corner[4][3];
    uint16_t face[12];
} solid;
static const solid tetrahedron = {{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 4}},
                                  {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}};

#define TABLES                                                                                     \
    "\"materials\":[{\"name\":\"Car Paint\"},{\"name\":\"trim\",\"pbrMetallicRoughness\":{"        \
    "\"baseColorFactor\":[0.25,0.5,0,1]}}],"                                                       \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"      \
    "{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":\"SCALAR\"}],"                 \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,"           \
    "\"byteLength\":24}],\"buffers\":[{\"byteLength\":72}]"
#define MESH(material)                                                                             \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,"                 \
    "\"material\":" material "}]}],"
#define HEAD "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"

static mc_status parse(const char *json, glb_mesh *mesh, arena *memory, mc_error *error)
{
    bytes b;
    make(&b, json, &tetrahedron, sizeof tetrahedron);
    return glb_parse(b.data, b.size, "car.glb", memory, mesh, error);
}

// ---- what is read ----

static void triangles_in_the_axes_of_vehicles(void **state)
{
    (void)state;
    arena memory = {0};
    glb_mesh m;
    mc_error error = {0};
    assert_int_equal(
        parse(HEAD "\"nodes\":[{\"mesh\":0}]," MESH("1") TABLES "}", &m, &memory, &error), MC_OK);
    assert_int_equal(m.count, 4);
    // glTF x 0..1 is y, y 0..2 is z, z 0..4 is x.
    const float high[3] = {4, 1, 2};
    for (int k = 0; k < 3; k++) {
        assert_true(m.low[k] == 0.0f);
        assert_true(m.high[k] == high[k]);
    }
    const float colour[3] = {0.25f, 0.5f, 0.0f};
    for (int t = 0; t < 4; t++) {
        assert_false(m.painted[t]);
        for (int k = 0; k < 3; k++)
            assert_true(m.colour[3 * t + k] == colour[k]);
    }
    // The normal of a face is at right angles to its sides and points away from the middle.
    for (int t = 0; t < 4; t++) {
        const float *p = m.position + 9 * t, *n = m.normal + 9 * t;
        double out = 0.0;
        for (int k = 0; k < 3; k++)
            out += (double)(n[k] * (p[k] - 0.25f * high[k]));
        for (int side = 1; side < 3; side++) {
            double along = 0.0;
            for (int k = 0; k < 3; k++)
                along += (double)(n[k] * (p[3 * side + k] - p[k]));
            assert_true(fabs(along) < 1e-6);
        }
        assert_true(out > 0.0);
    }
    arena_free(&memory);
}

// A quarter turn about y, twice as large, moved by 10 along x; and the same by a matrix.
static void nodes_place_their_meshes(void **state)
{
    (void)state;
    static const char *const nodes[] = {
        "\"nodes\":[{\"children\":[1],\"translation\":[10,0,0]},{\"mesh\":0,\"rotation\":"
        "[0,0.70710678118654757,0,0.70710678118654757],\"scale\":[2,2,2]}],",
        "\"nodes\":[{\"mesh\":0,\"matrix\":[0,0,-2,0, 0,2,0,0, 2,0,0,0, 10,0,0,1]}],"};
    for (int which = 0; which < 2; which++) {
        arena memory = {0};
        glb_mesh m;
        mc_error error = {0};
        char json[4000];
        snprintf(json, sizeof json, "%s%s%s%s}", HEAD, nodes[which], MESH("0"), TABLES);
        assert_int_equal(parse(json, &m, &memory, &error), MC_OK);
        // (x, y, z) of the file is at (10 + 2 z, 2 y, -2 x) of the scene.
        const float low[3] = {-2, 10, 0}, high[3] = {0, 18, 4};
        for (int k = 0; k < 3; k++) {
            assert_true(fabsf(m.low[k] - low[k]) < 1e-5f);
            assert_true(fabsf(m.high[k] - high[k]) < 1e-5f);
        }
        assert_true(m.painted[0] && m.colour[0] == 1.0f);
        arena_free(&memory);
    }
}

// ---- what is rejected ----

static void expect(const char *json, const char *why)
{
    arena memory = {0};
    glb_mesh m;
    mc_error error = {0};
    const mc_status status = parse(json, &m, &memory, &error);
    if (status != MC_BAD_INPUT || !strstr(error.text, why))
        fail_msg("expected \"%s\", got status %d: %s", why, status, error.text);
    assert_string_equal(error.file, "car.glb");
    arena_free(&memory);
}

static void broken_json_is_rejected(void **state)
{
    (void)state;
    const char *node = "\"nodes\":[{\"mesh\":0}],";
    char json[4000];
    const struct {
        const char *nodes, *mesh, *tables, *why;
    } cases[] = {
        {"\"nodes\":[{\"mesh\":3}],", MESH("0"), TABLES, "refers to meshes 3"},
        {"\"nodes\":[{\"children\":[0]}],", MESH("0"), TABLES, "contain themselves"},
        {"\"nodes\":[{\"children\":[-1]}],", MESH("0"), TABLES, "refers to nodes -1"},
        {node, MESH("9"), TABLES, "refers to materials 9"},
        {node, MESH("0"),
         "\"materials\":[{}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":5,"
         "\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":"
         "\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,"
         "\"byteOffset\":48,\"byteLength\":24}]",
         "end outside of its bufferView"},
        {node, MESH("0"),
         "\"materials\":[{}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
         "\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":"
         "\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":4800000},{}]",
         "ends outside of the 72 bytes"},
        {node, MESH("0"),
         "\"materials\":[{}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,"
         "\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":"
         "\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,"
         "\"byteOffset\":48,\"byteLength\":24}]",
         "the primitive has 2 positions"},
        {node, MESH("0"), TABLES ",\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]",
         "KHR_draco_mesh_compression"},
        {node, MESH("0"), TABLES ",\"images\":[{\"uri\":\"https://example.org/a.png\"}]",
         "expected everything in this one file"},
        {"\"nodes\":[{}],", MESH("0"), TABLES, "0 triangles"},
        {"\"nodes\":[{\"mesh\":0,\"scale\":[1,2]}],", MESH("0"), TABLES, "a list of 3 numbers"},
        {"\"nodes\":[{\"mesh\":0,\"scale\":[1,1,0]}],", MESH("0"), TABLES, "some size"},
        {"\"nodes\":[{\"mesh\":0,}],", MESH("0"), TABLES, "expected a key"},
        {"\"nodes\":[{\"mesh\":0,\"mesh\":0}],", MESH("0"), TABLES, "twice"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        snprintf(json, sizeof json, "%s%s%s%s}", HEAD, cases[k].nodes, cases[k].mesh,
                 cases[k].tables);
        expect(json, cases[k].why);
    }
}

// 5,000 nodes with one mesh of 2,000 triangles: ten million in 60 kB.
static void ten_million_triangles_are_counted_not_made(void **state)
{
    (void)state;
    enum { NODES = 5000, CORNERS = 6000, SIZE = 48 + 2 * CORNERS };
    char *json = malloc(1 << 17), *at = json, *buffer = calloc(1, SIZE);
    bytes *b = malloc(sizeof *b);
    at += sprintf(at, "%s\"nodes\":[{\"children\":[", HEAD);
    for (int k = 0; k < NODES; k++)
        at += sprintf(at, "%s1", k ? "," : "");
    sprintf(at,
            "]},{\"mesh\":0}],%s\"materials\":[{}],\"accessors\":[{\"bufferView\":0,"
            "\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":0,"
            "\"byteOffset\":48,\"componentType\":5123,\"count\":%d,\"type\":\"SCALAR\"}],"
            "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d}]}",
            MESH("0"), CORNERS, SIZE);
    memcpy(buffer, &tetrahedron, 48);
    make(b, json, buffer, SIZE);
    arena memory = {0};
    glb_mesh m;
    mc_error error = {0};
    assert_int_equal(glb_parse(b->data, b->size, "car.glb", &memory, &m, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "has 10000000 triangles in its scene; expected 1 to 50000");
    assert_null(m.position);
    arena_free(&memory);
    free(b);
    free(buffer);
    free(json);
}

static void broken_bytes_are_rejected(void **state)
{
    (void)state;
    bytes good, b;
    make(&good, HEAD "\"nodes\":[{\"mesh\":0}]," MESH("0") TABLES "}", &tetrahedron,
         sizeof tetrahedron);
    arena memory = {0};
    glb_mesh m;
    mc_error error = {0};
    // Cut off anywhere: rejected, and nothing is read behind the end (AddressSanitizer looks).
    for (size_t size = 0; size < good.size; size++) {
        char *cut = malloc(size + 1);
        memcpy(cut, good.data, size);
        assert_int_equal(glb_parse(cut, size, "car.glb", &memory, &m, &error), MC_BAD_INPUT);
        free(cut);
    }
    // Any one byte another: read or rejected, never more.
    for (size_t k = 0; k < good.size; k++) {
        b = good;
        b.data[k] = (char)(b.data[k] ^ (1 << k % 8));
        glb_parse(b.data, b.size, "car.glb", &memory, &m, &error);
    }
    b = good;
    const float nan = NAN;
    memcpy(b.data + b.size - sizeof tetrahedron, &nan, sizeof nan);
    assert_int_equal(glb_parse(b.data, b.size, "car.glb", &memory, &m, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "expected a finite number"));
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_in_the_axes_of_vehicles),
        cmocka_unit_test(nodes_place_their_meshes),
        cmocka_unit_test(broken_json_is_rejected),
        cmocka_unit_test(ten_million_triangles_are_counted_not_made),
        cmocka_unit_test(broken_bytes_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
