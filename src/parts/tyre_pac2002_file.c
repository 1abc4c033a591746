// tyre_pac2002_file.c - coefficients of PAC2002 from a tyre property file (.tir).
//
// Read are the sections of the list PAC2002_COEFFICIENTS, and of [UNITS] and [MODEL] what is below;
// other sections are skipped. As in the programs these files come from, [UNITS] is about lengths,
// forces and speeds; coefficients are always in SI units and radians.
#include "io/tir.h"
#include "parts/tyre_pac2002.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// ---- tables ----

static const struct {
    const char *section, *name, *doc;
    int needed;
} rows[] = {
#define ROW(section, name, value, needed, doc) {#section, #name, doc, needed},
    PAC2002_COEFFICIENTS(ROW)
#undef ROW
};
_Static_assert(sizeof rows / sizeof rows[0] == PAC2002_COUNT, "one row per coefficient");

// Of sections that are read: keys of the format that this law has no use for.
static const char *const unused[] = {
    "BELT_DYNAMICS",
    "ASPECT_RATIO",
    "BOTTOMING_RADIUS",
    "BOTTOMING_STIFFNESS",
    "BREFF",
    "DREFF",
    "DYNAMIC_DAMPING",
    "DYNAMIC_STIFFNESS",
    "FREFF",
    "FUNCTION_NAME",
    "IP",
    "IP_NOM",
    "LCZ",
    "LGYR",
    "LIP",
    "LKC",
    "LKG",
    "LKYG",
    "LKZG",
    "LMUV",
    "LMX",
    "LMY",
    "LONGVL",
    "LVMX",
    "LMP",
    "MBELT",
    "MFSAFE1",
    "MFSAFE2",
    "MFSAFE3",
    "PPX1",
    "PPX2",
    "PPX3",
    "PPX4",
    "PPY1",
    "PPY2",
    "PPY3",
    "PPY4",
    "PTX4",
    "PTY3",
    "QPZ1",
    "QPZ2",
    "QTZ1",
    "RIM_RADIUS",
    "RIM_WIDTH",
    "TYPE",
    "VERTICAL_DAMPING",
    "VERTICAL_STIFFNESS",
    "WIDTH",
    "QV1",
    "QV2",
    "QFZ1",
    "QFZ2",
    "QFZ3",
    "QFCX1",
    "QFCY1",
    "PFZ1",
};

enum { UNIT_LENGTH, UNIT_FORCE, UNIT_ANGLE, UNIT_MASS, UNIT_TIME, UNIT_COUNT };

static const struct {
    int kind;
    const char *word;
    double si;
} units[] = {
    {UNIT_LENGTH, "meter", 1.0},
    {UNIT_LENGTH, "m", 1.0},
    {UNIT_LENGTH, "metre", 1.0},
    {UNIT_LENGTH, "mm", 1e-3},
    {UNIT_LENGTH, "millimeter", 1e-3},
    {UNIT_LENGTH, "cm", 1e-2},
    {UNIT_LENGTH, "centimeter", 1e-2},
    {UNIT_LENGTH, "km", 1e3},
    {UNIT_LENGTH, "inch", 0.0254},
    {UNIT_LENGTH, "foot", 0.3048},
    {UNIT_FORCE, "newton", 1.0},
    {UNIT_FORCE, "n", 1.0},
    {UNIT_FORCE, "kilonewton", 1e3},
    {UNIT_FORCE, "knewton", 1e3},
    {UNIT_FORCE, "kn", 1e3},
    {UNIT_FORCE, "pound_force", 4.4482216152605},
    {UNIT_FORCE, "lbf", 4.4482216152605},
    {UNIT_FORCE, "kg_force", 9.80665},
    {UNIT_ANGLE, "radians", 1.0},
    {UNIT_ANGLE, "radian", 1.0},
    {UNIT_ANGLE, "rad", 1.0},
    {UNIT_ANGLE, "degrees", 0.017453292519943295},
    {UNIT_ANGLE, "degree", 0.017453292519943295},
    {UNIT_ANGLE, "deg", 0.017453292519943295},
    {UNIT_MASS, "kg", 1.0},
    {UNIT_MASS, "kilogram", 1.0},
    {UNIT_MASS, "gram", 1e-3},
    {UNIT_MASS, "tonne", 1e3},
    {UNIT_MASS, "pound_mass", 0.45359237},
    {UNIT_MASS, "slug", 14.59390293720636},
    {UNIT_TIME, "second", 1.0},
    {UNIT_TIME, "sec", 1.0},
    {UNIT_TIME, "s", 1.0},
    {UNIT_TIME, "millisecond", 1e-3},
    {UNIT_TIME, "ms", 1e-3},
    {UNIT_TIME, "minute", 60.0},
    {UNIT_TIME, "hour", 3600.0},
};
static const char *const unit_names[UNIT_COUNT] = {"LENGTH", "FORCE", "ANGLE", "MASS", "TIME"};

// Formats by their words in [MODEL]: PAC2002, and MF-Tyre of the same formulas.
static const struct {
    const char *word;
    bool by_fit; // the version is in FITTYP
} formats[] = {{"PAC2002", false}, {"MF_05", false}, {"MF-TYRE", true}, {"USER", true}};

// ---- reading ----

typedef struct place {
    int line, column; // line 0: not in the file
} place;

typedef struct reading {
    const mc_tyre_file *file;
    pac2002_tyre *tyre;
    mc_error *error;
    mc_status status;
    tir_line line;           // the current one
    const char *section;     // that it is in; NULL: one that is not read
    place at[PAC2002_COUNT]; // value of each coefficient
    place in[PAC2002_COUNT]; // its section
    place model, end;        // section [MODEL]; the last line
    place format, fit, mode, low;
    double si[UNIT_COUNT]; // one of its unit
    int fit_number;        // FITTYP
    bool by_fit;           // the format leaves the version to FITTYP
    bool symmetric;
} reading;

static bool is(const char *a, const char *b)
{
    return strcasecmp(a, b) == 0;
}

static place here(const reading *r) // of the current value
{
    return (place){r->line.line, r->line.value_column};
}

// Byte of a place, for the excerpt of a message.
static int offset_of(const mc_tyre_file *file, place at)
{
    tir_reader lines;
    tir_begin(&lines, file->text, file->size);
    size_t i = lines.next;
    for (int line = 1; line < at.line && i < file->size; i++) {
        const bool both = file->text[i] == '\r' && file->text[i + 1] == '\n';
        line += file->text[i] == '\n' || (file->text[i] == '\r' && !both);
    }
    return i + (size_t)at.column < INT_MAX ? (int)i + at.column - 1 : INT_MAX;
}

__attribute__((format(printf, 3, 4))) static void reject(reading *r, place at, const char *format,
                                                         ...)
{
    char text[sizeof r->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (r->status != MC_OK)
        return;
    r->status = mc_error_set(r->error, MC_BAD_INPUT, r->file->path, at.line, at.column, "%s", text);
    if (at.line > 0)
        mc_error_quote(r->error, r->file->text, offset_of(r->file, at));
}

static void note(const reading *r, place at, const char *text)
{
    if (r->file->note)
        r->file->note(r->file->to, at.line, at.column, text);
}

static const char *known_section(const char *name)
{
    if (is(name, "UNITS") || is(name, "MODEL"))
        return is(name, "UNITS") ? "UNITS" : "MODEL";
    for (int k = 0; k < PAC2002_COUNT; k++)
        if (is(rows[k].section, name))
            return rows[k].section;
    return NULL;
}

static void read_unit(reading *r)
{
    const tir_line *l = &r->line;
    int kind = 0;
    while (kind < UNIT_COUNT && !is(unit_names[kind], l->name))
        kind++;
    if (kind == UNIT_COUNT)
        return; // PRESSURE and others are of nothing that is read
    char words[300] = "";
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        if (units[k].kind != kind)
            continue;
        if (l->kind == TIR_TEXT && is(units[k].word, l->value)) {
            r->si[kind] = units[k].si;
            return;
        }
        const size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s%s", used ? ", " : "", units[k].word);
    }
    reject(r, here(r), "unknown unit of %s \"%s\"; expected one of %s", unit_names[kind], l->value,
           words);
}

static bool whole(reading *r, int *out)
{
    const tir_line *l = &r->line;
    if (l->kind != TIR_NUMBER || l->number != floor(l->number) || fabs(l->number) > 1e6) {
        reject(r, here(r), "%s is \"%s\"; expected a whole number", l->name, l->value);
        return false;
    }
    *out = (int)l->number;
    return true;
}

static void read_format(reading *r)
{
    size_t k = 0, count = sizeof formats / sizeof formats[0];
    while (k < count && !is(formats[k].word, r->line.value))
        k++;
    r->format = here(r);
    if (k < count)
        r->by_fit = formats[k].by_fit;
    else
        reject(r, here(r), "the format is \"%s\"; expected 'PAC2002' or 'MF_05'", r->line.value);
}

static void read_number(reading *r, double *out)
{
    if (r->line.kind == TIR_NUMBER && fabs(r->line.number) <= 1e6)
        *out = r->line.number;
    else if (r->line.kind == TIR_NUMBER)
        reject(r, here(r), "%s is %s; expected a number of at most 1e6", r->line.name,
               r->line.value);
    else
        reject(r, here(r), "%s is \"%s\"; expected a number", r->line.name, r->line.value);
}

// False: not a key of [MODEL] that is read.
static bool read_model(reading *r)
{
    const tir_line *l = &r->line;
    if (is(l->name, "PROPERTY_FILE_FORMAT")) {
        read_format(r);
    } else if (is(l->name, "FITTYP")) {
        r->fit = here(r);
        whole(r, &r->fit_number);
    } else if (is(l->name, "USE_MODE")) {
        r->mode = here(r);
        whole(r, &r->tyre->mode);
    } else if (is(l->name, "VXLOW")) {
        r->low = here(r);
        read_number(r, &r->tyre->v_low);
    } else if (is(l->name, "TYRESIDE")) {
        r->tyre->side = is(l->value, "RIGHT") ? -1 : 1;
        r->symmetric = is(l->value, "SYMMETRIC");
        if (!is(l->value, "RIGHT") && !is(l->value, "LEFT") && !r->symmetric)
            reject(r, here(r), "TYRESIDE is \"%s\"; expected 'LEFT', 'RIGHT' or 'SYMMETRIC'",
                   l->value);
    } else {
        return false;
    }
    return true;
}

// A key that is not read is worth a note, unless the format has it.
static void read_other(reading *r)
{
    char text[160];
    for (size_t k = 0; k < sizeof unused / sizeof unused[0]; k++)
        if (is(unused[k], r->line.name))
            return;
    snprintf(text, sizeof text, "%s is not read: not a key of [%s] that this law knows",
             r->line.name, r->section);
    note(r, (place){r->line.line, r->line.column}, text);
}

static void read_coefficient(reading *r)
{
    int k = 0;
    while (k < PAC2002_COUNT && !is(rows[k].name, r->line.name))
        k++;
    if (k == PAC2002_COUNT) {
        read_other(r);
    } else if (r->at[k].line) {
        reject(r, (place){r->line.line, r->line.column},
               "%s is given twice; the first is in line %d", rows[k].name, r->at[k].line);
    } else {
        r->at[k] = here(r);
        read_number(r, &r->tyre->c[k]);
    }
}

static void read_section(reading *r)
{
    const place at = {r->line.line, r->line.column};
    r->section = known_section(r->line.name);
    for (int k = 0; k < PAC2002_COUNT; k++)
        if (r->section && is(r->section, rows[k].section))
            r->in[k] = at;
    if (is(r->line.name, "MODEL"))
        r->model = at;
}

static void read_line(reading *r)
{
    const tir_line *l = &r->line;
    r->end = (place){l->line, l->column};
    if (l->kind == TIR_SECTION)
        read_section(r);
    else if (!r->section)
        return;
    else if (l->kind == TIR_ROW)
        reject(r, here(r), "%s in section [%s]", l->value, r->section);
    else if (is(r->section, "UNITS"))
        read_unit(r);
    else if (!is(r->section, "MODEL"))
        read_coefficient(r);
    else if (!read_model(r))
        read_other(r);
}

// ---- the whole ----

static void check_model(reading *r)
{
    static const int fits[] = {5, 6, 21, 51, 52};
    bool fit = false;
    for (size_t k = 0; k < sizeof fits / sizeof fits[0]; k++)
        fit = fit || (r->fit.line && fits[k] == r->fit_number);
    if (!r->format.line && !r->fit.line)
        reject(r, r->model.line ? r->model : (place){1, 1},
               "found no PROPERTY_FILE_FORMAT in section [MODEL]; expected 'PAC2002' or 'MF_05'");
    if (r->fit.line && !fit)
        reject(r, r->fit, "FITTYP %d is not supported; expected MF-Tyre 5: 5, 6, 21, 51 or 52",
               r->fit_number);
    if (r->by_fit && !r->fit.line)
        reject(r, r->format,
               "this format needs FITTYP, the version of MF-Tyre, in section [MODEL]");
    const int mode = r->tyre->mode;
    if (mode < 0 || mode > 29 || mode % 10 > PAC2002_MODE_ALL)
        reject(r, r->mode, "USE_MODE %d is not supported; expected 0 .. 4, or 10 or 20 more", mode);
    r->tyre->mode = mode % 10;
    if (r->low.line) // the default is in m/s, whatever the units of the file
        r->tyre->v_low *= r->si[UNIT_LENGTH] / r->si[UNIT_TIME];
    if (!(r->tyre->v_low >= 0.1 && r->tyre->v_low <= 20.0))
        reject(r, r->low, "VXLOW is %g m/s; expected 0.1 .. 20", r->tyre->v_low);
}

static void check_given(reading *r)
{
    static const int needs[] = {[PAC2002_MODE_VERTICAL] = PAC2002_ALWAYS,
                                [PAC2002_MODE_X] = PAC2002_ALWAYS | PAC2002_FX,
                                [PAC2002_MODE_Y] = PAC2002_ALWAYS | PAC2002_FY,
                                [PAC2002_MODE_PURE] = PAC2002_ALWAYS | PAC2002_FX | PAC2002_FY,
                                [PAC2002_MODE_ALL] =
                                    PAC2002_ALWAYS | PAC2002_FX | PAC2002_FY | PAC2002_COMBINED};
    for (int k = 0; k < PAC2002_COUNT && r->status == MC_OK; k++)
        if (!r->at[k].line && rows[k].needed & needs[r->tyre->mode])
            reject(r, r->in[k].line ? r->in[k] : r->end,
                   r->in[k].line ? "section [%s] needs %s (%s)"
                                 : "found no section [%s], which has %s (%s)",
                   rows[k].section, rows[k].name, rows[k].doc);
}

// Coefficient k within min .. max; above 0: more than it.
static void check_range(reading *r, int k, double min, double max)
{
    const double value = r->tyre->c[k];
    if (r->at[k].line && !(value >= min && value <= max))
        reject(r, r->at[k], "%s is %g; expected %g .. %g", rows[k].name, value, min, max);
}

// Friction and slip stiffness are straight lines over load, a + b d. Where one is below a fifth of
// its value at the nominal load, coefficients are used outside of their range, however wide the
// file says that is: it ends there.
static void check_loads(reading *r)
{
    static const struct {
        int a, b;
        const char *what;
    } lines[] = {{PAC2002_PDX1, PAC2002_PDX2, "longitudinal friction"},
                 {PAC2002_PDY1, PAC2002_PDY2, "lateral friction"},
                 {PAC2002_PKX1, PAC2002_PKX2, "slip stiffness"}};
    double *c = r->tyre->c;
    const double nominal = c[PAC2002_FNOMIN] * c[PAC2002_LFZO];
    if (!(c[PAC2002_FZMIN] < nominal && nominal < c[PAC2002_FZMAX]))
        reject(r, r->at[r->at[PAC2002_FZMIN].line ? PAC2002_FZMIN : PAC2002_FNOMIN],
               "the nominal load, FNOMIN LFZO = %g N, is not between FZMIN, %g N, and FZMAX, %g N",
               nominal, c[PAC2002_FZMIN], c[PAC2002_FZMAX]);
    c[PAC2002_FZMIN] = fmax(c[PAC2002_FZMIN], 1e-3 * nominal);
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        const double a = c[lines[k].a], b = c[lines[k].b];
        if (!r->at[lines[k].a].line)
            continue;
        if (!(a > 0.0)) {
            reject(r, r->at[lines[k].a], "%s is %g; expected more than 0", rows[lines[k].a].name,
                   a);
            continue;
        }
        const double end = b != 0.0 ? nominal * (1.0 - 0.8 * a / b) : 0.0; // N
        char text[160];
        snprintf(text, sizeof text,
                 "with %s the %s is too small %s %.0f N: forces are proportional "
                 "to load there",
                 rows[lines[k].b].name, lines[k].what, b < 0.0 ? "above" : "below", end);
        if ((b < 0.0 && end < c[PAC2002_FZMAX]) || (b > 0.0 && end > c[PAC2002_FZMIN])) {
            note(r, r->at[lines[k].b], text);
            c[b < 0.0 ? PAC2002_FZMAX : PAC2002_FZMIN] = end;
        }
    }
}

static void check_values(reading *r)
{
    double *c = r->tyre->c;
    c[PAC2002_UNLOADED_RADIUS] *= r->si[UNIT_LENGTH];
    c[PAC2002_FNOMIN] *= r->si[UNIT_FORCE];
    c[PAC2002_FZMIN] *= r->si[UNIT_FORCE];
    c[PAC2002_FZMAX] *= r->si[UNIT_FORCE];
    check_range(r, PAC2002_UNLOADED_RADIUS, 0.02, 5.0);
    check_range(r, PAC2002_FNOMIN, 1.0, 1e6);
    check_range(r, PAC2002_LFZO, 0.01, 100.0);
    check_range(r, PAC2002_LMUX, 1e-3, 10.0);
    check_range(r, PAC2002_LMUY, 1e-3, 10.0);
    check_range(r, PAC2002_LCX, 0.1, 10.0);
    check_range(r, PAC2002_LCY, 0.1, 10.0);
    check_range(r, PAC2002_PTY2, 0.0, 1e3);
    check_range(r, PAC2002_PCX1, 0.1, 3.0);
    check_range(r, PAC2002_PCY1, 0.1, 3.0);
    check_range(r, PAC2002_PKY1, -1e3, -0.1);
    check_range(r, PAC2002_PKY2, 0.01, 100.0);
    check_range(r, PAC2002_FZMIN, 0.0, 1e6);
    check_range(r, PAC2002_FZMAX, 1.0, 1e7);
    check_range(r, PAC2002_PKX3, -10.0, 10.0);
    check_range(r, PAC2002_PTX3, -10.0, 10.0);
    if (!r->at[PAC2002_FZMIN].line)
        c[PAC2002_FZMIN] = 0.05 * c[PAC2002_FNOMIN];
    if (!r->at[PAC2002_FZMAX].line)
        c[PAC2002_FZMAX] = 2.5 * c[PAC2002_FNOMIN];
    if (r->status == MC_OK)
        check_loads(r);
}

// The parts of a curve that differ between left and right.
static void make_symmetric(double *c)
{
    static const int lopsided[] = {
        PAC2002_RHX1, PAC2002_PEY3, PAC2002_PHY1, PAC2002_PHY2, PAC2002_PVY1, PAC2002_PVY2,
        PAC2002_RBY3, PAC2002_RVY1, PAC2002_RVY2, PAC2002_QBZ4, PAC2002_QDZ3, PAC2002_QDZ6,
        PAC2002_QDZ7, PAC2002_QEZ4, PAC2002_QHZ1, PAC2002_QHZ2, PAC2002_SSZ1};
    for (size_t k = 0; k < sizeof lopsided / sizeof lopsided[0]; k++)
        c[lopsided[k]] = 0.0;
}

mc_status pac2002_load(const mc_tyre_file *file, void *context, mc_error *error)
{
    pac2002_tyre *tyre = context;
    mc_error unused_error;
    reading r = {.file = file, .tyre = tyre, .error = error ? error : &unused_error};
    *tyre = (pac2002_tyre){.v_low = 1.0, .mode = PAC2002_MODE_ALL, .side = 1};
    for (int k = 0; k < PAC2002_COUNT; k++)
        tyre->c[k] = is(rows[k].section, "SCALING_COEFFICIENTS") ? 1.0 : 0.0;
    for (int k = 0; k < UNIT_COUNT; k++)
        r.si[k] = 1.0;
    tir_reader lines;
    tir_begin(&lines, file->text, file->size);
    while (r.status == MC_OK && tir_next(&lines, &r.line))
        read_line(&r);
    if (r.status == MC_OK)
        check_model(&r);
    if (r.status == MC_OK)
        check_given(&r);
    if (r.status == MC_OK)
        check_values(&r);
    if (r.symmetric)
        make_symmetric(tyre->c);
    return r.status;
}
