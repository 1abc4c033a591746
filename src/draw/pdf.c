// pdf.c - the flow of a page over sheets: blocks from top to bottom, a new sheet when one is full.
#include "draw/pdf.h"

#include "draw/page_tree.h"
#include "draw/paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH (PAPER_WIDTH - 2.0 * PAPER_MARGIN)
#define TOP PAPER_MARGIN
#define BOTTOM (PAPER_HEIGHT - 46.0)

enum { COLUMNS_MAX = 200, FACT_COLUMNS = 4 };
enum { INK = 0x1d2733, FAINT = 0x5d6874, LINE = 0xe0e5ea, DARK_LINE = 0xb9c1c9 };
enum { GOOD = 0x0a5c3a, GOOD_PAPER = 0xdff3e8, BAD = 0xa10f34, BAD_PAPER = 0xfbe3e6 };
enum { GREY_PAPER = 0xe9edf1, CRASH = 0xc21a42 };

static const paper_style body = {.size = 9.0, .colour = INK},
                         faint = {.size = 8.5, .colour = FAINT};

typedef struct flow {
    paper *sheet;
    arena memory;
    double y;
    mc_status status;
    mc_error *error;
} flow;

static bool is(const page_node *node, const char *tag)
{
    return strcmp(node->tag, tag) == 0;
}

static bool has_class(const page_node *node, const char *word)
{
    return strstr(node->class, word) != NULL;
}

static const char *markup_of(flow *f, const page_node *node, bool as_is)
{
    const char *text = page_tree_markup(&f->memory, node, as_is);
    if (!text)
        f->status = mc_error_set(f->error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    return text ? text : "";
}

// Begins a new sheet unless that much is left on this one.
static void make_room(flow *f, double height)
{
    if (f->y + height > BOTTOM && f->y > TOP) {
        paper_turn(f->sheet);
        f->y = TOP;
    }
}

// A paragraph: as a whole on one sheet.
static void put_text(flow *f, const char *markup, const paper_style *style, double below)
{
    if (!markup[0])
        return;
    const double height = paper_text(f->sheet, markup, style, 0.0, 0.0, WIDTH, false);
    make_room(f, height);
    paper_text(f->sheet, markup, style, PAPER_MARGIN, f->y, WIDTH, true);
    f->y += height + below;
}

// A picture as wide as the text, or as high as a sheet. 0: it cannot be read.
static double picture_scale(flow *f, const page_node *svg, double *width, double *height)
{
    if (paper_picture_size(svg->text, width, height, f->error) != MC_OK) {
        f->status = f->error->code;
        return 0.0;
    }
    return fmin(WIDTH / *width, (BOTTOM - TOP) / *height);
}

// A heading stays with what follows: `room`, or a whole picture.
static void put_heading(flow *f, const page_node *node, double size, double above, double room)
{
    const paper_style style = {.size = size, .bold = true, .colour = INK};
    const page_node *next = node->next;
    while (next && is(next, "") && strspn(next->text, " \n") == strlen(next->text))
        next = next->next;
    const page_node *svg = next && is(next, "figure") ? page_tree_find(next, "svg") : NULL;
    double w, h = 0.0;
    if (svg)
        h = fmin(picture_scale(f, svg, &w, &h) * h, BOTTOM - TOP - 40.0);
    make_room(f, fmax(room, h + 2.0 * size + above));
    f->y += f->y > TOP ? above : 0.0;
    const char *text = markup_of(f, node, false);
    if (is(node, "h2"))
        paper_bookmark(f->sheet, text, f->y);
    put_text(f, text, &style, 0.45 * size);
}

// ---- lists ----

static void put_pills(flow *f, const page_node *pills)
{
    double x = PAPER_MARGIN;
    make_room(f, 30.0);
    f->y += 4.0;
    for (const page_node *n = pills->child; n; n = n->next) {
        if (!is(n, "span"))
            continue;
        const bool bad = has_class(n, "bad"), good = has_class(n, "good");
        const paper_style style = {.size = 8.5,
                                   .bold = true,
                                   .colour = bad    ? BAD
                                             : good ? GOOD
                                                    : INK};
        const char *text = markup_of(f, n, false);
        double width, word;
        paper_text_width(f->sheet, text, &style, &width, &word);
        if (x + width + 16.0 > PAPER_MARGIN + WIDTH && x > PAPER_MARGIN)
            x = PAPER_MARGIN, f->y += 21.0;
        paper_box(f->sheet, x, f->y, width + 16.0, 16.0, 8.0,
                  bad    ? BAD_PAPER
                  : good ? GOOD_PAPER
                         : GREY_PAPER);
        paper_text(f->sheet, text, &style, x + 8.0, f->y + 3.0, width + 2.0, true);
        x += width + 22.0;
    }
    f->y += 26.0;
}

// A fact is its name above its value; as many in a row as FACT_COLUMNS.
static double put_fact(flow *f, const page_node *fact, double x, bool draw)
{
    static const paper_style name = {.size = 7.0, .colour = FAINT},
                             value = {.size = 8.5, .bold = true, .colour = INK};
    const double width = WIDTH / FACT_COLUMNS - 10.0;
    const page_node *dt = page_tree_find(fact, "dt"), *dd = page_tree_find(fact, "dd");
    double height = 0.0;
    if (dt)
        height += paper_text(f->sheet, markup_of(f, dt, false), &name, x, f->y, width, draw);
    if (dd)
        height +=
            paper_text(f->sheet, markup_of(f, dd, false), &value, x, f->y + height, width, draw);
    return height;
}

static void put_facts(flow *f, const page_node *facts)
{
    const page_node *n = facts->child;
    while (n) {
        const page_node *row[FACT_COLUMNS];
        int count = 0;
        double height = 0.0;
        for (; n && count < FACT_COLUMNS; n = n->next)
            if (is(n, "div")) {
                row[count++] = n;
                height = fmax(height, put_fact(f, n, 0.0, false));
            }
        make_room(f, height);
        for (int k = 0; k < count; k++)
            put_fact(f, row[k], PAPER_MARGIN + k * WIDTH / FACT_COLUMNS, true);
        f->y += count > 0 ? height + 5.0 : 0.0;
    }
    f->y += 4.0;
}

// What happened: a time and a sentence; a crash is marked at the margin.
static void put_happened(flow *f, const page_node *list)
{
    static const paper_style time_style = {.size = 8.5, .colour = FAINT, .align = PAPER_RIGHT};
    const double column = 52.0, x = PAPER_MARGIN + column + 10.0;
    for (const page_node *li = list->child; li; li = li->next) {
        const page_node *time = page_tree_find(li, "time"), *words = page_tree_find(li, "span");
        if (!is(li, "li") || !time || !words)
            continue;
        const char *text = markup_of(f, words, false);
        const double width = WIDTH - column - 10.0,
                     height = paper_text(f->sheet, text, &body, x, 0.0, width, false);
        make_room(f, height + 4.0);
        if (has_class(li, "crash"))
            paper_box(f->sheet, PAPER_MARGIN - 5.0, f->y, 2.0, height, 0.0, CRASH);
        paper_text(f->sheet, markup_of(f, time, false), &time_style, PAPER_MARGIN, f->y, column,
                   true);
        paper_text(f->sheet, text, &body, x, f->y, width, true);
        paper_box(f->sheet, PAPER_MARGIN, f->y + height + 2.0, WIDTH, 0.4, 0.0, LINE);
        f->y += height + 5.0;
    }
    f->y += 5.0;
}

// ---- text as it is ----

static void put_lines(flow *f, const page_node *pre)
{
    static const paper_style style = {.size = 7.0, .mono = true, .colour = INK};
    char *text = page_tree_markup(&f->memory, pre, true);
    if (!text) {
        f->status = mc_error_set(f->error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
        return;
    }
    for (char *line = text, *end; *line; line = end) {
        const size_t length = strcspn(line, "\n");
        end = line + length + (line[length] == '\n');
        line[length] = '\0';
        const double height =
            paper_text(f->sheet, length > 0 ? line : " ", &style, 0.0, 0.0, WIDTH - 12.0, false);
        make_room(f, height);
        paper_box(f->sheet, PAPER_MARGIN, f->y, WIDTH, height + 0.3, 0.0, 0xf6f8fa);
        paper_text(f->sheet, line, &style, PAPER_MARGIN + 6.0, f->y, WIDTH - 12.0, true);
        f->y += height;
    }
    f->y += 8.0;
}

// ---- tables ----

typedef struct table {
    int column_count;
    double natural[COLUMNS_MAX], word[COLUMNS_MAX], width[COLUMNS_MAX]; // pt
    double size, gap;                                                   // pt
} table;

static paper_style cell_style(const table *t, const page_node *cell, bool head)
{
    const bool heading = is(cell, "th") && !has_class(cell, "name");
    return (paper_style){.size = t->size,
                         .bold = heading || has_class(cell, "bad-text"),
                         .colour = has_class(cell, "bad-text") ? BAD
                                   : heading && !head          ? FAINT
                                                               : INK,
                         .align = strcmp(cell->class, "n") == 0 ? PAPER_RIGHT : PAPER_LEFT};
}

// A unit below the heading of its column, as on the page.
static const char *cell_text(flow *f, const page_node *cell)
{
    const char *text = markup_of(f, cell, false), *unit = strstr(text, "<small>");
    if (!unit || unit == text || unit[-1] == '\n' || !is(cell, "th"))
        return text;
    const size_t before = (size_t)(unit - text), size = strlen(text);
    char *two = arena_alloc(&f->memory, size + 2);
    if (!two)
        return text;
    memcpy(two, text, before);
    two[before] = '\n';
    memcpy(two + before + 1, unit, size - before + 1);
    return two;
}

static void measure_rows(flow *f, table *t, const page_node *rows, bool head)
{
    for (const page_node *row = rows ? rows->child : NULL; row; row = row->next) {
        int k = 0;
        for (const page_node *cell = row->child; cell; cell = cell->next) {
            if ((!is(cell, "td") && !is(cell, "th")) || k >= COLUMNS_MAX)
                continue;
            double natural, word;
            const paper_style style = cell_style(t, cell, head);
            paper_text_width(f->sheet, cell_text(f, cell), &style, &natural, &word);
            t->natural[k] = fmax(t->natural[k], natural + 0.5);
            // Numbers and names are not wrapped.
            const bool whole = is(cell, "td") ? has_class(cell, "n") : has_class(cell, "name");
            t->word[k] = fmax(t->word[k], whole ? natural + 0.5 : word + 0.5);
            t->column_count = ++k > t->column_count ? k : t->column_count;
        }
    }
}

// Columns as wide as their text where there is room; else what is missing is taken from those that
// can be wrapped; else the text is set smaller.
static void choose_widths(table *t)
{
    const double room = WIDTH - t->gap * (t->column_count - 1);
    double natural = 0.0, word = 0.0;
    for (int k = 0; k < t->column_count; k++)
        natural += t->natural[k], word += t->word[k];
    const double share = natural <= room ? 1.0
                         : word < room   ? (room - word) / (natural - word)
                                         : 0.0;
    const double scale = word > room ? room / word : 1.0;
    for (int k = 0; k < t->column_count; k++)
        t->width[k] = scale * (t->word[k] + share * (t->natural[k] - t->word[k]));
    t->size *= scale;
}

static double put_row(flow *f, const table *t, const page_node *row, bool head, bool draw)
{
    double x = PAPER_MARGIN, height = 0.0;
    int k = 0;
    for (const page_node *cell = row->child; cell; cell = cell->next) {
        if ((!is(cell, "td") && !is(cell, "th")) || k >= t->column_count)
            continue;
        const paper_style style = cell_style(t, cell, head);
        height = fmax(height, paper_text(f->sheet, cell_text(f, cell), &style, x, f->y,
                                         t->width[k] + 0.5, draw));
        x += t->width[k++] + t->gap;
    }
    return height;
}

static void put_rows(flow *f, const table *t, const page_node *rows, const page_node *head,
                     bool is_head)
{
    double width = -t->gap;
    for (int k = 0; k < t->column_count; k++)
        width += t->width[k] + t->gap;
    for (const page_node *row = rows ? rows->child : NULL; row; row = row->next) {
        if (!is(row, "tr"))
            continue;
        const double height = put_row(f, t, row, is_head, false) + 4.0;
        const int number = paper_number(f->sheet);
        make_room(f, is_head ? height + 30.0 : height);
        if (head && paper_number(f->sheet) != number)
            put_rows(f, t, head, NULL, true);
        put_row(f, t, row, is_head, true);
        f->y += height;
        paper_box(f->sheet, PAPER_MARGIN, f->y - 2.0, width, is_head ? 0.6 : 0.3, 0.0,
                  is_head ? DARK_LINE : LINE);
    }
}

static void put_table(flow *f, const page_node *node)
{
    table *t = arena_alloc(&f->memory, sizeof *t);
    if (!t) {
        f->status = mc_error_set(f->error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
        return;
    }
    const page_node *head = page_tree_find(node, "thead"), *rows = page_tree_find(node, "tbody");
    t->size = 7.5;
    t->gap = 7.0;
    measure_rows(f, t, head, true);
    measure_rows(f, t, rows, false);
    if (t->column_count == 0)
        return;
    choose_widths(t);
    put_rows(f, t, head, NULL, true);
    put_rows(f, t, rows, head, false);
    f->y += 8.0;
}

// ---- pictures ----

static void put_picture(flow *f, const page_node *svg)
{
    double width, height;
    const double scale = picture_scale(f, svg, &width, &height);
    if (scale == 0.0)
        return;
    make_room(f, scale * height);
    f->status = paper_picture(f->sheet, svg->text, PAPER_MARGIN, f->y, scale * width,
                              scale * height, f->error);
    f->y += scale * height + 8.0;
}

// ---- the page ----

static void put_blocks(flow *f, const page_node *parent);

static void put_details(flow *f, const page_node *details)
{
    static const paper_style bold = {.size = 9.0, .bold = true, .colour = INK};
    const page_node *summary = page_tree_find(details, "summary");
    if (summary && details->open)
        put_text(f, markup_of(f, summary, false), &bold, 3.0);
    if (details->open) {
        put_blocks(f, details);
        return;
    }
    char text[300];
    snprintf(text, sizeof text, "%.200s: in the report as an HTML page.",
             summary ? markup_of(f, summary, false) : "More");
    put_text(f, text, &faint, 6.0);
}

static void put_block(flow *f, const page_node *n)
{
    if (is(n, "summary"))
        return; // put_details
    if (is(n, "h1"))
        put_heading(f, n, 18.0, 0.0, 60.0);
    else if (is(n, "h2"))
        put_heading(f, n, 13.0, 12.0, 90.0);
    else if (is(n, "h3"))
        put_heading(f, n, 9.5, 6.0, 60.0);
    else if (is(n, "") || is(n, "p"))
        put_text(f, markup_of(f, n, false), has_class(n, "faint") ? &faint : &body, 6.0);
    else if (is(n, "pre"))
        put_lines(f, n);
    else if (is(n, "ol"))
        put_happened(f, n);
    else if (is(n, "dl"))
        put_facts(f, n);
    else if (is(n, "table"))
        put_table(f, n);
    else if (is(n, "svg"))
        put_picture(f, n);
    else if (is(n, "details"))
        put_details(f, n);
    else if (has_class(n, "pills"))
        put_pills(f, n);
    else
        put_blocks(f, n);
}

static void put_blocks(flow *f, const page_node *parent)
{
    for (const page_node *n = parent->child; n && f->status == MC_OK; n = n->next)
        put_block(f, n);
}

char *pdf_from_html(const char *html, const char *title, size_t *size, mc_error *error)
{
    flow f = {.y = TOP, .status = MC_OK, .error = error};
    char *bytes = NULL;
    const page_node *page = page_tree_read(&f.memory, html);
    f.sheet = page ? paper_open(title, error) : NULL;
    if (!page)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    if (f.sheet) {
        put_blocks(&f, page);
        bytes = paper_close(f.sheet, size, error);
        if (f.status != MC_OK) {
            free(bytes);
            bytes = NULL;
        }
    }
    arena_free(&f.memory);
    return bytes;
}
