// test_fmu.c - units as an importer sees them: written, unpacked, loaded, run by the C interface in
// the order of the standard, and compared with the library to the bit.
#include "unit/fmi2.h"
#include "unit/fmi3.h"
#include "base/file.h"
#include "io/xml.h"
#include "io/zip.h"
#include "motorcade/fmu.h"
#include "motorcade/linear.h"
#include "motorcade/multibody.h"
#include "motorcade/observe.h"
#include "motorcade/run.h"
#include "motorcade/simulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OK = 0, ERROR = 3, DISCARD = 2, VALUES_MAX = 4000 };

typedef struct unit {
    char folder[64], resources[128];
    char token[128];
    void *library;
    char *description;
} unit;

// ---- unpacking ---------------------------------------------------------------------------------

static void write_entry(const char *folder, const zip_entry *e)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, e->name);
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(e->data, 1, e->size, out), e->size);
    fclose(out);
}

// The value of an attribute of the description, after the text `before`.
static bool attribute(const unit *u, const char *before, const char *name, char *out, size_t size)
{
    char key[64];
    const char *at = strstr(u->description, before);
    snprintf(key, sizeof key, " %s=\"", name);
    at = at ? strstr(at, key) : NULL;
    if (!at)
        return false;
    at += strlen(key);
    snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
    return true;
}

static void open_unit(unit *u, const char *input, int version, const mc_fmu_options *options)
{
    mc_error error = {0};
    mc_fmu_options o = options ? *options : (mc_fmu_options){0};
    char path[400], name[128];
    arena memory = {0};
    zip_entry *entries;
    int count = 0;
    o.version = version;
    snprintf(u->folder, sizeof u->folder, "/tmp/motorcade-test-XXXXXX");
    assert_non_null(mkdtemp(u->folder));
    snprintf(path, sizeof path, "%s/unit.fmu", u->folder);
    if (mc_fmu_write(input, &o, path, NULL, &error) != MC_OK)
        fail_msg("%s: %s", input, error.text);
    assert_int_equal(zip_read(&memory, path, &entries, &count, &error), MC_OK);
    for (int i = 0; i < count; i++) {
        if (strncmp(entries[i].name, "sources/", 8) != 0) // hundreds
            write_entry(u->folder, &entries[i]);
        if (strcmp(entries[i].name, "modelDescription.xml") == 0)
            u->description = strdup(entries[i].data);
    }
    arena_free(&memory);
    assert_non_null(u->description);
    snprintf(u->resources, sizeof u->resources, "%s/resources", u->folder);
    assert_true(attribute(u, "<fmiModelDescription", version == 3 ? "instantiationToken" : "guid",
                          u->token, sizeof u->token));
    assert_true(attribute(u, "<CoSimulation", "modelIdentifier", name, sizeof name));
    snprintf(path, sizeof path, "%s/binaries/%s/%s.so", u->folder,
             version == 3 ? "x86_64-linux" : "linux64", name);
    u->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!u->library)
        fail_msg("%s", dlerror());
}

static void close_unit(unit *u)
{
    char command[128];
    dlclose(u->library);
    free(u->description);
    snprintf(command, sizeof command, "rm -r %s", u->folder);
    assert_int_equal(system(command), 0);
}

static unsigned reference(const unit *u, const char *variable)
{
    char before[160], text[16];
    snprintf(before, sizeof before, " name=\"%s\"", variable);
    if (!attribute(u, before, "valueReference", text, sizeof text))
        fail_msg("no variable %s", variable);
    return (unsigned)atoi(text);
}

// A function of the unit, with the type of its declaration.
#define F(unit_of, function) ((__typeof__(&function))find((unit_of), #function))
static void (*find(const unit *u, const char *name))(void)
{
    union {
        void *data;
        void (*code)(void);
    } f = {.data = dlsym(u->library, name)};
    if (!f.data)
        fail_msg("no function %s", name);
    return f.code;
}

static char last_message[1200];

static void keep_message(void *environment, int status, const char *category, const char *text)
{
    (void)environment, (void)status, (void)category;
    snprintf(last_message, sizeof last_message, "%s", text);
}

static void *start3(const unit *u, bool exchange)
{
    void *i = exchange ? F(u, fmi3InstantiateModelExchange)("a", u->token, u->resources, false,
                                                            false, NULL, keep_message)
                       : F(u, fmi3InstantiateCoSimulation)("a", u->token, u->resources, false,
                                                           false, false, false, NULL, 0, NULL,
                                                           keep_message, NULL);
    if (!i)
        fail_msg("%s", last_message);
    return i;
}

static void initialize3(const unit *u, void *i)
{
    assert_int_equal(F(u, fmi3EnterInitializationMode)(i, false, 0.0, 0.0, false, 0.0), OK);
    assert_int_equal(F(u, fmi3ExitInitializationMode)(i), OK);
}

static void step3(const unit *u, void *i, double t, double h)
{
    bool event, terminate, early;
    double last;
    if (F(u, fmi3DoStep)(i, t, h, false, &event, &terminate, &early, &last) != OK)
        fail_msg("step from %g s: %s", t, last_message);
    assert_true(last == t + h);
}

static double get3(const unit *u, void *i, unsigned vr)
{
    double value = NAN;
    assert_int_equal(F(u, fmi3GetFloat64)(i, &vr, 1, &value, 1), OK);
    return value;
}

// ---- mechanisms --------------------------------------------------------------------------------

enum { ROWS = 20 };
static const double row_step = 0.01;

typedef struct rows {
    int y_count, count;
    double *t, *y;
} rows;

static void take_row(void *context, double t, const double *y, const double *outputs)
{
    rows *r = context;
    (void)outputs;
    r->t[r->count] = t;
    memcpy(r->y + r->count++ * r->y_count, y, (size_t)r->y_count * sizeof *y);
}

static mc_multibody *simulate(const char *path, const char *method, rows *r)
{
    mc_error error;
    mc_multibody *m =
        mc_multibody_load(path, &(mc_multibody_options){.compile = MC_COMPILE_NEVER}, &error);
    assert_non_null(m);
    r->y_count = mc_multibody_info_of(m)->y_count;
    r->t = calloc(ROWS + 1, sizeof *r->t);
    r->y = calloc((ROWS + 1) * (size_t)r->y_count, sizeof *r->y);
    double y[r->y_count];
    mc_multibody_start(m, y);
    if (mc_multibody_settle(m, y, &error) != MC_OK)
        fail_msg("%s: %s", path, error.text);
    const mc_simulate_options o = {
        .end = ROWS * row_step, .step = row_step, .method = method, .fixed_step = 1e-3};
    const mc_simulate_output out = {.row = take_row, .context = r};
    if (mc_simulate(m, &o, y, &out, NULL, NULL, &error) != MC_OK)
        fail_msg("%s: %s", path, error.text);
    assert_int_equal(r->count, ROWS + 1);
    return m;
}

static const char *state_name(const mc_multibody *m, int i)
{
    const mc_multibody_info *n = mc_multibody_info_of(m);
    return i < n->q_count ? mc_multibody_name(m, MC_QUANTITY_COORDINATE, i)
           : i < n->q_count + n->v_count
               ? mc_multibody_name(m, MC_QUANTITY_VELOCITY, i - n->q_count)
               : mc_multibody_name(m, MC_QUANTITY_STATE, i - n->q_count - n->v_count);
}

static void compare_row(const unit *u, void *i, const unsigned *vr, const rows *r, int row,
                        const char *path)
{
    double value[VALUES_MAX];
    const size_t n = (size_t)r->y_count;
    assert_int_equal(F(u, fmi3GetFloat64)(i, vr, n, value, n), OK);
    if (memcmp(value, r->y + row * r->y_count, n * sizeof *value) != 0)
        fail_msg("%s: other bits at row %d", path, row);
}

// Two instances in one process, alternately stepped, each with the bits of `motorcade simulate`.
// method NULL: as the file says.
static void drive_mechanism(const char *name, const char *method)
{
    char path[256];
    unit u = {0};
    rows r = {0};
    snprintf(path, sizeof path, SOURCE_DIR "/%s%s.yaml", strchr(name, '/') ? "" : "models/", name);
    mc_multibody *m = simulate(path, method, &r);
    open_unit(&u, path, 3, &(mc_fmu_options){.method = method, .fixed_step = method ? 1e-3 : 0.0});
    unsigned vr[VALUES_MAX];
    for (int k = 0; k < r.y_count; k++)
        vr[k] = reference(&u, state_name(m, k));
    void *a = start3(&u, false), *b = start3(&u, false);
    initialize3(&u, a);
    initialize3(&u, b);
    for (int row = 0; row <= ROWS; row++) {
        compare_row(&u, a, vr, &r, row, path);
        compare_row(&u, b, vr, &r, row, path);
        for (int k = 0; k < 2 && row < ROWS; k++)
            // As rows are: the end of a step is the same number as that of the run.
            step3(&u, k ? b : a, r.t[row], r.t[row + 1] - r.t[row]);
    }
    F(&u, fmi3FreeInstance)(a);
    F(&u, fmi3FreeInstance)(b);
    close_unit(&u);
    mc_multibody_free(m);
    free(r.t);
    free(r.y);
}

static void has_the_bits_of_every_mechanism(void **state)
{
    static const char *const names[] = {
        "chain8", "double_pendulum", "four_bar", "free_chain", "gate", "hmmwv", "hmmwv10",
        "hmmwv_loops", "iltis", "pendulum", "quarter_car", "ride_frame", "ride_full", "ride_half",
        "ride_quarter", "spinning_top",
        // Concepts begin at rest on their tyres.
        "concepts/four_springs", "concepts/hmmwv", "concepts/pickup", "concepts/truck_11t",
        "concepts/truck_5t"};
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        drive_mechanism(names[k], "rk4");
    drive_mechanism("truck14", NULL); // by impulses
}

// Model exchange by Euler's method, with the states moved back after every step.
static void exchanges_states(void **state)
{
    (void)state;
    const char *path = SOURCE_DIR "/models/hmmwv10.yaml";
    unit u = {0};
    rows r = {0};
    mc_multibody *m = simulate(path, "euler", &r);
    open_unit(&u, path, 3, NULL);
    void *i = start3(&u, true);
    const double zero = 0.0, h = 1e-3;
    const unsigned tolerance = reference(&u, "projection_tolerance");
    assert_int_equal(F(&u, fmi3SetFloat64)(i, &tolerance, 1, &zero, 1), OK);
    initialize3(&u, i);
    bool again, terminate, nominals, changed, next;
    double next_time, x[VALUES_MAX], dx[VALUES_MAX];
    const size_t n = (size_t)r.y_count;
    for (int k = 0;; k++) {
        assert_int_equal(F(&u, fmi3UpdateDiscreteStates)(i, &again, &terminate, &nominals, &changed,
                                                         &next, &next_time),
                         OK);
        assert_int_equal(F(&u, fmi3EnterContinuousTimeMode)(i), OK);
        assert_int_equal(F(&u, fmi3GetContinuousStates)(i, x, n), OK);
        for (size_t c = 0; k % 10 == 0 && c < n; c++)
            assert_true(fabs(x[c] - r.y[(size_t)(k / 10) * n + c]) <=
                        1e-14 * fmax(1.0, fabs(x[c])));
        if (k == 10 * ROWS)
            break;
        assert_int_equal(F(&u, fmi3GetContinuousStateDerivatives)(i, dx, n), OK);
        for (size_t c = 0; c < n; c++)
            x[c] += h * dx[c];
        assert_int_equal(F(&u, fmi3SetTime)(i, (k + 1) * h), OK);
        assert_int_equal(F(&u, fmi3SetContinuousStates)(i, x, n), OK);
        assert_int_equal(F(&u, fmi3CompletedIntegratorStep)(i, true, &again, &terminate), OK);
        assert_true(again); // tolerance 0: after every step
        assert_int_equal(F(&u, fmi3EnterEventMode)(i), OK);
    }
    F(&u, fmi3FreeInstance)(i);
    close_unit(&u);
    mc_multibody_free(m);
    free(r.t);
    free(r.y);
}

// Directional derivatives against central differences, of rates and outputs by every state.
static void knows_its_derivatives(const char *name, const char *output)
{
    char path[256];
    unit u = {0};
    snprintf(path, sizeof path, SOURCE_DIR "/models/%s.yaml", name);
    open_unit(&u, path, 3, NULL);
    void *i = start3(&u, true);
    initialize3(&u, i);
    assert_int_equal(F(&u, fmi3EnterContinuousTimeMode)(i), OK);
    size_t n;
    assert_int_equal(F(&u, fmi3GetNumberOfContinuousStates)(i, &n), OK);
    double x[VALUES_MAX], up[VALUES_MAX], down[VALUES_MAX], along[VALUES_MAX];
    unsigned unknown[VALUES_MAX], known;
    char text[16], before[32];
    assert_int_equal(F(&u, fmi3GetContinuousStates)(i, x, n), OK);
    const char *at = u.description; // rates, in the order of the structure
    for (size_t k = 0; k < n; k++) {
        at = strstr(at + 1, "<ContinuousStateDerivative valueReference=\"");
        assert_non_null(at);
        unknown[k] = (unsigned)atoi(at + strlen("<ContinuousStateDerivative valueReference=\""));
    }
    unknown[n] = reference(&u, output);
    for (size_t c = 0; c < n; c++) {
        const double one = 1.0, old = x[c], h = 1e-6 * fmax(1.0, fabs(old));
        snprintf(before, sizeof before, "valueReference=\"%u\"", unknown[c]);
        assert_true(attribute(&u, before, "derivative", text, sizeof text));
        known = (unsigned)atoi(text);
        assert_int_equal(F(&u, fmi3GetDirectionalDerivative)(i, unknown, n + 1, &known, 1, &one, 1,
                                                             along, n + 1),
                         OK);
        x[c] = old + h;
        assert_int_equal(F(&u, fmi3SetContinuousStates)(i, x, n), OK);
        assert_int_equal(F(&u, fmi3GetFloat64)(i, unknown, n + 1, up, n + 1), OK);
        x[c] = old - h;
        assert_int_equal(F(&u, fmi3SetContinuousStates)(i, x, n), OK);
        assert_int_equal(F(&u, fmi3GetFloat64)(i, unknown, n + 1, down, n + 1), OK);
        x[c] = old;
        assert_int_equal(F(&u, fmi3SetContinuousStates)(i, x, n), OK);
        for (size_t k = 0; k <= n; k++) {
            const double slope = (up[k] - down[k]) / (2.0 * h);
            // Differences round by about 1e-16 / 1e-6 of the values themselves.
            const double size = fmax(1.0, fmax(fabs(slope), 1e-3 * fabs(up[k])));
            if (!(fabs(along[k] - slope) <= 1e-6 * size))
                fail_msg("%s: d %u / d %u is %.12g, by differences %.12g", name, unknown[k], known,
                         along[k], slope);
        }
    }
    F(&u, fmi3FreeInstance)(i);
    close_unit(&u);
}

static void derivatives_are_those_of_differences(void **state)
{
    (void)state;
    knows_its_derivatives("double_pendulum", "energy.kinetic");
    knows_its_derivatives("quarter_car", "energy.total");
    knows_its_derivatives("hmmwv10", "energy.kinetic");
}

// ---- sources -----------------------------------------------------------------------------------

static const zip_entry *entry_of(const zip_entry *entries, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}

// Every header that a source file includes by its name is part of the unit.
static void includes_are_there(const zip_entry *entries, int count, const zip_entry *of)
{
    arena memory = {0};
    char name[256];
    for (const char *at = arena_copy_text(&memory, of->data, of->size);
         (at = strstr(at, "#include \""));) {
        at += strlen("#include \"");
        snprintf(name, sizeof name, "sources/%.*s", (int)strcspn(at, "\"\n"), at);
        if (at[-11] == '\n' && !entry_of(entries, count, name)) // not within a text
            fail_msg("%s includes %s, which the unit lacks", of->name, name);
    }
    arena_free(&memory);
}

// A unit of FMI 3.0 has the sources of its binary, with a build description of them; of 2.0 none.
static void has_sources(void **state)
{
    (void)state;
    for (int version = 2; version <= 3; version++) {
        char path[] = "/tmp/motorcade-test-XXXXXX", name[256];
        arena memory = {0};
        zip_entry *entries;
        int count = 0, files = 0;
        mc_error error = {0};
        const xml_node *root;
        close(mkstemp(path));
        const mc_fmu_options o = {.version = version};
        assert_int_equal(mc_fmu_write(SOURCE_DIR "/models/pendulum.yaml", &o, path, NULL, &error),
                         MC_OK);
        assert_int_equal(zip_read(&memory, path, &entries, &count, &error), MC_OK);
        const zip_entry *build = entry_of(entries, count, "sources/buildDescription.xml");
        if (version == 2) {
            assert_null(build);
        } else {
            assert_non_null(build);
            assert_int_equal(xml_parse(&memory, build->data, build->size, path, &root, &error),
                             MC_OK);
            const xml_node *all = xml_first(root, "BuildConfiguration");
            assert_string_equal(xml_get(all, "modelIdentifier"), "pendulum");
            const xml_node *set = xml_first(all, "SourceFileSet");
            for (const xml_node *f = xml_first(set, "SourceFile"); f;
                 f = xml_next(f, "SourceFile"), files++) {
                snprintf(name, sizeof name, "sources/%s", xml_get(f, "name"));
                const zip_entry *e = entry_of(entries, count, name);
                assert_non_null(e);
                includes_are_there(entries, count, e);
            }
            assert_true(files > 300);
            assert_non_null(entry_of(entries, count, "sources/fmi/fmi3.c"));
            assert_non_null(entry_of(entries, count, "sources/avx2/cars/step_lanes.c"));
        }
        arena_free(&memory);
        unlink(path);
    }
}

// ---- terminals ---------------------------------------------------------------------------------

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

// Every input and output is the member of one terminal, and no terminal is there twice.
static void has_terminals(const char *path, const mc_fmu_options *o)
{
    unit u = {0};
    char file[256], *text;
    size_t size;
    arena memory = {0};
    mc_error error;
    const xml_node *root;
    open_unit(&u, path, 3, o);
    snprintf(file, sizeof file, "%s/terminalsAndIcons/terminalsAndIcons.xml", u.folder);
    assert_int_equal(file_read(&memory, file, 0, &text, &size, &error), MC_OK);
    assert_int_equal(xml_parse(&memory, text, size, file, &root, &error), MC_OK);
    const xml_node *all = xml_first(root, "Terminals");
    assert_non_null(all); // an empty element is not allowed
    int members = 0;
    for (const xml_node *t = xml_first(all, "Terminal"); t; t = xml_next(t, "Terminal")) {
        for (const xml_node *s = xml_first(all, "Terminal"); s != t; s = xml_next(s, "Terminal"))
            assert_string_not_equal(xml_get(s, "name"), xml_get(t, "name"));
        for (const xml_node *m = t->first; m; m = m->next, members++)
            reference(&u, xml_get(m, "variableName"));
    }
    assert_int_equal(members, count_of(u.description, "causality=\"input\"") +
                                  count_of(u.description, "causality=\"output\""));
    arena_free(&memory);
    close_unit(&u);
}

static void terminals_hold_every_port(void **state)
{
    (void)state;
    has_terminals(SOURCE_DIR "/models/hmmwv10.yaml", NULL);
    has_terminals(SOURCE_DIR "/scenarios/hill.yaml", NULL);
    has_terminals(SOURCE_DIR "/scenarios/hill.yaml", &(mc_fmu_options){.vehicle = "car1"});
}

// ---- states ------------------------------------------------------------------------------------

// Saved, continued, restored; the same through bytes in another instance: the same bits.
static void restore_unit(const char *path, const mc_fmu_options *o, double h, const char *variable)
{
    enum { STEPS = 10 };
    unit u = {0};
    open_unit(&u, path, 3, o);
    void *a = start3(&u, false), *b = start3(&u, false), *saved = NULL, *other = NULL;
    const unsigned vr = reference(&u, variable);
    double end[3];
    size_t size;
    initialize3(&u, a);
    initialize3(&u, b);
    for (int k = 0; k < STEPS; k++)
        step3(&u, a, k * h, (k + 1) * h - k * h);
    assert_int_equal(F(&u, fmi3GetFMUState)(a, &saved), OK);
    assert_int_equal(F(&u, fmi3SerializedFMUStateSize)(a, saved, &size), OK);
    unsigned char *bytes = malloc(size);
    assert_int_equal(F(&u, fmi3SerializeFMUState)(a, saved, bytes, size), OK);
    assert_int_equal(F(&u, fmi3DeserializeFMUState)(b, bytes, size, &other), OK);
    const double at = get3(&u, a, vr);
    for (int turn = 0; turn < 3; turn++) {
        void *i = turn == 2 ? b : a;
        if (turn > 0)
            assert_int_equal(F(&u, fmi3SetFMUState)(i, turn == 2 ? other : saved), OK);
        assert_true(get3(&u, i, vr) == at);
        for (int k = STEPS; k < 2 * STEPS; k++)
            step3(&u, i, k * h, (k + 1) * h - k * h);
        end[turn] = get3(&u, i, vr);
    }
    assert_true(end[0] != at);
    assert_true(end[1] == end[0] && end[2] == end[0]);
    // Bytes that are cut off or of something else are no state.
    assert_int_equal(F(&u, fmi3DeserializeFMUState)(b, bytes, 20, &other), ERROR);
    bytes[0] ^= 1;
    assert_int_equal(F(&u, fmi3DeserializeFMUState)(b, bytes, size, &other), ERROR);
    free(bytes);
    F(&u, fmi3FreeFMUState)(a, &saved);
    F(&u, fmi3FreeInstance)(a);
    F(&u, fmi3FreeInstance)(b);
    close_unit(&u);
}

static void goes_back_to_a_state(void **state)
{
    (void)state;
    restore_unit(SOURCE_DIR "/models/truck14.yaml", NULL, 0.01, "energy.kinetic");
    restore_unit(SOURCE_DIR "/models/hmmwv10.yaml", NULL, 0.01, "energy.kinetic");
    restore_unit(SOURCE_DIR "/scenarios/hill.yaml", NULL, 0.5, "car1.x");
}

// ---- scenarios ---------------------------------------------------------------------------------

// Every field of every vehicle has the bits of the run.
static void drive_scenario(const char *name, int rows_count)
{
    static const mc_field fields[] = {MC_FIELD_X, MC_FIELD_Y, MC_FIELD_V, MC_FIELD_A, MC_FIELD_PSI};
    char path[256], variable[160];
    mc_error error;
    unit u = {0};
    snprintf(path, sizeof path, SOURCE_DIR "/scenarios/%s.yaml", name);
    mc_scenario *s = mc_scenario_load(path, &error);
    assert_non_null(s);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, &error);
    assert_non_null(run);
    open_unit(&u, path, 3, NULL);
    void *i = start3(&u, false);
    initialize3(&u, i);
    const double h = mc_scenario_info_of(s)->step;
    for (int row = 0; row < rows_count; row++) {
        step3(&u, i, row * h, (row + 1) * h - row * h);
        assert_int_equal(mc_run_step(run, &error), MC_OK);
        for (int v = 0; v < mc_run_vehicle_count(run) && row % 10 == 0; v++) {
            double value[MC_FIELD_COUNT];
            mc_run_read_fields(run, v, value, NULL);
            for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
                snprintf(variable, sizeof variable, "%s.%s", mc_run_vehicle_name(run, v),
                         mc_field_table[fields[k]].name);
                const double own = get3(&u, i, reference(&u, variable));
                if (memcmp(&own, &value[fields[k]], sizeof own) != 0)
                    fail_msg("%s: %s has other bits after step %d", name, variable, row);
            }
        }
    }
    F(&u, fmi3FreeInstance)(i);
    close_unit(&u);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void has_the_bits_of_scenarios(void **state)
{
    (void)state;
    drive_scenario("hill", 200);
    drive_scenario("mixed", 100);
    drive_scenario("brake_loss", 200);
}

// A vehicle driven by hand through the inputs.
static void drives_by_hand(void **state)
{
    (void)state;
    unit u = {0};
    open_unit(&u, SOURCE_DIR "/scenarios/hill.yaml", 3, NULL);
    void *i = start3(&u, false);
    initialize3(&u, i);
    const unsigned hand = reference(&u, "leader.input.by_hand"),
                   brake = reference(&u, "leader.input.brake"), speed = reference(&u, "leader.v");
    const double full = 1.0;
    const bool yes = true;
    const double before = get3(&u, i, speed);
    assert_int_equal(F(&u, fmi3SetBoolean)(i, &hand, 1, &yes, 1), OK);
    assert_int_equal(F(&u, fmi3SetFloat64)(i, &brake, 1, &full, 1), OK);
    for (int k = 0; k < 4; k++)
        step3(&u, i, 0.5 * k, 0.5);
    assert_true(get3(&u, i, speed) < before - 5.0);
    // Not a whole number of control steps: discarded, and the time stays.
    bool event, terminate, early;
    double last;
    assert_int_equal(F(&u, fmi3DoStep)(i, 2.0, 0.0123, false, &event, &terminate, &early, &last),
                     DISCARD);
    assert_true(last == 2.0);
    F(&u, fmi3FreeInstance)(i);
    close_unit(&u);
}

// ---- order of calls ----------------------------------------------------------------------------

static void keeps_to_the_order_of_calls(void **state)
{
    (void)state;
    unit u = {0};
    bool event, terminate, early;
    double last, value = 2.0;
    open_unit(&u, SOURCE_DIR "/models/pendulum.yaml", 3, NULL);
    assert_null(F(&u, fmi3InstantiateCoSimulation)("a", "another", u.resources, false, false, false,
                                                   false, NULL, 0, NULL, keep_message, NULL));
    assert_non_null(strstr(last_message, "token"));
    assert_null(F(&u, fmi3InstantiateCoSimulation)("a", u.token, "/nowhere", false, false, false,
                                                   false, NULL, 0, NULL, keep_message, NULL));
    void *i = start3(&u, false);
    const unsigned length = reference(&u, "length"), energy = reference(&u, "energy.total"),
                   none = 9999;
    assert_int_equal(F(&u, fmi3DoStep)(i, 0.0, 0.1, false, &event, &terminate, &early, &last),
                     ERROR);
    assert_non_null(strstr(last_message, "instantiated"));
    assert_int_equal(F(&u, fmi3ExitInitializationMode)(i), ERROR);
    assert_int_equal(F(&u, fmi3SetFloat64)(i, &length, 1, &value, 1), OK);
    assert_int_equal(F(&u, fmi3SetFloat64)(i, &energy, 1, &value, 1), ERROR);
    assert_int_equal(F(&u, fmi3SetFloat64)(i, &none, 1, &value, 1), ERROR);
    initialize3(&u, i);
    assert_true(get3(&u, i, length) == 2.0);
    assert_int_equal(F(&u, fmi3SetFloat64)(i, &length, 1, &value, 1), ERROR); // fixed by now
    assert_int_equal(F(&u, fmi3EnterInitializationMode)(i, false, 0.0, 0.0, false, 0.0), ERROR);
    assert_int_equal(F(&u, fmi3EnterContinuousTimeMode)(i), ERROR); // co-simulation
    assert_int_equal(F(&u, fmi3DoStep)(i, 1.0, 0.1, false, &event, &terminate, &early, &last),
                     ERROR); // it is at 0
    assert_int_equal(F(&u, fmi3DoStep)(i, 0.0, -0.1, false, &event, &terminate, &early, &last),
                     ERROR);
    step3(&u, i, 0.0, 0.1);
    assert_int_equal(F(&u, fmi3Terminate)(i), OK);
    assert_int_equal(F(&u, fmi3DoStep)(i, 0.1, 0.1, false, &event, &terminate, &early, &last),
                     ERROR);
    assert_int_equal(F(&u, fmi3Reset)(i), OK);
    assert_true(get3(&u, i, length) == 1.0);
    initialize3(&u, i);
    step3(&u, i, 0.0, 0.1);
    F(&u, fmi3FreeInstance)(i);
    close_unit(&u);
}

// FMI 2.0: the same motion as 3.0.
static void speaks_version_2(void **state)
{
    (void)state;
    const char *path = SOURCE_DIR "/models/quarter_car.yaml";
    unit u = {0}, v = {0};
    open_unit(&u, path, 2, NULL);
    open_unit(&v, path, 3, NULL);
    char uri[160];
    snprintf(uri, sizeof uri, "file://%s", u.resources);
    void *a = F(&u, fmi2Instantiate)("a", 1, u.token, uri, NULL, 0, 0), *b = start3(&v, false);
    assert_non_null(a);
    assert_int_equal(F(&u, fmi2SetupExperiment)(a, 0, 0.0, 0.0, 0, 0.0), OK);
    assert_int_equal(F(&u, fmi2EnterInitializationMode)(a), OK);
    assert_int_equal(F(&u, fmi2ExitInitializationMode)(a), OK);
    initialize3(&v, b);
    const unsigned first = reference(&u, "body.travel"), second = reference(&v, "body.travel");
    for (int k = 0; k < 20; k++) {
        double value;
        assert_int_equal(F(&u, fmi2DoStep)(a, k / 64.0, 1 / 64.0, 1), OK);
        step3(&v, b, k / 64.0, 1 / 64.0);
        assert_int_equal(F(&u, fmi2GetReal)(a, &first, 1, &value), OK);
        assert_true(value == get3(&v, b, second));
    }
    F(&u, fmi2FreeInstance)(a);
    F(&v, fmi3FreeInstance)(b);
    close_unit(&u);
    close_unit(&v);
}

int main(void)
{
    // Builds with sanitizers have no binary of units.
    mc_error error = {0};
    if (mc_fmu_write(SOURCE_DIR "/models/pendulum.yaml", NULL, "/dev/null", NULL, &error) !=
            MC_OK &&
        strstr(error.text, "motorcade_fmu.so")) {
        printf("skipped: %s\n", error.text);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_bits_of_every_mechanism),
        cmocka_unit_test(exchanges_states),
        cmocka_unit_test(has_sources),
        cmocka_unit_test(terminals_hold_every_port),
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(goes_back_to_a_state),
        cmocka_unit_test(has_the_bits_of_scenarios),
        cmocka_unit_test(drives_by_hand),
        cmocka_unit_test(keeps_to_the_order_of_calls),
        cmocka_unit_test(speaks_version_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
