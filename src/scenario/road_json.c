// road_json.c - lists of the section road as they are written, for editors that change one entry
// and give the whole list back as an edit.
#include "io/schema_writer.h"
#include "io/yaml.h"
#include "motorcade/scenario.h"

#include <stdlib.h>
#include <string.h>

// Whether a text is a number of JSON as it stands: "0.5", "-3e2"; ".5", "0x1", "nan" are not.
static bool is_number(const char *text)
{
    const char *digit = text + (text[0] == '-');
    char *end;
    if (digit[0] < '0' || digit[0] > '9' ||
        (digit[0] == '0' && digit[1] && !strchr(".eE", digit[1])))
        return false;
    strtod(text, &end);
    return *end == '\0' && end[-1] >= '0' && end[-1] <= '9' && !strpbrk(text, "xXpP");
}

static void put(schema_writer *j, const char *key, const yaml_node *node)
{
    if (node->kind != YAML_SCALAR) {
        const bool map = node->kind == YAML_MAPPING;
        schema_open_line(j, key, map ? '{' : '[');
        for (const yaml_node *n = node->first; n; n = n->next)
            put(j, map ? n->key->text : NULL, n);
        schema_shut_line(j, map ? '}' : ']');
        return;
    }
    const bool word = !node->quoted && (is_number(node->text) || strcmp(node->text, "true") == 0 ||
                                        strcmp(node->text, "false") == 0);
    if (word)
        schema_word(j, key, node->text);
    else
        schema_text(j, key, node->text);
}

static void put_list(schema_writer *j, const yaml_node *road, const char *list)
{
    const yaml_node *node = road ? yaml_find(road, list) : NULL;
    if (node && node->kind == YAML_SEQUENCE) {
        put(j, list, node);
        return;
    }
    schema_open_line(j, list, '[');
    schema_shut_line(j, ']');
}

char *mc_scenario_road_json(const mc_scenario *s)
{
    const char *text = mc_scenario_text(s);
    const yaml_node *root = NULL;
    arena memory = {0};
    mc_error error;
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);
    schema_writer j = {.out = file};
    if (file && yaml_parse(text, strlen(text), "the scenario", &memory, &root, &error) == MC_OK) {
        const yaml_node *road = yaml_find(root, "road");
        schema_open_line(&j, NULL, '{');
        put_list(&j, road, "sections");
        put_list(&j, road, "ramps");
        schema_shut_line(&j, '}');
    }
    arena_free(&memory);
    if (file && fclose(file) == 0 && out && out[0])
        return out;
    free(out);
    return NULL;
}
