// edit.c - values of a concept's text, changed one by one.
#include "concept/edit.h"

#include "io/yaml_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *mc_concept_edit(const char *text, const char *name, const mc_concept_change *changes,
                      int count, mc_error *error)
{
    arena memory = {0};
    const char *now = text;
    mc_error own;
    error = error ? error : &own;
    for (int k = 0; k < count && now; k++)
        now = yaml_edit(now, strlen(now), name, changes[k].path, changes[k].value, &memory, error);
    mc_concept *c = now ? mc_concept_parse(now, name, error) : NULL;
    char *out = c ? strdup(now) : NULL;
    if (c && !out)
        mc_error_set(error, MC_NO_MEMORY, name, 0, 0, "no memory for the changed file");
    mc_concept_free(c);
    arena_free(&memory);
    return out;
}

// ---- values ----

typedef struct walk {
    void (*value)(void *context, const mc_concept_value *value);
    void *context;
    char path[500];
} walk;

static void visit(walk *w, const yaml_node *n, size_t used)
{
    if (n->kind == YAML_SCALAR) {
        const mc_concept_value value = {w->path, n->text, n->line, n->column};
        w->value(w->context, &value);
    }
    int number = 0;
    for (const yaml_node *c = n->first; c; c = c->next, number++) {
        const int more = n->kind == YAML_MAPPING ? snprintf(w->path + used, sizeof w->path - used,
                                                            "%s%s", used ? "." : "", c->key->text)
                                                 : snprintf(w->path + used, sizeof w->path - used,
                                                            "%s%d", used ? "." : "", number);
        if (more >= 0 && used + (size_t)more < sizeof w->path)
            visit(w, c, used + (size_t)more);
        w->path[used] = '\0';
    }
}

mc_status mc_concept_values(const char *text, const char *name,
                            void (*value)(void *context, const mc_concept_value *value),
                            void *context, mc_error *error)
{
    arena memory = {0};
    const yaml_node *root;
    walk w = {.value = value, .context = context};
    const mc_status status = yaml_parse(text, strlen(text), name, &memory, &root, error);
    if (status == MC_OK)
        visit(&w, root, 0);
    arena_free(&memory);
    return status;
}
