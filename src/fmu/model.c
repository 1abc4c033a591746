// model.c - variables, settings and identity of a unit.
#include "fmu/model.h"

#include "base/text.h"
#include "motorcade/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fmu_variable *fmu_model_add(fmu_model *m, const char *name, const char *unit, const char *doc,
                            fmu_causality causality)
{
    enum { GROWTH = 64 };
    if (m->variable_count % GROWTH == 0) {
        const size_t count = (size_t)m->variable_count + GROWTH;
        fmu_variable *more = realloc(m->variables, count * sizeof *more);
        if (!more)
            return NULL;
        m->variables = more;
    }
    const bool has_unit = text_has_unit(unit);
    fmu_variable v = {.causality = causality,
                      .name = arena_copy_text(&m->memory, name, strlen(name)),
                      .unit = has_unit ? arena_copy_text(&m->memory, unit, strlen(unit)) : "",
                      .doc = arena_copy_text(&m->memory, doc, strlen(doc))};
    if (!v.name || !v.unit || !v.doc)
        return NULL;
    m->variables[m->variable_count] = v;
    return &m->variables[m->variable_count++];
}

fmu_model *fmu_model_open(const fmu_settings *settings, const char *folder, mc_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.yaml", folder, settings->scenario ? "scenario" : "model");
    return settings->law[0] || settings->controller[0] ? fmu_law_open(settings, path, error)
           : settings->vehicle[0]                      ? fmu_vehicle_open(settings, path, error)
           : settings->scenario                        ? fmu_scenario_open(settings, path, error)
                                                       : fmu_mechanism_open(settings, path, error);
}

void fmu_model_close(fmu_model *m)
{
    if (!m)
        return;
    free(m->variables);
    arena memory = m->memory;
    m->kind->close(m);
    arena_free(&memory);
}

void fmu_model_token(const fmu_model *m, const fmu_settings *settings, char out[80])
{
    char text[512];
    fmu_settings_print(settings, text, sizeof text);
    unsigned long long hash = bytes_hash(m->hash, text, strlen(text));
    hash = bytes_hash(hash, MC_VERSION, strlen(MC_VERSION));
    snprintf(out, 80, "%.40s-%016llx", m->name, hash);
}

// ---- settings ----------------------------------------------------------------------------------

void fmu_settings_print(const fmu_settings *s, char *out, size_t size)
{
    snprintf(out, size, "kind %s\nmethod %s\nfixed_step %.17g\nrtol %.17g\n",
             s->scenario ? "scenario" : "mechanism", s->method[0] ? s->method : "dop853",
             s->fixed_step, s->rtol);
    const char *const names[] = {"law", "vehicle", "controller"};
    const char *const values[] = {s->law, s->vehicle, s->controller};
    for (int k = 0; k < 3; k++) {
        const size_t used = strlen(out);
        if (values[k][0] && used < size)
            snprintf(out + used, size - used, "%s %s\n", names[k], values[k]);
    }
}

mc_status fmu_settings_read(fmu_settings *s, const char *text, const char *file, mc_error *error)
{
    *s = (fmu_settings){0};
    int line = 0;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char name[24] = "", value[48] = "";
        double number = 0.0;
        line++;
        if (sscanf(at, "%23s %47s", name, value) != 2)
            return mc_error_set(error, MC_BAD_INPUT, file, line, 1, "expected NAME VALUE");
        if (strcmp(name, "kind") == 0)
            s->scenario = strcmp(value, "scenario") == 0;
        else if (strcmp(name, "method") == 0)
            snprintf(s->method, sizeof s->method, "%.23s", value);
        else if (strcmp(name, "law") == 0)
            snprintf(s->law, sizeof s->law, "%s", value);
        else if (strcmp(name, "vehicle") == 0)
            snprintf(s->vehicle, sizeof s->vehicle, "%s", value);
        else if (strcmp(name, "controller") == 0)
            snprintf(s->controller, sizeof s->controller, "%s", value);
        else if (!text_to_double(value, &number))
            return mc_error_set(error, MC_BAD_INPUT, file, line, 1, "%s: expected a number", name);
        else if (strcmp(name, "fixed_step") == 0)
            s->fixed_step = number;
        else if (strcmp(name, "rtol") == 0)
            s->rtol = number;
    }
    return MC_OK;
}
