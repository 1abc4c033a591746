// csv.c - recordings as CSV: one file per car, columns by name.
//
// The files of `--csv` say "nan" where there is no number; so does an empty value here. Cars may
// have rows at different times: the rows of the recording are all of them together.
#include "replay/replay.h"

#include "base/file.h"
#include "base/renamed.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { FILES_MAX = 10000, COLUMNS_MAX = 256 };

typedef struct csv_car {
    char name[64];
    int rows;
    double *t, *value[MC_FIELD_FRAME_COUNT]; // in the arena; NULL: no such column
} csv_car;

typedef struct csv_set {
    csv_car *cars;
    int count;
} csv_set;

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a recording");
}

enum { COLUMN_TIME = -2, COLUMN_OTHER = -1 };

// Which field a column is. The unit may follow in brackets. A CSV file does not say where a car's
// box is: its middle is taken to be x.
static int column_field(const char *name, unsigned *renamed)
{
    char word[32] = "";
    const size_t length = strcspn(name, " [");
    for (size_t k = 0; k < length && k < sizeof word - 1; k++)
        word[k] = (char)tolower((unsigned char)name[k]);
    if (strcmp(word, "t") == 0 || strcmp(word, "time") == 0)
        return COLUMN_TIME;
    if (strcmp(word, "v_x") == 0)
        return MC_FIELD_V;
    const mc_field field = mc_field_find(word);
    if (field < MC_FIELD_COUNT && strcmp(mc_field_table[field].name, word) != 0)
        *renamed |= renamed_bit_of(mc_field_table[field].name);
    return field == MC_FIELD_X                                    ? MC_FIELD_MIDDLE
           : field == MC_FIELD_SPACING_ERROR                      ? MC_FIELD_TARGET
           : field == MC_FIELD_MIDDLE || field == MC_FIELD_TARGET ? COLUMN_OTHER
           : field < MC_FIELD_FRAME_COUNT                         ? (int)field
                                                                  : COLUMN_OTHER;
}

// Cuts the next value off a line and the blanks and quotes around it.
static char *next_value(char **line)
{
    char *at = *line, *end = at + strcspn(at, ",\r\n");
    *line = *end == ',' ? end + 1 : NULL;
    *end = '\0';
    at += strspn(at, " \t\"");
    for (end = at + strlen(at); end > at && strchr(" \t\"", end[-1]);)
        *--end = '\0';
    return at;
}

typedef struct csv_text {
    const char *path;
    int field[COLUMNS_MAX], columns;
    unsigned renamed; // names of 0.1 among them
} csv_text;

static mc_status read_head(csv_text *t, char *line, mc_error *error)
{
    bool time = false, x = false;
    for (char *rest = line; rest; t->columns++) {
        if (t->columns == COLUMNS_MAX)
            return mc_error_set(error, MC_BAD_INPUT, t->path, 1, 0, "more than %d columns",
                                COLUMNS_MAX);
        t->field[t->columns] = column_field(next_value(&rest), &t->renamed);
        time = time || t->field[t->columns] == COLUMN_TIME;
        x = x || t->field[t->columns] == MC_FIELD_MIDDLE;
    }
    if (time && x)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, t->path, 1, 1,
                        "the header needs the columns t and x; y, v, a, jerk, ... are optional");
}

static mc_status read_values(csv_text *t, char *line, int number, csv_car *car, mc_error *error)
{
    int k = 0;
    for (char *rest = line; rest; k++) {
        const char *text = next_value(&rest);
        char *end = NULL;
        const double value = text[0] ? strtod(text, &end) : NAN;
        if (k >= t->columns || (text[0] && *end))
            return mc_error_set(error, MC_BAD_INPUT, t->path, number, k + 1,
                                k >= t->columns ? "the line has more values than the header"
                                                : "\"%.40s\" is not a number",
                                text);
        if (t->field[k] == COLUMN_TIME)
            car->t[car->rows] = value;
        else if (t->field[k] >= 0)
            car->value[t->field[k]][car->rows] = value;
    }
    if (k < t->columns)
        return mc_error_set(error, MC_BAD_INPUT, t->path, number, 0,
                            "the line has %d values, the header %d names", k, t->columns);
    if (!isfinite(car->t[car->rows]) ||
        (car->rows > 0 && !(car->t[car->rows] > car->t[car->rows - 1])))
        return mc_error_set(error, MC_BAD_INPUT, t->path, number, 0,
                            "the time is not after that of the previous row");
    car->rows++;
    return MC_OK;
}

static mc_status read_car(mc_replay *r, const char *path, csv_car *car, mc_error *error)
{
    char *text;
    size_t size;
    csv_text t = {.path = path};
    mc_status status = file_read(&r->memory, path, 0, &text, &size, error);
    if (status != MC_OK)
        return status;
    size_t lines = 1;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    int number = 0;
    for (char *line = text; line && *line && status == MC_OK;) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        number++;
        if (line[strspn(line, " \t\r")] && line[0] != '#') {
            if (t.columns > 0) {
                status = read_values(&t, line, number, car, error);
            } else if ((status = read_head(&t, line, error)) == MC_OK) {
                car->t = arena_alloc(&r->memory, lines * sizeof *car->t);
                for (int k = 0; k < t.columns; k++)
                    if (t.field[k] >= 0)
                        car->value[t.field[k]] = arena_alloc(&r->memory, lines * sizeof *car->t);
            }
        }
        line = next;
    }
    r->renamed |= t.renamed;
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    snprintf(car->name, sizeof car->name, "%.*s", (int)strcspn(base, "."), base);
    if (status == MC_OK && car->rows == 0)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "the file has no rows");
    return status;
}

// Names with numbers in order of the numbers: car2 before car10.
static int by_name(const void *a, const void *b)
{
    return strverscmp(((const csv_car *)a)->name, ((const csv_car *)b)->name);
}

static mc_status read_folder(mc_replay *r, const char *path, csv_set *set, mc_error *error)
{
    DIR *folder = opendir(path);
    if (!folder)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "cannot read the folder");
    mc_status status = MC_OK;
    for (struct dirent *e; status == MC_OK && (e = readdir(folder));) {
        const size_t length = strlen(e->d_name);
        char file[4096];
        if (length < 5 || strcasecmp(e->d_name + length - 4, ".csv") != 0)
            continue;
        if (set->count == FILES_MAX)
            status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "more than %d files", FILES_MAX);
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        if (status == MC_OK)
            status = read_car(r, file, &set->cars[set->count++], error);
    }
    closedir(folder);
    if (status == MC_OK && set->count == 0)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "the folder has no CSV files");
    qsort(set->cars, (size_t)set->count, sizeof *set->cars, by_name);
    return status;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// All times together, each once.
static double *unite(const csv_set *set, int *count)
{
    size_t all = 0, n = 0;
    for (int c = 0; c < set->count; c++)
        all += (size_t)set->cars[c].rows;
    double *t = malloc((all + 1) * sizeof *t);
    *count = 0;
    for (int c = 0; t && c < set->count; c++) {
        memcpy(t + n, set->cars[c].t, (size_t)set->cars[c].rows * sizeof *t);
        n += (size_t)set->cars[c].rows;
    }
    if (t)
        qsort(t, n, sizeof *t, by_value);
    for (size_t k = 0; t && k < n; k++)
        if (*count == 0 || t[k] > t[*count - 1] + 1e-9)
            t[(*count)++] = t[k];
    return t;
}

static mc_status fill(mc_replay *r, const csv_set *set, const double *t, int rows, mc_error *error)
{
    if (!replay_reserve(r, rows, set->count, error))
        return MC_NO_MEMORY;
    memcpy(r->t, t, (size_t)rows * sizeof *t);
    for (int f = 0; f < MC_FIELD_FRAME_COUNT; f++)
        for (int c = 0; c < set->count; c++)
            if (set->cars[c].value[f] && !r->value[f] && !replay_field(r, (mc_field)f))
                return no_memory(error);
    for (int c = 0; c < set->count; c++) {
        const csv_car *car = &set->cars[c];
        r->cars[c].name = arena_copy_text(&r->memory, car->name, strlen(car->name));
        r->cars[c].place = c;
        if (!r->cars[c].name)
            return no_memory(error);
        for (int row = 0, at = 0; row < rows && at < car->rows; row++) {
            if (car->t[at] > t[row] + 1e-9)
                continue;
            const size_t to = (size_t)row * (size_t)set->count + (size_t)c;
            for (int f = 0; f < MC_FIELD_FRAME_COUNT; f++)
                if (car->value[f])
                    r->value[f][to] = car->value[f][at];
            if (car->value[MC_FIELD_TARGET]) // spacing error: from the car's own place
                r->value[MC_FIELD_TARGET][to] += car->value[MC_FIELD_MIDDLE][at];
            at++;
        }
    }
    return MC_OK;
}

mc_status replay_read_csv(mc_replay *r, const char *path, mc_error *error)
{
    struct stat s;
    csv_set set = {.cars = calloc(FILES_MAX, sizeof *set.cars)};
    if (!set.cars)
        return no_memory(error);
    mc_status status;
    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode)) {
        status = read_folder(r, path, &set, error);
    } else {
        set.count = 1;
        status = read_car(r, path, &set.cars[0], error);
    }
    if (status == MC_OK) {
        int rows;
        double *t = unite(&set, &rows);
        status = t ? fill(r, &set, t, rows, error) : no_memory(error);
        free(t);
    }
    free(set.cars);
    return status;
}
