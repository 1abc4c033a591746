// yaml.c - libfyaml's events built into nodes.
//
// Events, not libfyaml's document tree: the tree compares every key with all before it (40,000 keys
// take a minute) and follows aliases without a bound. Here every limit is checked as the events
// come, and the keys of a map are sorted once at its end.
#include "io/yaml.h"

#include "base/assert.h"
#include "io/yaml_quoted.h"

#include <libfyaml.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- places ----

typedef struct reader {
    const char *bytes, *file;
    size_t length;
    arena *memory;
    mc_error *error;
    mc_status status;
    // Nodes and texts are small: they share blocks of the arena.
    yaml_node *nodes;
    int nodes_left, node_count;
    char *text;
    size_t text_left;
    // Place of the last offset asked for; offsets mostly rise.
    size_t offset, line_begin;
    int line;
    // Open maps and lists.
    struct level {
        yaml_node *node, *last; // last child
        yaml_node *key;         // waits for its value
    } levels[YAML_DEPTH_MAX];
    int depth;
    yaml_node *root;
    bool second;              // document: the next event tells its place
    const yaml_node **sorted; // YAML_KEYS_MAX, made when first needed
} reader;

static bool ends_line(const char *bytes, size_t length, size_t i)
{
    return bytes[i] == '\n' || (bytes[i] == '\r' && (i + 1 == length || bytes[i + 1] != '\n'));
}

static void place_of(reader *r, size_t offset, int *line, int *column)
{
    offset = offset < r->length ? offset : r->length;
    if (offset < r->line_begin) {
        r->offset = r->line_begin = 0;
        r->line = 1;
    }
    for (; r->offset < offset; r->offset++)
        if (ends_line(r->bytes, r->length, r->offset)) {
            r->line++;
            r->line_begin = r->offset + 1;
        }
    *line = r->line;
    *column = (int)(offset - r->line_begin) + 1;
}

__attribute__((format(printf, 4, 5))) static mc_status reject_at(reader *r, int line, int column,
                                                                 const char *format, ...)
{
    if (r->status != MC_OK)
        return r->status;
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return r->status = mc_error_set(r->error, MC_BAD_INPUT, r->file, line, column, "%s", text);
}

#define reject(r, at, ...)                                                                         \
    do {                                                                                           \
        int reject_line, reject_column;                                                            \
        place_of((r), (at), &reject_line, &reject_column);                                         \
        reject_at((r), reject_line, reject_column, __VA_ARGS__);                                   \
    } while (0)

static mc_status no_memory(reader *r)
{
    return r->status = mc_error_set(r->error, MC_NO_MEMORY, r->file, 0, 0, "no memory to read it");
}

const char *yaml_quote(const char *text, char buffer[YAML_QUOTE_SIZE])
{
    const size_t room = YAML_QUOTE_SIZE - 4; // "..." and '\0'
    size_t used = strlen(text);
    const bool cut = used > room;
    if (cut)
        for (used = room; used > 0 && ((unsigned char)text[used] & 0xC0) == 0x80;)
            used--; // not within a character
    for (size_t i = 0; i < used; i++)
        buffer[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7F ? ' ' : text[i];
    memcpy(buffer + used, cut ? "..." : "", cut ? 4 : 1);
    return buffer;
}

// ---- the bytes, before libfyaml sees them ----

enum { YAML_BRACKETS_MAX = 1 << 18 };

// Length of the UTF-8 character at p, 0 when there is none (Unicode table 3-7).
static size_t utf8_length(const unsigned char *p, size_t left)
{
    if (p[0] < 0x80)
        return 1;
    const size_t n = p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 0;
    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) || // short form, surrogate
        (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F))
        return 0;
    return n;
}

// libfyaml keeps all tokens that may still belong to a key, and takes quadratic time over blank
// lines inside a text: 8 MB of "[" took 3 GB, 8 MB of line ends more than a minute. So lines, blank
// lines and open brackets are bounded here. A closing bracket after a quote or # may be text or
// comment and is not counted; the bound is high enough for that.
static mc_status check_lines(reader *r)
{
    size_t begin = 0;
    int blank = 0, open = 0;
    bool plain = true;
    for (size_t i = 0; i < r->length && r->status == MC_OK; i++) {
        const char c = r->bytes[i];
        if (i - begin >= YAML_LINE_MAX && c != '\r' && c != '\n')
            reject(r, i, "a line of more than %d bytes; lists may continue on the next line",
                   (int)YAML_LINE_MAX);
        if (c != ' ' && c != '\r' && c != '\n')
            blank = -1; // the end of this line makes it 0
        plain = plain && c != '"' && c != '\'' && c != '#';
        if (c == '[' || c == '{')
            open++;
        else if ((c == ']' || c == '}') && plain && open > 0)
            open--;
        if (open > YAML_BRACKETS_MAX)
            reject(r, i, "more than %d open brackets", (int)YAML_BRACKETS_MAX);
        if (!ends_line(r->bytes, r->length, i))
            continue;
        begin = i + 1;
        plain = true;
        if (++blank > YAML_BLANK_LINES_MAX)
            reject(r, i, "more than %d blank lines in a row", (int)YAML_BLANK_LINES_MAX);
    }
    return r->status;
}

static mc_status check_bytes(reader *r)
{
    const unsigned char *p = (const unsigned char *)r->bytes;
    if (r->length > YAML_FILE_MAX)
        return reject_at(r, 0, 0, "the file has %zu bytes, expected at most %d", r->length,
                         (int)YAML_FILE_MAX);
    for (size_t i = 0; i < r->length && r->status == MC_OK;) {
        const size_t n = utf8_length(p + i, r->length - i);
        if (n == 0)
            reject(r, i, "byte 0x%02X is not UTF-8 text; save the file as UTF-8", p[i]);
        else if (p[i] == '\t')
            reject(r, i, "found a tab; indent with blanks, tabs are not allowed anywhere");
        else if ((p[i] < ' ' && p[i] != '\n' && p[i] != '\r') || p[i] == 0x7F)
            reject(r, i, "found the control character 0x%02X, expected plain text", p[i]);
        i += n;
    }
    return r->status;
}

// "%" begins a directive at the start of the file, and a comment for users of MATLAB.
static mc_status check_directive(reader *r)
{
    for (size_t i = 0; i < r->length;) {
        if (r->bytes[i] == '%')
            reject(r, i,
                   "found %% at the start of a line; comments begin with #, and YAML directives "
                   "are not supported");
        if (r->bytes[i] != '#' && r->bytes[i] != '\n' && r->bytes[i] != '\r')
            break;
        while (i < r->length && r->bytes[i] != '\n' && r->bytes[i] != '\r')
            i++;
        while (i < r->length && (r->bytes[i] == '\n' || r->bytes[i] == '\r'))
            i++;
    }
    return r->status;
}

// ---- errors of libfyaml, in our words ----

static const struct {
    const char *said; // a part of libfyaml's message
    const char *text; // for an engineer
} messages[] = {
    {"nested block mapping on the same line",
     "a second \": \" on one line; put the inner key on its own line, indented, or the text in "
     "quotes"},
    {"flow sequence without a closing", "a list [ ... ] has no closing ]"},
    {"missing comma in flow mapping", "expected a comma or a closing } in a map { ... }"},
    {"missing comma in flow sequence", "expected a comma or a closing ] in a list [ ... ]"},
    {"flow mapping without a closing", "a map { ... } has no closing }"},
    {"without closing quote", "text in quotes has no closing quote"},
    {"invalid indentation in mapping", "the indentation of this line matches no line above it; "
                                       "keys of one map begin in the same column"},
    {"wrong indendation in sequence", "the indentation of this line matches no line above it; the "
                                      "- of one list are in the same column"},
    {"multiline plain key", "this text would continue on the next line; is that line indented too "
                            "far, or is a colon missing?"},
    {"could not find expected ':'", "expected \"key: value\", with a blank after the colon"},
    {"at the end of block sequence",
     "expected \"- value\" as in the lines above, or less indentation"},
    {"cannot start with", "text that begins with this character must be in quotes"},
    {"invalid comma", "a comma without a value before it"},
    {"invalid extra closing brace", "} without a { before it"},
    {"invalid extra closing bracket", "] without a [ before it"},
    {"block sequence on the same line",
     "a list with - begins on a new line below its key; a list in one line is [a, b, c]"},
    {"wrongly indented flow",
     "the lines of a list [ ... ] or map { ... } must be indented more than its key"},
    {"invalid escape", "unknown escape after \\ in double quotes; single quotes have no escapes"},
    {"block scalar", "a block of text (| or >) begins on a new line, indented more than its key"},
    {"undefined tag", "tags (!) are not supported; write the plain value"},
    {"tag", "tags (!) are not supported; write the plain value"},
    {"depth", "lists and maps are nested too deeply"},
};

static void explain(reader *r, struct fy_diag *diag)
{
    void *iterator = NULL;
    const struct fy_diag_error *first = fy_diag_errors_iterate(diag, &iterator);
    if (!first) {
        reject_at(r, 0, 0, "this is not a YAML file");
        return;
    }
    int line = first->line, column = first->column;
    const struct fy_mark *mark = first->fyt ? fy_token_start_mark(first->fyt) : NULL;
    if (mark)
        place_of(r, mark->input_pos, &line, &column);
    else if (line <= 0)
        line = column = 0;
    const char *said = first->msg ? first->msg : "not valid YAML";
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++)
        if (strstr(said, messages[i].said)) {
            reject_at(r, line, column, "%s", messages[i].text);
            return;
        }
    reject_at(r, line, column, "YAML: %s", said);
}

// ---- nodes ----

static yaml_node *new_node(reader *r, yaml_kind kind, size_t offset)
{
    enum { BLOCK = 512 };
    if (r->node_count >= YAML_NODES_MAX) {
        reject(r, offset, "more than %d keys and values in one file", (int)YAML_NODES_MAX);
        return NULL;
    }
    if (r->nodes_left == 0) {
        r->nodes = arena_alloc(r->memory, BLOCK * sizeof r->nodes[0]);
        r->nodes_left = BLOCK;
        if (!r->nodes) {
            r->nodes_left = 0;
            no_memory(r);
            return NULL;
        }
    }
    r->nodes_left--;
    r->node_count++;
    yaml_node *node = r->nodes++;
    *node = (yaml_node){.kind = kind, .text = ""};
    place_of(r, offset, &node->line, &node->column);
    return node;
}

static bool have_room(reader *r, size_t size)
{
    enum { BLOCK = 1 << 14 };
    if (size <= r->text_left)
        return true;
    const size_t room = size > BLOCK ? size : BLOCK;
    char *block = arena_alloc(r->memory, room);
    if (!block) {
        no_memory(r);
        return false;
    }
    r->text = block;
    r->text_left = room;
    return true;
}

// Ends the text that has been written where room was made.
static const char *keep_text(reader *r, size_t length)
{
    char *text = r->text;
    text[length] = '\0';
    r->text += length + 1;
    r->text_left -= length + 1;
    return text;
}

// Puts a finished or opened node where the reader stands: as key, as value, as element, as root.
static void attach(reader *r, yaml_node *node)
{
    if (r->depth == 0) {
        r->root = node;
        return;
    }
    struct level *top = &r->levels[r->depth - 1];
    if (top->node->kind == YAML_MAPPING && !top->key) {
        if (node->kind != YAML_SCALAR || (node->text[0] == '\0' && !node->quoted))
            reject_at(r, node->line, node->column, "a key must be a word");
        else if (top->node->count == YAML_KEYS_MAX)
            reject_at(r, node->line, node->column, "more than %d keys in one map",
                      (int)YAML_KEYS_MAX);
        top->key = node;
        return;
    }
    node->key = top->key;
    top->key = NULL;
    if (top->last)
        top->last->next = node;
    else
        top->node->first = node;
    top->last = node;
    top->node->count++;
}

static int compare_keys(const void *a, const void *b)
{
    const yaml_node *x = *(const yaml_node *const *)a, *y = *(const yaml_node *const *)b;
    const int order = strcmp(x->text, y->text);
    if (order != 0)
        return order;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->column > y->column) - (x->column < y->column);
}

static bool comes_before(const yaml_node *a, const yaml_node *b)
{
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

// Names the first key of the map that was there before.
static void check_keys(reader *r, const yaml_node *map)
{
    if (map->count < 2)
        return;
    if (!r->sorted && !(r->sorted = malloc(YAML_KEYS_MAX * sizeof r->sorted[0]))) {
        no_memory(r);
        return;
    }
    int count = 0;
    for (const yaml_node *n = map->first; n; n = n->next)
        r->sorted[count++] = n->key;
    qsort(r->sorted, (size_t)count, sizeof r->sorted[0], compare_keys);
    const yaml_node *again = NULL, *before = NULL;
    for (int i = 1; i < count; i++)
        if (strcmp(r->sorted[i - 1]->text, r->sorted[i]->text) == 0 &&
            (!again || comes_before(r->sorted[i], again))) {
            again = r->sorted[i];
            before = r->sorted[i - 1];
        }
    char quote[YAML_QUOTE_SIZE];
    if (again)
        reject_at(r, again->line, again->column,
                  "key \"%s\" is already in this map, at line %d, column %d",
                  yaml_quote(again->text, quote), before->line, before->column);
}

// ---- events ----

static size_t offset_of(const reader *r, const struct fy_mark *mark)
{
    return mark ? mark->input_pos : r->offset;
}

// The text of a block, or of a plain scalar over several lines, to `out`; its length. With NULL,
// the length alone. fy_token_get_text may cut it short, and then loses the memory it has worked in.
static size_t folded_text(struct fy_token *token, char *out)
{
    struct fy_token_iter *lines = fy_token_iter_create(token);
    size_t length = 0;
    const struct fy_iter_chunk *part = NULL;
    while ((part = fy_token_iter_chunk_next(lines, part, NULL)) != NULL) {
        if (out)
            memcpy(out + length, part->str, part->len);
        length += part->len;
    }
    fy_token_iter_destroy(lines);
    return length;
}

// The text of a scalar that begins at `offset`; quotes are taken off.
static const char *scalar_text(reader *r, struct fy_token *token, size_t offset, size_t *length)
{
    const enum fy_scalar_style style = fy_token_scalar_style(token);
    const struct fy_mark *start = fy_token_start_mark(token), *end = fy_token_end_mark(token);
    const size_t raw = offset_of(r, end) - offset;
    *length = 0;
    mc_assert(offset <= offset_of(r, end) && offset_of(r, end) <= r->length);
    if (style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) {
        if (!have_room(r, YAML_QUOTED_ROOM(raw)))
            return "";
        const char quote = style == FYSS_SINGLE_QUOTED ? '\'' : '"';
        *length = yaml_unquote(quote, r->bytes + offset, raw, r->text);
    } else if (style == FYSS_PLAIN && start->line == end->line) {
        if (!have_room(r, raw + 1))
            return "";
        memcpy(r->text, r->bytes + offset, raw);
        *length = raw;
    } else {
        if (!have_room(r, folded_text(token, NULL) + 1))
            return "";
        *length = folded_text(token, r->text);
    }
    return keep_text(r, *length);
}

static void take_scalar(reader *r, struct fy_event *event)
{
    struct fy_token *token = event->scalar.value;
    if (!token) { // a value left out: stands where its key stands
        yaml_node *node = new_node(r, YAML_SCALAR, r->offset);
        if (!node)
            return;
        const struct level *top = r->depth ? &r->levels[r->depth - 1] : NULL;
        if (top && top->key) {
            node->line = top->key->line;
            node->column = top->key->column;
        }
        attach(r, node);
        return;
    }
    const enum fy_scalar_style style = fy_token_scalar_style(token);
    size_t offset = offset_of(r, fy_token_start_mark(token));
    if (style == FYSS_LITERAL || style == FYSS_FOLDED)
        while (offset + 1 < r->length && strchr(" \r\n", r->bytes[offset]))
            offset++;
    yaml_node *node = new_node(r, YAML_SCALAR, offset);
    if (!node)
        return;
    size_t length;
    node->text = scalar_text(r, token, offset, &length);
    if (memchr(node->text, '\0', length)) // "\0" in double quotes
        reject(r, offset, "found the control character 0x00, expected plain text");
    node->quoted = style != FYSS_PLAIN;
    attach(r, node);
}

static void open_level(reader *r, yaml_kind kind, const struct fy_mark *mark)
{
    const size_t offset = offset_of(r, mark);
    if (r->depth == YAML_DEPTH_MAX) {
        reject(r, offset, "lists and maps are nested more than %d levels deep",
               (int)YAML_DEPTH_MAX);
        return;
    }
    yaml_node *node = new_node(r, kind, offset);
    if (!node)
        return;
    attach(r, node);
    r->levels[r->depth++] = (struct level){.node = node};
}

static void reject_decoration(reader *r, struct fy_token *anchor, struct fy_token *tag)
{
    if (anchor)
        reject(r, offset_of(r, fy_token_start_mark(anchor)) - 1,
               "anchors (&name) and aliases (*name) are not supported; repeat the value, or make "
               "it a parameter");
    if (tag)
        reject(r, offset_of(r, fy_token_start_mark(tag)),
               "tags (!) are not supported; write the plain value");
}

static void take_event(reader *r, struct fy_event *event)
{
    const struct fy_mark *mark = fy_event_start_mark(event);
    if (r->second || (mark && r->root && event->type == FYET_DOCUMENT_START)) {
        reject(r, offset_of(r, mark), "a second document begins here; expected one per file");
        return;
    }
    switch (event->type) {
    case FYET_DOCUMENT_START:
        r->second = r->root != NULL;
        break;
    case FYET_ALIAS:
        reject_decoration(r, event->alias.anchor, NULL);
        break;
    case FYET_SCALAR:
        reject_decoration(r, event->scalar.anchor, event->scalar.tag);
        take_scalar(r, event);
        break;
    case FYET_SEQUENCE_START:
        reject_decoration(r, event->sequence_start.anchor, event->sequence_start.tag);
        open_level(r, YAML_SEQUENCE, mark);
        break;
    case FYET_MAPPING_START:
        reject_decoration(r, event->mapping_start.anchor, event->mapping_start.tag);
        open_level(r, YAML_MAPPING, mark);
        break;
    case FYET_MAPPING_END:
        check_keys(r, r->levels[--r->depth].node);
        break;
    case FYET_SEQUENCE_END:
        r->depth--;
        break;
    default:
        break;
    }
}

static void take_events(reader *r, struct fy_parser *parser, struct fy_diag *diag)
{
    struct fy_event *event;
    while (r->status == MC_OK && (event = fy_parser_parse(parser))) {
        take_event(r, event);
        fy_parser_event_free(parser, event);
    }
    if (r->status == MC_OK && fy_parser_get_stream_error(parser))
        explain(r, diag);
    if (r->status == MC_OK && !r->root)
        reject_at(r, 1, 1, "the file is empty");
}

mc_status yaml_parse(const char *bytes, size_t length, const char *file, arena *memory,
                     const yaml_node **root, mc_error *error)
{
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) { // byte order mark
        bytes += 3;
        length -= 3;
    }
    reader r = {.bytes = bytes,
                .length = length,
                .file = file,
                .memory = memory,
                .error = error,
                .line = 1};
    *root = NULL;
    if (check_bytes(&r) != MC_OK || check_lines(&r) != MC_OK || check_directive(&r) != MC_OK)
        return r.status;

    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    quiet.colorize = false;
    struct fy_diag *diag = fy_diag_create(&quiet);
    const struct fy_parse_cfg config = {.flags = FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE |
                                                 FYPCF_DISABLE_MMAP_OPT,
                                        .diag = diag};
    if (diag)
        fy_diag_set_collect_errors(diag, true);
    struct fy_parser *parser = diag ? fy_parser_create(&config) : NULL;
    if (!parser || (length > 0 && fy_parser_set_string(parser, bytes, length) != 0))
        no_memory(&r);
    else if (length == 0)
        reject_at(&r, 1, 1, "the file is empty");
    else
        take_events(&r, parser, diag);
    if (parser)
        fy_parser_destroy(parser);
    if (diag)
        fy_diag_destroy(diag);
    free(r.sorted);
    if (r.status == MC_OK)
        *root = r.root;
    return r.status;
}

const yaml_node *yaml_find(const yaml_node *map, const char *key)
{
    if (map->kind != YAML_MAPPING)
        return NULL;
    for (const yaml_node *n = map->first; n; n = n->next)
        if (strcmp(n->key->text, key) == 0)
            return n;
    return NULL;
}

void yaml_rename_key(const yaml_node *value, const char *key)
{
    ((yaml_node *)(uintptr_t)value->key)->text = key; // readers see const nodes; the tree is not
}
