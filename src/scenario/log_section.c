// log_section.c - a log put into the text of a scenario.
#include "scenario/log_section.h"

#include "base/bytes.h"
#include "io/yaml_tree.h"

#include <string.h>

// Everything but the log, in one form: equal for texts that say the same.
static const char *rest_of(const char *text, arena *memory, mc_error *error)
{
    const yaml_node *root = NULL;
    if (yaml_parse(text, strlen(text), "scenario", memory, &root, error) != MC_OK)
        return NULL;
    yaml_tree *tree = yaml_tree_copy(memory, root);
    if (tree)
        yaml_tree_remove(tree, "log");
    const char *rest = yaml_tree_write(memory, tree);
    if (!rest)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the text of a scenario");
    return rest;
}

// ---- lines ----

static const char *next_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

// The text without the lines of its top-level key `log`: that line, and what is indented below it.
static void put_without_log(bytes *out, const char *text)
{
    bool inside = false;
    for (const char *at = text, *end; *at; at = end) {
        end = next_line(at);
        if (strncmp(at, "log:", 4) == 0)
            inside = true;
        else if (!strchr(" \r\n", *at))
            inside = false;
        if (!inside)
            bytes_put(out, at, (size_t)(end - at));
    }
    if (out->size > 0 && out->data[out->size - 1] != '\n')
        bytes_put(out, "\n", 1);
}

// As a block of lines, the way a person would write it.
static void put_block(bytes *out, const char *log)
{
    static const char head[] = "log: |\n";
    bytes_put(out, head, strlen(head));
    for (const char *at = log, *end; *at; at = end) {
        end = next_line(at);
        bytes_put(out, *at == '\n' ? "" : "  ", *at == '\n' ? 0 : 2);
        bytes_put(out, at, (size_t)(end - at));
    }
}

// In quotes, with escapes, over several lines: any text, also one with long lines or tabs.
static void put_quoted(bytes *out, const char *log)
{
    enum { WIDTH = 100 };
    bytes_put(out, "log: \"", 6);
    for (int column = 0; *log; log++) {
        const unsigned char c = (unsigned char)*log;
        static const char digits[] = "0123456789abcdef";
        const char hex[] = {'\\', 'x', digits[c >> 4], digits[c & 15]}, pair[] = {'\\', *log};
        if (c == '\n')
            bytes_put(out, "\\n", 2);
        else if (c < ' ' || c == 0x7f)
            bytes_put(out, hex, sizeof hex);
        else if (c == '"' || c == '\\' || (c == ' ' && column == 0)) // a blank would be skipped
            bytes_put(out, pair, sizeof pair);
        else
            bytes_put(out, log, 1);
        // Not within a character of UTF-8.
        if (++column >= WIDTH && ((unsigned char)log[1] & 0xc0) != 0x80) {
            bytes_put(out, "\\\n  ", 4);
            column = 0;
        }
    }
    bytes_put(out, "\"\n", 2);
}

// ---- the text ----

// Whether a text reads back as this log and that rest.
static bool says(const char *text, const char *rest, const char *log)
{
    arena memory = {0};
    mc_error error = {0};
    const yaml_node *root = NULL;
    bool good = yaml_parse(text, strlen(text), "scenario", &memory, &root, &error) == MC_OK;
    const yaml_node *found = good ? yaml_find(root, "log") : NULL;
    const char *other = good ? rest_of(text, &memory, &error) : NULL;
    good = other && strcmp(other, rest) == 0 && strcmp(found ? found->text : "", log) == 0;
    arena_free(&memory);
    return good;
}

// One try: NULL when the text would not read back.
static const char *compose(const char *text, const char *rest, const char *log,
                           void (*put)(bytes *out, const char *log), arena *memory)
{
    bytes out = {0};
    put_without_log(&out, text);
    if (log[0])
        put(&out, log);
    bytes_put(&out, "", 1);
    const char *made = NULL;
    if (!out.failed && says((const char *)out.data, rest, log))
        made = arena_copy_text(memory, (const char *)out.data, out.size - 1);
    bytes_free(&out);
    return made;
}

const char *scenario_text_with_log(const char *text, const char *log, arena *memory,
                                   mc_error *error)
{
    arena scratch = {0};
    const char *rest = rest_of(text, &scratch, error), *made = NULL;
    const char *const from[] = {text, rest}; // as it was written; as it can be written again
    for (int k = 0; rest && !made && k < 2; k++) {
        made = compose(from[k], rest, log, put_block, memory);
        if (!made)
            made = compose(from[k], rest, log, put_quoted, memory);
    }
    if (rest && !made)
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                     "the scenario and its log of %zu bytes are more than one file can hold",
                     strlen(log));
    arena_free(&scratch);
    return made;
}
