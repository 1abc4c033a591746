// plan.c - from a request to numbered runs; the head of a journal, written and read.
#include "sweep/plan.h"

#include "sweep/axis.h"
#include "control/link.h"
#include "motorcade/version.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "# motorcade sweep: ";

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the sweep");
}

// ---- from a request ----

static mc_status add_axis(sweep_plan *p, const char *text, mc_error *error)
{
    if (p->axis_count == MC_SWEEP_AXIS_MAX)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "a sweep has at most %d axes",
                            MC_SWEEP_AXIS_MAX);
    mc_sweep_axis *axis = &p->axes[p->axis_count];
    const mc_status status = sweep_axis_read(&p->memory, text, p->random > 0, axis, error);
    if (status != MC_OK)
        return status;
    for (int k = 0; k < p->axis_count; k++)
        if (strcmp(p->axes[k].name, axis->name) == 0)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%s\" is varied twice",
                                axis->name);
    for (int k = 0; k < p->set_count; k++) {
        const size_t length = strlen(axis->name);
        if (strncmp(p->sets[k], axis->name, length) == 0 && p->sets[k][length] == '=')
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%s\" is both set and varied",
                                axis->name);
    }
    p->axis_count++;
    return MC_OK;
}

static mc_status count_runs(sweep_plan *p, mc_error *error)
{
    double runs = p->random; // a product of whole numbers may be far too large
    if (p->random == 0) {
        runs = 1.0;
        for (int k = 0; k < p->axis_count; k++)
            runs *= p->axes[k].count;
    }
    if (runs > MC_SWEEP_RUN_MAX)
        return mc_error_set(
            error, MC_BAD_INPUT, NULL, 0, 0,
            "%.0f runs; a sweep has at most %d: use larger steps, or random points with --random",
            runs, MC_SWEEP_RUN_MAX);
    p->run_count = (int)runs;
    return MC_OK;
}

// ---- correlations ----

static int axis_called(const sweep_plan *p, const char *name, size_t length)
{
    for (int k = 0; k < p->axis_count; k++)
        if (strlen(p->axes[k].name) == length && strncmp(p->axes[k].name, name, length) == 0)
            return k;
    return -1;
}

// "NAME,NAME=R" into the matrix of correlations.
static mc_status read_correlation(const sweep_plan *p, const char *text,
                                  double r[MC_SWEEP_AXIS_MAX][MC_SWEEP_AXIS_MAX], mc_error *error)
{
    const char *comma = strchr(text, ','), *equals = strchr(text, '=');
    double value;
    if (!comma || !equals || comma > equals || !text_to_double(equals + 1, &value) ||
        !(value > -1.0 && value < 1.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "\"%.120s\": expected NAME,NAME=R with R between -1 and 1", text);
    const int a = axis_called(p, text, (size_t)(comma - text));
    const int b = axis_called(p, comma + 1, (size_t)(equals - comma - 1));
    if (a < 0 || b < 0 || a == b)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "\"%.120s\": expected the names of two axes that are varied", text);
    if (r[a][b] != 0.0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the correlation of %s and %s is given twice", p->axes[a].name,
                            p->axes[b].name);
    r[a][b] = r[b][a] = value;
    return MC_OK;
}

// Cholesky's factor of the correlations; there is none when they contradict each other.
static mc_status correlate(sweep_plan *p, mc_error *error)
{
    double r[MC_SWEEP_AXIS_MAX][MC_SWEEP_AXIS_MAX] = {{0}};
    mc_status status = MC_OK;
    if (p->correlate_count > 0 && p->random == 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "correlations need random points: --random N");
    for (int k = 0; k < p->correlate_count && status == MC_OK; k++)
        status = read_correlation(p, p->correlate[k], r, error);
    for (int i = 0; i < p->axis_count && status == MC_OK; i++)
        for (int j = 0; j <= i && status == MC_OK; j++) {
            double sum = i == j ? 1.0 : r[i][j];
            for (int k = 0; k < j; k++)
                sum -= p->factor[i][k] * p->factor[j][k];
            if (i == j && !(sum > 1e-12))
                status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                      "the correlations contradict each other: no variables have "
                                      "all of them");
            else
                p->factor[i][j] = i == j ? sqrt(sum) : sum / p->factor[j][j];
        }
    return status;
}

static mc_status copy_texts(sweep_plan *p, const char *const *from, int count, const char ***out,
                            int *out_count, mc_error *error)
{
    *out = arena_alloc(&p->memory, ((size_t)count + 1) * sizeof **out);
    for (int k = 0; *out && k < count; k++) {
        if (strpbrk(from[k], "\n\r"))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "unexpected line break in a correlation");
        (*out)[k] = arena_copy_text(&p->memory, from[k], strlen(from[k]));
        if (!(*out)[k])
            return no_memory(error);
        *out_count = k + 1;
    }
    return *out ? MC_OK : no_memory(error);
}

static mc_status copy_sets(sweep_plan *p, const mc_sweep_request *r, mc_error *error)
{
    p->sets = arena_alloc(&p->memory, ((size_t)r->set_count + 1) * sizeof *p->sets);
    for (int k = 0; p->sets && k < r->set_count; k++) {
        if (strpbrk(r->set[k], "\n\r"))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "unexpected line break in a value to set");
        p->sets[k] = arena_copy_text(&p->memory, r->set[k], strlen(r->set[k]));
        if (!p->sets[k])
            return no_memory(error);
        p->set_count = k + 1;
    }
    return p->sets ? MC_OK : no_memory(error);
}

mc_status sweep_plan_make(sweep_plan *p, const mc_sweep_request *r, mc_error *error)
{
    *p = (sweep_plan){.version = MC_VERSION, .title = ""};
    p->random = r->random;
    p->seed = r->seed;
    p->shard = r->shard_count > 0 ? r->shard : 1;
    p->shard_count = r->shard_count > 0 ? r->shard_count : 1;
    mc_status status = copy_sets(p, r, error);
    for (int k = 0; k < r->vary_count && status == MC_OK; k++)
        status = add_axis(p, r->vary[k], error);
    char seeds[40];
    snprintf(seeds, sizeof seeds, "seed=1:%d:1", r->seeds);
    if (status == MC_OK && r->seeds > 0)
        status = add_axis(p, seeds, error);
    if (status == MC_OK && p->axis_count == 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "nothing to vary; for example --vary mass=1200:2400:50");
    if (status == MC_OK)
        status = copy_texts(p, r->correlate, r->correlate_count, &p->correlate, &p->correlate_count,
                            error);
    if (status == MC_OK)
        status = correlate(p, error);
    if (status == MC_OK)
        status = count_runs(p, error);
    if (status == MC_OK && (p->shard < 1 || p->shard > p->shard_count))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "shard %d of %d; expected 1 .. %d",
                            p->shard, p->shard_count, p->shard_count);
    if (status == MC_OK && p->shard_count > p->run_count)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%d shards, but only %d run%s",
                            p->shard_count, p->run_count, p->run_count == 1 ? "" : "s");
    return status;
}

void sweep_plan_free(sweep_plan *p)
{
    arena_free(&p->memory);
}

// ---- runs ----

static double draw_uniform(const sweep_plan *p, int run, int axis)
{
    return noise_uniform(p->seed, (unsigned)axis, 0x5eedu, (unsigned long long)run);
}

// A normal variable of an axis, correlated with those of the axes before it.
static double draw_normal(const sweep_plan *p, int run, int axis)
{
    double sum = 0.0;
    for (int k = 0; k <= axis; k++)
        if (p->factor[axis][k] != 0.0)
            sum += p->factor[axis][k] *
                   noise_normal(p->seed, (unsigned)k, 0x5eedu, (unsigned long long)run);
    return sum;
}

static double draw(const sweep_plan *p, int run, int axis)
{
    const mc_sweep_axis *x = &p->axes[axis];
    if (x->normal)
        return x->mean + x->deviation * draw_normal(p, run, axis);
    const double u = p->correlate_count > 0 ? 0.5 * erfc(-draw_normal(p, run, axis) / sqrt(2.0))
                                            : draw_uniform(p, run, axis);
    if (x->count == 0)
        return x->low + u * (x->high - x->low);
    const int k = (int)(u * x->count);
    return x->values[k < x->count ? k : x->count - 1];
}

double sweep_plan_value(const sweep_plan *p, int run, int axis)
{
    const mc_sweep_axis *x = &p->axes[axis];
    if (p->random > 0)
        return draw(p, run, axis);
    for (int k = p->axis_count - 1; k > axis; k--)
        run /= p->axes[k].count;
    return x->values[run % x->count];
}

bool sweep_plan_has(const sweep_plan *p, int run)
{
    return run >= 0 && run < p->run_count && run % p->shard_count == p->shard - 1;
}

int sweep_plan_share(const sweep_plan *p)
{
    return (p->run_count - p->shard) / p->shard_count + 1;
}

int sweep_plan_start(const sweep_plan *p, int run, char out[SWEEP_START_SIZE])
{
    char number[SWEEP_NUMBER_SIZE];
    int length = snprintf(out, SWEEP_START_SIZE, "%d,", run);
    for (int k = 0; k < p->axis_count; k++)
        length += snprintf(out + length, (size_t)(SWEEP_START_SIZE - length), "%s,",
                           sweep_number(sweep_plan_value(p, run, k), number));
    return length;
}

bool sweep_figure_of_run(mc_figure_id id)
{
    return mc_figure_table[id].over != MC_FIGURE_OVER_NONE;
}

int sweep_column_count(const sweep_plan *p)
{
    int count = 1 + p->axis_count + 3;
    for (int k = 0; k < MC_FIGURE_COUNT; k++)
        count += sweep_figure_of_run((mc_figure_id)k);
    return count;
}

// ---- the head ----

static void print_columns(const sweep_plan *p, FILE *out)
{
    fputs("# units: -", out);
    for (int k = 0; k < p->axis_count; k++)
        fprintf(out, ",%s", p->axes[k].unit[0] ? p->axes[k].unit : "-");
    fputs(",-,-", out);
    for (int k = 0; k < MC_FIGURE_COUNT; k++)
        if (sweep_figure_of_run((mc_figure_id)k))
            fprintf(out, ",%s", mc_figure_table[k].unit);
    fputs(",-\nrun", out);
    for (int k = 0; k < p->axis_count; k++) // a figure may have the same name: distance
        fprintf(out, ",%s%s", mc_figure_find(p->axes[k].name) == MC_FIGURE_COUNT ? "" : "set.",
                p->axes[k].name);
    fputs(",ended,failed", out);
    for (int k = 0; k < MC_FIGURE_COUNT; k++)
        if (sweep_figure_of_run((mc_figure_id)k))
            fprintf(out, ",%s", mc_figure_table[k].name);
    fputs(",check\n", out);
}

char *sweep_plan_head(const sweep_plan *p, bool complete)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "%s%s\n# version: %s\n# scenario: %s\n# scenario hash: %016llx\n", first_line,
            complete ? "table" : "journal", p->version, p->title, p->hash);
    for (int k = 0; k < p->set_count; k++)
        fprintf(out, "# set: %s\n", p->sets[k]);
    for (int k = 0; k < p->axis_count; k++)
        fprintf(out, "# axis: %s [%s] = %s\n", p->axes[k].name,
                p->axes[k].unit[0] ? p->axes[k].unit : "-", p->axes[k].text);
    if (p->random > 0)
        fprintf(out, "# random: %d points, seed %llu\n", p->random, p->seed);
    for (int k = 0; k < p->correlate_count; k++)
        fprintf(out, "# correlate: %s\n", p->correlate[k]);
    fprintf(out, "# runs: %d\n", p->run_count);
    if (p->shard_count > 1)
        fprintf(out, "# shard: %d/%d\n", p->shard, p->shard_count);
    print_columns(p, out);
    const bool good = !ferror(out);
    if (fclose(out) == 0 && good)
        return text;
    free(text);
    return NULL;
}

// ---- reading a head ----

typedef struct head {
    sweep_plan *plan;
    char *axis[MC_SWEEP_AXIS_MAX]; // read when it is known whether points are drawn
    int axis_count, runs, set_room;
    bool hash_seen;
} head;

// "mass [kg] = 1200:2400:50" as an axis.
static bool read_axis(sweep_plan *p, char *text)
{
    char *values = strstr(text, "] = "), *unit = strstr(text, " [");
    if (!values || !unit || unit > values)
        return false;
    *values = *unit = '\0';
    char *plain = NULL;
    mc_error error;
    if (asprintf(&plain, "%s=%s", text, values + 4) < 0)
        return false;
    const bool good = add_axis(p, plain, &error) == MC_OK;
    free(plain);
    if (good)
        p->axes[p->axis_count - 1].unit =
            strcmp(unit + 2, "-") == 0 ? ""
                                       : arena_copy_text(&p->memory, unit + 2, strlen(unit + 2));
    return good && p->axes[p->axis_count - 1].unit;
}

// One line without its "# ". False: not understood.
static bool read_line(head *h, char *line)
{
    sweep_plan *p = h->plan;
    char *value = strstr(line, ": ");
    int end = 0;
    if (!value)
        return false;
    *value = '\0';
    value += 2;
    if (strcmp(line, "version") == 0)
        return (p->version = value) != NULL;
    if (strcmp(line, "scenario") == 0)
        return (p->title = value) != NULL;
    if (strcmp(line, "scenario hash") == 0)
        return (h->hash_seen = sscanf(value, "%16llx%n", &p->hash, &end) == 1 && !value[end]);
    if (strcmp(line, "set") == 0 && p->set_count < h->set_room)
        return (p->sets[p->set_count++] = value) != NULL;
    if (strcmp(line, "correlate") == 0 && p->correlate_count < h->set_room)
        return (p->correlate[p->correlate_count++] = value) != NULL;
    if (strcmp(line, "axis") == 0 && h->axis_count < MC_SWEEP_AXIS_MAX)
        return (h->axis[h->axis_count++] = value) != NULL;
    if (strcmp(line, "random") == 0)
        return sscanf(value, "%9d points, seed %20llu%n", &p->random, &p->seed, &end) == 2 &&
               !value[end] && p->random > 0;
    if (strcmp(line, "runs") == 0)
        return sscanf(value, "%9d%n", &h->runs, &end) == 1 && !value[end];
    if (strcmp(line, "shard") == 0)
        return sscanf(value, "%9d/%9d%n", &p->shard, &p->shard_count, &end) == 2 && !value[end] &&
               p->shard >= 1 && p->shard <= p->shard_count;
    return strcmp(line, "units") == 0;
}

static mc_status bad_head(const char *file, int line, mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, file, line, 0,
                        "the head of this sweep is not valid; it was changed or truncated");
}

// Whether what was read writes the same head again: then nothing of it was missed.
static bool agrees(const sweep_plan *p, const char *text, size_t size, bool complete)
{
    char *again = sweep_plan_head(p, complete);
    const bool same = again && strlen(again) == size && memcmp(again, text, size) == 0;
    free(again);
    return same;
}

mc_status sweep_plan_read(sweep_plan *p, const char *text, const char *file, size_t *size,
                          bool *complete, mc_error *error)
{
    *p = (sweep_plan){.shard = 1, .shard_count = 1};
    if (strncmp(text, first_line, sizeof first_line - 1) != 0)
        return mc_error_set(error, MC_BAD_INPUT, file, 0, 0,
                            "is not the table of a sweep; choose another file, or remove it");
    *complete = strncmp(text + sizeof first_line - 1, "table\n", 6) == 0;
    int line = 1;
    const char *end = text;
    while (*end == '#' && strchr(end, '\n'))
        end = strchr(end, '\n') + 1;
    const char *rows = strchr(end, '\n'); // the names of the columns
    if (!rows)
        return bad_head(file, 0, error);
    *size = (size_t)(rows + 1 - text);
    head h = {.plan = p};
    for (const char *c = text; c < end; c++)
        h.set_room += *c == '\n';
    char *copy = arena_copy_text(&p->memory, text, (size_t)(end - text));
    p->sets = arena_alloc(&p->memory, (size_t)h.set_room * sizeof *p->sets);
    p->correlate = arena_alloc(&p->memory, (size_t)h.set_room * sizeof *p->correlate);
    if (!copy || !p->sets || !p->correlate)
        return no_memory(error);
    strsep(&copy, "\n");
    for (char *one; (one = strsep(&copy, "\n")) && *one;) {
        line++;
        if (strncmp(one, "# ", 2) != 0 || !read_line(&h, one + 2))
            return bad_head(file, line, error);
    }
    bool good = p->version && p->title && h.hash_seen && h.axis_count > 0;
    for (int k = 0; k < h.axis_count && good; k++)
        good = read_axis(p, h.axis[k]);
    good = good && correlate(p, error) == MC_OK && count_runs(p, error) == MC_OK &&
           p->run_count == h.runs && p->shard_count <= p->run_count &&
           agrees(p, text, *size, *complete);
    return good ? MC_OK : bad_head(file, 0, error);
}
