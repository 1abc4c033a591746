// drive.c - a program of a user with a vehicle type, a tyre, a control law and a joint of its own:
// registers them, runs scenarios and a mechanism that use them, and looks at the motion.
//
// Built by extension.py against an installed library, with cart.c and the tyre, the joint and the
// law that docs/extend.md and docs/control.md show.
#include <motorcade/motorcade.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const mc_vehicle_type cart_type;
extern const mc_tyre tyre_simple;
extern const mc_law_text law_filtered;
extern const mc_joint_kind joint_planar;

static int failures;

__attribute__((format(printf, 2, 3))) static void expect(bool holds, const char *format, ...)
{
    if (holds)
        return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    putc('\n', stderr);
    failures++;
}

static mc_scenario *parse(const char *text, const char *folder)
{
    char path[4200];
    mc_error error = {0};
    snprintf(path, sizeof path, "%s/outside.yaml", folder);
    mc_scenario *s = mc_scenario_parse(text, strlen(text), path, &error);
    if (!s) {
        fprintf(stderr, "%s:%d:%d: %s\n", error.file, error.line, error.column, error.text);
        exit(1);
    }
    return s;
}

static void steps(mc_run *run, double until)
{
    mc_error error = {0};
    while (mc_run_time(run) < until - 1e-9)
        if (mc_run_step(run, &error) != MC_OK) {
            fprintf(stderr, "at %g s: %s\n", mc_run_time(run), error.text);
            exit(1);
        }
}

static mc_motion motion_of(const mc_run *run, const char *name)
{
    mc_run_view view;
    mc_run_look(run, mc_run_find(run, name), &view);
    return view.motion;
}

static void near(const char *what, double value, double expected, double tolerance)
{
    expect(fabs(value - expected) <= tolerance, "%s is %.9g, expected %.9g +- %g", what, value,
           expected, tolerance);
}

// ---- registration ----

static void registration(void)
{
    mc_error error = {0};
    expect(mc_vehicle_type_register(&cart_type, &error) == MC_OK, "%s", error.text);
    expect(mc_tyre_register(&tyre_simple, &error) == MC_OK, "%s", error.text);
    expect(mc_law_register(&law_filtered, &error) == MC_OK, "%s", error.text);
    expect(mc_vehicle_type_register(&cart_type, &error) == MC_BAD_INPUT, "a cart twice");
    mc_vehicle_type other = cart_type;
    other.name = "other";
    other.size -= 8;
    expect(mc_vehicle_type_register(&other, &error) == MC_BAD_INPUT &&
               strstr(error.text, "headers of another version"),
           "another version of the headers: %s", error.text);
    bool found = false;
    const mc_vehicle_type *type;
    for (int i = 0; (type = mc_vehicle_type_at(i)); i++)
        found = found || type == &cart_type;
    expect(found, "the list of types has no cart");
}

// What files say of it is checked like everything else.
static void messages(const char *folder)
{
    static const struct {
        const char *model, *text;
    } wrong[] = {
        {"{kind: cart, pusch: 3}", "a model has no key \"pusch\"; did you mean push?"},
        {"{kind: cart, push: -1}", "push is -1 N; expected 0 .. 1e+06 N"},
        {"{kind: cart, drag_0: 1}",
         "a cart model has no key drag_0; it is for kind powertrain, bicycle"},
        {"{kind: point, push: 1}", "a point model has no key push; it is for kind cart"},
        {"{kind: carts}",
         "expected one of point, powertrain, bicycle, planar, cosserat, multibody, fmu, cart"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        char text[400], path[4200];
        mc_error error = {0};
        snprintf(text, sizeof text,
                 "motorcade: scenario\ntime: {end: 1}\nmodels: {m: %s}\n"
                 "vehicles: [{model: m, x: 0}]\n",
                 wrong[k].model);
        snprintf(path, sizeof path, "%s/outside.yaml", folder);
        mc_scenario *s = mc_scenario_parse(text, strlen(text), path, &error);
        expect(!s && error.line == 3 && strstr(error.text, wrong[k].text), "%s: %s", wrong[k].model,
               s ? "accepted" : error.text);
        mc_scenario_free(s);
    }
}

// ---- motion ----

static const char drive_text[] =
    "motorcade: scenario\n"
    "time: {end: 60, step: 0.02}\n"
    "road: {lanes: 4, grades: [{from: 900, to: 2000, grade: 0.05, transition: 10}]}\n"
    "models:\n"
    "  light: {kind: cart, mass: 600 kg}\n"
    "  heavy: {like: light, mass: 900}\n"
    "  truck: {kind: cosserat, file: medusa/model.dat, tyre: {kind: simple, friction: 0.5}}\n"
    "vehicles:\n"
    "  - {model: light, name: pushed, x: 0, lane: 1, v: 4}\n"
    "  - {model: heavy, name: hill, x: 1000, lane: 2, v: 10}\n"
    "  - {model: truck, name: slides, x: 0, lane: 3, v: 20}\n"
    "events:\n"
    "  - {at: 0, vehicle: pushed, drive: {throttle: 0.5}}\n"
    "  - {at: 3, vehicle: pushed, set: {mass: 1200}}\n"
    "  - {at: 0, vehicle: hill, drive: {throttle: 0}}\n"
    "  - {at: 0, vehicle: slides, drive: {brake: 1}}\n";

static void motions(const char *folder)
{
    mc_error error = {0};
    mc_scenario *s = parse(drive_text, folder);
    mc_run *run = mc_run_create(s, NULL, &error);
    expect(run != NULL, "%s", error.text);
    steps(run, 1.0);
    const double early = motion_of(run, "slides").v;
    steps(run, 3.0);
    // Half of 2000 N on 600 kg.
    near("speed of the pushed cart", motion_of(run, "pushed").v, 4.0 + 5.0 / 3.0 * 3.0, 1e-9);
    near("its place", motion_of(run, "pushed").x, 4.0 * 3.0 + 0.5 * 5.0 / 3.0 * 9.0, 1e-6);
    // A hill of 0.05 rad takes g sin 0.05, however heavy it is.
    near("speed on the hill", motion_of(run, "hill").v, 10.0 - 9.81 * sin(0.05) * 3.0, 1e-9);
    // The brakes could do 0.8 g; the tyres hold half their load.
    near("deceleration on tyres of friction 0.5", (early - motion_of(run, "slides").v) / 2.0,
         0.5 * 9.81, 0.05 * 9.81);
    // From 3 s on the cart has twice its mass, and a command doubles its push.
    steps(run, 4.0);
    const mc_command more = {.event = "set", .vehicle = "pushed", .param = "push", .value = 4000.0};
    near("speed of the heavier cart", motion_of(run, "pushed").v, 9.0 + 5.0 / 6.0, 1e-9);
    expect(mc_run_command(run, &more, &error) == MC_OK, "%s", error.text);
    steps(run, 5.0);
    near("speed with another push", motion_of(run, "pushed").v, 9.0 + 5.0 / 6.0 + 5.0 / 3.0, 1e-9);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static const char follow_text[] =
    "motorcade: scenario\n"
    "time: {end: 120, step: 0.05}\n"
    "road: {headway: 1.2, distance: 4, speed: 12}\n"
    "models: {light: {kind: cart, mass: 600}, heavy: {kind: cart, mass: 900, push: 3000}}\n"
    "controllers: {follow: {law: filtered, k: 0.5}}\n"
    "platoons:\n"
    "  - leader: {model: heavy, profile: {table: [[0, 12], [20, 12], [30, 8], [120, 8]]}}\n"
    "    cars: [{model: light, name: a, controller: follow, spacing: 30},\n"
    "           {model: heavy, name: b, controller: follow, spacing: 25}]\n";

// Carts under the law keep its gap; resumed and edited they do what they would have done.
static void following(const char *folder)
{
    mc_error error = {0};
    mc_snapshot half = {0};
    mc_scenario *s = parse(follow_text, folder);
    mc_run *run = mc_run_create(s, NULL, &error), *other = mc_run_create(s, NULL, &error);
    steps(run, 40.0);
    expect(mc_run_save(run, &half, &error) == MC_OK, "%s", error.text);
    steps(run, 110.0);
    static const char *const names[] = {"a", "b"};
    for (int k = 0; k < 2; k++) {
        mc_run_view view;
        mc_run_look(run, mc_run_find(run, names[k]), &view);
        near("speed of a follower", view.motion.v, 8.0, 1e-3);
        near("its gap", view.gap, 4.0 + 1.2 * 8.0, 0.05);
    }
    expect(mc_run_restore(other, &half, &error) == MC_OK, "%s", error.text);
    steps(other, 110.0);
    expect(mc_run_hash(run) == mc_run_hash(other), "a resumed run does something else");
    const mc_motion before = motion_of(run, "a");
    expect(mc_run_edit(run, "{set: light.mass=700, add: {model: light, x: -500, v: 8}}", &error) ==
               MC_OK,
           "%s", error.text);
    near("speed after an edit", motion_of(run, "a").v, before.v, 1e-12);
    near("mass after an edit", mc_run_mass(run, mc_run_find(run, "a")), 700.0, 0.0);
    mc_snapshot_free(&half);
    mc_run_destroy(other);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static const char crash_text[] =
    "motorcade: scenario\n"
    "time: {end: 4, step: 0.02}\n"
    "contact: {restitution: 0}\n"
    "models: {cart: {kind: cart, mass: 600}, car: {kind: powertrain, mass: 1200}}\n"
    "vehicles:\n"
    "  - {model: cart, name: still, x: 20, v: 0}\n"
    "  - {model: cart, name: hits, x: 0, v: 12}\n"
    "  - {model: car, name: last, x: -40, v: 0}\n";

// A cart hits a standing one, and both continue at half the speed.
static void crash(const char *folder)
{
    mc_error error = {0};
    int count;
    mc_scenario *s = parse(crash_text, folder);
    mc_run *run = mc_run_create(s, NULL, &error);
    steps(run, 3.0);
    mc_run_impacts(run, &count);
    expect(count > 0, "no impact");
    near("speed of what was hit", motion_of(run, "still").v, 6.0, 1e-6);
    near("speed of what hit it", motion_of(run, "hits").v, 6.0, 1e-6);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// ---- a joint ----

// A plate with its mass centre aside, on a slope.
#define PLATE                                                                                      \
    "motorcade: multibody\n"                                                                       \
    "gravity: [3, 1, -9]\n"                                                                        \
    "bodies:\n"                                                                                    \
    "  plate: {%s, mass: 2, com: [0.1, 0.05, 0.02], inertia: [0.02, 0.03, 0.04]}\n"

static mc_multibody *plate(const char *joint, const char *more, mc_error *error)
{
    char text[1000];
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    snprintf(text, sizeof text, PLATE "%s", joint, more);
    return mc_multibody_parse(text, "plate.yaml", &options, error);
}

// The same plate on a general joint of the tree; forms of the equations.
static void planar_plate(void)
{
    static const mc_form forms[] = {MC_FORM_LAGRANGE, MC_FORM_RECURSIVE};
    static const char bed[] = "joints: {bed: {joint: planar, from: ground, to: plate, axis: z, "
                              "height: 20 mm}}\n";
    mc_error error = {0};
    mc_multibody *tree = plate("joint: general, at: [0, 0, 0.02], free: [tx, ty, rz]", "", &error);
    expect(tree, "%s", error.text);
    const double q[3] = {0.3, -0.2, 0.7}, v[3] = {0.4, 0.5, 2.0}, none[6] = {0};
    double a[3], b[6], lambda[3];
    if (!tree)
        return;
    mc_multibody_accelerations(tree, q, v, none, a);
    mc_multibody_free(tree);
    for (int k = 0; k < 2; k++) {
        char text[1000];
        const mc_multibody_options options = {.form = forms[k], .compile = MC_COMPILE_NEVER};
        snprintf(text, sizeof text, PLATE "%s", "joint: free, start: {z: 0.02 m}", bed);
        mc_multibody *m = mc_multibody_parse(text, "plate.yaml", &options, &error);
        expect(m, "%s", error.text);
        if (!m)
            return;
        const double qf[7] = {q[0], q[1], 0.02, cos(0.35), 0.0, 0.0, sin(0.35)};
        const double vf[6] = {v[0], v[1], 0.0, 0.0, 0.0, v[2]};
        mc_multibody_multipliers(m, qf, vf, none, b, lambda);
        near("its x acceleration", b[0], a[0], 1e-12);
        near("its y acceleration", b[1], a[1], 1e-12);
        near("its z acceleration", b[2], 0.0, 1e-12);
        near("its angular acceleration", b[5], a[2], 1e-12);
        near("the load on it", lambda[0], 18.0, 1e-11); // m g across the plane
        mc_multibody_free(m);
    }
}

static void rows_on_the_wrong_side(mc_joint *j)
{
    mc_joint_slide(j, mc_joint_axis(j, MC_JOINT_TO), mc_joint_number(j, 0.0));
}

static void no_rows(mc_joint *j)
{
    (void)j;
}

static void joints(void)
{
    static mc_joint_kind sideways, empty;
    mc_error error = {0};
    expect(mc_joint_register(&joint_planar, &error) == MC_OK, "%s", error.text);
    expect(mc_joint_register(&joint_planar, &error) == MC_BAD_INPUT, "a joint twice");
    sideways = empty = joint_planar;
    sideways.name = "sideways";
    sideways.rows = rows_on_the_wrong_side;
    empty.name = "empty";
    empty.rows = NULL;
    expect(mc_joint_register(&empty, &error) == MC_BAD_INPUT && strstr(error.text, "no rows"),
           "without rows: %s", error.text);
    empty.rows = no_rows;
    expect(mc_joint_register(&empty, &error) == MC_OK, "%s", error.text);
    empty.value[0].unit = "furlong";
    empty.name = "other";
    expect(mc_joint_register(&empty, &error) == MC_BAD_INPUT && strstr(error.text, "furlong"),
           "a wrong unit: %s", error.text);
    empty.name = "empty";
    expect(mc_joint_register(&sideways, &error) == MC_OK, "%s", error.text);
    planar_plate();
    static const struct {
        const char *joint, *said;
        int line;
    } wrong[] = {
        {"{joint: planr, from: ground, to: plate, axis: z}", "planar", 5},
        {"{joint: planar, from: ground, to: plate}", "axis", 5},
        {"{joint: planar, from: ground, to: plate, axis: z, height: 2 s}", "unit s, expected m", 5},
        {"{joint: planar, from: ground, to: plate, axis: z, length: 2 m}",
         "a planar joint has no length", 5},
        {"{joint: ball, from: ground, to: plate, height: 2 m}", "a ball joint has no height", 5},
        {"{joint: sideways, from: ground, to: plate, axis: z}",
         "the kind sideways cannot be used: a row needs a vector on from", 5},
        {"{joint: empty, from: ground, to: plate, axis: z}", "it has no rows", 5},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char more[300];
        snprintf(more, sizeof more, "joints: {bed: %s}\n", wrong[i].joint);
        mc_multibody *m = plate("joint: free", more, &error);
        expect(!m && strstr(error.text, wrong[i].said) && error.line == wrong[i].line,
               "%s:\n  line %d: %s", wrong[i].joint, error.line, m ? "(accepted)" : error.text);
        mc_multibody_free(m);
    }
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "."; // of the shipped scenarios
    registration();
    messages(folder);
    motions(folder);
    following(folder);
    crash(folder);
    joints();
    if (failures == 0)
        printf("a cart, a tyre, a law and a joint from outside: all well\n");
    return failures > 0;
}
