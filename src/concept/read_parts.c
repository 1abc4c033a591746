// read_parts.c - the parts of an assembly: beams, panels, components.
#include "concept/reader.h"

#include "shape/beam.h"
#include "shape/panel.h"
#include "shape/section.h"
#include "shape/solid.h"
#include "num/vec3.h"

#include <stdio.h>
#include <string.h>

const char *const concept_role_names[ROLE_COUNT] = {"structural", "inertia_only", "ignored"};

typedef struct shape { // what a part is before it has a mass
    concept_moments volume;
    concept_mesh mesh;
    double area, length;
    bool weighed; // volume already is mass
    bool glass;
} shape;

// ---- curves ----

static bool read_curve(concept_reader *r, const yaml_node *map, concept_curve *out)
{
    static const int min[] = {2, 3, 4}, max[] = {1000, 3, 1000};
    const yaml_node *found = NULL;
    for (int k = 0; k < CURVE_KIND_COUNT; k++) {
        const yaml_node *node = reader_get(&r->base, map, curve_kind_names[k]);
        if (!node)
            continue;
        if (found) {
            reader_reject(&r->base, node->key,
                          "a curve has one of polyline, arc and spline, here "
                          "are two");
            return false;
        }
        found = node;
        out->kind = (curve_kind)k;
        out->point = (const double(*)[3])concept_points(r, node, min[k], max[k], &out->count);
    }
    if (!found)
        reader_reject(&r->base, map->key ? map->key : map,
                      "a curve is missing: expected polyline, arc or spline");
    if (r->base.status != MC_OK || !out->point)
        return false;
    const char *wrong = curve_prepare(out);
    if (wrong)
        reader_reject(&r->base, found, "%s", wrong);
    return r->base.status == MC_OK;
}

static bool read_section(concept_reader *r, const yaml_node *map, concept_section *out)
{
    const char *names[16];
    double number[SECTION_NUMBER_COUNT] = {0};
    int count = 0;
    if (!concept_check_keys(r, map, CONCEPT_SECTION))
        return false;
    for (; section_kind_at(count); count++)
        names[count] = section_kind_at(count)->name;
    const yaml_node *word = reader_get(&r->base, map, "kind");
    const int k = reader_choice(&r->base, word, names, count);
    const section_kind *kind = section_kind_at(k);
    for (int i = 0; kind && i < SECTION_NUMBER_COUNT && r->base.status == MC_OK; i++) {
        const yaml_node *node = reader_get(&r->base, map, section_number_names[i]);
        const bool needs = kind->needs & (1u << i);
        if (needs && !node)
            reader_reject(&r->base, word, "a %s section needs the key %s", kind->name,
                          section_number_names[i]);
        else if (!needs && node)
            reader_reject(&r->base, node->key, "a %s section has no %s", kind->name,
                          section_number_names[i]);
        number[i] = concept_number(r, map, CONCEPT_SECTION, section_number_names[i], 0.0);
    }
    if (kind && r->base.status == MC_OK && !kind->make(number, out))
        reader_reject(&r->base, reader_get(&r->base, map, "thickness"),
                      "the wall is %.9g m thick: more than the %s section has room for",
                      number[SECTION_THICKNESS], kind->name);
    return r->base.status == MC_OK;
}

static void read_beam(concept_reader *r, const yaml_node *map, shape *out)
{
    concept_curve curve = {0};
    concept_section section = {0};
    double up[3] = {0, 0, 1};
    const yaml_node *up_node = reader_get(&r->base, map, "up");
    if (!read_curve(r, map, &curve) ||
        !read_section(r, reader_get(&r->base, map, "section"), &section))
        return;
    if (up_node)
        concept_axis(r, up_node, up);
    else if (beam_up_sine(&curve, up) < 0.02)
        up[0] = 1.0, up[2] = 0.0;
    if (r->base.status == MC_OK && beam_up_sine(&curve, up) < 1e-3) {
        reader_reject(&r->base, up_node ? up_node : map->key,
                      "the curve runs along up somewhere, and the section has no height direction "
                      "there; choose another up");
        return;
    }
    const double room = beam_tightness(&curve, &section, up);
    if (r->base.status == MC_OK && !(room > 0.0)) {
        reader_reject(&r->base, map->key,
                      "the curve bends more tightly than its section is wide: the beam overlaps "
                      "itself");
        return;
    }
    out->volume = beam_moments(&curve, &section, up, &out->length);
    beam_skin(&curve, &section, up, &out->mesh);
}

// ---- panels ----

static void read_panel(concept_reader *r, const yaml_node *map, shape *out)
{
    concept_panel panel = {0};
    const yaml_node *found = NULL, *edge;
    for (int k = 0; k < PANEL_KIND_COUNT; k++) {
        const yaml_node *node = reader_get(&r->base, map, panel_kind_names[k]);
        if (node && found) {
            reader_reject(&r->base, node->key,
                          "a panel has one of polygon, ruled and patch, here "
                          "are two");
            return;
        }
        if (node)
            found = node, panel.kind = (panel_kind)k;
    }
    if (!found) {
        reader_reject(&r->base, map->key,
                      "the surface of the panel is missing: expected polygon, ruled or patch");
        return;
    }
    panel.thickness = concept_number(r, map, CONCEPT_PANEL, "thickness", 0.0);
    if (panel.kind == PANEL_RULED) {
        if (!reader_is_list(&r->base, found, 2, 2))
            return;
        edge = found->first;
        for (int e = 0; e < 2; e++, edge = edge->next) {
            if (edge->kind != YAML_MAPPING)
                reader_reject(&r->base, edge, "expected a curve such as {polyline: [...]}");
            if (r->base.status != MC_OK || !read_curve(r, edge, &panel.edge[e]))
                return;
        }
    } else {
        const int patch = panel.kind == PANEL_PATCH;
        panel.point = (const double(*)[3])concept_points(r, found, patch ? 16 : 3,
                                                         patch ? 16 : 1000, &panel.count);
    }
    if (r->base.status != MC_OK)
        return;
    const double off = panel.kind == PANEL_POLYGON ? panel_flatness(&panel) : 0.0;
    if (off > 1e-3) {
        reader_reject(&r->base, found, "the corners are up to %.3g m out of their plane", off);
        return;
    }
    out->volume = panel_moments(&panel, &out->area);
    panel_skin(&panel, &out->mesh);
}

// ---- components ----

static bool all_positive(concept_reader *r, const yaml_node *node, const double size[3])
{
    for (int i = 0; i < 3 && r->base.status == MC_OK; i++)
        if (!(size[i] > 0.0))
            reader_reject(&r->base, node, "a length is %.9g m; the volume would be 0", size[i]);
    return r->base.status == MC_OK;
}

static void read_box(concept_reader *r, const yaml_node *node, shape *out)
{
    double size[3] = {0};
    concept_vector(r, node, "m", size);
    if (!all_positive(r, node, size))
        return;
    out->volume = solid_box(size);
    solid_box_skin(size, &out->mesh);
}

static void read_ellipsoid(concept_reader *r, const yaml_node *node, shape *out)
{
    double size[3] = {0};
    concept_vector(r, node, "m", size);
    if (!all_positive(r, node, size))
        return;
    out->volume = solid_ellipsoid(size);
    solid_ellipsoid_skin(size, &out->mesh);
}

// A turn that takes x to the axis.
static void turn_x_to(const double axis[3], double R[9])
{
    double across[3] = {0, 0, 1}, third[3];
    if (fabs(axis[2]) > 0.9)
        across[1] = 1.0, across[2] = 0.0;
    vec3_cross(across, axis, third);
    const double size = vec3_norm(third);
    for (int i = 0; i < 3; i++)
        third[i] /= size;
    vec3_cross(axis, third, across);
    for (int i = 0; i < 3; i++)
        R[3 * i] = axis[i], R[3 * i + 1] = third[i], R[3 * i + 2] = across[i];
}

static void read_cylinder(concept_reader *r, const yaml_node *map, shape *out)
{
    double axis[3] = {1, 0, 0};
    if (!concept_check_keys(r, map, CONCEPT_CYLINDER))
        return;
    const double radius = concept_number(r, map, CONCEPT_CYLINDER, "radius", 0.0);
    const double inner = concept_number(r, map, CONCEPT_CYLINDER, "inner", 0.0);
    const double length = concept_number(r, map, CONCEPT_CYLINDER, "length", 0.0);
    const yaml_node *node = reader_get(&r->base, map, "axis");
    if (node)
        concept_axis(r, node, axis);
    if (r->base.status == MC_OK && !(inner < radius))
        reader_reject(&r->base, reader_get(&r->base, map, "inner"),
                      "the bore, %.9g m, is not smaller than the radius, %.9g m; the volume would "
                      "be 0",
                      inner, radius);
    if (r->base.status != MC_OK)
        return;
    concept_pose pose = concept_pose_none;
    turn_x_to(axis, pose.R);
    const concept_moments m = solid_cylinder(radius, inner, length);
    out->volume = moments_moved(&m, &pose);
    solid_cylinder_skin(radius, inner, length, &out->mesh);
    skin_move(&out->mesh, &pose);
}

// Turns a closed skin that is inside out.
static void finish_closed(concept_reader *r, const yaml_node *node, shape *out)
{
    double low[3] = {1e30, 1e30, 1e30}, high[3] = {-1e30, -1e30, -1e30}, size = 0.0;
    out->volume = skin_moments(&out->mesh);
    skin_bounds(&out->mesh, low, high);
    for (int i = 0; i < 3; i++)
        size = fmax(size, high[i] - low[i]);
    if (out->volume.mass < 0.0)
        moments_scale(&out->volume, -1.0);
    if (!(out->volume.mass > 1e-12 * size * size * size))
        reader_reject(&r->base, node, "the volume is %.3g m^3; expected above 0", out->volume.mass);
}

static void read_extrusion(concept_reader *r, const yaml_node *map, shape *out)
{
    int count;
    double along[3] = {0};
    if (!concept_check_keys(r, map, CONCEPT_EXTRUSION))
        return;
    const yaml_node *node = reader_get(&r->base, map, "polygon");
    const double(*corner)[3] = (const double(*)[3])concept_points(r, node, 3, 1000, &count);
    concept_vector_key(r, map, "along", along);
    if (r->base.status != MC_OK)
        return;
    const concept_panel plane = {.kind = PANEL_POLYGON, .point = corner, .count = count};
    const double off = panel_flatness(&plane);
    if (off > 1e-3)
        reader_reject(&r->base, node, "the corners are up to %.3g m out of their plane", off);
    solid_extrusion_skin(corner, count, along, &out->mesh);
    if (r->base.status == MC_OK)
        finish_closed(r, map->key, out);
}

// Every edge must be there once in each direction.
static void check_closed(concept_reader *r, const yaml_node *node, const int (*t)[3], int count)
{
    for (int i = 0; i < 3 * count && r->base.status == MC_OK; i++) {
        const int a = t[i / 3][i % 3], b = t[i / 3][(i + 1) % 3];
        int back = 0, forth = 0;
        for (int k = 0; k < 3 * count; k++) {
            const int p = t[k / 3][k % 3], q = t[k / 3][(k + 1) % 3];
            forth += p == a && q == b;
            back += p == b && q == a;
        }
        if (forth != 1 || back != 1)
            reader_reject(&r->base, node,
                          "the triangles are not closed: the edge from vertex %d to %d occurs %d "
                          "times and back %d times; expected once each",
                          a, b, forth, back);
    }
}

static void read_mesh(concept_reader *r, const yaml_node *map, shape *out)
{
    enum { TRIANGLES_MAX = 2000 };
    int count, n = 0;
    if (!concept_check_keys(r, map, CONCEPT_MESH))
        return;
    const double(*vertex)[3] = (const double(*)[3])concept_points(
        r, reader_get(&r->base, map, "vertices"), 4, 10000, &count);
    const yaml_node *list = reader_get(&r->base, map, "triangles");
    if (r->base.status != MC_OK || !reader_is_list(&r->base, list, 4, TRIANGLES_MAX))
        return;
    int(*t)[3] = reader_alloc(&r->base, list->count, sizeof t[0]);
    for (const yaml_node *row = list->first; row && t && r->base.status == MC_OK; row = row->next) {
        int k = 0;
        if (!reader_is_list(&r->base, row, 3, 3))
            return;
        for (const yaml_node *one = row->first; one && r->base.status == MC_OK; one = one->next) {
            const double v = concept_number_at(r, one, "");
            if (r->base.status == MC_OK && (v != (int)v || v < 0 || v >= count))
                reader_reject(&r->base, one, "there is no vertex %.9g; they are 0 to %d", v,
                              count - 1);
            else if (r->base.status == MC_OK)
                t[n][k++] = (int)v;
        }
        n++;
    }
    if (r->base.status != MC_OK || !t)
        return;
    check_closed(r, list, (const int(*)[3])t, n);
    for (int i = 0; i < n; i++)
        skin_triangle(&out->mesh, vertex[t[i][0]], vertex[t[i][1]], vertex[t[i][2]]);
    if (r->base.status == MC_OK)
        finish_closed(r, map->key, out);
}

// The empty tank has its mass in its walls, of even thickness; the liquid lies at the bottom.
static void read_tank(concept_reader *r, const yaml_node *map, shape *out)
{
    double size[3] = {0};
    if (!concept_check_keys(r, map, CONCEPT_TANK))
        return;
    const yaml_node *node = reader_get(&r->base, map, "size");
    const yaml_node *fluid = reader_get(&r->base, map, "fluid");
    concept_vector(r, node, "m", size);
    const double level = concept_number(r, map, CONCEPT_TANK, "level", 0.0);
    const double empty = concept_number(r, map, CONCEPT_TANK, "empty", 0.0);
    if (!all_positive(r, node, size))
        return;
    const double density =
        concept_density(r, fluid, fluid ? reader_text(&r->base, fluid) : "diesel");
    solid_box_skin(size, &out->mesh);
    concept_moments wall = {0}, liquid;
    for (int i = 0; i < out->mesh.count; i++) {
        const concept_panel one = {.kind = PANEL_POLYGON,
                                   .point = (const double(*)[3])out->mesh.triangle[i],
                                   .count = 3,
                                   .thickness = 1e-9};
        double area;
        const concept_moments m = panel_moments(&one, &area);
        moments_add(&wall, &m);
    }
    moments_scale(&wall, empty / wall.mass);
    const double filled[3] = {size[0], size[1], level * size[2]};
    concept_pose pose = concept_pose_none;
    pose.at[2] = (level - 1.0) / 2.0 * size[2];
    liquid = solid_box(filled);
    moments_scale(&liquid, density);
    out->volume = moments_moved(&liquid, &pose);
    moments_add(&out->volume, &wall);
    out->weighed = true;
    if (!(out->volume.mass > 0.0))
        reader_reject(&r->base, map->key, "an empty tank without a mass; give it the key empty");
}

// A seated person as two ellipsoids: trunk, head and arms above the hip, legs in front of it.
// Chosen, not measured: 72 % and 28 % of the mass.
static void read_occupant(concept_reader *r, const yaml_node *map, shape *out)
{
    static const double share[2] = {0.72, 0.28};
    static const double size[2][3] = {{0.32, 0.45, 0.85}, {0.90, 0.38, 0.30}};
    static const double at[2][3] = {{0.0, 0.0, 0.33}, {0.36, 0.0, -0.05}};
    const double mass = concept_number(r, map, CONCEPT_COMPONENT, "occupant", 0.0);
    for (int i = 0; i < 2; i++) {
        concept_pose pose = concept_pose_none;
        concept_moments m = solid_ellipsoid(size[i]);
        concept_mesh skin = {.memory = out->mesh.memory};
        moments_scale(&m, share[i] * mass / m.mass);
        memcpy(pose.at, at[i], sizeof pose.at);
        m = moments_moved(&m, &pose);
        moments_add(&out->volume, &m);
        solid_ellipsoid_skin(size[i], &skin);
        skin_move(&skin, &pose);
        for (int k = 0; k < skin.count; k++)
            skin_triangle(&out->mesh, skin.triangle[k], skin.triangle[k] + 3, skin.triangle[k] + 6);
    }
    out->weighed = true;
}

// Mass centre and inertia as numbers; the shape, if there is one, is for its outline only.
static void read_given(concept_reader *r, const yaml_node *map, const concept_pose *pose,
                       shape *out)
{
    double inertia[6], com[3];
    const yaml_node *node = reader_get(&r->base, map, "inertia");
    memcpy(com, pose->at, sizeof com);
    concept_vector_key(r, map, "com", com);
    const double mass = concept_number(r, map, CONCEPT_COMPONENT, "mass", 0.0);
    if (r->base.status == MC_OK && !(mass > 0.0))
        reader_reject(&r->base, map->key, "a component with inertia needs a mass above 0");
    concept_inertia(r, node, inertia);
    out->volume = moments_of_body(mass, com, inertia);
    out->weighed = true;
}

static void read_component(concept_reader *r, const yaml_node *map, shape *out)
{
    static const char *const names[] = {"box",  "cylinder", "ellipsoid", "extrusion",
                                        "mesh", "tank",     "occupant"};
    enum { COUNT = sizeof names / sizeof names[0] };
    const yaml_node *found = NULL;
    int kind = -1;
    for (int k = 0; k < COUNT; k++) {
        const yaml_node *node = reader_get(&r->base, map, names[k]);
        if (node && found)
            reader_reject(&r->base, node->key, "a component has one shape; here are %s and %s",
                          names[kind], names[k]);
        if (node)
            found = node, kind = k;
    }
    const bool given = reader_get(&r->base, map, "inertia") != NULL;
    if (!found && !given) {
        reader_reject(&r->base, map->key,
                      "the shape of the component is missing: expected box, cylinder, ellipsoid, "
                      "extrusion, mesh, tank, occupant, or inertia");
        return;
    }
    if (r->base.status != MC_OK)
        return;
    switch (kind) {
    case 0:
        read_box(r, found, out);
        break;
    case 1:
        read_cylinder(r, found, out);
        break;
    case 2:
        read_ellipsoid(r, found, out);
        break;
    case 3:
        read_extrusion(r, found, out);
        break;
    case 4:
        read_mesh(r, found, out);
        break;
    case 5:
        read_tank(r, found, out);
        break;
    case 6:
        read_occupant(r, map, out);
        break;
    }
    concept_pose pose = concept_pose_none;
    concept_vector_key(r, map, "at", pose.at);
    concept_turn(r, reader_get(&r->base, map, "orientation"), pose.R);
    out->volume = moments_moved(&out->volume, &pose);
    skin_move(&out->mesh, &pose);
    if (given && r->base.status == MC_OK)
        read_given(r, map, &pose, out);
    else if (reader_get(&r->base, map, "com"))
        reader_reject(&r->base, yaml_find(map, "com")->key,
                      "com is for components with inertia; others have it from their shape");
}

// ---- any part ----

// Mass from the key, or from material and volume.
static void weigh(concept_reader *r, const yaml_node *map, concept_section_id section, shape *s)
{
    const yaml_node *mass = reader_get(&r->base, map, "mass");
    const yaml_node *material = reader_get(&r->base, map, "material");
    if (mass && material) {
        reader_reject(&r->base, material->key, "a part has mass or material; here are both");
        return;
    }
    const bool known = s->weighed && !reader_get(&r->base, map, "inertia");
    if ((s->weighed && material) || (known && mass)) {
        reader_reject(&r->base, material ? material->key : mass->key,
                      "the mass of this component is known without %s",
                      material ? "material" : "mass");
        return;
    }
    const double given = concept_number(r, map, section, "mass", 0.0);
    const char *name = material ? reader_text(&r->base, material) : r->material;
    if (s->weighed || r->base.status != MC_OK)
        return;
    if (!mass && !name) {
        reader_reject(&r->base, map->key,
                      "%s has no mass: give it material or mass, or the "
                      "assembly a material",
                      map->key->text);
        return;
    }
    if (mass && !(given > 0.0)) {
        reader_reject(&r->base, mass, "the mass is %.9g kg, expected above 0", given);
        return;
    }
    s->glass = name && strcmp(name, "glass") == 0;
    const double factor =
        mass ? given / s->volume.mass : concept_density(r, material ? material : map->key, name);
    moments_scale(&s->volume, factor);
}

static bool is_taken(const mc_concept *c, const char *name)
{
    for (int i = 0; i < c->part_count; i++)
        if (strcmp(c->parts[i].name, name) == 0)
            return true;
    return false;
}

static void add_side(concept_reader *r, const yaml_node *map, const concept_part *like, int side)
{
    mc_concept *c = r->c;
    const char *ending = side > 0 ? "_l" : side < 0 ? "_r" : "";
    const char *assembly = c->assemblies[r->assembly].name;
    const char *name = concept_text(c, "%s.%s%s", assembly, map->key->text, ending);
    if (is_taken(c, name)) {
        reader_reject(&r->base, map->key, "assembly %s has a part %s already", assembly,
                      strchr(name, '.') + 1);
        return;
    }
    concept_part *part = concept_add_part(c);
    if (!part) {
        reader_no_memory(&r->base);
        return;
    }
    *part = *like;
    part->name = name;
    part->label = concept_text(c, "%s_%s%s", assembly, map->key->text, ending);
    part->side = side;
    if (side < 0) {
        part->mesh = (concept_mesh){.memory = &c->memory};
        for (int i = 0; i < like->mesh.count; i++)
            skin_triangle(&part->mesh, like->mesh.triangle[i], like->mesh.triangle[i] + 3,
                          like->mesh.triangle[i] + 6);
        skin_mirror(&part->mesh);
        part->moments = moments_mirrored(&like->moments);
    }
    c->assemblies[r->assembly].count++;
}

static void check_left(concept_reader *r, const yaml_node *map, const concept_part *part)
{
    double low[3] = {1e30, 1e30, 1e30}, high[3] = {-1e30, -1e30, -1e30}, com[3];
    skin_bounds(&part->mesh, low, high);
    moments_centre(&part->moments, com);
    const double y = part->mesh.count ? low[1] : com[1];
    if (y < -1e-6)
        reader_reject(&r->base, map->key,
                      "%s is mirrored but reaches y = %.4g m: give the left one, y above 0",
                      map->key->text, y);
}

static void read_part(concept_reader *r, const yaml_node *map, concept_section_id section)
{
    concept_word(r, map->key);
    if (!concept_check_keys(r, map, section))
        return;
    shape s = {.mesh = {.memory = &r->c->memory}};
    if (section == CONCEPT_BEAM)
        read_beam(r, map, &s);
    else if (section == CONCEPT_PANEL)
        read_panel(r, map, &s);
    else
        read_component(r, map, &s);
    if (r->base.status == MC_OK && !(s.volume.mass > 0.0))
        reader_reject(&r->base, map->key, "the volume of %s is 0", map->key->text);
    if (r->base.status == MC_OK)
        weigh(r, map, section, &s);
    const yaml_node *role = reader_get(&r->base, map, "role");
    const bool mirror = concept_flag(r, map, "mirror", false);
    if (mirror && r->mirrored)
        reader_reject(&r->base, yaml_find(map, "mirror")->key,
                      "%s is mirrored twice: its assembly is mirrored already", map->key->text);
    const int which = role ? reader_choice(&r->base, role, concept_role_names, ROLE_COUNT) : 0;
    if (r->base.status != MC_OK)
        return;
    concept_part part = {.assembly = r->assembly,
                         .kind = section == CONCEPT_BEAM    ? PART_BEAM
                                 : section == CONCEPT_PANEL ? PART_PANEL
                                                            : PART_COMPONENT,
                         .role = (concept_role)which,
                         .moments = s.volume,
                         .exact = s.weighed && !reader_get(&r->base, map, "inertia"),
                         .area = s.area,
                         .length = s.length,
                         .mesh = s.mesh,
                         .glass = s.glass,
                         .axle = -1,
                         .place = {map->key->line, map->key->column}};
    moments_scale(&part.moments, concept_build_out(r, map, part.moments.mass));
    if (s.mesh.failed)
        reader_no_memory(&r->base);
    const bool both = mirror || r->mirrored;
    if (both && r->base.status == MC_OK)
        check_left(r, map, &part);
    if (r->base.status == MC_OK)
        add_side(r, map, &part, both ? 1 : 0);
    if (both && r->base.status == MC_OK)
        add_side(r, map, &part, -1);
}

void concept_read_parts(concept_reader *r, const yaml_node *assembly)
{
    static const char *const keys[] = {"beams", "panels", "components"};
    static const concept_section_id sections[] = {CONCEPT_BEAM, CONCEPT_PANEL, CONCEPT_COMPONENT};
    for (int k = 0; k < 3; k++) {
        const yaml_node *map = concept_each(r, assembly, keys[k]);
        for (const yaml_node *n = map ? map->first : NULL; n && r->base.status == MC_OK;
             n = n->next)
            read_part(r, n, sections[k]);
    }
}
