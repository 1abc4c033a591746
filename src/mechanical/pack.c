// pack.c - advances the vehicles of a pack: the steps of rate.c, one program for all lanes.
#include "mechanical/block.h"

#include <math.h>
#include <string.h>

typedef struct pace { // of one vehicle: steps of equal length between commands to its brakes
    double left, part;
    int steps, taken;
    bool begun; // the part
} pace;

typedef struct pack {
    const multibody_batch *b;
    const block_code *code;
    int count, blocks; // vehicles
    double *work;      // of the kernels
    block block[PACK_BLOCKS];
    pace pace[PACK_MAX];
} pack;

const block_code *const block_code_at[CPU_LEVEL_COUNT] = {
    [CPU_PLAIN] = &block_code_plain,
    [CPU_AVX2] = &block_code_avx2,
};

// ---- memory ------------------------------------------------------------------------------------

static const expr_program *program_of(const multibody_batch *b, vehicle_part part)
{
    const mechanism *m = &b->mechanism;
    return part == PART_RATE      ? m->multibody->code[MULTIBODY_RATE].program
           : part == PART_SEE     ? m->see.program
           : part == PART_TURN    ? m->turn.program
           : part == PART_PROJECT ? m->multibody->code[MULTIBODY_PROJECT].program
                                  : NULL;
}

static int out_count(const multibody_batch *b)
{
    int most = 0;
    for (int part = 0; part < PART_COUNT; part++) {
        const expr_program *p = program_of(b, (vehicle_part)part);
        if (p && part != PART_SEE && p->output_count > most)
            most = p->output_count;
    }
    return most;
}

static int block_size(const multibody_batch *b) // doubles
{
    return BLOCK * (6 * b->value_count + program_of(b, PART_RATE)->variable_count +
                    program_of(b, PART_SEE)->output_count + out_count(b));
}

// A pack of two to four vehicles is a block, one of five or more has at most half as many blocks as
// vehicles: half a block is enough for each.
int block_room(const multibody_batch *b)
{
    return (block_size(b) / 2 + 7) / 8 * 8;
}

static double *take(double **room, int count)
{
    double *at = *room;
    *room += BLOCK * count;
    return at;
}

static void lay_out(pack *p, double *room)
{
    const multibody_batch *b = p->b;
    for (int j = 0; j < p->blocks; j++) {
        block *k = &p->block[j];
        k->z = take(&room, b->value_count);
        k->middle = take(&room, b->value_count);
        for (int i = 0; i < 4; i++)
            k->k[i] = take(&room, b->value_count);
    }
    for (int j = 0; j < p->blocks; j++)
        p->block[j].x = take(&room, program_of(b, PART_RATE)->variable_count);
    for (int j = 0; j < p->blocks; j++)
        p->block[j].see = take(&room, program_of(b, PART_SEE)->output_count);
    p->block[0].out = room; // the programs have different numbers of results
}

// ---- into lanes and back -----------------------------------------------------------------------

static void put_lane(double *to, int l, const double *from, int count)
{
    for (int s = 0; s < count; s++)
        to[BLOCK * s + l] = from[s];
}

static void take_lane(const double *from, int l, double *to, int count)
{
    for (int s = 0; s < count; s++)
        to[s] = from[BLOCK * s + l];
}

static void put_vehicle(pack *p, int i, vehicle *v, bool moves)
{
    const multibody_batch *b = p->b;
    block *k = &p->block[i / BLOCK];
    const int l = i % BLOCK;
    k->vehicle[l] = v;
    k->moves[l] = moves;
    k->h[l] = 0.0;
    k->throttle[l] = v->throttle, k->brake[l] = v->brake, k->steer[l] = v->steer;
    k->cosine[l] = cos(v->steer), k->sine[l] = sin(v->steer);
    if (b->mechanism.rack >= 0)
        v->x[b->mechanism.rack] = b->rack * v->steer;
    put_lane(k->z, l, v->z, b->value_count);
    put_lane(k->x, l, v->x, program_of(b, PART_RATE)->variable_count);
}

// ---- equations ---------------------------------------------------------------------------------

static void set_y(pack *p, double *(*state)(block *k))
{
    for (int j = 0; j < p->blocks; j++)
        memcpy(p->block[j].x, state(&p->block[j]),
               (size_t)(BLOCK * p->b->y_count) * sizeof(double));
}

static double *state_z(block *k)
{
    return k->z;
}

static double *state_middle(block *k)
{
    return k->middle;
}

static void run(pack *p, vehicle_part part, double *out)
{
    expr_kernel_run_lanes(vehicle_kernel(p->b, part), p->blocks, p->block[0].x,
                          p->block[0].vehicle[0]->kept[part], out, p->work);
}

// Results of block j, after run(p, part, p->block[0].out).
static double *results(const pack *p, vehicle_part part, int j)
{
    return p->block[0].out + BLOCK * j * program_of(p->b, part)->output_count;
}

// On relief: what the ground is under the mass centre and under every wheel of lane l.
static void ask_relief(const multibody_batch *b, const block *k, int l, block_ground *g)
{
    const vehicle *v = k->vehicle[l];
    double see[SEE_MAX];
    mc_road_point p;
    take_lane(k->see, l, see, b->mechanism.see.value_count);
    road_under(b->road, v->path, see[SEE_CENTRE], see[SEE_CENTRE + 1], v->station, &p);
    const double station = p.station;
    for (int j = 0; j < 3; j++)
        g->lean[BLOCK * j + l] = b->gravity * (p.gravity[j] + (j == 2 ? 1.0 : 0.0));
    for (int i = 0; i < b->mechanism.wheel_count; i++) {
        vehicle_ask_wheel(b, v, see + SEE_WHEEL + i * SEE_EACH,
                          i < 2 && b->mechanism.rack < 0 ? v->steer : 0.0, station, &p);
        g->mu[BLOCK * i + l] = p.friction;
        g->bump[BLOCK * i + l] = p.bump;
        g->slope_x[BLOCK * i + l] = p.bump_x, g->slope_y[BLOCK * i + l] = p.bump_y;
    }
}

static void ask_ground(const multibody_batch *b, const block *k, block_ground *g)
{
    const road *r = b->road;
    const bool slippery = r && (r->friction.count > 0 || r->friction.fallback != 1.0);
    const bool level = road_is_level(r);
    const int wheels = BLOCK * b->mechanism.wheel_count;
    for (int l = 0; l < BLOCK && b->relief; l++)
        ask_relief(b, k, l, g);
    if (b->relief)
        return;
    memset(g->lean, 0, sizeof g->lean);
    for (int i = 0; i < wheels; i++) {
        const double *see = k->see + BLOCK * (SEE_WHEEL + i / BLOCK * SEE_EACH) + i % BLOCK;
        g->mu[i] = slippery ? road_friction(r, see[BLOCK * SEE_PLACE]) : 1.0;
        g->bump[i] = g->slope_x[i] = g->slope_y[i] = 0.0;
    }
    for (int l = 0; l < BLOCK && !level; l++) {
        double lean[3];
        vehicle_lean(b, k->see[BLOCK * SEE_CENTRE + l], lean);
        put_lane(g->lean, l, lean, 3);
    }
}

// Rates dz of what state() is.
static void rate(pack *p, double *(*state)(block *k), int stage)
{
    const multibody_batch *b = p->b;
    set_y(p, state);
    run(p, PART_SEE, p->block[0].see);
    for (int j = 0; j < p->blocks; j++) {
        block *k = &p->block[j];
        block_ground ground;
        ask_ground(b, k, &ground);
        p->code->act(b, k, &ground, state(k), k->k[stage]);
    }
    run(p, PART_RATE, p->block[0].out);
    for (int j = 0; j < p->blocks; j++)
        memcpy(p->block[j].k[stage], results(p, PART_RATE, j),
               (size_t)(BLOCK * b->y_count) * sizeof(double));
}

// ---- loops -------------------------------------------------------------------------------------

static void normalise(const multibody_batch *b, block *k, const bool which[BLOCK])
{
    const mc_multibody *m = b->mechanism.multibody;
    for (int body = 0; body < m->model.body_count; body++) {
        double *q = multibody_quaternion(m, k->z, body); // of values, not of blocks of them
        if (!q)
            continue;
        double *at = k->z + BLOCK * (q - k->z);
        for (int l = 0; l < BLOCK; l++) {
            double sum = 0.0;
            for (int i = 0; i < 4; i++)
                sum += at[BLOCK * i + l] * at[BLOCK * i + l];
            for (int i = 0; i < 4 && which[l] && sum > 0.0; i++)
                at[BLOCK * i + l] /= sqrt(sum);
        }
    }
}

typedef struct closing { // of one block
    bool open[BLOCK];
    _Alignas(32) double before[BLOCK];
} closing;

// One step of Newton's method in the lanes that are open still; false: none is.
static bool close_once(pack *p, closing *c)
{
    const multibody_batch *b = p->b;
    const int n = b->v_count, q = b->q_count;
    bool any = false;
    set_y(p, state_z);
    run(p, PART_PROJECT, p->block[0].out);
    for (int j = 0; j < p->blocks; j++) {
        _Alignas(32) double far[BLOCK];
        const double *out = results(p, PART_PROJECT, j);
        p->code->largest(n, out, far);
        for (int l = 0; l < BLOCK; l++) {
            c[j].open[l] = c[j].open[l] && far[l] < c[j].before[l];
            c[j].before[l] = far[l];
            any = any || c[j].open[l];
        }
        memcpy(p->block[j].x + BLOCK * q, out, (size_t)(BLOCK * n) * sizeof *out);
    }
    if (!any)
        return false;
    run(p, PART_TURN, p->block[0].out);
    any = false;
    for (int j = 0; j < p->blocks; j++) {
        p->code->add(q, c[j].open, results(p, PART_TURN, j), p->block[j].z);
        normalise(b, &p->block[j], c[j].open);
        for (int l = 0; l < BLOCK; l++) {
            c[j].open[l] = c[j].open[l] && !(c[j].before[l] < 1e-15);
            any = any || c[j].open[l];
        }
    }
    return any;
}

// As vehicle_close.
static void close_loops(pack *p)
{
    const multibody_batch *b = p->b;
    const int n = b->v_count;
    closing c[PACK_BLOCKS];
    for (int j = 0; j < p->blocks; j++)
        for (int l = 0; l < BLOCK; l++) {
            c[j].open[l] = p->block[j].moves[l];
            c[j].before[l] = HUGE_VAL;
        }
    for (int k = 0; k < CLOSE_STEPS_MAX; k++)
        if (!close_once(p, c))
            break;
    set_y(p, state_z);
    run(p, PART_PROJECT, p->block[0].out);
    for (int j = 0; j < p->blocks; j++) {
        _Alignas(32) double far[BLOCK];
        bool good[BLOCK];
        const double *settle = results(p, PART_PROJECT, j) + BLOCK * n;
        p->code->largest(n, settle, far);
        for (int l = 0; l < BLOCK; l++)
            good[l] = far[l] < HUGE_VAL;
        p->code->add(n, good, settle, p->block[j].z + BLOCK * b->q_count);
    }
}

// ---- integration -------------------------------------------------------------------------------

static void reach(pack *p, double part, int stage)
{
    for (int j = 0; j < p->blocks; j++) {
        block *k = &p->block[j];
        p->code->reach(p->b->value_count, k, part, k->k[stage], k->middle);
    }
}

// The classical fourth-order step.
static void step(pack *p)
{
    static const bool all[BLOCK] = {true, true, true, true};
    const multibody_batch *b = p->b;
    rate(p, state_z, 0);
    reach(p, 0.5, 0);
    rate(p, state_middle, 1);
    reach(p, 0.5, 1);
    rate(p, state_middle, 2);
    reach(p, 1.0, 2);
    rate(p, state_middle, 3);
    for (int j = 0; j < p->blocks; j++) {
        p->code->finish(b->value_count, &p->block[j]);
        normalise(b, &p->block[j], all);
    }
    if (b->mechanism.closed)
        close_loops(p);
    if (!b->relief)
        return;
    set_y(p, state_z);
    run(p, PART_SEE, p->block[0].see);
    for (int i = 0; i < p->count; i++) {
        const block *k = &p->block[i / BLOCK];
        const double *centre = k->see + BLOCK * SEE_CENTRE + i % BLOCK;
        if (k->moves[i % BLOCK])
            vehicle_station_at(b, k->vehicle[i % BLOCK], centre[0], centre[BLOCK]);
    }
}

// The next step of a vehicle in its lane; false: it has arrived.
static bool take_pace(const multibody_batch *b, vehicle *v, pace *p, double *h)
{
    while (p->taken == p->steps) {
        if (p->begun) {
            if (v->line)
                brake_line_pass(v->line, p->part, &v->brake);
            p->left -= p->part;
        }
        p->begun = true;
        if (!(p->left > 0.0))
            return false;
        p->part = v->line ? fmin(p->left, brake_line_next(v->line)) : p->left;
        p->steps = vehicle_steps(b, p->part);
        p->taken = 0;
    }
    p->taken++;
    *h = p->part / p->steps;
    return true;
}

static bool take_paces(pack *p)
{
    bool any = false;
    for (int i = 0; i < p->count; i++) {
        block *k = &p->block[i / BLOCK];
        const int l = i % BLOCK;
        vehicle *v = k->vehicle[l];
        if (!k->moves[l])
            continue;
        if (take_pace(p->b, v, &p->pace[i], &k->h[l])) {
            k->brake[l] = v->brake;
            any = true;
        } else {
            k->moves[l] = false;
            k->h[l] = 0.0;
            take_lane(k->z, l, v->z, p->b->value_count);
        }
    }
    return any;
}

void pack_advance(const multibody_batch *b, vehicle *vehicles, int count, double duration)
{
    pack p = {.b = b,
              .code = b->code,
              .count = count,
              .blocks = (count + BLOCK - 1) / BLOCK,
              .work = vehicles->work};
    lay_out(&p, vehicles->room);
    for (int i = 0; i < BLOCK * p.blocks; i++) {
        put_vehicle(&p, i, &vehicles[i < count ? i : count - 1], i < count);
        p.pace[i] = (pace){.left = duration};
    }
    while (take_paces(&p))
        step(&p);
}

bool vehicle_is_like(const multibody_batch *b, const vehicle *one, const vehicle *other)
{
    const size_t parameters = (size_t)program_of(b, PART_RATE)->parameter_count;
    return memcmp(one->parameter, other->parameter, parameters * sizeof(double)) == 0 &&
           memcmp(&one->gear, &other->gear, sizeof one->gear) == 0 && one->mass == other->mass &&
           one->drive.wheel.inertia == other->drive.wheel.inertia;
}
