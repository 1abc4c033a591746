// concept_text.c - the text of a concept in requests.
#include "studio/request/concept_text.h"

#include "motorcade/concept_edit.h"
#include "studio/request/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 60000, CHANGES_MAX = 200 };

void concept_text_drop(concept_text *t)
{
    free(t->text);
    json_decref(t->lost);
}

static bool of_world(request *r, concept_text *out)
{
    branch *world;
    if (!read_branch(r, &world))
        return false;
    bench *b = bench_of(world);
    if (b && bench_is_concept(b)) {
        out->text = strdup(b->text);
        snprintf(out->file, sizeof out->file, "%s", b->file);
    } else {
        request_reject(r, "world", "world %d is no concept", world->number);
    }
    bench_drop(b);
    branch_drop(world);
    return out->text;
}

static bool make_changes(request *r, concept_text *t)
{
    const json_t *list = json_object_get(r->body, "changes");
    mc_concept_change changes[CHANGES_MAX];
    const size_t count = json_array_size(list);
    bool good = (!list || json_is_array(list)) && count <= CHANGES_MAX;
    for (size_t k = 0; good && k < count; k++) {
        const json_t *row = json_array_get(list, k), *value = json_object_get(row, "value");
        changes[k] = (mc_concept_change){json_string_value(json_object_get(row, "path")),
                                         json_string_value(value)};
        good = changes[k].path && (changes[k].value || json_is_null(value));
    }
    if (!good) {
        request_reject(r, "changes",
                       "changes must be a list of at most %d {path, value}, each a text, value "
                       "null: removed",
                       CHANGES_MAX);
        return false;
    }
    if (count == 0)
        return true;
    mc_error error = {0};
    char *text = mc_concept_edit(t->text, t->file, changes, (int)count, &error);
    if (!text) {
        request_reject_error(r, &error);
        return false;
    }
    free(t->text);
    t->text = text;
    return true;
}

static void note_lost(void *context, const char *line)
{
    json_array_append_new(context, json_string(line));
}

static bool change_template(request *r, concept_text *t)
{
    const json_t *what = json_object_get(r->body, "template");
    const char *axle = json_string_value(json_object_get(what, "axle"));
    const char *to = json_string_value(json_object_get(what, "to"));
    if (!what)
        return true;
    if (!axle || !to) {
        request_reject(r, "template", "template must have axle and to, two texts");
        return false;
    }
    mc_error error = {0};
    char *text = mc_concept_change_template(t->text, t->file, axle, to, note_lost, t->lost, &error);
    if (!text) {
        request_reject_error(r, &error);
        return false;
    }
    free(t->text);
    t->text = text;
    return true;
}

bool concept_text_read(request *r, concept_text *out)
{
    const char *text;
    *out = (concept_text){.file = "concept.yaml", .lost = json_array()};
    if (!read_text(r, "text", TEXT_MAX, "", &text))
        return false;
    if (text[0])
        out->text = strdup(text);
    else if (!of_world(r, out))
        return false;
    if (!out->text || !out->lost) {
        request_reject(r, NULL, "no memory for a concept");
        return false;
    }
    return make_changes(r, out) && change_template(r, out);
}
