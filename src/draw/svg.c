// svg.c - text as XML, round numbers, the theme and the head of figures.
#include "draw/svg.h"

#include "base/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- text ----

// Length of the UTF-8 character at c, or 0 when there is none that XML allows.
static int character_length(const unsigned char *c)
{
    if (*c < 0x80)
        return *c >= 0x20 && *c != 0x7f;
    const int length = *c >= 0xf0 ? 4 : *c >= 0xe0 ? 3 : 2;
    if (*c < 0xc2 || *c > 0xf4)
        return 0;
    unsigned int code = *c & (0xffu >> (length + 1));
    for (int k = 1; k < length; k++) {
        if ((c[k] & 0xc0) != 0x80) // the final '\0' ends up here too
            return 0;
        code = code << 6 | (c[k] & 0x3fu);
    }
    static const unsigned int min[] = {0, 0, 0x80, 0x800, 0x10000};
    const int surrogate = code >= 0xd800 && code < 0xe000;
    return code < min[length] || code > 0x10ffff || surrogate || (code & 0xfffe) == 0xfffe ? 0
                                                                                           : length;
}

int svg_text_next(const char **text, char piece[SVG_PIECE])
{
    const unsigned char *c = (const unsigned char *)*text;
    if (!*c)
        return 0;
    const int length = character_length(c);
    *text += length > 0 ? length : 1;
    const char *name = *c == '&'   ? "&amp;"
                       : *c == '<' ? "&lt;"
                       : *c == '>' ? "&gt;"
                       : *c == '"' ? "&quot;"
                                   : NULL;
    if (name) {
        memcpy(piece, name, strlen(name));
        return (int)strlen(name);
    }
    if (length == 0)
        piece[0] = *c < 0x80 ? ' ' : '?';
    memcpy(piece, c, (size_t)length);
    return length > 0 ? length : 1;
}

void svg_text(FILE *out, const char *text)
{
    char piece[SVG_PIECE];
    for (int length; (length = svg_text_next(&text, piece)) > 0;)
        fwrite(piece, 1, (size_t)length, out);
}

int svg_text_length(const char *text)
{
    int length = 0;
    for (; *text; text++)
        length += (*text & 0xc0) != 0x80;
    return length;
}

// Of the font size. DejaVu Sans, the widest of the usual fonts, rounded.
static double character_width(unsigned char c)
{
    if (c >= 0xe3 && c < 0xf0)
        return 1.0; // Chinese, Japanese, Korean
    if (c >= 0x80)
        return 0.68;
    if (strchr("ijl|!'.,:; ", c))
        return 0.33;
    if (strchr("frt()[]/-I\"", c))
        return 0.41;
    if (strchr("mwMW%@", c))
        return 0.98;
    return c >= 'A' && c <= 'Z' ? 0.72 : 0.63;
}

double svg_text_width(const char *text, double size)
{
    double width = 0.0;
    for (; *text; text++)
        width += (*text & 0xc0) != 0x80 ? character_width((unsigned char)*text) : 0.0;
    return width * size;
}

// Bytes of the text that fit.
static int text_fits(const char *text, double size, double width)
{
    int bytes = 0;
    for (double used = 0.0; text[bytes];) {
        used += size * character_width((unsigned char)text[bytes]);
        if (used > width)
            break;
        do
            bytes++;
        while ((text[bytes] & 0xc0) == 0x80);
    }
    return bytes;
}

const char *svg_px(double value, char buffer[32])
{
    snprintf(buffer, 32, "%.2f", value);
    size_t length = strlen(buffer);
    while (buffer[length - 1] == '0')
        buffer[--length] = '\0';
    if (buffer[length - 1] == '.')
        buffer[--length] = '\0';
    return strcmp(buffer, "-0") == 0 ? "0" : buffer;
}

svg_locale svg_locale_begin(void)
{
    const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    return (svg_locale){plain, plain ? uselocale(plain) : (locale_t)0};
}

void svg_locale_end(svg_locale locale)
{
    if (locale.plain) {
        uselocale(locale.old);
        freelocale(locale.plain);
    }
}

// ---- numbers ----

double svg_round_down(double x)
{
    const double power = pow(10.0, floor(log10(x) + 1e-9));
    const double digit = x / power * (1.0 + 1e-9);
    return power * (digit >= 5.0 ? 5.0 : digit >= 2.0 ? 2.0 : 1.0);
}

double svg_round_up(double x)
{
    static const double digits[] = {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0};
    const double power = pow(10.0, floor(log10(x) + 1e-9));
    for (int k = 0; k < (int)(sizeof digits / sizeof digits[0]); k++)
        if (digits[k] * power >= x * (1.0 - 1e-9))
            return digits[k] * power;
    return 10.0 * power;
}

// ---- figures ----

// One row a class. A curve's class sets `color`, which its lines, marks and key take. Any two
// colours of curves are 0.09 or more apart in OKLab, for normal eyes and for those without one kind
// of cone (Machado, Oliveira, Fernandes 2009). The first four differ from the paper by 3:1 or more,
// the others by 2.3:1 or more.
typedef struct theme_row {
    const char *name, *property;
    const char *light, *dark;
} theme_row;

static const theme_row theme[] = {
    {"paper", "fill", "#ffffff", "#14181d"},   {"ink", "fill", SVG_INK, "#e8ecf0"},
    {"faint", "fill", SVG_FAINT, "#9aa5b0"},   {"axis", "stroke", "#7b8692", "#8b96a1"},
    {"grid", "stroke", "#e4e8ec", "#2a3138"},  {"ray", "stroke", "#b9c1c9", "#4a545e"},
    {"shade", "fill", "#fbeeea", "#2b1d1b"},   {"constant", "fill", "#a9c8e8", "#2f5f8f"},
    {"varying", "fill", "#0b4f8a", "#9ed0ff"}, {"1", "color", "#1e59ad", "#5386f6"},
    {"2", "color", "#eb240f", "#d76d05"},      {"3", "color", "#00987d", "#27ce86"},
    {"4", "color", "#8f295d", "#ad80a6"},      {"5", "color", "#56b4e9", "#ada5fe"},
    {"6", "color", "#4f2d12", "#c8da08"},      {"7", "color", "#031a7c", "#80ffff"},
    {"8", "color", "#f55caa", "#f7aecd"},      {"9", "color", "#b8a100", "#caf9a7"},
};
enum { THEME_COUNT = sizeof theme / sizeof theme[0] };
_Static_assert(THEME_COUNT == 9 + MC_PLOT_COLOUR_COUNT, "every colour of a curve needs a row");

// Each class gives its light colour twice, plain for programs that know no variables.
static void write_style(FILE *out)
{
    fputs("<style>\n.mc-figure{", out);
    for (int k = 0; k < THEME_COUNT; k++)
        fprintf(out, "--mc-%s:%s;", theme[k].name, theme[k].light);
    fputs("}\n@media(prefers-color-scheme:dark){.mc-figure{", out);
    for (int k = 0; k < THEME_COUNT; k++)
        fprintf(out, "--mc-%s:%s;", theme[k].name, theme[k].dark);
    fputs("}}\n", out);
    for (int k = 0; k < THEME_COUNT; k++)
        fprintf(out, ".mc-figure .mc-%s{%s:%s;%s:var(--mc-%s)}\n", theme[k].name, theme[k].property,
                theme[k].light, theme[k].property, theme[k].name);
    fputs("</style>\n", out);
}

// Anchors of the ramps, evenly apart; colours between them are mixed in sRGB. Lines: the plasma map
// without its lightest part, so that the last line still stands out from the paper. Maps: of one
// hue, and blue over white to orange, which those without one kind of cone tell apart.
typedef struct ramp_row {
    char letter;
    const char *property;
    int count, anchor_count;
    unsigned int light[6], dark[6];
} ramp_row;

static const ramp_row ramps[SVG_RAMP_KINDS] = {
    [SVG_RAMP_LINES] = {'r',
                        "color",
                        MC_PLOT_RAMP_COUNT,
                        6,
                        {0x0d0887, 0x5302a3, 0x8b0aa5, 0xb83289, 0xdb5c68, 0xf48849},
                        {0x7e6bff, 0xb04fd6, 0xdb5c88, 0xf48849, 0xfdc328, 0xf0f921}},
    [SVG_RAMP_SEQUENCE] = {'s',
                           "fill",
                           SVG_SEQUENCE_COUNT,
                           5,
                           {0xf1f6fb, 0xc6dbef, 0x6baed6, 0x2171b5, 0x08306b},
                           {0x1a2733, 0x1f4a73, 0x2f79b8, 0x6fb2ea, 0xd6ecff}},
    [SVG_RAMP_DIVERGING] = {'d',
                            "fill",
                            SVG_DIVERGING_COUNT,
                            5,
                            {0x1e59ad, 0xa9c8e8, 0xf4f4f2, 0xf4c08a, 0xc05a00},
                            {0x5aa0f6, 0x2f5f8f, 0x20262d, 0x8f5a20, 0xf29a3a}},
};

static unsigned int ramp_colour(const ramp_row *row, const unsigned int *anchors, int k)
{
    const double at = (double)k * (row->anchor_count - 1) / (row->count - 1);
    const int i = at >= row->anchor_count - 1 ? row->anchor_count - 2 : (int)at;
    unsigned int colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const double a = (double)(anchors[i] >> shift & 0xff);
        const double b = (double)(anchors[i + 1] >> shift & 0xff);
        colour |= (unsigned int)lrint(a + (at - i) * (b - a)) << shift;
    }
    return colour;
}

static void write_ramp(FILE *out, const ramp_row *row, const unsigned int *anchors)
{
    for (int k = 0; k < row->count; k++)
        fprintf(out, "--mc-%c%d:#%06x;", row->letter, k, ramp_colour(row, anchors, k));
}

void svg_ramp_style(FILE *out, svg_ramp ramp)
{
    const ramp_row *row = &ramps[ramp];
    fputs("<style>\n.mc-figure{", out);
    write_ramp(out, row, row->light);
    fputs("}\n@media(prefers-color-scheme:dark){.mc-figure{", out);
    write_ramp(out, row, row->dark);
    fputs("}}\n", out);
    for (int k = 0; k < row->count; k++)
        fprintf(out, ".mc-figure .mc-%c%d{%s:#%06x;%s:var(--mc-%c%d)}\n", row->letter, k,
                row->property, ramp_colour(row, row->light, k), row->property, row->letter, k);
    fputs("</style>\n", out);
}

void svg_theme_light(FILE *out)
{
    for (int k = 0; k < THEME_COUNT; k++)
        fprintf(out, "--mc-%s:%s;", theme[k].name, theme[k].light);
    for (int k = 0; k < SVG_RAMP_KINDS; k++)
        write_ramp(out, &ramps[k], ramps[k].light);
}

static const double head_margin = 16.0;

static bool is_text(const char *text)
{
    return text && *text;
}

double svg_figure_head(const char *title, const char *caption)
{
    return 14.0 + (is_text(title) ? svg_title_size + 8.0 : 0.0) +
           (is_text(caption) ? svg_caption_size + 7.0 : 0.0);
}

void svg_figure_begin(FILE *out, double width, double height, const char *title,
                      const char *caption)
{
    char w[32], h[32];
    svg_px(width, w);
    svg_px(height, h);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mc-figure\" viewBox=\"0 0 %s %s\" "
            "width=\"%s\" height=\"%s\" role=\"img\" font-family=\"sans-serif\">\n<title>",
            w, h, w, h);
    svg_text(out, title ? title : "");
    fputs("</title>\n", out);
    write_style(out);
    fputs("<rect class=\"mc-paper\" width=\"100%\" height=\"100%\"/>\n", out);
    const double room = width - 2.0 * head_margin;
    double y = 14.0;
    if (is_text(title)) {
        const double fit = svg_title_size * room / (1.08 * svg_text_width(title, svg_title_size));
        const double size = fmax(fmin(svg_title_size, fit), 12.0);
        fputs("<g font-weight=\"bold\">", out);
        svg_label(out, head_margin, y + svg_title_size - 2.0, size, "start", "mc-ink", room / 1.08,
                  title);
        fputs("</g>\n", out);
        y += svg_title_size + 8.0;
    }
    if (is_text(caption)) {
        const double fit = svg_caption_size * room / svg_text_width(caption, svg_caption_size);
        svg_label(out, head_margin, y + svg_caption_size - 3.0,
                  fmax(fmin(svg_caption_size, fit), 11.0), "start", "mc-faint", room, caption);
    }
}

void svg_figure_end(FILE *out)
{
    fputs("</svg>\n", out);
}

void svg_label(FILE *out, double x, double y, double size, const char *anchor, const char *class,
               double max, const char *text)
{
    char x_text[32], y_text[32], size_text[32];
    fprintf(out, "<text class=\"%s\" x=\"%s\" y=\"%s\" font-size=\"%s\" text-anchor=\"%s\">", class,
            svg_px(x, x_text), svg_px(y, y_text), svg_px(size, size_text), anchor);
    if (svg_text_width(text, size) <= max + 1e-9) {
        svg_text(out, text);
    } else { // cut, the whole when the pointer rests on it
        const char *end = text + text_fits(text, size, max - 0.9 * size);
        char piece[SVG_PIECE];
        fputs("<title>", out);
        svg_text(out, text);
        fputs("</title>", out);
        while (text < end) {
            const int length = svg_text_next(&text, piece);
            fwrite(piece, 1, (size_t)length, out);
        }
        fputs("\u2026", out);
    }
    fputs("</text>\n", out);
}

mc_status svg_save(const char *path, char *text, size_t size, mc_error *error)
{
    mc_error own; // the caller may not want to know
    error = error ? error : &own;
    file_writer *out = file_writer_open(path, error);
    mc_status status = error->code;
    if (out) {
        file_write(out, text, size);
        status = file_writer_commit(out, error);
    }
    free(text);
    return status;
}
