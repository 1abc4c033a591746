// step_lanes.c - one step of eight cars with powertrain: Runge-Kutta of order four.
//
// Body axes: u along the heading, w to the left, r the yaw rate. With Fd the force of the
// powertrain, fb that of the brake, f3 the drag (odd in u), theta the slope:
//
//   u' = (Fd - m fb - f3 - delta Ff)/M + w r - g sin(theta) cos(psi)
//   w' = (Ff + Fr)/M - u r + g sin(theta) sin(psi)
//   (on a road with curves and relief: g_x cos(psi) + g_y sin(psi) and g_y cos(psi) - g_x sin(psi),
//   g_x, g_y the gravity that mc_road_on finds under the stage; a standing car's tyres hold g_y)
//   r' = (lf Ff - lr Fr)/I
//   Ff = -2C (w + lf r - delta u)/u^,   Fr = -2C (w - lr r)/u^,   u^ = max(|u|, 4)
//   fb' = rate (command - fb)                                                             (eq 2)
//
// At a constant speed above 4 m/s that is eq 1 of the report; the term delta Ff, which eq 1 has no
// place for, makes slipping tyres take energy and never give any. Below 4 m/s a standing car is not
// pushed aside by its steering.
//
// m is the way the car moves: 1, -1, or 0 when it stands and the brake can hold what pulls. It is
// fixed for a step, as is the branch of eq 5, so a step sees one smooth set of equations; when the
// end of a step would choose otherwise, the caller cuts it.
//
// Grip: when driving, braking and side forces together exceed the limit, all shrink by one factor.
//
// Lively engines: h |k1 - k2 - k3 + k4| and h |k3 - k2| of the engine speed are D z^3/4 for a
// distance D from where the engine settles at the rate z/h, and the error of the step is D z^5/120.
// So a bound on the first bounds the second; steps beyond it are cut in halves.
//
// Bicycles have the same engine, brake and drag, along the heading, and other lateral dynamics:
// lateral_lanes.h. Their steering angle is exact at every stage (parts/steering.h), and the road is
// looked at once per step, under the place that the car has half way through. What their tyres take
// is booked by balance; where linear tyres give energy, it is booked as driven.
//
// Straight blocks (no car turns, slides or steers) leave out what is exactly zero: same bits. Those
// that just roll go another way, roll_lanes.c, bicycles too; most bicycles that turn, turn_lanes.c.
#include "cars/block_lanes.h"
#include "cars/lateral_lanes.h"
#include "parts/steering.h"

#include <string.h>

// RELIEF: turning, too. SWIFT: a bicycle at speeds where nothing of it is kinematic.
typedef enum step_form { STRAIGHT, TURNING, RELIEF, BICYCLE, SWIFT } step_form;

typedef struct state { // of four cars at a stage
    lanes x, u, fb, y, psi, w, r;
} state;

typedef struct energy_sums {
    lanes driven, braked, dragged, fuel, distance, slipped;
} energy_sums;

typedef struct four { // what a step needs of four cars
    state start, rate, sum;
    energy_sums sums; // sums
    lanes h;
    lanes mode;      // m
    lanes_mask slow; // branch of eq 5
    lanes mass, mass_inverse, command, brake_rate, steer;
    lanes slope_at, slope_value, slope_rate;
    lanes slope_bend, slope_twist; // of a curve
    lanes slope_from, slope_to;    // m, of its pieces
    lanes friction_at, friction_value, friction_rate;
    lanes from, to;     // m, of the windows of slope and friction
    lanes outer, inner; // rpm/s, k1 - k2 - k3 + k4 and k3 - k2 of the engine speed
    lanes region;       // at the first stage
    lanes_mask changed; // since then
    lanes pull, hold;   // N, at the last stage: what moves a standing car, what keeps it
    // Of bicycles: steering at the start, in the middle and at the end.
    lanes angle[3], angle_rate[3], angle_sine[3], angle_cosine[3];
    // Of bicycles and on relief: gravity along x and y, m/s^2, its part normal to the road, over g;
    // friction; path of the road and place along it.
    lanes g_x, g_y, upright, friction, path, station;
} four;

static inline lanes one_if(lanes_mask m, double a)
{
    return lanes_select(m, lanes_set(a), lanes_set(0.0));
}

// ---- road ----

static void window_of(const road_line *line, lanes x, lanes *at, lanes *val, lanes *rate,
                      lanes *from, lanes *to)
{
    for (int i = 0; i < LANES; i++) {
        road_window w;
        road_line_window(line, road_line_piece(line, x[i]), &w);
        (*at)[i] = w.at, (*val)[i] = w.value, (*rate)[i] = w.rate;
        if (w.from > (*from)[i])
            (*from)[i] = w.from;
        if (w.to < (*to)[i])
            (*to)[i] = w.to;
    }
}

// The pieces of a curve join smoothly: no step is cut where one ends, a stage takes the next.
static void find_pieces(const road_curve *curve, lanes x, four *f)
{
    for (int i = 0; i < LANES; i++) {
        road_cubic p;
        road_curve_piece(curve, x[i], &p);
        f->slope_at[i] = p.at, f->slope_value[i] = p.value, f->slope_rate[i] = p.rate;
        f->slope_bend[i] = p.bend, f->slope_twist[i] = p.twist;
        f->slope_from[i] = p.from, f->slope_to[i] = p.to;
    }
}

static void find_windows(const car_kernel *k, four *f)
{
    f->from = lanes_set(-HUGE_VAL);
    f->to = lanes_set(HUGE_VAL);
    if (k->road->curve.count > 0)
        find_pieces(&k->road->curve, f->start.x, f);
    else
        window_of(&k->road->slope, f->start.x, &f->slope_at, &f->slope_value, &f->slope_rate,
                  &f->from, &f->to);
    if (k->gripping)
        window_of(&k->road->friction, f->start.x, &f->friction_at, &f->friction_value,
                  &f->friction_rate, &f->from, &f->to);
}

// Sine up to 60 degrees, to rounding: Taylor's series to the 19th power.
static inline lanes sine(lanes a)
{
    const lanes q = a * a;
    lanes s = lanes_set(-8.2206352466243295e-18);
    s = lanes_fma(s, q, lanes_set(2.8114572543455206e-15));
    s = lanes_fma(s, q, lanes_set(-7.6471637318198164e-13));
    s = lanes_fma(s, q, lanes_set(1.6059043836821613e-10));
    s = lanes_fma(s, q, lanes_set(-2.5052108385441720e-08));
    s = lanes_fma(s, q, lanes_set(2.7557319223985893e-06));
    s = lanes_fma(s, q, lanes_set(-1.9841269841269841e-04));
    s = lanes_fma(s, q, lanes_set(8.3333333333333332e-03));
    s = lanes_fma(s, q, lanes_set(-1.6666666666666666e-01));
    return lanes_fma(s * q, a, a);
}

// ---- forces ----

typedef struct acting { // on four cars at a stage; N
    lanes drive, fuel;  // by the powertrain; kg/s
    lanes hill;         // m/s^2, down the road: g sin(theta)
    lanes limit;        // grip
} acting;

INLINE lanes drag_of(const car_kernel *k, int g, const four *f, lanes u)
{
    const lanes speed = lanes_abs(u);
    const lanes fast = lanes_fma(
        lanes_fma(constant(k, CONSTANT_DRAG_2, g), speed, constant(k, CONSTANT_DRAG_1, g)), speed,
        constant(k, CONSTANT_DRAG_0, g));
    const lanes drag = lanes_select(f->slow, constant(k, CONSTANT_DRAG_SLOW, g) * speed, fast);
    return lanes_select((lanes_mask)(u < lanes_set(0.0)), -drag, drag);
}

static lanes slope_of_curve(const road_curve *curve, lanes x, four *f)
{
    if (bits((lanes_mask)(x < f->slope_from) | (lanes_mask)(x >= f->slope_to)))
        find_pieces(curve, x, f);
    const lanes d = x - f->slope_at;
    const lanes bend = lanes_fma(f->slope_twist, d, f->slope_bend);
    return lanes_fma(lanes_fma(bend, d, f->slope_rate), d, f->slope_value);
}

// Road under a stage: slope and grip limit.
INLINE void road_at(const car_kernel *k, int g, four *f, lanes x, acting *a)
{
    a->hill = lanes_set(0.0);
    a->limit = k->gripping ? constant(k, CONSTANT_GRIP, g) : lanes_set(NO_GRIP_LIMIT);
    if (!k->road)
        return;
    const lanes slope = k->road->curve.count > 0
                            ? slope_of_curve(&k->road->curve, x, f)
                            : lanes_fma(f->slope_rate, x - f->slope_at, f->slope_value);
    const lanes s = sine(slope);
    a->hill = lanes_set(GRAVITY) * s;
    if (k->gripping) {
        const lanes upright = lanes_sqrt(lanes_fma(-s, s, lanes_set(1.0)));
        const lanes friction = lanes_fma(f->friction_rate, x - f->friction_at, f->friction_value);
        a->limit = a->limit * upright * friction;
    }
}

// Asks the road under four cars. Cars of a block that holds one car several times ask once.
static void ask_road(const car_kernel *k, int g, four *f, lanes x, lanes y)
{
    const lanes hint = f->station;
    for (int l = 0; l < LANES; l++) {
        if (!(k->used >> (LANES * g + l) & 1))
            continue;
        const int b = l - 1;
        if (l > 0 && x[l] == x[b] && y[l] == y[b] && hint[l] == hint[b] &&
            f->path[l] == f->path[b]) {
            f->station[l] = f->station[b];
            f->g_x[l] = f->g_x[b], f->g_y[l] = f->g_y[b];
            f->upright[l] = f->upright[b], f->friction[l] = f->friction[b];
            continue;
        }
        mc_road_point p;
        road_under(k->road, f->path[l], x[l], y[l], hint[l], &p);
        f->station[l] = p.station;
        f->g_x[l] = GRAVITY * p.gravity[0];
        f->g_y[l] = GRAVITY * p.gravity[1];
        f->upright[l] = -p.gravity[2];
        f->friction[l] = p.friction;
    }
}

// The speed limiter: closes over the last half metre per second.
INLINE lanes cut_at(const car_kernel *k, int g, lanes u)
{
    const lanes left = constant(k, CONSTANT_SPEED_MAX, g) - u;
    return lanes_min(lanes_max(left + left, lanes_set(0.0)), lanes_set(1.0));
}

INLINE lanes first_mode(lanes u, lanes pull, lanes hold)
{
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0);
    const lanes pushed = lanes_select((lanes_mask)(pull > hold), one,
                                      lanes_select((lanes_mask)(pull < -hold), -one, zero));
    return lanes_select((lanes_mask)(u > zero), one,
                        lanes_select((lanes_mask)(u < zero), -one, pushed));
}

typedef struct side {              // of the tyres of four cars
    lanes front, rear;             // N
    lanes slide_front, slide_rear; // m/s, sideways in the patch
    lanes cosine, sine;            // of the heading
} side;

INLINE void side_forces(const car_kernel *k, int g, const four *f, const state *s, side *out)
{
    const lanes lf = constant(k, CONSTANT_FRONT, g), lr = constant(k, CONSTANT_REAR, g);
    const lanes hat = lanes_max(lanes_abs(s->u), lanes_set(TURN_SPEED_MIN));
    const lanes gain = constant(k, CONSTANT_STIFFNESS, g) / hat;
    out->slide_front = s->w + lf * s->r - f->steer * s->u;
    out->slide_rear = s->w - lr * s->r;
    out->front = -gain * out->slide_front;
    out->rear = -gain * out->slide_rear;
    lanes_sincos(s->psi, &out->sine, &out->cosine);
}

// Rates at a stage. stage 0 chooses the mode; first and last note the region.
INLINE void rates(const car_kernel *k, int g, four *f, int stage, const state *s, const acting *a,
                  lanes weight, const step_form form)
{
    const bool turning = form != STRAIGHT;
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0);
    side t = {0};
    lanes hill = a->hill, turn = zero, cross = zero;
    const lanes drag = drag_of(k, g, f, s->u);
    if (turning) {
        side_forces(k, g, f, s, &t);
        hill = form == RELIEF ? -lanes_fma(f->g_x, t.cosine, f->g_y * t.sine) : a->hill * t.cosine;
        turn = f->steer * t.front;
        cross = s->w * s->r;
    }
    f->pull = a->drive - drag - turn - f->mass * (hill - cross);
    f->hold = k->gripping ? lanes_min(s->fb, a->limit) : s->fb;
    if (stage == 0)
        f->mode = first_mode(s->u, f->pull, f->hold);
    const lanes brake = f->mode * s->fb;
    lanes scale = one;
    if (k->gripping) {
        const lanes along = a->drive - brake, across = turning ? t.front + t.rear : zero;
        const lanes size = lanes_sqrt(lanes_fma(along, along, across * across));
        scale = lanes_min(one, a->limit / lanes_max(size, lanes_set(1e-9)));
    }
    const lanes moving = lanes_abs(f->mode);
    const lanes force = scale * (a->drive - brake - turn) - drag;
    f->rate.u = moving * lanes_fma(force, f->mass_inverse, cross - hill);
    f->rate.fb = f->brake_rate * (f->command - s->fb);
    f->rate.x = s->u;
    f->sums.driven = lanes_fma(weight * scale * a->drive, s->u, f->sums.driven);
    f->sums.braked = lanes_fma(weight * scale * brake, s->u, f->sums.braked);
    f->sums.dragged = lanes_fma(weight * drag, s->u, f->sums.dragged);
    f->sums.fuel = lanes_fma(weight, a->fuel, f->sums.fuel);
    f->sums.distance = lanes_fma(weight, lanes_abs(s->u), f->sums.distance);
    if (turning) {
        f->rate.x = s->u * t.cosine - s->w * t.sine;
        f->rate.y = s->u * t.sine + s->w * t.cosine;
        f->rate.psi = s->r;
        const lanes aside = form == RELIEF
                                ? moving * lanes_fma(f->g_y, t.cosine, -(f->g_x * t.sine))
                                : a->hill * t.sine;
        f->rate.w = scale * (t.front + t.rear) * f->mass_inverse - s->u * s->r + aside;
        f->rate.r =
            scale * constant(k, CONSTANT_INERTIA_INVERSE, g) *
            (constant(k, CONSTANT_FRONT, g) * t.front - constant(k, CONSTANT_REAR, g) * t.rear);
        const lanes lost = -(t.front * t.slide_front + t.rear * t.slide_rear);
        f->sums.slipped = lanes_fma(weight * scale, lost, f->sums.slipped);
    }
    f->region = f->region + one_if((lanes_mask)(scale < one), 65536.0);
    if (turning)
        f->region =
            f->region + one_if((lanes_mask)(lanes_abs(s->u) > lanes_set(TURN_SPEED_MIN)), 131072.0);
}

// Grip limit on the road that was asked, N.
INLINE lanes grip_limit(const car_kernel *k, int g, const four *f)
{
    return k->gripping ? constant(k, CONSTANT_GRIP, g) * f->upright * f->friction
                       : lanes_set(NO_GRIP_LIMIT);
}

INLINE lateral_car bicycle_at(const car_kernel *k, int g, const four *f, int stage, const state *s,
                              lanes a)
{
    const int at = (stage + 1) / 2;
    return (lateral_car){.u = s->u,
                         .w = s->w,
                         .r = s->r,
                         .steer = f->angle[at],
                         .steer_rate = f->angle_rate[at],
                         .sine = f->angle_sine[at],
                         .cosine = f->angle_cosine[at],
                         .front = constant(k, CONSTANT_FRONT, g),
                         .rear = constant(k, CONSTANT_REAR, g),
                         .mass_inverse = f->mass_inverse,
                         .inertia_inverse = constant(k, CONSTANT_INERTIA_INVERSE, g),
                         .c_front = constant(k, CONSTANT_AXLE_FRONT, g),
                         .c_rear = constant(k, CONSTANT_AXLE_REAR, g),
                         .below = constant(k, CONSTANT_BELOW, g),
                         .lean = a * constant(k, CONSTANT_CG_HEIGHT, g) * lanes_set(1.0 / GRAVITY),
                         .weight = f->friction * f->upright * f->mass * lanes_set(GRAVITY)};
}

// What the tyres took: work put in less what the motion gained, without gravity.
INLINE void book_tyres(const car_kernel *k, int g, four *f, const state *s, lanes g_u, lanes g_w,
                       lanes power, lanes weight)
{
    const lanes zero = lanes_set(0.0);
    const lanes moved = lanes_fma(s->u, f->rate.u - g_u, s->w * (f->rate.w - g_w));
    const lanes gained =
        lanes_fma(f->mass, moved, constant(k, CONSTANT_INERTIA, g) * s->r * f->rate.r);
    // Wheels that roll straight ahead take nothing: no rounding is booked.
    const lanes_mask slips = (lanes_mask)(s->w != zero) | (lanes_mask)(s->r != zero) |
                             (lanes_mask)(f->angle[0] != zero) | (lanes_mask)(f->angle[2] != zero);
    const lanes lost = lanes_select(slips, power - gained, zero);
    f->sums.slipped = lanes_fma(weight, lanes_max(lost, zero), f->sums.slipped);
    f->sums.driven = lanes_fma(weight, lanes_max(-lost, zero), f->sums.driven);
}

// Rates of bicycles at a stage; as `rates`.
INLINE void rates_bicycle(const car_kernel *k, int g, four *f, int stage, const state *s,
                          const acting *a, lanes weight, const bool swift)
{
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0);
    const bool linear = k->lateral != CAR_EXACT;
    const lanes drag = drag_of(k, g, f, s->u), limit = grip_limit(k, g, f);
    const lanes toward = stage == 0 ? first_mode(s->u, zero, zero) : f->mode;
    const lanes a_now = (a->drive - toward * s->fb - drag) * f->mass_inverse;
    const lateral_car c = bicycle_at(k, g, f, stage, s, a_now);
    const lateral_forces tyres =
        linear ? forces_linear(&c, k->lateral == CAR_SINGLE_TRACK) : forces_exact(&c);
    lanes scale = one, cosine, sine;
    if (k->gripping) {
        const lanes along = a->drive - toward * s->fb, across = tyres.front + tyres.rear;
        const lanes size = lanes_sqrt(lanes_fma(along, along, across * across));
        scale = lanes_min(one, limit / lanes_max(size, lanes_set(1e-9)));
    }
    const lateral_rates o = lateral_rates_of(&c, &tyres, scale, linear, swift);
    lanes_sincos(s->psi, &sine, &cosine);
    const lanes g_u = lanes_fma(f->g_x, cosine, f->g_y * sine);
    const lanes g_w = lanes_fma(f->g_y, cosine, -(f->g_x * sine));
    lanes u, w, r;
    lateral_join(&c, &o, (scale * a->drive - drag) * f->mass_inverse, g_u, g_w, one, swift, &u, &w,
                 &r);
    f->pull = f->mass * u; // all but the brake
    f->hold = k->gripping ? lanes_min(s->fb, limit) : s->fb;
    if (stage == 0)
        f->mode = first_mode(s->u, f->pull, f->hold);
    const lanes brake = scale * f->mode * s->fb, moving = lanes_abs(f->mode);
    const lanes force = scale * a->drive - brake - drag; // as of straight cars, to the bit
    lateral_join(&c, &o, force * f->mass_inverse, g_u, g_w, moving, swift, &u, &w, &r);
    f->rate = (state){.x = s->u * cosine - s->w * sine,
                      .u = u,
                      .fb = f->brake_rate * (f->command - s->fb),
                      .y = s->u * sine + s->w * cosine,
                      .psi = s->r,
                      .w = w,
                      .r = r};
    const lanes speed = linear ? lanes_fma(o.s, tyres.speed, (one - o.s) * s->u) : s->u;
    f->sums.driven = lanes_fma(weight * scale * a->drive, speed, f->sums.driven);
    f->sums.braked = lanes_fma(weight * brake, speed, f->sums.braked);
    f->sums.dragged = lanes_fma(weight * drag, speed, f->sums.dragged);
    f->sums.fuel = lanes_fma(weight, a->fuel, f->sums.fuel);
    f->sums.distance = lanes_fma(weight, lanes_abs(s->u), f->sums.distance);
    book_tyres(k, g, f, s, g_u, g_w, force * speed, weight);
    f->region = f->region + one_if((lanes_mask)(scale < one), 65536.0);
}

// ---- a step ----

// The angle of the steering over the step.
INLINE void steer_four(const car_kernel *k, int g, const double *from, four *f)
{
    const lanes now = value(from, VALUE_STEER, g), command = input(k, INPUT_STEER, g);
    f->angle[0] = f->angle[1] = f->angle[2] = now;
    f->angle_rate[0] = f->angle_rate[1] = f->angle_rate[2] = lanes_set(0.0);
    for (int l = 0; l < LANES; l++) {
        const int at = LANES * g + l;
        const steering s = {k->constants[CAR_BLOCK * CONSTANT_STEER_LAG + at],
                            k->constants[CAR_BLOCK * CONSTANT_STEER_RATE + at],
                            k->constants[CAR_BLOCK * CONSTANT_STEER_MAX + at]};
        const double to = steering_command(&s, command[l]);
        if (now[l] == to)
            continue;
        double angle[3];
        steering_over(&s, now[l], to, f->h[l], angle);
        for (int n = 0; n < 3; n++) {
            f->angle[n][l] = angle[n];
            f->angle_rate[n][l] = steering_speed(&s, angle[n], to);
        }
    }
    for (int n = 0; n < 3; n++)
        lanes_sincos(f->angle[n], &f->angle_sine[n], &f->angle_cosine[n]);
}

// Where to look for the road, and a level one until it was looked at.
INLINE void road_unknown(const double *from, int g, four *f)
{
    f->g_x = f->g_y = lanes_set(0.0);
    f->upright = f->friction = lanes_set(1.0);
    f->station = value(from, VALUE_STATION, g);
    f->path = value(from, VALUE_PATH, g);
}

// The road under bicycles, half way through the step.
static void road_half_way(const car_kernel *k, const double *from, int g, four *f)
{
    lanes s, c;
    road_unknown(from, g, f);
    if (!k->road)
        return;
    lanes_sincos(f->start.psi, &s, &c);
    const lanes half = lanes_set(0.5) * f->h;
    const lanes x = lanes_fma(half, c * f->start.u - s * f->start.w, f->start.x);
    const lanes y = lanes_fma(half, s * f->start.u + c * f->start.w, f->start.y);
    ask_road(k, g, f, x, y);
}

INLINE void begin(const car_kernel *k, int g, const double *from, four *f, const step_form form)
{
    const bool turning = form != STRAIGHT;
    const lanes zero = lanes_set(0.0);
    f->start = (state){.x = value(from, VALUE_X, g),
                       .u = value(from, VALUE_U, g),
                       .fb = value(from, VALUE_FORCE, g)};
    if (turning) {
        f->start.y = value(from, VALUE_Y, g);
        f->start.psi = value(from, VALUE_PSI, g);
        f->start.w = value(from, VALUE_W, g);
        f->start.r = value(from, VALUE_R, g);
        f->steer = input(k, INPUT_STEER, g);
    }
    f->sum = (state){zero, zero, zero, zero, zero, zero, zero};
    f->sums = (energy_sums){zero, zero, zero, zero, zero, zero};
    f->outer = f->inner = zero;
    f->h = step_length(k, g);
    f->slow = (lanes_mask)(lanes_abs(f->start.u) <= lanes_set(SLOW));
    f->mass = constant(k, CONSTANT_MASS, g);
    f->mass_inverse = constant(k, CONSTANT_MASS_INVERSE, g);
    f->brake_rate = constant(k, CONSTANT_BRAKE_RATE, g);
    f->command = input(k, INPUT_COMMAND, g);
    if (form == BICYCLE || form == SWIFT) {
        steer_four(k, g, from, f);
        road_half_way(k, from, g, f);
    } else if (form == RELIEF) {
        road_unknown(from, g, f);
    } else if (k->road) {
        find_windows(k, f);
    }
}

// State at a stage: start + part h rate.
INLINE state stage_of(const four *f, lanes part, const bool turning)
{
    state s = {.x = lanes_fma(part, f->rate.x, f->start.x),
               .u = lanes_fma(part, f->rate.u, f->start.u),
               .fb = lanes_fma(part, f->rate.fb, f->start.fb)};
    if (turning) {
        s.y = lanes_fma(part, f->rate.y, f->start.y);
        s.psi = lanes_fma(part, f->rate.psi, f->start.psi);
        s.w = lanes_fma(part, f->rate.w, f->start.w);
        s.r = lanes_fma(part, f->rate.r, f->start.r);
    }
    return s;
}

INLINE void add(four *f, lanes weight, const bool turning)
{
    f->sum.x = lanes_fma(weight, f->rate.x, f->sum.x);
    f->sum.u = lanes_fma(weight, f->rate.u, f->sum.u);
    f->sum.fb = lanes_fma(weight, f->rate.fb, f->sum.fb);
    if (turning) {
        f->sum.y = lanes_fma(weight, f->rate.y, f->sum.y);
        f->sum.psi = lanes_fma(weight, f->rate.psi, f->sum.psi);
        f->sum.w = lanes_fma(weight, f->rate.w, f->sum.w);
        f->sum.r = lanes_fma(weight, f->rate.r, f->sum.r);
    }
}

// Writes the end of the step; says which cars it does not hold for.
INLINE int end(car_kernel *k, int g, const double *from, double *to, four *f, const step_form form)
{
    const bool turning = form != STRAIGHT;
    const lanes h = f->h, zero = lanes_set(0.0);
    const lanes u = lanes_fma(h, f->sum.u, f->start.u), x = lanes_fma(h, f->sum.x, f->start.x);
    put(to, VALUE_X, g, x);
    put(to, VALUE_U, g, u);
    put(to, VALUE_A, g, f->rate.u);
    put(to, VALUE_FORCE, g, settled(lanes_fma(h, f->sum.fb, f->start.fb), 1e-9));
    if (turning) {
        put_sum(from, to, VALUE_Y, g, h, f->sum.y);
        put_sum(from, to, VALUE_PSI, g, h, f->sum.psi);
        put(to, VALUE_W, g, settled(lanes_fma(h, f->sum.w, f->start.w), 1e-13));
        put(to, VALUE_R, g, settled(lanes_fma(h, f->sum.r, f->start.r), 1e-13));
        put_sum(from, to, VALUE_SLIPPED, g, h, f->sums.slipped);
        lanes_store(k->side + LANES * g, f->rate.w);
    }
    put_sum(from, to, VALUE_DRIVEN, g, h, f->sums.driven);
    put_sum(from, to, VALUE_BRAKED, g, h, f->sums.braked);
    put_sum(from, to, VALUE_DRAGGED, g, h, f->sums.dragged);
    put_sum(from, to, VALUE_FUEL, g, h, f->sums.fuel);
    put_sum(from, to, VALUE_DISTANCE, g, h, f->sums.distance);
    lanes_store(k->mode + LANES * g, f->mode);

    const lanes_mask slow = (lanes_mask)(lanes_abs(u) <= lanes_set(SLOW));
    const lanes_mask stands = (lanes_mask)(f->mode == zero);
    lanes_mask broken = f->changed | (slow ^ f->slow) | (lanes_mask)(f->mode * u < zero) |
                        (stands & (lanes_mask)(lanes_abs(f->pull) > f->hold));
    if (form == BICYCLE || form == SWIFT) {
        // A heading that is left over when nothing turns the car any more ends.
        const lanes psi = value(to, VALUE_PSI, g);
        const lanes_mask turns = (lanes_mask)(value(to, VALUE_W, g) != zero) |
                                 (lanes_mask)(value(to, VALUE_R, g) != zero) |
                                 (lanes_mask)(f->angle[2] != zero);
        put(to, VALUE_PSI, g, lanes_select(turns, psi, settled(psi, STRAIGHT_AHEAD)));
        put(to, VALUE_STEER, g, f->angle[2]);
        put(to, VALUE_STATION, g, f->station);
    } else if (form == RELIEF)
        put(to, VALUE_STATION, g, f->station);
    else if (k->road)
        broken |= (lanes_mask)(x < f->from) | (lanes_mask)(x >= f->to);
    const lanes bend = lanes_max(lanes_abs(f->outer), lanes_abs(f->inner));
    const lanes_mask lively = (lanes_mask)(bend * h > lanes_set(LIVELY));
    return bits(broken) | bits(lively) << CAR_BLOCK;
}

INLINE int step(car_kernel *k, const double *from, double *to, const step_form form)
{
    const bool turning = form != STRAIGHT;
    static const double part[4] = {0.0, 0.5, 0.5, 1.0};
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    static const double outer[4] = {1.0, -1.0, -1.0, 1.0}, inner[4] = {0.0, -1.0, 1.0, 0.0};
    _Alignas(32) double engine[CAR_BLOCK * POWERTRAIN_STATE_MAX];
    _Alignas(32) double engine_rate[CAR_BLOCK * POWERTRAIN_STATE_MAX];
    _Alignas(32) double engine_sum[CAR_BLOCK * POWERTRAIN_STATE_MAX] = {0.0};
    _Alignas(32) double u[CAR_BLOCK], cut[CAR_BLOCK], drive[CAR_BLOCK], fuel[CAR_BLOCK];
    _Alignas(32) double region[CAR_BLOCK];
    four f[WIDE];
    state s[WIDE];
    car_kernel_hold(k);
    if (k->kept)
        memcpy(k->kept, from, sizeof(double) * CAR_BLOCK * VALUE_COUNT);
    for (int g = 0; g < WIDE; g++)
        begin(k, g, from, &f[g], form);
#pragma GCC unroll 4
    for (int stage = 0; stage < 4; stage++) {
        const bool edge = stage == 0 || stage == 3;
        const powertrain_in in = {.v = u, .held = k->held, .cut = k->cutting ? cut : NULL};
        const powertrain_out out = {.force = drive, .fuel = fuel, .region = edge ? region : NULL};
        for (int g = 0; g < WIDE; g++) {
            const lanes along = lanes_set(part[stage]) * f[g].h;
            s[g] = stage == 0 ? f[g].start : stage_of(&f[g], along, turning);
            lanes_store(u + LANES * g, s[g].u);
            if (k->cutting)
                lanes_store(cut + LANES * g, cut_at(k, g, s[g].u));
            for (int n = 0; n < k->states; n++) {
                const int at = CAR_BLOCK * n + LANES * g;
                const lanes start = value(from, VALUE_ENGINE + n, g);
                const lanes now =
                    stage == 0 ? start : lanes_fma(along, lanes_load(engine_rate + at), start);
                lanes_store(engine + at, now);
            }
        }
        k->eval(k->p, CAR_BLOCK, &in, engine, engine_rate, &out);
        for (int g = 0; g < WIDE; g++) {
            const lanes w = lanes_set(weight[stage]);
            acting a = {.drive = lanes_load(drive + LANES * g),
                        .fuel = lanes_load(fuel + LANES * g)};
            const lanes before = f[g].region;
            f[g].region = edge ? lanes_load(region + LANES * g) : lanes_set(0.0);
            if (edge && k->cutting) {
                const lanes open = lanes_load(cut + LANES * g);
                f[g].region = f[g].region + one_if((lanes_mask)(open < lanes_set(1.0)), 262144.0) +
                              one_if((lanes_mask)(open > lanes_set(0.0)), 524288.0);
            }
            if (form == BICYCLE || form == SWIFT) {
                rates_bicycle(k, g, &f[g], stage, &s[g], &a, w, form == SWIFT);
            } else if (form == RELIEF) {
                ask_road(k, g, &f[g], s[g].x, s[g].y);
                a.hill = lanes_set(0.0);
                a.limit = grip_limit(k, g, &f[g]);
                rates(k, g, &f[g], stage, &s[g], &a, w, form);
            } else {
                road_at(k, g, &f[g], s[g].x, &a);
                rates(k, g, &f[g], stage, &s[g], &a, w, form);
            }
            if (stage == 3)
                f[g].changed = (lanes_mask)(f[g].region != before);
            else if (stage != 0)
                f[g].region = before;
            add(&f[g], w, turning);
            const lanes spin = lanes_load(engine_rate + LANES * g);
            f[g].outer = lanes_fma(lanes_set(outer[stage]), spin, f[g].outer);
            f[g].inner = lanes_fma(lanes_set(inner[stage]), spin, f[g].inner);
            for (int n = 0; n < k->states; n++) {
                const int at = CAR_BLOCK * n + LANES * g;
                lanes_store(engine_sum + at, lanes_fma(w, lanes_load(engine_rate + at),
                                                       lanes_load(engine_sum + at)));
            }
        }
    }
    int broken = 0;
    for (int g = 0; g < WIDE; g++) {
        for (int n = 0; n < k->states; n++)
            put_sum(from, to, VALUE_ENGINE + n, g, f[g].h,
                    lanes_load(engine_sum + CAR_BLOCK * n + LANES * g));
        broken |= end(k, g, from, to, &f[g], form) << (LANES * g);
    }
    return broken;
}

// ---- which step ----

// Says what the cars of the block need: whether any turns, has a grip limit, is near its top speed,
// is slow. Unused places do not count. Returns the cars that do not just roll.
static inline int look_at(car_kernel *k, const double *from)
{
    int turning = 0, gripping = 0, cutting = 0, slow = 0;
    const lanes zero = lanes_set(0.0);
    const bool bicycle = k->lateral != CAR_REPORT;
    const int wide = k->used >> LANES ? WIDE : 1;
    for (int g = 0; g < wide; g++) {
        const lanes u = value(from, VALUE_U, g);
        turning |= bits((lanes_mask)(value(from, VALUE_PSI, g) != zero) |
                        (lanes_mask)(value(from, VALUE_W, g) != zero) |
                        (lanes_mask)(value(from, VALUE_R, g) != zero) |
                        (lanes_mask)(input(k, INPUT_STEER, g) != zero))
                   << LANES * g;
        gripping |= bits((lanes_mask)(constant(k, CONSTANT_GRIP, g) < lanes_set(NO_GRIP_LIMIT)))
                    << LANES * g;
        cutting |= bits((lanes_mask)(u + lanes_set(CUT_NEAR) > constant(k, CONSTANT_SPEED_MAX, g)))
                   << LANES * g;
        slow |= bits((lanes_mask)(u < lanes_set(2.0))) << LANES * g;
        if (bicycle) { // dynamic to the end of the step, whatever brakes it
            const lanes k2 = lanes_set(2.0) * constant(k, CONSTANT_BELOW, g);
            const lanes brakes = lanes_set(BRAKES_MAX) * step_length(k, g);
            turning |= bits((lanes_mask)(value(from, VALUE_STEER, g) != zero)) << LANES * g;
            slow |= bits((lanes_mask)(u < k2 + brakes)) << LANES * g;
        }
    }
    k->turning = turning & k->used;
    k->gripping = gripping & k->used;
    k->cutting = cutting & k->used;
    k->slow = slow & k->used;
    const int busy = (turning | gripping | cutting | slow) & k->used;
    k->rolling = busy == 0;
    return busy;
}

// The road that bicycles ask, mc_road_at; NULL: it is level, and friction does not matter.
static inline const road *bicycle_road(const car_kernel *k)
{
    const bool rubs = k->gripping || k->lateral == CAR_SINGLE_TRACK;
    return road_tilts(k->road) || (rubs && !road_is_dry(k->road)) ? k->road : NULL;
}

int LANES_NAME(car_busy)(car_kernel *k, const double *from)
{
    const int busy = look_at(k, from);
    return bicycle_road(k) ? k->used : busy;
}

int LANES_NAME(car_step)(car_kernel *k, const double *from, double *to)
{
    look_at(k, from);
    const road *r = k->road;
    const bool bicycle = k->lateral != CAR_REPORT;
    if (bicycle)
        k->road = bicycle_road(k);
    else if (!k->relief &&
             ((r && r->net) || (road_is_level(r) && !(r && k->gripping && r->friction.count > 0))))
        k->road = NULL; // level, and friction does not matter
    const bool plain = k->built_in && !k->road && !k->gripping && !k->cutting && !k->slow;
    const int found = k->rolling && !k->road ? k->roll(k, from, to)
                      : bicycle && plain     ? k->turn(k, from, to)
                      : bicycle    ? k->slow ? step(k, from, to, BICYCLE) : step(k, from, to, SWIFT)
                         : k->relief ? step(k, from, to, RELIEF)
                      : k->turning ? step(k, from, to, TURNING)
                                   : step(k, from, to, STRAIGHT);
    k->road = r;
    return found & (k->used | k->used << CAR_BLOCK);
}

void LANES_NAME(car_step_two)(car_kernel *k, double *values, car_kernel *more, double *more_values,
                              int found[2])
{
    look_at(k, values);
    look_at(more, more_values);
    const road *r = k->road;
    const bool rolling = k->lateral == CAR_REPORT && k->rolling && more->rolling;
    if (rolling && k->built_in && k->kept && more->kept && !k->relief && road_is_level(r)) {
        LANES_NAME(car_roll_two)(k, values, more, more_values, found);
        found[0] &= k->used | k->used << CAR_BLOCK;
        found[1] &= more->used | more->used << CAR_BLOCK;
        return;
    }
    found[0] = LANES_NAME(car_step)(k, values, values);
    found[1] = LANES_NAME(car_step)(more, more_values, more_values);
}
