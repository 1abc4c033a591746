// vehicle.c - mechanisms on wheels behind the vehicle-model contract.
#include "mechanical/batch.h"
#include "mechanical/bench.h"
#include "mechanical/block.h"
#include "mechanical/channels.h"

#include "motorcade/simulate.h"
#include "num/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP_USUAL 1e-3 // s

static multibody_batch *own(mc_batch *batch)
{
    return (multibody_batch *)batch;
}

static const multibody_batch *look(const mc_batch *batch)
{
    return (const multibody_batch *)batch;
}

static vehicle *at(const mc_batch *batch, int i)
{
    return &look(batch)->vehicles[i];
}

// ---- making a batch ----

static const mc_vehicle_kind numbered_kind[GEAR_AXLE_MAX + 1];

static double *doubles(multibody_batch *b, int count)
{
    return arena_alloc(&b->memory, ((size_t)count + 8) * sizeof(double)); // aligned to 64
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static bool make_vehicle(multibody_batch *b, vehicle *v, const multibody_model *model)
{
    const mechanism *m = &b->mechanism;
    const multibody_code *code = m->multibody->code;
    const expr_program *programs[PART_COUNT] = {code[MULTIBODY_RATE].program,
                                                code[MULTIBODY_FORWARD].program,
                                                m->see.program,
                                                m->look.program,
                                                m->turn.program,
                                                code[MULTIBODY_PROJECT].program};
    const expr_kernel *kernels[PART_COUNT] = {code[MULTIBODY_RATE].kernel,
                                              code[MULTIBODY_FORWARD].kernel,
                                              m->see.kernel,
                                              m->look.kernel,
                                              m->turn.kernel,
                                              code[MULTIBODY_PROJECT].kernel};
    int work = 0, values = 0;
    bool all = true;
    for (int k = 0; k < (m->closed ? PART_COUNT : PART_TURN); k++) {
        v->kept[k] = doubles(b, programs[k]->kept_count);
        work = larger(work, expr_kernel_work(kernels[k]));
        values = larger(values, programs[k]->output_count);
        all = all && v->kept[k];
    }
    v->out = doubles(b, values);
    const int variables = programs[0]->variable_count, parameters = programs[0]->parameter_count;
    v->parameter = doubles(b, parameters);
    v->x = doubles(b, variables);
    v->work = doubles(b, work);
    v->see = doubles(b, m->see.value_count + m->see.partial_count);
    v->look = doubles(b, m->look.value_count + m->look.partial_count);
    v->dv = doubles(b, b->v_count);
    v->z = doubles(b, b->value_count);
    v->middle = doubles(b, b->value_count);
    v->engine_p = doubles(b, GEAR_ENGINE_SIZE);
    for (int k = 0; k < 4; k++) {
        v->k[k] = doubles(b, b->value_count);
        all = all && v->k[k];
    }
    const bool delayed = model->gear->drive[DRIVE_BRAKE_DELAY] > 0.0;
    v->line = delayed ? doubles(b, BRAKE_LINE_SIZE) : NULL;
    if (!all || !v->parameter || !v->x || !v->work || !v->see || !v->look || !v->dv || !v->out ||
        !v->z || !v->middle || !v->engine_p || (delayed && !v->line))
        return false;
    memcpy(v->parameter, m->multibody->parameter, (size_t)parameters * sizeof(double));
    memcpy(v->x, m->multibody->x, (size_t)variables * sizeof(double));
    v->gear = *model->gear;
    v->gear.axle_count = m->wheel_count / 2;
    vehicle_prepare(b, v);
    return true;
}

// Mass, wheel inertia and drive of a vehicle that stands as in its file.
static void measure(multibody_batch *b, vehicle *v, const multibody_model *model)
{
    mc_multibody_start(b->mechanism.multibody, v->z);
    mc_multibody_assemble(b->mechanism.multibody, 0.0, v->z, NULL); // asked again at rest
    vehicle_look(b, v, v->z);
    v->mass = v->look[LOOK_MASS];
    b->gravity = -v->look[LOOK_GRAVITY + 2];
    v->gear.nominal_mass = model->nominal_mass;
    if (isnan(v->gear.nominal_mass))
        v->gear.nominal_mass = v->mass;
    double *tau = v->k[3];
    memset(tau, 0, (size_t)b->v_count * sizeof *tau);
    tau[b->mechanism.spin[0]] = 1.0;
    vehicle_push(b, v, tau);
    v->gear.drive[DRIVE_INERTIA] = 1.0 / v->dv[b->mechanism.spin[0]];
    v->gear.gravity = b->gravity;
    gear_constants_of(&v->gear, v->engine_p, &v->drive);
}

static void lay_out(multibody_batch *b, const multibody_model *model)
{
    const mb_system *s = &b->mechanism.multibody->system;
    const powertrain_kind *engine = model->gear->powertrain;
    b->y_count = s->y_count, b->q_count = s->q_count, b->v_count = s->v_count;
    b->wheel_states = WHEEL_TYRE - WHEEL_TWIST + tyre_for_spin(model->gear->tyre)->state_count;
    b->at_extra = b->y_count + b->mechanism.wheel_count * b->wheel_states;
    b->at_sums = b->at_extra + EXTRA_ENGINE + (engine ? engine->state_count : 0);
    b->at_stored = b->mechanism.stores ? b->at_sums + SUM_MAX : 0;
    b->value_count = b->at_sums + SUM_MAX + b->mechanism.stores;
    b->step = STEP_USUAL;
    b->code = block_code_at[cpu_level_best()];
    if (b->mechanism.numbered)
        b->base.kind = &numbered_kind[b->mechanism.wheel_count / 2];
}

// The ellipsoid stands over the middle of the wheels, at the height of the mass centre.
static void place_surface(multibody_batch *b, const multibody_model *model)
{
    vehicle *v = b->vehicles;
    double middle[3] = {0.0, 0.0, 0.0}, offset[3];
    for (int k = 0; k < 3; k++)
        b->half[k] = 0.5 * model->outline[k];
    vehicle_see(b, v, b->rest);
    vehicle_look(b, v, b->rest);
    for (int w = 0; w < b->mechanism.wheel_count; w++)
        for (int k = 0; k < 2; k++)
            middle[k] += 1.0 / b->mechanism.wheel_count * v->see[SEE_WHEEL + w * SEE_EACH + k];
    middle[2] = v->see[SEE_CENTRE + 2];
    for (int k = 0; k < 3; k++)
        offset[k] = middle[k] - v->look[LOOK_PLACE + k];
    mat3_tmul_vec(v->look + LOOK_TURN, offset, b->centre);
}

// The mechanism, with a chassis as heavy as the model wants it.
static mc_multibody *derive(const multibody_model *model, mc_error *error)
{
    mc_multibody *m = mc_multibody_parse(model->text, model->file, NULL, error);
    double chassis;
    if (m && model->added_mass != 0.0 &&
        (mc_multibody_get(m, "chassis.mass", &chassis, error) != MC_OK ||
         mc_multibody_set(m, "chassis.mass", chassis + model->added_mass, error) != MC_OK)) {
        mc_multibody_free(m);
        return NULL;
    }
    return m;
}

static mc_status fill(multibody_batch *b, const multibody_model *model, int count, mc_error *error)
{
    mc_multibody *multibody = derive(model, error);
    if (!multibody)
        return error->code;
    mc_status status = mechanism_make(multibody, &b->mechanism, error);
    if (status != MC_OK)
        return status;
    lay_out(b, model);
    b->vehicles = arena_alloc(&b->memory, (size_t)count * sizeof *b->vehicles);
    b->rest = doubles(b, b->value_count);
    const int room = count > 1 ? block_room(b) : 0; // of each; a pack takes that of its vehicles
    double *rooms = arena_alloc(&b->memory, (size_t)count * (size_t)room * sizeof *rooms);
    bool made = b->vehicles && b->rest && rooms;
    for (int i = 0; made && i < count; i++) {
        memset(&b->vehicles[i], 0, sizeof b->vehicles[i]);
        b->vehicles[i].room = rooms + (size_t)i * (size_t)room;
        made = make_vehicle(b, &b->vehicles[i], model);
    }
    if (!made)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the vehicles");
    memset(b->rest, 0, (size_t)b->value_count * sizeof *b->rest);
    for (int i = 0; i < count; i++)
        measure(b, &b->vehicles[i], model);
    status = vehicle_find_rest(b, error);
    if (status != MC_OK)
        return status;
    place_surface(b, model);
    b->step = fmin(b->step, b->bound);
    return MC_OK;
}

mc_batch *multibody_vehicles_create(const multibody_model *model, int count, mc_error *error)
{
    multibody_batch *b = calloc(1, sizeof *b);
    if (!b) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the vehicles");
        return NULL;
    }
    b->base = (mc_batch){&multibody_kind, count};
    if (fill(b, model, count, error) == MC_OK)
        return &b->base;
    multibody_kind.destroy(&b->base);
    return NULL;
}

void multibody_vehicles_place(mc_batch *batch, int i, double x, double y, double heading, double v)
{
    vehicle_place(own(batch), i, x, y, heading, v);
}

static void destroy(mc_batch *batch)
{
    multibody_batch *b = own(batch);
    if (b->mechanism.multibody)
        mechanism_free(&b->mechanism);
    arena_free(&b->memory);
    free(b);
}

// ---- motion ----

static void advance(mc_batch *batch, int first, int count, double duration)
{
    const multibody_batch *b = look(batch);
    const int end = first + count;
    for (int i = first, taken; i < end && duration > 0.0; i += taken) {
        vehicle *v = at(batch, i);
        taken = 1;
        while (taken < PACK_MAX && i + taken < end && vehicle_is_like(b, v, v + taken))
            taken++;
        if (taken > 1)
            pack_advance(b, v, taken, duration);
        else
            vehicle_advance(b, v, duration);
    }
}

static void limit_step(mc_batch *batch, double step)
{
    own(batch)->step = fmin(step, look(batch)->bound);
}

static double unit_range(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

static void set_inputs(mc_batch *batch, int first, int count, const mc_inputs *in)
{
    for (int k = 0; k < count; k++) {
        vehicle *v = at(batch, first + k);
        v->throttle = unit_range(in[k].throttle);
        v->steer = in[k].steer;
        if (v->line)
            brake_line_push(v->line, unit_range(in[k].brake), v->gear.drive[DRIVE_BRAKE_DELAY],
                            &v->brake);
        else
            v->brake = unit_range(in[k].brake);
    }
}

// Heading: the chassis' x in the plane, and how it turns.
static void heading_of(const vehicle *v, double direction[2], double *yaw_rate)
{
    const double *turn = v->look + LOOK_TURN, x[3] = {turn[0], turn[3], turn[6]};
    const double size = hypot(x[0], x[1]);
    double rate[3];
    vec3_cross(v->look + LOOK_SPIN, x, rate);
    direction[0] = x[0] / size, direction[1] = x[1] / size;
    *yaw_rate = (direction[0] * rate[1] - direction[1] * rate[0]) / size;
}

static void motion(const mc_batch *batch, int first, int count, mc_motion *out)
{
    const multibody_batch *b = look(batch);
    for (int i = 0; i < count; i++) {
        vehicle *v = at(batch, first + i);
        acting now;
        double d[2], yaw_rate;
        vehicle_look(b, v, v->z);
        vehicle_act(b, v, v->z, v->k[0], &now);
        heading_of(v, d, &yaw_rate);
        const double *centre = v->see + SEE_CENTRE, *p = v->see + SEE_MOMENTUM;
        out[i] = (mc_motion){.x = centre[0],
                             .y = centre[1],
                             .psi = atan2(d[1], d[0]),
                             .v = (d[0] * p[0] + d[1] * p[1]) / v->mass,
                             .v_y = (d[0] * p[1] - d[1] * p[0]) / v->mass,
                             .yaw_rate = yaw_rate,
                             .a = (d[0] * now.force[0] + d[1] * now.force[1]) / v->mass};
    }
}

// The mass centre is that of all bodies, the directors are the axes of the chassis.
static void pose(const mc_batch *batch, int i, mc_pose *out)
{
    const multibody_batch *b = look(batch);
    vehicle *v = at(batch, i);
    vehicle_look(b, v, v->z);
    vehicle_see(b, v, v->z);
    const double *turn = v->look + LOOK_TURN;
    for (int k = 0; k < 3; k++) {
        double *director = out->directors + 3 * k;
        for (int row = 0; row < 3; row++)
            director[row] = turn[3 * row + k];
        vec3_cross(v->look + LOOK_SPIN, director, out->director_rates + 3 * k);
        out->position[k] = v->see[SEE_CENTRE + k];
        out->velocity[k] = v->see[SEE_MOMENTUM + k] / v->mass;
    }
}

static void plan(const mc_batch *batch, int first, int count, const double *desired, mc_plan *out)
{
    enum { AT_ONCE = 32 };
    const multibody_batch *b = look(batch);
    const running_gear *gear[AT_ONCE];
    double speed[AT_ONCE];
    for (int i = 0; i < count; i += AT_ONCE) {
        const int some = count - i < AT_ONCE ? count - i : AT_ONCE;
        for (int k = 0; k < some; k++) {
            vehicle *v = at(batch, first + i + k);
            const double *p = v->see + SEE_MOMENTUM;
            double d[2], yaw_rate;
            vehicle_look(b, v, v->z);
            vehicle_see(b, v, v->z);
            heading_of(v, d, &yaw_rate);
            gear[k] = &v->gear;
            speed[k] = (d[0] * p[0] + d[1] * p[1]) / v->mass;
        }
        gear_plan_some(gear, some, speed, desired + i, out + i);
    }
}

static void set_road(mc_batch *batch, const mc_road *under)
{
    own(batch)->road = under;
    own(batch)->relief = road_is_relief(under);
}

static void set_path(mc_batch *batch, int i, int path, double station)
{
    at(batch, i)->path = path;
    at(batch, i)->station = station;
}

// ---- parameters ----

// Place of a parameter of the mechanism among those of the programs; -1: none.
static int parameter_at(const mc_multibody *m, const char *name, const mb_parameter **row)
{
    const expr_program *p = m->code[MULTIBODY_RATE].program;
    for (int k = 0; k < m->model.parameter_count; k++)
        if (strcmp(m->model.parameters[k].name, name) == 0)
            for (int i = 0; i < p->parameter_count; i++)
                if (p->parameter[i] == m->model.parameters[k].input) {
                    *row = &m->model.parameters[k];
                    return i;
                }
    return -1;
}

// The mechanism must still have mass wherever it moves.
static bool is_possible(const multibody_batch *b, vehicle *v)
{
    double *tau = v->k[3];
    vehicle_look(b, v, v->z);
    bool good = v->look[LOOK_MASS] > 0.0;
    for (int j = 0; j < b->v_count && good; j++) {
        memset(tau, 0, (size_t)b->v_count * sizeof *tau);
        tau[j] = 1.0;
        vehicle_push(b, v, tau);
        // M^-1 is positive definite; what loops hold does not move.
        good = (b->mechanism.closed ? v->dv[j] > -1e-12 : v->dv[j] > 0.0) && isfinite(v->dv[j]);
    }
    return good;
}

static bool set_param(mc_batch *batch, int i, const char *name, double value)
{
    const multibody_batch *b = look(batch);
    vehicle *v = at(batch, i);
    const mb_parameter *row = NULL;
    if (strcmp(name, "mass") == 0) { // of the whole: the chassis gets the difference
        const int chassis = parameter_at(b->mechanism.multibody, "chassis.mass", &row);
        return chassis >= 0 &&
               set_param(batch, i, "chassis.mass", v->parameter[chassis] + (value - v->mass));
    }
    const int k = parameter_at(b->mechanism.multibody, name, &row);
    if (k < 0)
        return gear_set(&v->gear, name, value, v->engine_p, &v->drive);
    const bool limited = row->min != 0.0 || row->max != 0.0;
    if (!isfinite(value) || (limited && !(value >= row->min && value <= row->max)))
        return false;
    const double before = v->parameter[k];
    v->parameter[k] = value;
    vehicle_prepare(b, v);
    const bool possible = is_possible(b, v);
    if (possible) {
        vehicle_close(b, v, v->z); // around a length that changed
        vehicle_look(b, v, v->z);
    } else {
        v->parameter[k] = before;
        vehicle_prepare(b, v);
        vehicle_look(b, v, v->z);
    }
    v->mass = v->look[LOOK_MASS];
    return possible;
}

static bool get_param(const mc_batch *batch, int i, const char *name, double *value)
{
    const multibody_batch *b = look(batch);
    const vehicle *v = &b->vehicles[i];
    const mb_parameter *row = NULL;
    const int k = parameter_at(b->mechanism.multibody, name, &row);
    if (strcmp(name, "mass") == 0) {
        *value = v->mass;
        return true;
    }
    if (k >= 0) {
        *value = v->parameter[k];
        return true;
    }
    return gear_get(&v->gear, name, value);
}

// ---- surface and impulses ----

// The chassis' point `own` in the world.
static void point_of(const vehicle *v, const double in_chassis[3], double out[3])
{
    mat3_mul_vec(v->look + LOOK_TURN, in_chassis, out);
    for (int k = 0; k < 3; k++)
        out[k] += v->look[LOOK_PLACE + k];
}

static void velocity_of(const vehicle *v, const double point[3], double out[3])
{
    const double *place = v->look + LOOK_PLACE;
    const double arm[3] = {point[0] - place[0], point[1] - place[1], point[2] - place[2]};
    vec3_cross(v->look + LOOK_SPIN, arm, out);
    for (int k = 0; k < 3; k++)
        out[k] += v->look[LOOK_VELOCITY + k];
}

static void surface(const mc_batch *batch, int i, mc_ellipsoid *out)
{
    const multibody_batch *b = look(batch);
    vehicle *v = at(batch, i);
    vehicle_look(b, v, v->z);
    point_of(v, b->centre, out->centre);
    for (int row = 0; row < 3; row++)
        for (int k = 0; k < 3; k++)
            out->axes[3 * row + k] = v->look[LOOK_TURN + 3 * row + k] * b->half[k];
}

static void reach(const mc_batch *batch, int i, mc_reach *out)
{
    const multibody_batch *b = look(batch);
    vehicle *v = at(batch, i);
    vehicle_look(b, v, v->z);
    point_of(v, b->centre, out->centre);
    velocity_of(v, out->centre, out->velocity);
    out->radius = fmax(b->half[0], fmax(b->half[1], b->half[2]));
    out->spread = vec3_norm(v->look + LOOK_SPIN) * out->radius;
    out->acceleration = 30.0 * fabs(b->gravity) + 10.0; // a suspension that bottoms after a hit
}

static void point_velocity(const mc_batch *batch, int i, const double point[3], double out[3])
{
    vehicle *v = at(batch, i);
    vehicle_look(look(batch), v, v->z);
    velocity_of(v, point, out);
}

// v->dv: changes of the velocities by an impulse at a point of the chassis.
static void push(const multibody_batch *b, vehicle *v, const double point[3],
                 const double impulse[3])
{
    double load[PUSH_COUNT], *tau = v->k[3];
    vehicle_look(b, v, v->z);
    const double *place = v->look + LOOK_PLACE;
    const double arm[3] = {point[0] - place[0], point[1] - place[1], point[2] - place[2]};
    memcpy(load, impulse, 3 * sizeof *load);
    vec3_cross(arm, impulse, load + 3);
    memset(tau, 0, (size_t)b->v_count * sizeof *tau);
    mechanism_load(&b->mechanism.look, v->look, load, tau);
    vehicle_push(b, v, tau);
}

static void impulse_response(const mc_batch *batch, int i, const double point[3],
                             const double impulse[3], const double seen[3], double out[3])
{
    const multibody_batch *b = look(batch);
    const mechanism_program *p = &b->mechanism.look;
    vehicle *v = at(batch, i);
    push(b, v, point, impulse);
    double change[PUSH_COUNT] = {0.0};
    for (int k = 0; k < p->partial_count; k++)
        change[p->row[k]] += v->look[LOOK_COUNT + k] * v->dv[p->velocity[k]];
    const double *place = v->look + LOOK_PLACE;
    const double arm[3] = {seen[0] - place[0], seen[1] - place[1], seen[2] - place[2]};
    vec3_cross(change + 3, arm, out);
    for (int k = 0; k < 3; k++)
        out[k] += change[k];
}

static void apply_impulse(mc_batch *batch, int i, const double point[3], const double impulse[3])
{
    const multibody_batch *b = look(batch);
    vehicle *v = at(batch, i);
    push(b, v, point, impulse);
    for (int j = 0; j < b->v_count; j++)
        v->z[b->q_count + j] += v->dv[j];
}

// The surface is rigid; what moves it is no faster than a wheel that hops.
static double contact_window(const mc_batch *batch)
{
    (void)batch;
    return 0.002;
}

// ---- state and energy ----

// Saved: z, inputs, place on the road, commands to the brakes, then what set_param can change:
// parameters of the mechanism and of the drive. So a resumed run continues with the mass it had.
enum { SAVED_INPUTS = 5 };

static int parameter_count(const multibody_batch *b)
{
    return b->mechanism.multibody->code[MULTIBODY_RATE].program->parameter_count;
}

static int save_size(const mc_batch *batch)
{
    const multibody_batch *b = look(batch);
    return b->value_count + SAVED_INPUTS + (b->vehicles[0].line ? BRAKE_LINE_SIZE : 0) +
           parameter_count(b) + DRIVE_LIVE_COUNT;
}

static void mechanism_state(const multibody_batch *b, int k, mc_state_name *out)
{
    const mc_multibody *m = b->mechanism.multibody;
    const mc_quantity quantity = k < b->q_count                ? MC_QUANTITY_COORDINATE
                                 : k < b->q_count + b->v_count ? MC_QUANTITY_VELOCITY
                                                               : MC_QUANTITY_STATE;
    const int i = quantity == MC_QUANTITY_COORDINATE ? k
                  : quantity == MC_QUANTITY_VELOCITY ? k - b->q_count
                                                     : k - b->q_count - b->v_count;
    mc_simulate_about about;
    mc_simulate_describe(m, quantity, i, &about);
    snprintf(out->name, sizeof out->name, "%s", mc_multibody_name(m, quantity, i));
    snprintf(out->unit, sizeof out->unit, "%s", about.unit[0] ? about.unit : "-");
}

static bool state_name(const mc_batch *batch, int k, mc_state_name *out)
{
    static const char *const named[] = {"lf", "rf", "lr", "rr"};
    const multibody_batch *b = look(batch);
    const int wheels = b->mechanism.wheel_count, wheel = (k - b->y_count) % wheels;
    char number[16];
    if (k >= b->at_sums)
        return false;
    snprintf(number, sizeof number, "%d%c", wheel / 2 + 1, wheel % 2 ? 'r' : 'l');
    if (k < b->y_count)
        mechanism_state(b, k, out);
    else if (k >= b->at_extra)
        gear_extra_name(&b->vehicles[0].gear, k - b->at_extra, out);
    else // spin is the mechanism's own
        gear_wheel_state_name(&b->vehicles[0].gear, WHEEL_TWIST + (k - b->y_count) / wheels,
                              b->mechanism.numbered ? number : named[wheel], out);
    return true;
}

static void save_params(const multibody_batch *b, const vehicle *v, double *out)
{
    const int count = parameter_count(b);
    memcpy(out, v->parameter, (size_t)count * sizeof *out);
    gear_save(&v->gear, out + count);
}

// Nearly always nothing has changed. Values that make no mechanism (of a damaged snapshot) are not
// taken.
static void restore_params(const multibody_batch *b, vehicle *v, const double *in)
{
    const int count = parameter_count(b);
    double now[DRIVE_LIVE_COUNT];
    gear_save(&v->gear, now);
    if (memcmp(now, in + count, sizeof now) != 0 && gear_saved_valid(in + count))
        gear_restore(&v->gear, in + count, v->engine_p, &v->drive);
    if (memcmp(v->parameter, in, (size_t)count * sizeof *in) == 0)
        return;
    memcpy(v->parameter, in, (size_t)count * sizeof *in);
    vehicle_prepare(b, v);
    vehicle_look(b, v, v->z);
    v->mass = v->look[LOOK_MASS];
}

static void save(const mc_batch *batch, int i, double *out)
{
    const multibody_batch *b = look(batch);
    const vehicle *v = at(batch, i);
    memcpy(out, v->z, (size_t)b->value_count * sizeof *out);
    out += b->value_count;
    out[0] = v->throttle, out[1] = v->brake, out[2] = v->steer;
    out[3] = v->path, out[4] = v->station;
    out += SAVED_INPUTS;
    if (v->line)
        memcpy(out, v->line, BRAKE_LINE_SIZE * sizeof *out);
    save_params(b, v, out + (v->line ? BRAKE_LINE_SIZE : 0));
}

static void restore(mc_batch *batch, int i, const double *in)
{
    const multibody_batch *b = look(batch);
    vehicle *v = at(batch, i);
    memcpy(v->z, in, (size_t)b->value_count * sizeof *in);
    in += b->value_count;
    v->throttle = in[0], v->brake = in[1], v->steer = in[2];
    v->path = in[3], v->station = in[4];
    in += SAVED_INPUTS;
    if (v->line)
        brake_line_restore(v->line, in);
    restore_params(b, v, in + (v->line ? BRAKE_LINE_SIZE : 0));
}

static void energy(const mc_batch *batch, int i, mc_energy *out)
{
    const multibody_batch *b = look(batch);
    vehicle *v = at(batch, i);
    const double *sums = v->z + b->at_sums;
    acting now;
    vehicle_look(b, v, v->z);
    vehicle_act(b, v, v->z, v->k[0], &now);
    const double *l = v->look;
    *out = (mc_energy){.kinetic = l[LOOK_KINETIC],
                       .spring = l[LOOK_POTENTIAL] - l[LOOK_LEVEL] + now.tyre_energy +
                                 (b->at_stored > 0 ? v->z[b->at_stored] : 0.0),
                       .gravity = l[LOOK_LEVEL] + sums[SUM_GRAVITY],
                       .damped = sums[SUM_DAMPED],
                       .slipped = sums[SUM_SLIPPED],
                       .braked = sums[SUM_BRAKED],
                       .dragged = sums[SUM_DRAGGED],
                       .driven = sums[SUM_DRIVEN]};
}

static void momentum(const mc_batch *batch, int i, double out[3])
{
    vehicle *v = at(batch, i);
    vehicle_see(look(batch), v, v->z);
    memcpy(out, v->see + SEE_MOMENTUM, 3 * sizeof *out);
}

static void road_impulse(const mc_batch *batch, int i, double out[3])
{
    memcpy(out, at(batch, i)->z + look(batch)->at_sums + SUM_IMPULSE, 3 * sizeof *out);
}

static double mass(const mc_batch *batch, int i)
{
    return at(batch, i)->mass;
}

static double gravity(const mc_batch *batch)
{
    return look(batch)->gravity;
}

// One row per layout of the axles: they differ in their channels alone.
#define KIND(rows, count)                                                                          \
    {                                                                                              \
        .name = "multibody", .advance = advance, .set_inputs = set_inputs, .motion = motion,       \
        .plan = plan, .set_road = set_road, .set_path = set_path, .read_channels = channels_read,  \
        .wheels = channels_wheels, .lateral_acceleration = channels_lateral_acceleration,          \
        .set_param = set_param, .get_param = get_param, .limit_step = limit_step, .pose = pose,    \
        .surface = surface, .reach = reach, .point_velocity = point_velocity,                      \
        .impulse_response = impulse_response, .apply_impulse = apply_impulse,                      \
        .save_size = save_size, .state_name = state_name, .save = save, .restore = restore,        \
        .energy = energy, .momentum = momentum, .road_impulse = road_impulse, .mass = mass,        \
        .gravity = gravity, .contact_window = contact_window, .destroy = destroy,                  \
        .bench = mechanical_bench, .channels = rows, .channel_count = count                        \
    }
#define NUMBERED(axles) [axles] = KIND(channels_numbered, CHANNELS_NUMBERED(axles))

const mc_vehicle_kind multibody_kind = KIND(channels_named, CHANNELS_NAMED);

static const mc_vehicle_kind numbered_kind[GEAR_AXLE_MAX + 1] = {
    NUMBERED(2), NUMBERED(3), NUMBERED(4), NUMBERED(5), NUMBERED(6), NUMBERED(7), NUMBERED(8)};
