// crg_write.c - writing OpenCRG files.
//
// Heights of the reference line and banking are part of the grid here, so they are written as such.
// Text has the digits of its columns: 10 columns five, 20 columns fourteen. Binary double precision
// keeps every bit.
#include "road_files/crg.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool crg_form_of(const char *word, crg_form *out)
{
    if (strlen(word) != 4 || !strchr("KL", word[0]) || !strchr("RD", word[1]) ||
        !strchr("BF", word[2]) || word[3] != 'I')
        return false;
    *out = (crg_form){.binary = word[2] == 'B', .wide = word[1] == 'D', .padded = word[0] == 'L'};
    return true;
}

// Whether the columns are as far apart as equal steps give them.
static bool is_even(const road_surface *s, double *step)
{
    *step = (s->v[s->columns - 1] - s->v[0]) / (s->columns - 1);
    for (int k = 0; k < s->columns; k++)
        if (s->v[0] + *step * k != s->v[k])
            return false;
    return true;
}

static void write_header(FILE *out, const crg_surface *crg, crg_form form, const char *comment)
{
    const road_surface *s = &crg->surface;
    double step;
    const bool even = is_even(s, &step), bent = crg->heading && !crg->straight;
    fprintf(out, "$CT\n%s\n", comment);
    fprintf(out, "$ROAD_CRG\nreference_line_start_u = %.17g\nreference_line_end_u = %.17g\n",
            s->from, s->from + s->step * (s->rows - 1));
    fprintf(out, "reference_line_increment = %.17g\n", s->step);
    if (crg->x)
        fprintf(out, "reference_line_start_x = %.17g\nreference_line_start_y = %.17g\n", crg->x[0],
                crg->y[0]);
    if (crg->heading)
        fprintf(out, "reference_line_start_phi = %.17g\n", crg->heading[0]);
    if (even)
        fprintf(out,
                "long_section_v_right = %.17g\nlong_section_v_left = %.17g\n"
                "long_section_v_increment = %.17g\n",
                s->v[0], s->v[s->columns - 1], step);
    fprintf(out, "$\n$ROAD_CRG_OPTS\nborder_mode_u = %d\nborder_mode_v = %d\n", (int)s->border_u,
            (int)s->border_v);
    fprintf(out, "border_offset_u = %.17g\nborder_offset_v = %.17g\n", s->border_offset_u,
            s->border_offset_v);
    fprintf(out, "border_smooth_ubeg = %.17g\nborder_smooth_uend = %.17g\n$\n", s->smooth_from,
            s->smooth_to);
    fprintf(out, "$KD_DEFINITION\n#:%c%c%cI\nU:reference line u,m,%.17g,%.17g\n",
            form.padded ? 'L' : 'K', form.wide ? 'D' : 'R', form.binary ? 'B' : 'F', s->from,
            s->step);
    if (bent)
        fprintf(out, "D:reference line phi,rad\n");
    for (int k = 0; k < s->columns; k++)
        if (even)
            fprintf(out, "D:long section %d,m\n", k + 1);
        else
            fprintf(out, "D:long section at v = %.17g,m\n", s->v[k]);
    fprintf(out, "$\n$$$$%.76s\n",
            "$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$");
}

static void write_binary(FILE *out, double value, bool wide)
{
    unsigned char bytes[8];
    uint64_t bits;
    int size = 8;
    if (wide) {
        memcpy(&bits, &value, sizeof bits);
    } else {
        const float single = (float)value;
        uint32_t half;
        memcpy(&half, &single, sizeof half);
        bits = half;
        size = 4;
    }
    for (int i = 0; i < size; i++)
        bytes[i] = (unsigned char)(bits >> (8 * (size - 1 - i)));
    fwrite(bytes, 1, (size_t)size, out);
}

// The number with the most digits that its columns hold, one of them left blank.
static void write_text(FILE *out, double value, bool wide)
{
    char text[40];
    if (wide)
        snprintf(text, sizeof text, "%20.12e", value);
    else
        for (int digits = 7; digits >= 0; digits--)
            if (snprintf(text, sizeof text, "%10.*g", digits, value) <= 10)
                break;
    fputs(text, out);
}

typedef struct rows {
    FILE *out;
    crg_form form;
    int count; // numbers since the start of a line
} rows;

static void write_number(rows *r, double value)
{
    if (r->form.binary) {
        write_binary(r->out, value, r->form.wide);
        return;
    }
    write_text(r->out, value, r->form.wide);
    if (++r->count == (r->form.wide ? 4 : 8)) {
        fputc('\n', r->out);
        r->count = 0;
    }
}

static void end_row(rows *r, int columns)
{
    if (!r->form.padded)
        return;
    if (r->form.binary) {
        const int used = columns * (r->form.wide ? 8 : 4) % 80;
        for (int k = 0; used && k < 80 - used; k++)
            fputc(0, r->out);
    } else if (r->count) {
        fputc('\n', r->out);
        r->count = 0;
    }
}

char *crg_text(const crg_surface *crg, crg_form form, const char *comment, size_t *size)
{
    const road_surface *s = &crg->surface;
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return NULL;
    const bool bent = crg->heading && !crg->straight;
    rows r = {out, form, 0};
    write_header(out, crg, form, comment);
    for (int i = 0; i < s->rows; i++) {
        if (bent)
            write_number(&r, crg->heading[i]);
        for (int k = 0; k < s->columns; k++)
            write_number(&r, s->z[(size_t)i * (size_t)s->columns + (size_t)k]);
        end_row(&r, s->columns + bent);
    }
    if (!form.binary && r.count)
        fputc('\n', out);
    const bool good = !ferror(out);
    if (fclose(out) != 0 || !good) {
        free(text);
        return NULL;
    }
    return text;
}
