// fuzz_yaml.c - any bytes as a YAML file: the promises of yaml.h.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "io/yaml.h"

#include <string.h>

static int check_node(const yaml_node *node, int depth, size_t length)
{
    int count = 0, total = 1;
    mc_assert(node->kind == YAML_SCALAR || depth < YAML_DEPTH_MAX);
    mc_assert(node->line >= 1 && (size_t)node->line <= length + 1);
    mc_assert(node->column >= 1 && (size_t)node->column <= length + 1);
    mc_assert(node->kind == YAML_SCALAR || node->text[0] == '\0');
    for (const yaml_node *n = node->first; n; n = n->next, count++) {
        mc_assert((n->key != NULL) == (node->kind == YAML_MAPPING));
        if (n->key) {
            mc_assert(n->key->kind == YAML_SCALAR);
            mc_assert(count >= 200 || yaml_find(node, n->key->text) == n); // each key once
            total += check_node(n->key, depth, length);
        }
        total += check_node(n, depth + 1, length);
    }
    mc_assert(count == node->count && (count == 0 || node->kind != YAML_SCALAR));
    mc_assert(node->kind != YAML_MAPPING || count <= YAML_KEYS_MAX);
    return total;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena memory = {0};
    mc_error error = {0};
    const yaml_node *root;
    char buffer[YAML_QUOTE_SIZE];
    const mc_status status = yaml_parse((const char *)data, size, "f.yaml", &memory, &root, &error);
    if (status == MC_OK) {
        mc_assert(check_node(root, 0, size) <= YAML_NODES_MAX);
        mc_assert(strlen(yaml_quote(root->text, buffer)) < sizeof buffer);
    } else {
        mc_assert(status == MC_BAD_INPUT && error.code == status && !root);
        mc_assert(strcmp(error.file, "f.yaml") == 0);
        mc_assert(strlen(error.text) > 10 && !strchr(error.text, '\n'));
        mc_assert(error.line >= 0 && (size_t)error.line <= size + 1);
        mc_assert(error.column >= 0 && (size_t)error.column <= size + 1);
    }
    arena_free(&memory);
    return 0;
}
