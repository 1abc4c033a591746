// crg.c - reading OpenCRG files.
#include "road_files/crg.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// ---- keywords ----

typedef enum keyword {
    START_U,
    END_U,
    INCREMENT,
    START_X,
    START_Y,
    START_Z,
    START_PHI,
    START_B,
    START_S,
    END_X,
    END_Y,
    END_Z,
    END_PHI,
    END_B,
    END_S,
    OFFSET_X,
    OFFSET_Y,
    OFFSET_Z,
    OFFSET_PHI,
    V_RIGHT,
    V_LEFT,
    V_INCREMENT,
    BORDER_U,
    BORDER_V,
    BORDER_OFFSET_U,
    BORDER_OFFSET_V,
    SMOOTH_BEGIN,
    SMOOTH_END,
    SCALE_GRID,
    SCALE_SLOPE,
    SCALE_BANKING,
    SCALE_LENGTH,
    SCALE_WIDTH,
    SCALE_CURVATURE,
    NAN_MODE,
    NAN_OFFSET,
    KEYWORD_COUNT,
} keyword;

static const char *const keywords[KEYWORD_COUNT] = {
    [START_U] = "reference_line_start_u",
    [END_U] = "reference_line_end_u",
    [INCREMENT] = "reference_line_increment",
    [START_X] = "reference_line_start_x",
    [START_Y] = "reference_line_start_y",
    [START_Z] = "reference_line_start_z",
    [START_PHI] = "reference_line_start_phi",
    [START_B] = "reference_line_start_b",
    [START_S] = "reference_line_start_s",
    [END_X] = "reference_line_end_x",
    [END_Y] = "reference_line_end_y",
    [END_Z] = "reference_line_end_z",
    [END_PHI] = "reference_line_end_phi",
    [END_B] = "reference_line_end_b",
    [END_S] = "reference_line_end_s",
    [OFFSET_X] = "reference_line_offset_x",
    [OFFSET_Y] = "reference_line_offset_y",
    [OFFSET_Z] = "reference_line_offset_z",
    [OFFSET_PHI] = "reference_line_offset_phi",
    [V_RIGHT] = "long_section_v_right",
    [V_LEFT] = "long_section_v_left",
    [V_INCREMENT] = "long_section_v_increment",
    [BORDER_U] = "border_mode_u",
    [BORDER_V] = "border_mode_v",
    [BORDER_OFFSET_U] = "border_offset_u",
    [BORDER_OFFSET_V] = "border_offset_v",
    [SMOOTH_BEGIN] = "border_smooth_ubeg",
    [SMOOTH_END] = "border_smooth_uend",
    [SCALE_GRID] = "scale_z_grid",
    [SCALE_SLOPE] = "scale_slope",
    [SCALE_BANKING] = "scale_banking",
    [SCALE_LENGTH] = "scale_length",
    [SCALE_WIDTH] = "scale_width",
    [SCALE_CURVATURE] = "scale_curvature",
    [NAN_MODE] = "grid_nan_mode",
    [NAN_OFFSET] = "grid_nan_offset",
};

// Known, but without effect here; those that end with _ stand for all that begin so.
static const char *const passed_over[] = {
    "refline_continuation", "refline_search_", "refline_rotcenter_",
    "refline_offset_",      "refpoint_",       "check_",
};

typedef enum channel_kind {
    CHANNEL_Z,
    CHANNEL_PHI,
    CHANNEL_BANK,
    CHANNEL_SLOPE,
    CHANNEL_OTHER
} channel_kind;

typedef struct channel {
    channel_kind kind;
    double v;   // m, of a long section; NAN: by its number
    int number; // from 1
} channel;

enum { CHANNELS_MAX = 4096, ROWS_MAX = 20000000, LINE_MAX_BYTES = 512 };

typedef struct crg_reader {
    arena *memory;
    const char *file, *at, *end; // at: the next line
    int line;
    char text[LINE_MAX_BYTES]; // of this one
    mc_error *error;
    mc_status status;
    double value[KEYWORD_COUNT]; // NAN: not given
    int place[KEYWORD_COUNT];    // lines
    channel *channels;
    int channel_count, z_count;
    int definition; // line of the form; 0: none yet
    bool binary, wide, padded;
    crg_surface *out;
} crg_reader;

#define REJECT(r, column, ...)                                                                     \
    ((r)->status == MC_OK ? (void)((r)->status = mc_error_set((r)->error, MC_BAD_INPUT, (r)->file, \
                                                              (r)->line, column, __VA_ARGS__))     \
                          : (void)0)

static bool next_line(crg_reader *r)
{
    if (r->at >= r->end || r->status != MC_OK)
        return false;
    const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    const char *after = stop ? stop + 1 : r->end;
    size_t length = (size_t)((stop ? stop : r->end) - r->at);
    r->line++;
    while (length > 0 && isspace((unsigned char)r->at[length - 1]))
        length--;
    if (length >= sizeof r->text) {
        REJECT(r, 1, "a line of %zu bytes in the header; expected at most %d", length,
               LINE_MAX_BYTES - 1);
        return false;
    }
    memcpy(r->text, r->at, length);
    r->text[length] = '\0';
    if (memchr(r->text, '\0', length)) {
        REJECT(r, 1, "a zero byte in the header");
        return false;
    }
    r->at = after;
    return true;
}

static bool begins(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

static void pass_over(crg_reader *r, const char *name)
{
    char *list = r->out->unread;
    const size_t used = strlen(list);
    if (used + strlen(name) + 3 < sizeof r->out->unread)
        snprintf(list + used, sizeof r->out->unread - used, "%s%s", used ? ", " : "", name);
}

// KEYWORD = value, with a comment after '!'.
static void read_keyword(crg_reader *r)
{
    char name[64];
    const char *equal = strchr(r->text, '=');
    const int blank = (int)strspn(r->text, " \t");
    const size_t length = strcspn(r->text + blank, " \t=");
    if (!equal || length == 0 || length >= sizeof name) {
        REJECT(r, blank + 1, "found \"%.60s\", expected KEYWORD = value", r->text + blank);
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)length, r->text + blank);
    char number[64];
    const char *from = equal + 1 + strspn(equal + 1, " \t");
    const size_t size = strcspn(from, " \t!");
    snprintf(number, sizeof number, "%.*s", size < 63 ? (int)size : 63, from);
    double value;
    for (int k = 0; k < KEYWORD_COUNT; k++)
        if (strcasecmp(name, keywords[k]) == 0) {
            if (!text_to_double(number, &value) || !isfinite(value) || fabs(value) > 1e12)
                REJECT(r, (int)(from - r->text) + 1, "%s is \"%s\"; expected a number", keywords[k],
                       number);
            else
                r->value[k] = value, r->place[k] = r->line;
            return;
        }
    for (size_t k = 0; k < sizeof passed_over / sizeof passed_over[0]; k++)
        if (begins(name, passed_over[k])) {
            pass_over(r, name);
            return;
        }
    REJECT(r, blank + 1, "unknown keyword \"%s\"", name);
}

// ---- definition of the payload ----

static void read_form(crg_reader *r)
{
    char form[8] = "";
    for (int i = 0; i < 4 && r->text[2 + i]; i++)
        form[i] = (char)toupper((unsigned char)r->text[2 + i]);
    if (!strchr("KL", form[0]) || !strchr("RD", form[1]) || !strchr("FB", form[2]) ||
        form[3] != 'I' || !form[0]) {
        REJECT(r, 3, "form \"%.20s\"; expected KRBI, KDBI, LRFI or LDFI", r->text + 2);
        return;
    }
    memcpy(r->out->form, form, 5);
    r->padded = form[0] == 'L';
    r->wide = form[1] == 'D';
    r->binary = form[2] == 'B';
    r->definition = r->line;
}

// U:reference line u,m,first,increment
static void read_axis(crg_reader *r)
{
    double first, step;
    if (sscanf(r->text, "%*[^,],%*[^,],%lf,%lf", &first, &step) != 2) {
        REJECT(r, 1, "found \"%.60s\", expected U:reference line u,m,FIRST,INCREMENT", r->text);
        return;
    }
    if (isnan(r->value[START_U]))
        r->value[START_U] = first;
    if (isnan(r->value[INCREMENT]))
        r->value[INCREMENT] = step, r->place[INCREMENT] = r->line;
}

static void read_channel(crg_reader *r)
{
    channel c = {.kind = CHANNEL_OTHER, .v = NAN};
    const char *what = r->text + 2 + strspn(r->text + 2, " \t");
    if (begins(what, "long section")) {
        c.kind = CHANNEL_Z;
        const char *equal = strchr(what, '=');
        if (!(equal ? sscanf(equal + 1, "%lf", &c.v) : sscanf(what + 12, "%d", &c.number)))
            REJECT(r, 3, "found \"%.60s\", expected D:long section NUMBER,m", r->text);
        r->z_count++;
    } else if (begins(what, "reference line phi")) {
        c.kind = CHANNEL_PHI;
    } else if (begins(what, "reference line banking")) {
        c.kind = CHANNEL_BANK;
    } else if (begins(what, "reference line slope")) {
        c.kind = CHANNEL_SLOPE;
    } else if (begins(what, "reference line ")) {
        pass_over(r, "reference line x, y, u");
    } else {
        REJECT(r, 3, "unknown channel \"%.60s\"; expected long section or reference line", what);
    }
    if (r->channel_count == CHANNELS_MAX)
        REJECT(r, 1, "more than %d channels", CHANNELS_MAX);
    if (r->status == MC_OK)
        r->channels[r->channel_count++] = c;
}

static void read_definition(crg_reader *r)
{
    if (begins(r->text, "#:"))
        read_form(r);
    else if (begins(r->text, "U:"))
        read_axis(r);
    else if (begins(r->text, "D:"))
        read_channel(r);
    else
        REJECT(r, 1, "found \"%.60s\", expected #:FORM, U: or D: in $KD_DEFINITION", r->text);
}

typedef enum section { NONE, COMMENT, PARAMETERS, DEFINITION, SKIPPED } section;

static section section_of(crg_reader *r)
{
    const char *name = r->text + 1;
    if (begins(name, "CT"))
        return COMMENT;
    if (begins(name, "ROAD_CRG_FILE"))
        REJECT(r, 1, "a file that includes another one is not read");
    if (begins(name, "ROAD_CRG_MPRO")) {
        pass_over(r, "$ROAD_CRG_MPRO");
        return SKIPPED;
    }
    if (begins(name, "ROAD_CRG"))
        return PARAMETERS;
    if (begins(name, "KD_DEFINITION"))
        return DEFINITION;
    if (name[0] && name[0] != ' ' && name[0] != '!')
        REJECT(r, 1, "unknown section \"%.40s\"", r->text);
    return NONE; // a $ alone ends a section
}

static void read_header(crg_reader *r)
{
    section now = NONE;
    while (next_line(r)) {
        if (begins(r->text, "$$$$"))
            return;
        if (r->text[0] == '*' || (r->text[strspn(r->text, " \t")] == '\0'))
            continue;
        if (r->text[0] == '$')
            now = section_of(r);
        else if (r->text[0] == '!' && now != COMMENT)
            continue;
        else if (now == PARAMETERS)
            read_keyword(r);
        else if (now == DEFINITION)
            read_definition(r);
        else if (now == NONE)
            REJECT(r, 1, "found \"%.60s\" outside of a section", r->text);
    }
    r->line += r->line == 0;
    REJECT(r, 1, "the header has no end; expected a line $$$$ before the numbers");
}

// ---- numbers ----

static double binary_number(const unsigned char *p, bool wide)
{
    uint64_t bits = 0;
    for (int i = 0; i < (wide ? 8 : 4); i++)
        bits = bits << 8 | p[i];
    if (wide) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    const uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return value;
}

// The number in `width` columns at the next place; NAN: missing, or not a number.
static bool text_number(crg_reader *r, int width, double *out)
{
    while (r->at < r->end && (*r->at == '\n' || *r->at == '\r')) {
        r->line += *r->at == '\n';
        r->at++;
    }
    char field[32];
    int n = 0;
    while (n < width && r->at < r->end && *r->at != '\n' && *r->at != '\r')
        field[n++] = *r->at++;
    if (n == 0)
        return false;
    field[n] = '\0';
    const char *from = field + strspn(field, " \t");
    while (n > 0 && (field[n - 1] == ' ' || field[n - 1] == '\t'))
        field[--n] = '\0';
    if (from[0] == '*' || strcasecmp(from, "nan") == 0)
        *out = begins(from, "**unused") ? 0.0 : NAN;
    else if (!text_to_double(from, out))
        REJECT(r, 1, "\"%.30s\" in the numbers; expected one in every %d columns", from, width);
    return r->status == MC_OK;
}

static void skip_line(crg_reader *r)
{
    const char *stop = r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
    r->at = stop ? stop : r->end; // the next number passes over the end of the line
}

// Rows by channels; *rows: expected, or 0: as many as there are.
static double *read_numbers(crg_reader *r, int *rows)
{
    const int columns = r->channel_count, size = r->wide ? 8 : 4;
    const size_t left = (size_t)(r->end - r->at);
    size_t record = (size_t)columns * (size_t)(r->binary ? size : 1);
    if (r->binary && r->padded)
        record = (record + 79) / 80 * 80;
    const size_t most = left / record;
    if (*rows == 0)
        *rows = most < ROWS_MAX ? (int)most : ROWS_MAX;
    if ((size_t)*rows > most || *rows < 2) {
        REJECT(r, 1,
               "the numbers are %zu bytes, not enough for %d rows of %d; expected at least "
               "2 rows",
               left, *rows, columns);
        return NULL;
    }
    double *out = arena_alloc(r->memory, (size_t)*rows * (size_t)columns * sizeof *out);
    if (!out) {
        r->status = mc_error_set(r->error, MC_NO_MEMORY, r->file, 0, 0, "no memory left");
        return NULL;
    }
    for (int i = 0; i < *rows && r->status == MC_OK; i++) {
        for (int k = 0; k < columns && r->status == MC_OK; k++) {
            double *one = &out[(size_t)i * (size_t)columns + (size_t)k];
            if (r->binary)
                *one =
                    binary_number((const unsigned char *)r->at + (size_t)k * (size_t)size, r->wide);
            else if (!text_number(r, r->wide ? 20 : 10, one))
                REJECT(r, 1, "the numbers end in row %d of %d", i + 1, *rows);
        }
        if (r->binary)
            r->at += record;
        else if (r->padded)
            skip_line(r);
    }
    return r->status == MC_OK ? out : NULL;
}

// ---- the surface ----

static double given(const crg_reader *r, keyword k, double fallback)
{
    return isnan(r->value[k]) ? fallback : r->value[k];
}

static double column_v(const crg_reader *r, const channel *c, int count)
{
    if (!isnan(c->v))
        return c->v;
    const double right = given(r, V_RIGHT, NAN), left = given(r, V_LEFT, NAN);
    const double step = given(r, V_INCREMENT, (left - right) / (count > 1 ? count - 1 : 1));
    return right + step * (c->number - 1);
}

static bool check_axes(crg_reader *r, const double *v)
{
    const double step = r->value[INCREMENT];
    if (isnan(step) || !(step > 0.0)) {
        r->line = r->place[INCREMENT] ? r->place[INCREMENT] : r->definition;
        REJECT(r, 1, "reference_line_increment is %g; expected above 0", isnan(step) ? 0.0 : step);
    }
    for (int k = 0; k < r->z_count && r->status == MC_OK; k++)
        if (isnan(v[k]) || (k > 0 && !(v[k] > v[k - 1]))) {
            r->line = r->definition;
            REJECT(r, 1,
                   "long section %d has v = %g m after %g m; expected increasing v, by "
                   "long_section_v_right and _increment, or D:long section at v = ..",
                   k + 1, v[k], k > 0 ? v[k - 1] : NAN);
        }
    for (int k = BORDER_U; k <= BORDER_V && r->status == MC_OK; k++) {
        const double mode = given(r, (keyword)k, 0.0);
        if (mode != floor(mode) || mode < 0.0 || mode > 4.0) {
            r->line = r->place[k];
            REJECT(r, 1, "%s is %g; expected 0 none, 1 zero, 2 keep, 3 repeat or 4 reflect",
                   keywords[k], mode);
        }
    }
    return r->status == MC_OK;
}

// Missing heights of a row take that of the neighbour towards the middle; of a whole row, 0.
static void fill_row(double *z, int count, double mode, double offset)
{
    int known = -1;
    for (int d = 0; d < count && known < 0; d++) // nearest to the middle
        for (int side = -1; side <= 1; side += 2) {
            const int k = count / 2 + side * d;
            if (k >= 0 && k < count && isfinite(z[k]) && known < 0)
                known = k;
        }
    const bool zero = mode == 1.0;
    for (int k = known + 1; k < count && known >= 0; k++)
        if (!isfinite(z[k]))
            z[k] = zero ? offset : z[k - 1] + (isfinite(z[k - 1]) ? 0.0 : offset);
    for (int k = known - 1; k >= 0; k--)
        if (!isfinite(z[k]))
            z[k] = zero ? offset : z[k + 1];
    for (int k = 0; k < count && known < 0; k++)
        z[k] = offset;
}

typedef struct columns { // of the payload; -1: not there
    int phi, bank, slope;
    int *z;
} columns;

static void make_line(crg_reader *r, const double *data, int rows, columns c)
{
    double *x = arena_alloc(r->memory, (size_t)rows * sizeof *x);
    double *y = arena_alloc(r->memory, (size_t)rows * sizeof *y);
    double *heading = arena_alloc(r->memory, (size_t)rows * sizeof *heading);
    if (!x || !y || !heading) {
        r->status = mc_error_set(r->error, MC_NO_MEMORY, r->file, 0, 0, "no memory left");
        return;
    }
    const double turn = given(r, OFFSET_PHI, 0.0), step = r->out->surface.step;
    const double first = given(r, START_PHI, 0.0), bend = given(r, SCALE_CURVATURE, 1.0);
    x[0] = given(r, START_X, 0.0) + given(r, OFFSET_X, 0.0);
    y[0] = given(r, START_Y, 0.0) + given(r, OFFSET_Y, 0.0);
    r->out->straight = true;
    for (int i = 0; i < rows; i++) {
        const double phi =
            c.phi < 0 ? first
                      : data[(size_t)(i ? i : 1) * (size_t)r->channel_count + (size_t)c.phi];
        heading[i] = turn + first + bend * ((isfinite(phi) ? phi : first) - first);
        r->out->straight = r->out->straight && heading[i] == heading[0];
        if (i > 0) {
            x[i] = x[i - 1] + step * cos(heading[i]);
            y[i] = y[i - 1] + step * sin(heading[i]);
        }
    }
    r->out->x = x, r->out->y = y, r->out->heading = heading;
}

// Height of the reference line and banking v come on top of the grid.
static void make_grid(crg_reader *r, const double *data, int rows, columns c, double *z,
                      const double *v)
{
    const int n = r->z_count, stride = r->channel_count;
    const double grid = given(r, SCALE_GRID, 1.0), banking = given(r, SCALE_BANKING, 1.0);
    const double b0 = given(r, START_B, 0.0), b1 = given(r, END_B, b0);
    const double s0 = given(r, START_S, 0.0), s1 = given(r, END_S, s0);
    double height = given(r, START_Z, 0.0) + given(r, OFFSET_Z, 0.0);
    double *rise = arena_alloc(r->memory, (size_t)rows * sizeof *rise);
    double *across = arena_alloc(r->memory, (size_t)rows * sizeof *across);
    if (!rise || !across) {
        r->status = mc_error_set(r->error, MC_NO_MEMORY, r->file, 0, 0, "no memory left");
        return;
    }
    r->out->rise = rise, r->out->bank = across;
    for (int i = 0; i < rows; i++) {
        const double *row = data + (size_t)i * (size_t)stride, share = (double)i / (rows - 1);
        const double bank = c.bank >= 0 ? row[c.bank] : b0 + share * (b1 - b0);
        const double slope = c.slope >= 0 ? row[c.slope] : s0 + share * (s1 - s0);
        double *out = z + (size_t)i * (size_t)n;
        for (int k = 0; k < n; k++)
            out[k] = grid * row[c.z[k]];
        fill_row(out, n, given(r, NAN_MODE, 2.0), given(r, NAN_OFFSET, 0.0));
        if (i > 0 && isfinite(slope))
            height += given(r, SCALE_SLOPE, 1.0) * slope * r->out->surface.step;
        rise[i] = height;
        across[i] = isfinite(bank) ? banking * bank : 0.0;
        for (int k = 0; k < n; k++)
            out[k] += height + across[i] * v[k];
    }
}

static void make_surface(crg_reader *r)
{
    columns c = {-1, -1, -1, arena_alloc(r->memory, (size_t)r->z_count * sizeof(int))};
    double *v = arena_alloc(r->memory, (size_t)r->z_count * sizeof *v);
    if (!c.z || !v) {
        r->status = mc_error_set(r->error, MC_NO_MEMORY, r->file, 0, 0, "no memory left");
        return;
    }
    for (int k = 0, n = 0; k < r->channel_count; k++) {
        const channel *one = &r->channels[k];
        if (one->kind == CHANNEL_Z)
            c.z[n] = k, v[n++] = column_v(r, one, r->z_count) * given(r, SCALE_WIDTH, 1.0);
        else if (one->kind == CHANNEL_PHI)
            c.phi = k;
        else if (one->kind == CHANNEL_BANK)
            c.bank = k;
        else if (one->kind == CHANNEL_SLOPE)
            c.slope = k;
    }
    if (!check_axes(r, v))
        return;
    const double rows_given = (r->value[END_U] - given(r, START_U, 0.0)) / r->value[INCREMENT];
    if (!isnan(rows_given) && !(rows_given >= 1.0 && rows_given < ROWS_MAX)) {
        r->line = r->place[END_U];
        REJECT(r, 1, "reference_line_end_u gives %g rows; expected 2 .. %d", rows_given + 1.0,
               ROWS_MAX);
        return;
    }
    int rows = isnan(rows_given) ? 0 : (int)lrint(rows_given) + 1;
    r->line++;
    const double *data = read_numbers(r, &rows);
    double *z = data ? arena_alloc(r->memory, (size_t)rows * (size_t)r->z_count * sizeof *z) : NULL;
    if (!z)
        return;
    r->out->surface = (road_surface){.rows = rows,
                                     .columns = r->z_count,
                                     .from = given(r, START_U, 0.0),
                                     .step = r->value[INCREMENT] * given(r, SCALE_LENGTH, 1.0),
                                     .v = v,
                                     .z = z,
                                     .border_u = (road_border)given(r, BORDER_U, 2.0),
                                     .border_v = (road_border)given(r, BORDER_V, 2.0),
                                     .border_offset_u = given(r, BORDER_OFFSET_U, 0.0),
                                     .border_offset_v = given(r, BORDER_OFFSET_V, 0.0),
                                     .smooth_from = given(r, SMOOTH_BEGIN, 0.0),
                                     .smooth_to = given(r, SMOOTH_END, 0.0)};
    make_grid(r, data, rows, c, z, v);
    make_line(r, data, rows, c);
}

mc_status crg_parse(arena *memory, const char *bytes, size_t size, const char *file,
                    crg_surface *out, mc_error *error)
{
    *out = (crg_surface){0};
    crg_reader r = {.memory = memory,
                    .file = file,
                    .at = bytes,
                    .end = bytes + size,
                    .error = error,
                    .out = out};
    for (int k = 0; k < KEYWORD_COUNT; k++)
        r.value[k] = NAN;
    r.channels = arena_alloc(memory, CHANNELS_MAX * sizeof *r.channels);
    if (!r.channels)
        return mc_error_set(error, MC_NO_MEMORY, file, 0, 0, "no memory left");
    read_header(&r);
    if (r.status == MC_OK && !r.definition)
        REJECT(&r, 1, "there is no $KD_DEFINITION with a form such as #:LRFI");
    if (r.status == MC_OK && r.z_count < 2)
        REJECT(&r, 1, "%d long section%s; expected at least 2", r.z_count,
               r.z_count == 1 ? "" : "s");
    if (r.status == MC_OK)
        make_surface(&r);
    return r.status;
}

// ---- u and v ----

// How far a place is beyond the line through point i that halves the angle there, in lengths of the
// piece from `from` to the next: (P - Pi) . (next - previous) / (piece . (next - previous)).
static double beyond(const crg_surface *c, int i, int from, double x, double y)
{
    const int before = i > 0 ? i - 1 : 0, after = i + 1 < c->surface.rows ? i + 1 : i;
    const double nx = c->x[after] - c->x[before], ny = c->y[after] - c->y[before];
    const double px = c->x[from + 1] - c->x[from], py = c->y[from + 1] - c->y[from];
    return ((x - c->x[i]) * nx + (y - c->y[i]) * ny) / (px * nx + py * ny);
}

static int nearest_row(const crg_surface *c, double x, double y)
{
    int found = 0;
    double best = HUGE_VAL;
    for (int i = 0; i < c->surface.rows; i++) {
        const double dx = x - c->x[i], dy = y - c->y[i], distance = dx * dx + dy * dy;
        if (distance < best)
            best = distance, found = i;
    }
    return found;
}

void crg_uv(const crg_surface *c, double x, double y, double hint, double *u, double *v)
{
    const road_surface *s = &c->surface;
    const double row = (hint - s->from) / s->step;
    const int last = s->rows - 1;
    int i = isnan(row) ? nearest_row(c, x, y) : row < 1.0 ? 1 : row > last ? last : (int)row;
    i = i < 1 ? 1 : i; // the piece from i - 1 to i
    while (i < last && beyond(c, i, i - 1, x, y) > 0.0)
        i++;
    while (i > 1 && beyond(c, i - 1, i - 1, x, y) < 0.0)
        i--;
    const double a = beyond(c, i - 1, i - 1, x, y), b = -beyond(c, i, i - 1, x, y);
    const double cosine = cos(c->heading[i]), sine = sin(c->heading[i]);
    const double dx = x - c->x[i - 1], dy = y - c->y[i - 1];
    *v = dy * cosine - dx * sine;
    if ((i == 1 && a < 0.0) || (i == last && b < 0.0)) // the line continues straight
        *u = s->from + s->step * (i - 1) + dx * cosine + dy * sine;
    else
        *u = s->from + s->step * (i - 1 + a / (a + b));
}
