// plot_matrix.c - sparsity pictures of matrices.
#include "motorcade/plot.h"

#include "draw/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Sizes in px.
static const double page_width = 900.0, margin = 16.0;
static const double max_cell = 24.0, cell_row = 15.0; // usual; least to get more into a row
static const double cell_labels = 11.0;               // below that numbers instead of labels
static const double cell_gaps = 7.0;                  // below that no room between squares
static const double max_height = 640.0;               // of a matrix
static const double max_label = 130.0;
static const double title_size = 16.0, counts_size = 13.0, number_size = 12.0;
static const double between = 34.0; // from matrix to matrix
static const double key_height = 40.0;

enum { MARK_MAX = 400 }; // in a row or a column; beyond that a mark stands for a block

// ---- layout ----

typedef struct box {
    int block;            // entries along the side of what a mark stands for
    int rows, columns;    // of marks
    double left, top;     // px, of the matrix itself
    double before, above; // px, room for labels
    double width, height; // px, with labels, title and counts
    char counts[2][96];   // lines of the caption
} box;

typedef struct page {
    const mc_plot_matrix *matrices;
    box *boxes;
    int count;
    double cell; // px, of a mark, the same for all
    double width, height;
} page;

void mc_plot_matrix_counts(const mc_plot_matrix *matrix, long counts[MC_PLOT_ENTRY_COUNT])
{
    for (int k = 0; k < MC_PLOT_ENTRY_COUNT; k++)
        counts[k] = 0;
    const size_t count = (size_t)matrix->row_count * (size_t)matrix->column_count;
    for (size_t k = 0; k < count; k++)
        counts[matrix->entries[k]]++;
}

static bool labels_fit(const page *p)
{
    return p->cell >= cell_labels;
}

static double label_size(const page *p)
{
    return fmin(13.0, 0.9 * p->cell);
}

static double widest(const char *const *labels, int count, double size)
{
    double width = 0.0;
    for (int i = 0; i < count; i++)
        width = fmax(width, svg_text_width(labels[i] ? labels[i] : "", size));
    return fmin(width, max_label);
}

// Numbers on rows and columns stand this many entries apart.
static int number_stride(const page *p, const box *b, int count)
{
    char text[32];
    snprintf(text, sizeof text, "%d", count);
    const double room = fmax(svg_text_width(text, number_size) + 6.0, 17.0);
    static const int strides[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
    for (int k = 0; k < 12; k++)
        if (strides[k] * p->cell / b->block >= room || strides[k] >= count)
            return strides[k];
    return 10000;
}

static double numbers_width(int count)
{
    char text[32];
    snprintf(text, sizeof text, "%d", count);
    return svg_text_width(text, number_size);
}

// Everything of a box but its place.
static void size_box(const page *p, const mc_plot_matrix *m, box *b)
{
    const double size = label_size(p);
    const bool rows_named = m->row_labels && labels_fit(p);
    const bool columns_named = m->column_labels && labels_fit(p);
    b->before = 8.0 + (rows_named ? widest(m->row_labels, m->row_count, size)
                                  : numbers_width(m->row_count));
    b->above =
        8.0 + (columns_named ? widest(m->column_labels, m->column_count, size) : number_size);
    const double title = m->title && *m->title ? title_size + 10.0 : 0.0;
    double text = 1.08 * svg_text_width(m->title ? m->title : "", title_size);
    for (int k = 0; k < 2; k++)
        text = fmax(text, svg_text_width(b->counts[k], counts_size));
    b->width = fmin(fmax(b->before + b->columns * p->cell, text), page_width - 2.0 * margin);
    b->height = title + b->above + b->rows * p->cell + 2.0 * (counts_size + 5.0) + 8.0;
}

// Rows of matrices that the page needs with these squares.
static int row_count(page *p, double cell)
{
    double x = margin;
    int rows = 1;
    p->cell = cell;
    for (int k = 0; k < p->count; k++) {
        box *b = &p->boxes[k];
        size_box(p, &p->matrices[k], b);
        if (x > margin && x + b->width > page_width - margin) {
            x = margin;
            rows++;
        }
        x += b->width + between;
    }
    return rows;
}

// The largest squares with which every matrix fits the page, or somewhat smaller ones when these
// need fewer rows of matrices.
static void find_cell(page *p)
{
    const double room = page_width - 2.0 * margin;
    p->cell = max_cell;
    for (int k = 0; k < p->count; k++) {
        box *b = &p->boxes[k];
        p->cell = fmin(p->cell, max_height / b->rows);
        size_box(p, &p->matrices[k], b);
        p->cell = fmin(p->cell, (room - b->before) / b->columns);
    }
    double best = p->cell >= 3.0 ? floor(p->cell) : p->cell;
    int rows = row_count(p, best);
    for (double cell = best - 1.0; cell >= cell_row; cell--) {
        const int fewer = row_count(p, cell);
        if (fewer < rows) {
            rows = fewer;
            best = cell;
        }
    }
    row_count(p, best);
}

static void find_page(page *p, const char *title)
{
    for (int k = 0; k < p->count; k++) {
        const mc_plot_matrix *m = &p->matrices[k];
        box *b = &p->boxes[k];
        const int large = m->row_count > m->column_count ? m->row_count : m->column_count;
        b->block = (large + MARK_MAX - 1) / MARK_MAX;
        b->rows = (m->row_count + b->block - 1) / b->block;
        b->columns = (m->column_count + b->block - 1) / b->block;
        long counts[MC_PLOT_ENTRY_COUNT];
        mc_plot_matrix_counts(m, counts);
        const double all = (double)m->row_count * m->column_count;
        snprintf(b->counts[0], sizeof b->counts[0], "%d \u00d7 %d, %.0f%% zero", m->row_count,
                 m->column_count, 100.0 * (double)counts[MC_PLOT_ENTRY_ZERO] / all);
        snprintf(b->counts[1], sizeof b->counts[1], "%ld zero, %ld constant, %ld varying",
                 counts[MC_PLOT_ENTRY_ZERO], counts[MC_PLOT_ENTRY_CONSTANT],
                 counts[MC_PLOT_ENTRY_VARYING]);
    }
    find_cell(p);
    double x = margin, y = svg_figure_head(title, NULL) + 6.0, tallest = 0.0, wide = 0.0;
    for (int k = 0; k < p->count; k++) {
        const mc_plot_matrix *m = &p->matrices[k];
        box *b = &p->boxes[k];
        if (x > margin && x + b->width > page_width - margin) {
            x = margin;
            y += tallest + 0.7 * between;
            tallest = 0.0;
        }
        b->left = x + b->before;
        b->top = floor(y + (m->title && *m->title ? title_size + 10.0 : 0.0) + b->above);
        wide = fmax(wide, x + b->width);
        x += b->width + between;
        tallest = fmax(tallest, b->height);
    }
    const double title_width = title ? 1.1 * svg_text_width(title, svg_title_size) : 0.0;
    p->width = ceil(fmin(fmax(fmax(wide, title_width + margin), 420.0) + margin, page_width));
    p->height = ceil(y + tallest + key_height);
}

// ---- writing ----

static int strongest(const mc_plot_matrix *m, const box *b, int row, int column)
{
    int max = MC_PLOT_ENTRY_ZERO;
    for (int i = row * b->block; i < (row + 1) * b->block && i < m->row_count; i++)
        for (int j = column * b->block; j < (column + 1) * b->block && j < m->column_count; j++) {
            const int entry = m->entries[(size_t)i * (size_t)m->column_count + (size_t)j];
            max = entry > max ? entry : max;
        }
    return max;
}

// Squares of one kind in units of a mark; neighbours in a row are joined when they would touch.
static void write_squares(FILE *out, const page *p, int index, mc_plot_entry kind,
                          const char *class)
{
    const mc_plot_matrix *m = &p->matrices[index];
    const box *b = &p->boxes[index];
    const bool gaps = p->cell >= cell_gaps;
    const double gap = gaps ? fmax(1.0, 0.06 * p->cell) : 0.0;
    char x[32], y[32], side[32];
    fprintf(out, "<path class=\"%s\"%s transform=\"translate(%s %s) scale(%.6g)\" d=\"", class,
            gaps ? "" : " shape-rendering=\"crispEdges\"", svg_px(b->left + gap, x),
            svg_px(b->top + gap, y), p->cell);
    svg_px(1.0 - 2.0 * gap / p->cell, side);
    for (int i = 0; i < b->rows; i++)
        for (int j = 0; j < b->columns; j++) {
            if (strongest(m, b, i, j) != (int)kind)
                continue;
            int end = j + 1;
            while (!gaps && end < b->columns && strongest(m, b, i, end) == (int)kind)
                end++;
            if (gaps)
                fprintf(out, "M%d,%dh%sv%sh-%sz", j, i, side, side, side);
            else
                fprintf(out, "M%d,%dh%dv1h-%dz", j, i, end - j, end - j);
            j = end - 1;
        }
    fputs("\"/>\n", out);
}

static void write_frame(FILE *out, const page *p, const box *b)
{
    const double width = b->columns * p->cell, height = b->rows * p->cell;
    char x[32], y[32], w[32], h[32];
    svg_px(b->left, x), svg_px(b->top, y), svg_px(width, w), svg_px(height, h);
    if (p->cell >= cell_gaps) {
        fputs("<path class=\"mc-grid\" shape-rendering=\"crispEdges\" d=\"", out);
        char at[32];
        for (int j = 1; j < b->columns; j++)
            fprintf(out, "M%s,%sv%s", svg_px(b->left + j * p->cell, at), y, h);
        for (int i = 1; i < b->rows; i++)
            fprintf(out, "M%s,%sh%s", x, svg_px(b->top + i * p->cell, at), w);
        fputs("\"/>\n", out);
    }
    fprintf(out,
            "<rect class=\"mc-axis\" shape-rendering=\"crispEdges\" fill=\"none\" x=\"%s\" "
            "y=\"%s\" width=\"%s\" height=\"%s\"/>\n",
            x, y, w, h);
}

static void write_rows(FILE *out, const page *p, const mc_plot_matrix *m, const box *b)
{
    const bool named = m->row_labels && labels_fit(p);
    const double size = named ? label_size(p) : number_size;
    const int stride = named ? 1 : number_stride(p, b, m->row_count);
    char text[32];
    // 1, then round numbers: 1, 10, 20, 30
    for (int i = 1; i <= m->row_count; i = i == 1 && stride > 1 ? stride : i + stride) {
        if (i == 1 && stride > 1 && (stride - 1) * p->cell / b->block < 14.0)
            continue;
        const double y = b->top + (i - 0.5) * p->cell / b->block + 0.36 * size;
        snprintf(text, sizeof text, "%d", i);
        const char *label = named ? m->row_labels[i - 1] : text;
        svg_label(out, b->left - 5.0, y, size, "end", named ? "mc-ink" : "mc-faint", max_label,
                  label ? label : "");
    }
}

static void write_columns(FILE *out, const page *p, const mc_plot_matrix *m, const box *b)
{
    const bool named = m->column_labels && labels_fit(p);
    const double size = named ? label_size(p) : number_size;
    const int stride = named ? 1 : number_stride(p, b, m->column_count);
    const bool turned = named && widest(m->column_labels, m->column_count, size) > p->cell - 3.0;
    char text[32], a[32], c[32];
    for (int j = 1; j <= m->column_count; j = j == 1 && stride > 1 ? stride : j + stride) {
        if (j == 1 && stride > 1 && (stride - 1) * p->cell / b->block < 18.0)
            continue;
        const double x = b->left + (j - 0.5) * p->cell / b->block;
        snprintf(text, sizeof text, "%d", j);
        const char *label = named ? m->column_labels[j - 1] : text;
        label = label ? label : "";
        if (turned) {
            fprintf(out, "<g transform=\"translate(%s %s) rotate(-90)\">",
                    svg_px(x + 0.36 * size, a), svg_px(b->top - 5.0, c));
            svg_label(out, 0.0, 0.0, size, "start", "mc-ink", max_label, label);
            fputs("</g>\n", out);
        } else {
            svg_label(out, x, b->top - 5.0, size, "middle", named ? "mc-ink" : "mc-faint",
                      max_label, label);
        }
    }
}

static void write_matrix(FILE *out, const page *p, int index)
{
    const mc_plot_matrix *m = &p->matrices[index];
    const box *b = &p->boxes[index];
    const double left = b->left - b->before, bottom = b->top + b->rows * p->cell;
    fputs("<g>\n", out);
    if (m->title && *m->title) {
        fputs("<g font-weight=\"bold\">", out);
        svg_label(out, left, b->top - b->above - 10.0, title_size, "start", "mc-ink",
                  b->width / 1.08 + 1.0, m->title);
        fputs("</g>\n", out);
    }
    write_frame(out, p, b);
    write_squares(out, p, index, MC_PLOT_ENTRY_CONSTANT, "mc-constant");
    write_squares(out, p, index, MC_PLOT_ENTRY_VARYING, "mc-varying");
    write_rows(out, p, m, b);
    write_columns(out, p, m, b);
    for (int k = 0; k < 2; k++)
        svg_label(out, left, bottom + (k + 1) * (counts_size + 5.0) + 2.0, counts_size, "start",
                  "mc-faint", b->width + 1.0, b->counts[k]);
    fputs("</g>\n", out);
}

static void write_key(FILE *out, const page *p)
{
    static const char *const names[] = {"zero", "constant", "varying"};
    static const char *const classes[] = {NULL, "mc-constant", "mc-varying"};
    const double y = p->height - 18.0;
    double x = margin;
    int block = 1;
    char a[32], b[32];
    for (int k = 0; k < p->count; k++)
        block = p->boxes[k].block > block ? p->boxes[k].block : block;
    for (int k = 0; k < 3; k++) {
        if (classes[k])
            fprintf(out, "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"14\" height=\"14\"/>",
                    classes[k], svg_px(x, a), svg_px(y - 12.0, b));
        fprintf(out,
                "<rect class=\"mc-axis\" fill=\"none\" x=\"%s\" y=\"%s\" width=\"14\" "
                "height=\"14\"/>",
                svg_px(x, a), svg_px(y - 12.0, b));
        svg_label(out, x + 21.0, y, counts_size, "start", "mc-ink", HUGE_VAL, names[k]);
        x += 21.0 + svg_text_width(names[k], counts_size) + 24.0;
    }
    if (block > 1) {
        char note[96];
        snprintf(note, sizeof note, "a mark stands for up to %d \u00d7 %d entries", block, block);
        svg_label(out, x, y, counts_size, "start", "mc-faint", HUGE_VAL, note);
    }
}

// ---- the whole ----

static mc_status check(const char *path, const mc_plot_matrix *matrices, int count, mc_error *error)
{
    if (count < 1 || count > MC_PLOT_MATRIX_MAX || !matrices)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "a picture of %d matrices; expected 1 to %d", count,
                            MC_PLOT_MATRIX_MAX);
    for (int k = 0; k < count; k++) {
        const mc_plot_matrix *m = &matrices[k];
        const char *title = m->title ? m->title : "";
        if (m->row_count < 1 || m->column_count < 1 || m->row_count > MC_PLOT_MATRIX_MAX ||
            m->column_count > MC_PLOT_MATRIX_MAX || !m->entries)
            return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                                "matrix %d \"%.100s\": %d rows and %d columns; expected 1 to %d",
                                k + 1, title, m->row_count, m->column_count, MC_PLOT_MATRIX_MAX);
        const size_t all = (size_t)m->row_count * (size_t)m->column_count;
        for (size_t i = 0; i < all; i++)
            if (m->entries[i] >= MC_PLOT_ENTRY_COUNT)
                return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                                    "matrix %d \"%.100s\", row %zu, column %zu: kind %d; expected "
                                    "zero, constant or varying, 0 to %d",
                                    k + 1, title, i / (size_t)m->column_count + 1,
                                    i % (size_t)m->column_count + 1, m->entries[i],
                                    MC_PLOT_ENTRY_COUNT - 1);
    }
    return MC_OK;
}

static bool draw_page(page *p, const char *title, char **text, size_t *size)
{
    FILE *out = open_memstream(text, size);
    if (!out)
        return false;
    const svg_locale locale = svg_locale_begin();
    find_page(p, title);
    svg_figure_begin(out, p->width, p->height, title, NULL);
    for (int k = 0; k < p->count; k++)
        write_matrix(out, p, k);
    write_key(out, p);
    svg_figure_end(out);
    svg_locale_end(locale);
    const bool good = !ferror(out);
    return fclose(out) == 0 && good;
}

static mc_status draw(const char *path, const char *title, const mc_plot_matrix *matrices,
                      int count, char **text, size_t *size, mc_error *error)
{
    *text = NULL;
    const mc_status status = check(path, matrices, count, error);
    if (status != MC_OK)
        return status;
    page p = {.matrices = matrices, .count = count};
    p.boxes = calloc((size_t)count, sizeof *p.boxes);
    const bool good = p.boxes && draw_page(&p, title, text, size);
    free(p.boxes);
    if (!good) {
        free(*text);
        *text = NULL;
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    }
    return MC_OK;
}

mc_status mc_plot_matrix_text(const char *title, const mc_plot_matrix *matrices, int matrix_count,
                              char **text, size_t *size, mc_error *error)
{
    size_t own;
    return draw(NULL, title, matrices, matrix_count, text, size ? size : &own, error);
}

mc_status mc_plot_matrix_write(const char *path, const char *title, const mc_plot_matrix *matrices,
                               int matrix_count, mc_error *error)
{
    char *text;
    size_t size;
    const mc_status status = draw(path, title, matrices, matrix_count, &text, &size, error);
    return status == MC_OK ? svg_save(path, text, size, error) : status;
}
