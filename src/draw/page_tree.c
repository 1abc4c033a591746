// page_tree.c - our pages as trees, and the text in them.
#include "draw/page_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 32 };

typedef struct reader {
    arena *memory;
    const char *at;
    page_node *parent[DEPTH_MAX], *last[DEPTH_MAX]; // open elements, and their last child
    int depth;
} reader;

static page_node *add(reader *r)
{
    page_node *node = arena_alloc(r->memory, sizeof *node);
    if (!node)
        return NULL;
    *node = (page_node){.tag = "", .class = "", .text = ""};
    if (r->last[r->depth])
        r->last[r->depth]->next = node;
    else
        r->parent[r->depth]->child = node;
    return r->last[r->depth] = node;
}

static bool add_text(reader *r, const char *end)
{
    if (end == r->at)
        return true;
    page_node *node = add(r);
    if (!node || !(node->text = arena_copy_text(r->memory, r->at, (size_t)(end - r->at))))
        return false;
    r->at = end;
    return true;
}

// The value of an attribute between the name of an element and its '>'; "" without one.
static const char *attribute(reader *r, const char *from, const char *to, const char *name)
{
    const size_t length = strlen(name);
    for (const char *c = from; c + length + 2 < to; c++) {
        if (*c == '"') { // past a value, which may contain anything but quotes
            c = memchr(c + 1, '"', (size_t)(to - c - 1));
            if (!c)
                break;
        } else if (*c == ' ' && strncmp(c + 1, name, length) == 0 &&
                   strncmp(c + 1 + length, "=\"", 2) == 0) {
            const char *value = c + length + 3, *end = memchr(value, '"', (size_t)(to - value));
            return end ? arena_copy_text(r->memory, value, (size_t)(end - value)) : "";
        }
    }
    return "";
}

// The '>' of a tag; quotes may hold others.
static const char *tag_end(const char *c)
{
    for (bool quoted = false; *c; c++) {
        quoted ^= *c == '"';
        if (*c == '>' && !quoted)
            return c;
    }
    return NULL;
}

// Past the end of the picture that begins here; pictures may contain others. NULL: it has none.
static const char *picture_end(const char *c)
{
    int depth = 0;
    while ((c = strchr(c, '<'))) {
        if (strncmp(c, "</svg>", 6) == 0 && --depth == 0)
            return c + 6;
        depth += strncmp(c, "<svg", 4) == 0;
        c++;
    }
    return NULL;
}

static bool add_picture(reader *r)
{
    const char *end = picture_end(r->at);
    page_node *node = end ? add(r) : NULL;
    if (!node)
        return false;
    node->tag = "svg";
    node->text = arena_copy_text(r->memory, r->at, (size_t)(end - r->at));
    r->at = end;
    return node->text != NULL;
}

static bool add_element(reader *r)
{
    const char *name = r->at + 1, *end = tag_end(r->at);
    if (!end)
        return false;
    if (*name == '/') { // whatever is open: our pages close what they opened last
        r->depth -= r->depth > 0;
        r->at = end + 1;
        return true;
    }
    const size_t length = strcspn(name, " >/\n");
    if (strncmp(name, "svg", 3) == 0 && length == 3)
        return add_picture(r);
    page_node *node = add(r);
    if (!node || r->depth + 1 >= DEPTH_MAX)
        return false;
    node->tag = arena_copy_text(r->memory, name, length);
    node->class = attribute(r, name + length, end, "class");
    if (!node->tag || !node->class)
        return false;
    node->open = strncmp(name + length, " open>", 6) == 0;
    if (strcmp(node->tag, "br") != 0) {
        r->depth++;
        r->parent[r->depth] = node;
        r->last[r->depth] = NULL;
    }
    r->at = end + 1;
    return true;
}

page_node *page_tree_read(arena *memory, const char *html)
{
    page_node *body = arena_alloc(memory, sizeof *body);
    const char *start = strstr(html, "<body>");
    if (!body || !start)
        return NULL;
    *body = (page_node){.tag = "body", .class = "", .text = ""};
    reader r = {.memory = memory, .at = start + 6, .parent = {body}};
    while (*r.at && strncmp(r.at, "</body>", 7) != 0) {
        const bool good = *r.at == '<' ? add_element(&r) : add_text(&r, r.at + strcspn(r.at, "<"));
        if (!good)
            return NULL;
    }
    return body;
}

const page_node *page_tree_find(const page_node *node, const char *tag)
{
    for (const page_node *n = node->child; n; n = n->next) {
        const page_node *inside = strcmp(n->tag, tag) == 0 ? n : page_tree_find(n, tag);
        if (inside)
            return inside;
    }
    return NULL;
}

// ---- text ----

static void put_text(FILE *out, const char *text, bool as_is, bool *blank)
{
    for (; *text; text++) {
        const bool is_blank = *text == ' ' || *text == '\n' || *text == '\t';
        if (as_is || !is_blank)
            fputc(*text, out);
        else if (!*blank)
            fputc(' ', out);
        *blank = is_blank;
    }
}

static void put_inside(FILE *out, const page_node *node, bool as_is, bool *blank)
{
    for (const page_node *n = node->child; n; n = n->next) {
        const bool kept = strcmp(n->tag, "b") == 0 || strcmp(n->tag, "small") == 0;
        put_text(out, n->text, as_is, blank);
        if (strcmp(n->tag, "br") == 0) {
            fputc('\n', out);
            *blank = true;
        }
        if (kept)
            fprintf(out, "<%s>", n->tag);
        put_inside(out, n, as_is, blank);
        if (kept)
            fprintf(out, "</%s>", n->tag);
    }
}

char *page_tree_markup(arena *memory, const page_node *node, bool as_is)
{
    char *text = NULL, *kept = NULL;
    size_t size = 0;
    bool blank = true; // none at the start
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (node->tag[0])
        put_inside(out, node, as_is, &blank);
    else
        put_text(out, node->text, as_is, &blank);
    const bool good = !ferror(out);
    if (fclose(out) == 0 && good) {
        while (!as_is && size > 0 && text[size - 1] == ' ')
            size--;
        kept = arena_copy_text(memory, text, size);
    }
    free(text);
    return kept;
}
