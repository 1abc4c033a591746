// yaml_tree.c - changing and writing YAML.
#include "io/yaml_tree.h"

#include "base/bytes.h"

#include <stdio.h>
#include <string.h>

enum { FLOW_MAX = 96 }; // characters of a list or map on one line

static const char *copy_text(arena *memory, const char *text)
{
    return text ? arena_copy_text(memory, text, strlen(text)) : NULL;
}

yaml_tree *yaml_tree_new(yaml_kind kind, arena *memory)
{
    yaml_tree *t = arena_alloc(memory, sizeof *t);
    if (t) {
        t->kind = kind;
        t->text = "";
    }
    return t;
}

yaml_tree *yaml_tree_text(arena *memory, const char *text)
{
    yaml_tree *t = yaml_tree_new(YAML_SCALAR, memory);
    if (t)
        t->text = copy_text(memory, text);
    return t && t->text ? t : NULL;
}

yaml_tree *yaml_tree_quoted(arena *memory, const char *text)
{
    yaml_tree *t = yaml_tree_text(memory, text);
    if (t)
        t->quoted = true;
    return t;
}

yaml_tree *yaml_tree_number(arena *memory, double value)
{
    char text[40], *end = text + sizeof text;
    for (int digits = 15; digits <= 17; digits++) { // the shortest that gives the same number
        double back;
        snprintf(text, (size_t)(end - text), "%.*g", digits, value);
        if (sscanf(text, "%lf", &back) == 1 && back == value)
            break;
    }
    return yaml_tree_text(memory, text);
}

yaml_tree *yaml_tree_copy(arena *memory, const yaml_node *node)
{
    yaml_tree *t = yaml_tree_new(node->kind, memory);
    if (!t)
        return NULL;
    t->quoted = node->quoted;
    t->text = copy_text(memory, node->text);
    if (!t->text)
        return NULL;
    yaml_tree **end = &t->first;
    for (const yaml_node *n = node->first; n; n = n->next, end = &(*end)->next) {
        *end = yaml_tree_copy(memory, n);
        if (!*end)
            return NULL;
        (*end)->key = n->key ? copy_text(memory, n->key->text) : NULL;
        if (n->key && !(*end)->key)
            return NULL;
    }
    return t;
}

yaml_tree *yaml_tree_clone(arena *memory, const yaml_tree *node)
{
    yaml_tree *t = yaml_tree_new(node->kind, memory);
    if (!t)
        return NULL;
    t->quoted = node->quoted;
    t->text = node->text; // texts are never changed in place
    yaml_tree **end = &t->first;
    for (const yaml_tree *n = node->first; n; n = n->next, end = &(*end)->next) {
        *end = yaml_tree_clone(memory, n);
        if (!*end)
            return NULL;
        (*end)->key = n->key;
    }
    return t;
}

yaml_tree *yaml_tree_get(const yaml_tree *map, const char *key)
{
    if (!map || map->kind != YAML_MAPPING)
        return NULL;
    for (yaml_tree *n = map->first; n; n = n->next)
        if (strcmp(n->key, key) == 0)
            return n;
    return NULL;
}

bool yaml_tree_set(arena *memory, yaml_tree *map, const char *key, yaml_tree *value)
{
    if (!map || !value)
        return false;
    value->key = copy_text(memory, key);
    if (!value->key)
        return false;
    yaml_tree **at = &map->first;
    while (*at && strcmp((*at)->key, key) != 0)
        at = &(*at)->next;
    value->next = *at ? (*at)->next : NULL;
    *at = value;
    return true;
}

void yaml_tree_take_out(yaml_tree *parent, const yaml_tree *child)
{
    for (yaml_tree **at = &parent->first; *at; at = &(*at)->next)
        if (*at == child) {
            *at = child->next;
            return;
        }
}

void yaml_tree_remove(yaml_tree *map, const char *key)
{
    const yaml_tree *child = yaml_tree_get(map, key);
    if (child)
        yaml_tree_take_out(map, child);
}

bool yaml_tree_insert(yaml_tree *list, yaml_tree *behind, yaml_tree *value)
{
    if (!list || !value)
        return false;
    yaml_tree **at = behind ? &behind->next : &list->first;
    value->next = *at;
    *at = value;
    return true;
}

bool yaml_tree_append(yaml_tree *list, yaml_tree *value)
{
    if (!list || !value)
        return false;
    yaml_tree **at = &list->first;
    while (*at)
        at = &(*at)->next;
    *at = value;
    value->next = NULL;
    return true;
}

// ---- writing ----

static void put(bytes *out, const char *text)
{
    bytes_put(out, text, strlen(text));
}

static void put_indent(bytes *out, int indent)
{
    for (int k = 0; k < indent; k++)
        put(out, "  ");
}

static void put_quoted(bytes *out, const char *text)
{
    put(out, "\"");
    for (; *text; text++) {
        char escaped[8] = {*text, '\0'};
        if (*text == '"' || *text == '\\')
            snprintf(escaped, sizeof escaped, "\\%c", *text);
        else if (*text == '\n')
            snprintf(escaped, sizeof escaped, "\\n");
        else if ((unsigned char)*text < 0x20 || *text == 0x7f)
            snprintf(escaped, sizeof escaped, "\\x%02x", (unsigned)(unsigned char)*text);
        put(out, escaped);
    }
    put(out, "\"");
}

// Can the text stand without quotes? flow: within [] or {}.
static bool plain(const char *text, bool flow)
{
    const size_t length = strlen(text);
    if (length == 0 || strchr(" -?:,[]{}#&*!|>'\"%@`", text[0]) || text[length - 1] == ' ' ||
        text[length - 1] == ':') {
        const bool minus = text[0] == '-' && length > 1 && !strchr(" ,[]{}", text[1]);
        if (!minus || text[length - 1] == ' ' || text[length - 1] == ':')
            return false;
    }
    if (strncmp(text, "---", 3) == 0 || strncmp(text, "...", 3) == 0)
        return false;
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f || (*c == ':' && (c[1] == ' ' || flow)) ||
            (*c == '#' && c > text && c[-1] == ' ') || (flow && strchr(",[]{}", *c)))
            return false;
    return true;
}

static void put_scalar(bytes *out, const char *text, bool quoted, bool flow)
{
    if (!quoted && (plain(text, flow) || text[0] == '\0'))
        put(out, text);
    else
        put_quoted(out, text);
}

// Length on one line; more than FLOW_MAX: it does not fit on one line.
static size_t flow_length(const yaml_tree *t)
{
    if (t->kind == YAML_SCALAR)
        return !t->quoted && !plain(t->text, true) ? FLOW_MAX + 1 : strlen(t->text) + 2;
    size_t length = 2;
    for (const yaml_tree *n = t->first; n && length <= FLOW_MAX; n = n->next)
        length += flow_length(n) + 2 + (n->key ? strlen(n->key) + 2 : 0);
    return length;
}

static void put_flow(bytes *out, const yaml_tree *t)
{
    if (t->kind == YAML_SCALAR) {
        put_scalar(out, t->text, t->quoted, true);
        return;
    }
    put(out, t->kind == YAML_MAPPING ? "{" : "[");
    for (const yaml_tree *n = t->first; n; n = n->next) {
        if (n->key) {
            put_scalar(out, n->key, false, true);
            put(out, ": ");
        }
        put_flow(out, n);
        put(out, n->next ? ", " : "");
    }
    put(out, t->kind == YAML_MAPPING ? "}" : "]");
}

static void put_children(bytes *out, const yaml_tree *t, int indent, bool first_here);

// What stands behind "key:" or "-", and the end of its line.
static void put_value(bytes *out, const yaml_tree *t, int indent, bool in_list)
{
    const bool empty = t->kind == YAML_SCALAR && !t->quoted && t->text[0] == '\0';
    if (t->kind == YAML_SCALAR || !t->first || (indent > 0 && flow_length(t) <= FLOW_MAX)) {
        put(out, empty ? "" : " ");
        if (t->kind == YAML_SCALAR)
            put_scalar(out, t->text, t->quoted, false);
        else
            put_flow(out, t);
        put(out, "\n");
    } else if (in_list) {
        put(out, " ");
        put_children(out, t, indent + 1, true);
    } else {
        put(out, "\n");
        put_children(out, t, indent + 1, false);
    }
}

// first_here: the first one is put on the current line.
static void put_children(bytes *out, const yaml_tree *t, int indent, bool first_here)
{
    for (const yaml_tree *n = t->first; n; n = n->next) {
        if (!first_here || n != t->first)
            put_indent(out, indent);
        if (n->key) {
            put_scalar(out, n->key, false, false);
            put(out, ":");
        } else {
            put(out, "-");
        }
        put_value(out, n, indent, !n->key);
    }
}

const char *yaml_tree_write(arena *memory, const yaml_tree *root)
{
    bytes out = {0};
    if (!root)
        return NULL;
    if (root->kind == YAML_SCALAR || !root->first) {
        put_flow(&out, root);
        put(&out, "\n");
    } else {
        put_children(&out, root, 0, false);
    }
    const char *text =
        out.failed ? NULL : arena_copy_text(memory, (const char *)out.data, out.size);
    bytes_free(&out);
    return text;
}
