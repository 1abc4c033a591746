// bench.c - the text of a vehicle with springs under its wheels, and the values it has now.
#include "mechanical/bench.h"

#include "io/yaml_tree.h"
#include "mechanical/batch.h"
#include "num/vec3.h"
#include "parts/tyre_vertical.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the mechanism");
}

void mc_vehicle_bench_free(mc_vehicle_bench *bench)
{
    free(bench->text);
    free(bench->values);
    *bench = (mc_vehicle_bench){0};
}

// ---- the text ----

static yaml_tree *part_of(arena *memory, yaml_tree *root, const char *key)
{
    yaml_tree *part = yaml_tree_get(root, key);
    if (!part && (part = yaml_tree_new(YAML_MAPPING, memory)) &&
        !yaml_tree_set(memory, root, key, part))
        return NULL;
    return part;
}

static yaml_tree *vector(arena *memory, const char *z)
{
    yaml_tree *list = yaml_tree_new(YAML_SEQUENCE, memory);
    return list && yaml_tree_append(list, yaml_tree_text(memory, "0")) &&
                   yaml_tree_append(list, yaml_tree_text(memory, "0")) &&
                   yaml_tree_append(list, yaml_tree_quoted(memory, z))
               ? list
               : NULL;
}

static bool put(arena *memory, yaml_tree *map, const char *key, yaml_tree *value)
{
    return map && value && yaml_tree_set(memory, map, key, value);
}

// fz = max(0, k d - c z'), d = radius - z over the road; 0 for d <= 0.
static bool put_tyre(arena *memory, yaml_tree *root, const char *body, const double *p)
{
    const char *place = strncmp(body, "wheel_", 6) == 0 ? body + 6 : body;
    char tyre[120], hub[120], height[120], force[480];
    snprintf(tyre, sizeof tyre, "tyre_%.100s", place);
    snprintf(hub, sizeof hub, "tyre_%.100s_hub", place);
    snprintf(height, sizeof height, "road_%.100s", place);
    snprintf(force, sizeof force,
             "if(%.17g m + %.60s > %.60s.position.z, max(%.17g N/m*(%.17g m + %.60s - "
             "%.60s.position.z) - %.17g N*s/m*%.60s.velocity.z, 0 N), 0 N)",
             p[VERTICAL_RADIUS], height, body, p[VERTICAL_STIFFNESS], p[VERTICAL_RADIUS], height,
             body, p[VERTICAL_DAMPING], body);
    yaml_tree *input = yaml_tree_new(YAML_MAPPING, memory);
    yaml_tree *point = yaml_tree_new(YAML_MAPPING, memory);
    yaml_tree *load = yaml_tree_new(YAML_MAPPING, memory);
    return put(memory, input, "value", yaml_tree_text(memory, "0")) &&
           put(memory, input, "unit", yaml_tree_text(memory, "m")) &&
           put(memory, point, "body", yaml_tree_text(memory, body)) &&
           put(memory, point, "at", vector(memory, "0")) &&
           put(memory, load, "point", yaml_tree_text(memory, hub)) &&
           put(memory, load, "force", vector(memory, force)) &&
           put(memory, part_of(memory, root, "inputs"), height, input) &&
           put(memory, part_of(memory, root, "points"), hub, point) &&
           put(memory, part_of(memory, root, "forces"), tyre, load);
}

static mc_status write_text(const multibody_batch *b, const vehicle *v, char **out, mc_error *error)
{
    const mc_multibody *m = b->mechanism.multibody;
    const char *text = mc_multibody_text(m);
    arena memory = {0};
    const yaml_node *root;
    mc_status status = yaml_parse(text, strlen(text), m->info.name, &memory, &root, error);
    yaml_tree *tree = status == MC_OK ? yaml_tree_copy(&memory, root) : NULL;
    bool good = tree;
    for (int w = 0; good && w < b->mechanism.wheel_count; w++)
        good =
            put_tyre(&memory, tree, m->model.bodies[b->mechanism.wheel[w]].name, v->gear.vertical);
    const char *written = good ? yaml_tree_write(&memory, tree) : NULL;
    *out = written ? strdup(written) : NULL;
    if (status == MC_OK && !*out)
        status = no_memory(error);
    arena_free(&memory);
    return status;
}

// ---- the values ----

static void add(mc_vehicle_bench *out, const char *name, double value)
{
    mc_bench_value *to = &out->values[out->value_count++];
    snprintf(to->name, sizeof to->name, "%s", name);
    to->value = value;
}

// Coordinates and velocities, in axes that travel with the chassis.
static void add_state(const multibody_batch *b, vehicle *v, mc_vehicle_bench *out)
{
    const mc_multibody *m = b->mechanism.multibody;
    const mb_body *chassis = &m->model.bodies[b->mechanism.chassis];
    double velocity[3];
    vehicle_look(b, v, v->z);
    memcpy(velocity, v->look + LOOK_VELOCITY, sizeof velocity);
    velocity[0] = velocity[1] = 0.0;
    if (chassis->quasi_velocity) {
        const double world[3] = {0.0, 0.0, velocity[2]};
        mat3_tmul_vec(v->look + LOOK_TURN, world, velocity);
    }
    const size_t length = strlen(chassis->name);
    for (int k = 0; k < b->q_count + b->v_count; k++) {
        const bool rate = k >= b->q_count;
        const char *name = rate ? mc_multibody_name(m, MC_QUANTITY_VELOCITY, k - b->q_count)
                                : mc_multibody_name(m, MC_QUANTITY_COORDINATE, k);
        double value = v->z[k];
        const char *part = strncmp(name, chassis->name, length) == 0 && name[length] == '.'
                               ? name + length + 1
                               : "";
        if (strcmp(part, "x") == 0 || strcmp(part, "y") == 0)
            value = 0.0;
        else if (strcmp(part, "z") == 0)
            value -= b->ground;
        else if (part[0] == 'v' && part[1] >= 'x' && part[1] <= 'z' && part[2] == '\0')
            value = velocity[part[1] - 'x'];
        add(out, name, value);
    }
}

// Parameters that differ from those of the text.
static void add_parameters(const multibody_batch *b, const vehicle *v, mc_vehicle_bench *out)
{
    const mc_multibody *m = b->mechanism.multibody;
    const expr_program *p = m->code[MULTIBODY_RATE].program;
    for (int k = 0; k < m->model.parameter_count; k++)
        for (int i = 0; i < p->parameter_count; i++)
            if (p->parameter[i] == m->model.parameters[k].input &&
                v->parameter[i] != m->model.parameters[k].value)
                add(out, m->model.parameters[k].name, v->parameter[i]);
}

mc_status mechanical_bench(const mc_batch *batch, int i, mc_vehicle_bench *out, mc_error *error)
{
    const multibody_batch *b = (const multibody_batch *)batch;
    vehicle *v = &b->vehicles[i];
    const size_t count =
        (size_t)(b->q_count + b->v_count + b->mechanism.multibody->model.parameter_count) + 1;
    *out = (mc_vehicle_bench){.values = calloc(count, sizeof *out->values)};
    if (!out->values)
        return no_memory(error);
    add_state(b, v, out);
    add_parameters(b, v, out);
    if (b->mechanism.rack >= 0)
        add(out, "rack_to", b->rack * v->steer);
    const mc_status status = write_text(b, v, &out->text, error);
    if (status != MC_OK)
        mc_vehicle_bench_free(out);
    return status;
}
