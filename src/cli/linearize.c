// linearize.c - `motorcade linearize MODEL.yaml`: small motions of a mechanism, its eigenvalues,
// shapes and their sensitivities.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/guard.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "motorcade/linear.h"
#include "motorcade/plot.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WORDS_MAX = 64, TABLE_COUNT = 5 };

typedef struct request {
    model_request model;
    const char *csv, *svg;
    cli_words hold, sensitivity;
    bool at_start, help;
    char table[TABLE_COUNT][4096]; // names of the tables, when asked for
} request;

typedef struct results {
    mc_multibody *model;
    double *y;
    mc_linear linear;
    double *real[WORDS_MAX], *imaginary[WORDS_MAX]; // sensitivities
} results;

static const char *const table_names[TABLE_COUNT] = {"A.csv", "B.csv", "eigenvalues.csv",
                                                     "shapes.csv", "sensitivity.csv"};

// ---- command line ------------------------------------------------------------------------------

static mc_status take_at(void *place, const cli_option *option, const char *value, mc_error *error)
{
    (void)option;
    if (strcmp(value, "start") != 0 && strcmp(value, "equilibrium") != 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --at: found \"%s\", expected equilibrium or start", value);
    *(bool *)place = strcmp(value, "start") == 0;
    return MC_OK;
}

static const cli_option options[] = {
    {0, "at", "equilibrium|start",
     "about the rest position (default), or about the start of the file",
     CLI_BY(take_at, at_start)},
    {0, "hold", "NAME", "hold a coordinate, velocity or state at its value; may be repeated",
     CLI_WITHIN(hold, 0, WORDS_MAX)},
    {0, "set", "NAME=VALUE", "set a parameter or an input; may be repeated", MODEL_SET},
    {0, "sensitivity", "NAME",
     "sensitivity of the eigenvalues to a parameter or input; may be repeated",
     CLI_WITHIN(sensitivity, 0, WORDS_MAX)},
    {0, "csv", "WHERE",
     "write A, B, eigenvalues and mode shapes as tables: into folder WHERE, or as WHERE_A.csv ...",
     CLI_TO(csv)},
    {0, "svg", "FILE", "draw the eigenvalues in the complex plane", CLI_TO(svg)},
    CLI_HELP,
    MODEL_FILE,
};

// Names of all files to be written, each checked before anything is computed.
static mc_status name_files(request *r, mc_error *error)
{
    struct stat status;
    const bool folder = r->csv && stat(r->csv, &status) == 0 && S_ISDIR(status.st_mode);
    const int count = !r->csv ? 0 : r->sensitivity.count ? TABLE_COUNT : TABLE_COUNT - 1;
    mc_status good = MC_OK;
    cli_guard g = {0};
    cli_guard_reads(&g, "the model", r->model.file);
    for (int k = 0; k < count; k++) {
        const int length = snprintf(r->table[k], sizeof r->table[k], "%s%s%s", r->csv,
                                    folder ? "/" : "_", table_names[k]);
        if (length >= (int)sizeof r->table[k]) {
            good = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "option --csv: name too long");
            break;
        }
        cli_guard_writes(&g, "--csv", r->table[k]);
    }
    cli_guard_writes(&g, "--svg", r->svg);
    const mc_status guarded = cli_guard_check(&g, good == MC_OK ? error : NULL);
    good = good == MC_OK ? guarded : good;
    for (int k = 0; k < count && good == MC_OK; k++)
        good = cli_check_writable(r->table[k], error);
    if (r->svg && good == MC_OK)
        good = cli_check_writable(r->svg, error);
    return good;
}

// ---- computing ---------------------------------------------------------------------------------

static mc_status find_sensitivities(const request *r, results *o, mc_error *error)
{
    mc_status status = MC_OK;
    for (int k = 0; k < r->sensitivity.count && status == MC_OK; k++) {
        const size_t size = ((size_t)o->linear.count + 1) * sizeof(double);
        o->real[k] = malloc(size);
        o->imaginary[k] = malloc(size);
        if (!o->real[k] || !o->imaginary[k])
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0,
                                "no memory left for sensitivities");
        status = mc_multibody_sensitivity(o->model, &o->linear, r->sensitivity.word[k],
                                          !r->at_start, o->real[k], o->imaginary[k], error);
    }
    return status;
}

static mc_status compute(const request *r, results *o, mc_error *error)
{
    o->model = model_open(&r->model, error);
    if (!o->model)
        return error->code;
    mc_status status = MC_OK;
    o->y = malloc(((size_t)mc_multibody_info_of(o->model)->y_count + 1) * sizeof *o->y);
    if (!o->y)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the state");
    mc_multibody_start(o->model, o->y);
    const mc_equilibrium_options rest = {.hold = r->hold.word, .hold_count = r->hold.count};
    const mc_linear_options small = {.hold = r->hold.word, .hold_count = r->hold.count};
    if (r->at_start)
        status = mc_multibody_assemble(o->model, 0.0, o->y, error);
    else
        status = mc_multibody_equilibrium(o->model, o->y, &rest, NULL, error);
    if (status == MC_OK)
        status = mc_multibody_linearize(o->model, 0.0, o->y, &small, &o->linear, error);
    return status == MC_OK ? find_sensitivities(r, o, error) : status;
}

// ---- text --------------------------------------------------------------------------------------

// What a move or state counts in mode k: its share and that of its velocity; in a chain of zeros,
// which has no shares, its amplitude.
static double weight_of(const mc_linear *l, int k, int i)
{
    const size_t column = (size_t)l->count * (size_t)k;
    const double *share = l->share + column;
    double total = 0.0;
    for (int j = 0; j < l->count; j++)
        total += share[j];
    if (total < 0.5 || l->modes[k].rigid)
        return hypot(l->shape_real[column + (size_t)i], l->shape_imaginary[column + (size_t)i]);
    return share[i] + (i < l->position_count ? share[i + l->position_count] : 0.0);
}

// Up to four moves and states that take most part, with amplitude and phase.
static void print_shape(const mc_linear *l, int k)
{
    double last = INFINITY;
    int last_at = -1;
    for (int printed = 0; printed < 4; printed++) {
        double best = 0.05; // what has less is not worth the line
        int at = -1;
        for (int i = 0; i < l->count; i++) {
            if (i >= l->position_count && i < 2 * l->position_count)
                continue;
            const double weight = weight_of(l, k, i);
            const bool left = weight < last || (weight == last && i > last_at);
            if (left && weight > best) {
                best = weight;
                at = i;
            }
        }
        if (at < 0)
            break;
        const size_t place = (size_t)at + (size_t)l->count * (size_t)k;
        const double re = l->shape_real[place], im = l->shape_imaginary[place];
        printf("%s%s %.3g", printed ? ", " : "", l->name[at], hypot(re, im));
        const double phase = atan2(im, re) * 180.0 / acos(-1.0);
        if (fabs(phase) > 179.9995)
            printf(" at 180 deg");
        else if (fabs(phase) > 5e-4)
            printf(" at %.3g deg", phase);
        last = best;
        last_at = at;
    }
    printf("\n");
}

// Zeros come in chains with one shape: the first is a displacement, the others motions that grow
// with time and its powers.
static bool is_drift(const mc_linear *l, int k)
{
    const size_t n = (size_t)l->count;
    for (int other = 0; other < k; other++) {
        double max = 0.0;
        for (size_t i = 0; i < n; i++)
            max = fmax(
                max, fabs(l->shape_real[i + n * (size_t)k] - l->shape_real[i + n * (size_t)other]));
        if (max < 1e-5)
            return true;
    }
    return false;
}

static void print_modes(const mc_linear *l)
{
    printf("%4s %16s %16s %13s %10s %13s  %s\n", "mode", "real 1/s", "imaginary 1/s", "Hz",
           "damping", "constant s", "amplitudes");
    for (int k = 0; k < l->count; k++) {
        const mc_linear_mode *mode = &l->modes[k];
        if (mode->imaginary < 0.0)
            continue; // printed with its pair
        char imaginary[40] = "0", ratio[40] = "-", constant[40] = "-";
        if (mode->imaginary > 0.0)
            snprintf(imaginary, sizeof imaginary, "+-%.8g", mode->imaginary);
        if (!mode->rigid)
            snprintf(ratio, sizeof ratio, "%.5f", mode->damping);
        if (isfinite(mode->time_constant))
            snprintf(constant, sizeof constant, "%.6g", mode->time_constant);
        printf("%4d %16.8g %16s %13.8g %10s %13s  ", k + 1, mode->real, imaginary, mode->frequency,
               ratio, constant);
        if (mode->rigid)
            printf("%s", is_drift(l, k) ? "rigid, drifting: " : "rigid: ");
        print_shape(l, k);
    }
}

static void print_sensitivities(const request *r, const results *o)
{
    const mc_linear *l = &o->linear;
    for (int s = 0; s < r->sensitivity.count; s++) {
        double value = 0.0;
        mc_multibody_get(o->model, r->sensitivity.word[s], &value, NULL); // was found before
        printf("\nper unit of %s (now %.8g), the state %s\n", r->sensitivity.word[s], value,
               r->at_start ? "staying" : "following its equilibrium");
        printf("%4s %16s %16s\n", "mode", "real", "imaginary");
        for (int k = 0; k < l->count; k++)
            if (l->modes[k].imaginary >= 0.0) {
                if (isfinite(o->real[s][k]))
                    printf("%4d %16.8g %16.8g\n", k + 1, o->real[s][k], o->imaginary[s][k]);
                else
                    printf("%4d %16s %16s\n", k + 1, "-", "-");
            }
    }
}

static void print_all(const request *r, const results *o)
{
    const mc_linear *l = &o->linear;
    printf("%s about %s: A is %d x %d, B is %d x %d, %d rigid mode%s\n\n",
           mc_multibody_info_of(o->model)->name, r->at_start ? "its start" : "its equilibrium",
           l->count, l->count, l->count, l->input_count, l->rigid_count,
           l->rigid_count == 1 ? "" : "s");
    print_modes(l);
    print_sensitivities(r, o);
}

// ---- files -------------------------------------------------------------------------------------

static void put_matrix(file_writer *out, const mc_linear *l, const double *A, int columns,
                       const char *const *names)
{
    file_print(out, "row");
    for (int j = 0; j < columns; j++)
        file_print(out, ",%s", names[j]);
    file_print(out, "\n");
    for (int i = 0; i < l->count; i++) {
        file_print(out, "%s", l->name[i]);
        for (int j = 0; j < columns; j++)
            file_print(out, ",%.17g", A[(size_t)i + (size_t)l->count * (size_t)j]);
        file_print(out, "\n");
    }
}

static void put_eigenvalues(file_writer *out, const mc_linear *l)
{
    file_print(out, "mode,real_1/s,imaginary_1/s,frequency_Hz,damping_ratio,time_constant_s,"
                    "rigid\n");
    for (int k = 0; k < l->count; k++) {
        const mc_linear_mode *m = &l->modes[k];
        file_print(out, "%d,%.17g,%.17g,%.17g,%.17g,%.17g,%d\n", k + 1, m->real, m->imaginary,
                   m->frequency, m->damping, m->time_constant, m->rigid);
    }
}

static void put_shapes(file_writer *out, const mc_linear *l)
{
    file_print(out, "mode,name,unit,amplitude,phase_deg,share\n");
    for (int k = 0; k < l->count; k++)
        for (int i = 0; i < l->count; i++) {
            const size_t at = (size_t)i + (size_t)l->count * (size_t)k;
            const double re = l->shape_real[at], im = l->shape_imaginary[at];
            file_print(out, "%d,%s,%s,%.17g,%.17g,%.17g\n", k + 1, l->name[i], l->unit[i],
                       hypot(re, im), atan2(im, re) * 180.0 / acos(-1.0), l->share[at]);
        }
}

static void put_sensitivities(file_writer *out, const request *r, const results *o)
{
    file_print(out, "parameter,mode,real,imaginary\n");
    for (int s = 0; s < r->sensitivity.count; s++)
        for (int k = 0; k < o->linear.count; k++)
            file_print(out, "%s,%d,%.17g,%.17g\n", r->sensitivity.word[s], k + 1, o->real[s][k],
                       o->imaginary[s][k]);
}

static mc_status write_tables(const request *r, const results *o, mc_error *error)
{
    const mc_linear *l = &o->linear;
    for (int k = 0; k < TABLE_COUNT && r->table[k][0]; k++) {
        file_writer *out = file_writer_open(r->table[k], error);
        if (!out)
            return error->code;
        if (k == 0)
            put_matrix(out, l, l->A, l->count, l->name);
        else if (k == 1)
            put_matrix(out, l, l->B, l->input_count, l->input_name);
        else if (k == 2)
            put_eigenvalues(out, l);
        else if (k == 3)
            put_shapes(out, l);
        else
            put_sensitivities(out, r, o);
        const mc_status status = file_writer_commit(out, error);
        if (status != MC_OK)
            return status;
    }
    return MC_OK;
}

static mc_status draw(const request *r, const results *o, mc_error *error)
{
    enum { OSCILLATING, REAL, RIGID, KINDS };
    static const char *const labels[KINDS] = {"oscillating", "not oscillating", "rigid"};
    const mc_linear *l = &o->linear;
    const size_t n = (size_t)l->count;
    double *at = malloc(2 * KINDS * n * sizeof *at);
    if (!at)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the plot");
    mc_plot_curve curves[KINDS];
    int curve_count = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        double *x = at + 2 * n * (size_t)kind, *y = x + n;
        int count = 0;
        for (int k = 0; k < l->count; k++) {
            const mc_linear_mode *m = &l->modes[k];
            if ((m->rigid ? RIGID : m->imaginary != 0.0 ? OSCILLATING : REAL) != kind)
                continue;
            x[count] = m->real;
            y[count++] = m->imaginary;
        }
        if (count > 0)
            curves[curve_count++] = (mc_plot_curve){.label = labels[kind],
                                                    .unit = "1/s",
                                                    .x = x,
                                                    .y = y,
                                                    .count = count,
                                                    .style = MC_PLOT_STYLE_POINTS,
                                                    .colour = kind + 1};
    }
    const mc_plot_panel panel = {.y = {.label = "Imaginary part", .unit = "1/s"},
                                 .curves = curves,
                                 .curve_count = curve_count,
                                 .height = 500.0};
    char title[200];
    snprintf(title, sizeof title, "Eigenvalues of %.150s", mc_multibody_info_of(o->model)->name);
    const mc_plot plot = {.title = title,
                          .caption = r->at_start ? "about its start" : "about its equilibrium",
                          .x = {.label = "Real part", .unit = "1/s"},
                          .panels = &panel,
                          .panel_count = 1,
                          .complex_plane = 1};
    const mc_status status = mc_plot_write(r->svg, &plot, error);
    free(at);
    return status;
}

// ---- entry -------------------------------------------------------------------------------------

static void print_help(void)
{
    printf(
        "usage: motorcade linearize MODEL.yaml [OPTIONS]\n\n"
        "Linearizes a mechanism about its rest position: eigenvalues with frequency and damping\n"
        "ratio, and the coordinates that take part, with amplitude and phase. A quaternion is\n"
        "shown as small rotations about the axes of the body. Held coordinates are kept in\n"
        "place by whatever force is needed. Amplitudes are scaled so that the largest is 1.\n\n");
    cli_print_options(options);
}

static void release(results *o)
{
    for (int k = 0; k < WORDS_MAX; k++) {
        free(o->real[k]);
        free(o->imaginary[k]);
    }
    mc_linear_free(&o->linear);
    free(o->y);
    mc_multibody_free(o->model);
}

int cli_linearize(int argc, char **argv)
{
    static const char program[] = "motorcade linearize";
    static request r; // too large for a stack
    results o = {0};
    mc_error error;
    r = (request){.model.options.compile = MC_COMPILE_NEVER}; // few evaluations
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        print_help();
        return 0;
    }
    mc_status status = model_need_file(&r.model, program, &error);
    if (status == MC_OK)
        status = name_files(&r, &error);
    if (status == MC_OK)
        status = compute(&r, &o, &error);
    if (status == MC_OK)
        status = write_tables(&r, &o, &error);
    if (status == MC_OK && r.svg)
        status = draw(&r, &o, &error);
    if (status == MC_OK)
        print_all(&r, &o);
    release(&o);
    return status == MC_OK ? 0 : cli_fail(program, &error);
}
