// export.c - a unit as a file: the description, the binary with its companion, the model's files.
//
// The model is first laid out as the binary will find it, in a folder of its own, and opened from
// there by the same code: what cannot be opened is not written.
#include "motorcade/fmu.h"

#include "base/file.h"
#include "fmu/description.h"
#include "io/zip.h"
#include "motorcade/multibody.h"
#include "motorcade/scenario.h"
#include "motorcade/simulate.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENTRIES_MAX = 2048, PATH_SIZE = 2 * PATH_MAX };

typedef struct unit {
    arena memory;
    char folder[64]; // resources as the binary will find them
    fmu_settings settings;
    fmu_model *model;
    zip_entry entries[ENTRIES_MAX];
    int count;
    mc_error *error;
} unit;

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the unit");
}

// ---- entries -----------------------------------------------------------------------------------

static mc_status add_bytes(unit *u, const char *name, const void *data, size_t size)
{
    if (u->count == ENTRIES_MAX)
        return mc_error_set(u->error, MC_BAD_INPUT, NULL, 0, 0, "more than %d files in a unit",
                            ENTRIES_MAX);
    const char *copy = arena_copy_text(&u->memory, name, strlen(name));
    if (!copy)
        return no_memory(u->error);
    u->entries[u->count++] = (zip_entry){copy, data, size};
    return MC_OK;
}

static mc_status add_file(unit *u, const char *name, const char *path)
{
    char *data;
    size_t size;
    const mc_status status = file_read(&u->memory, path, 0, &data, &size, u->error);
    return status == MC_OK ? add_bytes(u, name, data, size) : status;
}

// A file of resources/, there and in the folder of the draft.
static mc_status add_resource(unit *u, const char *name, const void *data, size_t size)
{
    char path[PATH_SIZE], entry[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", u->folder, name);
    snprintf(entry, sizeof entry, "resources/%s", name);
    for (int i = 0; i < u->count; i++)
        if (strcmp(u->entries[i].name, entry) == 0)
            return u->entries[i].size == size && memcmp(u->entries[i].data, data, size) == 0
                       ? MC_OK
                       : mc_error_set(u->error, MC_BAD_INPUT, NULL, 0, 0,
                                      "two different files are called %s; a unit keeps them in one "
                                      "folder",
                                      name);
    file_writer *out = file_writer_open(path, u->error);
    if (!out)
        return u->error->code;
    file_writer_hasty(out);
    file_write(out, data, size);
    const mc_status status = file_writer_commit(out, u->error);
    return status == MC_OK ? add_bytes(u, entry, data, size) : status;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static mc_status add_model(unit *u, const char *input)
{
    char *data;
    size_t size;
    if (u->settings.law[0])
        return MC_OK; // it is in the library
    mc_status status = file_read(&u->memory, input, 0, &data, &size, u->error);
    if (status != MC_OK)
        return status;
    u->settings.scenario = !mc_multibody_is_model(input);
    status = add_resource(u, u->settings.scenario ? "scenario.yaml" : "model.yaml", data, size);
    if (status == MC_OK && !u->settings.scenario &&
        (u->settings.vehicle[0] || u->settings.controller[0]))
        return mc_error_set(u->error, MC_BAD_INPUT, input, 0, 0,
                            "found a mechanism, expected a scenario with a vehicle or controller "
                            "\"%s\"",
                            u->settings.vehicle[0] ? u->settings.vehicle : u->settings.controller);
    if (status != MC_OK || !u->settings.scenario)
        return status;
    mc_scenario *s = mc_scenario_load(input, u->error); // with places of errors in the user's file
    if (!s)
        return u->error->code;
    const char *path;
    for (int i = 0; status == MC_OK && (path = mc_scenario_file_name(s, i)); i++) {
        const char *end = strrchr(path, '.');
        if (end && strcmp(end, ".fmu") == 0) {
            status = mc_error_set(u->error, MC_BAD_INPUT, input, 0, 0,
                                  "it runs the unit %s itself; a unit within a unit is not "
                                  "supported",
                                  base_name(path));
            break;
        }
        status = file_read(&u->memory, path, 0, &data, &size, u->error);
        if (status == MC_OK)
            status = add_resource(u, base_name(path), data, size);
    }
    mc_scenario_free(s);
    return status;
}

// ---- binaries ----------------------------------------------------------------------------------

// The binary of all units lies beside the program, or where it was installed.
static bool find_binary(char *path, size_t size)
{
    char program[PATH_MAX] = "";
    const char *const places[] = {"motorcade_fmu.so", MOTORCADE_FMU_FROM_BIN};
    if (!realpath("/proc/self/exe", program))
        return false;
    char *slash = strrchr(program, '/');
    *slash = '\0';
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        if (snprintf(path, size, "%s/%s", program, places[k]) < (int)size &&
            access(path, R_OK) == 0)
            return true;
    return snprintf(path, size, "%s", MOTORCADE_FMU_BUILT) < (int)size && access(path, R_OK) == 0;
}

static mc_status add_binaries(unit *u, int version, const char *id)
{
    static const char sleef[] = "libsleef.so.3";
    const char *platform = version == 3 ? "x86_64-linux" : "linux64";
    char path[PATH_SIZE], entry[256];
    if (!find_binary(path, sizeof path))
        return mc_error_set(u->error, MC_IO, NULL, 0, 0,
                            "motorcade_fmu.so, the binary of units, is not installed beside the "
                            "program; build the target motorcade_fmu");
    snprintf(entry, sizeof entry, "binaries/%s/%s.so", platform, id);
    mc_status status = add_file(u, entry, path);
    void *library = dlopen(sleef, RTLD_NOW | RTLD_LOCAL);
    struct link_map *map = NULL;
    if (status == MC_OK && (!library || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0))
        status = mc_error_set(u->error, MC_IO, NULL, 0, 0, "%s is not installed", sleef);
    snprintf(entry, sizeof entry, "binaries/%s/%s", platform, sleef);
    if (status == MC_OK)
        status = add_file(u, entry, map->l_name);
    if (library)
        dlclose(library);
    return status;
}

// ---- sources -----------------------------------------------------------------------------------

// The build description of this unit: its identifier replaces @ID@.
static mc_status add_build_description(unit *u, const zip_entry *e, const char *id)
{
    static const char mark[] = "@ID@";
    const char *text = arena_copy_text(&u->memory, e->data, e->size);
    const char *at = text ? strstr(text, mark) : NULL;
    const size_t size = e->size + strlen(id) + 1;
    char *out = text ? arena_alloc(&u->memory, size) : NULL;
    if (!out)
        return no_memory(u->error);
    const int before = at ? (int)(at - text) : (int)e->size;
    snprintf(out, size, "%.*s%s%s", before, text, at ? id : "", at ? at + strlen(mark) : "");
    return add_bytes(u, "sources/buildDescription.xml", out, strlen(out));
}

// The sources that the binary was built from are beside it, in an archive; a build without Python
// has none (cmake/fmu.cmake). A build description is of FMI 3.0.
static mc_status add_sources(unit *u, int version, const char *id)
{
    char path[PATH_SIZE], name[PATH_SIZE];
    zip_entry *entries;
    int count = 0;
    if (version != 3 || !find_binary(path, sizeof path))
        return MC_OK;
    char *end = strrchr(path, '.');
    snprintf(end, sizeof path - (size_t)(end - path), "_sources.zip");
    if (access(path, R_OK) != 0)
        return MC_OK;
    mc_status status = zip_read(&u->memory, path, &entries, &count, u->error);
    for (int i = 0; status == MC_OK && i < count; i++) {
        snprintf(name, sizeof name, "sources/%s", entries[i].name);
        status = strcmp(entries[i].name, "buildDescription.xml") == 0
                     ? add_build_description(u, &entries[i], id)
                     : add_bytes(u, name, entries[i].data, entries[i].size);
    }
    return status;
}

// ---- the whole ---------------------------------------------------------------------------------

static mc_status check_method(const mc_fmu_options *o, mc_error *error)
{
    mc_method method;
    if (!o->method)
        return o->fixed_step > 0.0
                   ? mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                  "method dop853 adapts its step: no fixed step is expected")
                   : MC_OK;
    const mc_status status = mc_method_find(o->method, &method, error);
    if (status != MC_OK)
        return status;
    if (!method.adaptive && !(o->fixed_step > 0.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "method %s has a fixed step: expected its length", method.name);
    if (method.adaptive && o->fixed_step > 0.0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "method %s adapts its step: no fixed step is expected", method.name);
    return MC_OK;
}

// A mechanism may have names that a unit has for itself, such as time.
static mc_status check_names(const unit *u)
{
    const fmu_variable *v = u->model->variables;
    for (int i = 0; i < u->model->variable_count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(v[i].name, v[k].name) == 0)
                return mc_error_set(u->error, MC_BAD_INPUT, NULL, 0, 0,
                                    "two variables of the unit are called \"%s\"; expected another "
                                    "name in the model",
                                    v[i].name);
    return MC_OK;
}

static mc_status add_descriptions(unit *u, int version, const char *id)
{
    char token[80], settings[512];
    expr_text description = {0}, terminals = {0};
    fmu_model_token(u->model, &u->settings, token);
    fmu_describe(u->model, version, id, token, &description);
    fmu_describe_terminals(u->model, &terminals);
    fmu_settings_print(&u->settings, settings, sizeof settings);
    const char *texts[] = {description.text, version == 3 ? terminals.text : NULL, settings};
    static const char *const names[] = {"modelDescription.xml",
                                        "terminalsAndIcons/terminalsAndIcons.xml",
                                        "resources/settings.txt"};
    mc_status status =
        description.status == MC_OK && terminals.status == MC_OK ? MC_OK : no_memory(u->error);
    for (int k = 0; k < 3 && status == MC_OK; k++) {
        const char *copy =
            texts[k] ? arena_copy_text(&u->memory, texts[k], strlen(texts[k])) : NULL;
        if (texts[k])
            status = copy ? add_bytes(u, names[k], copy, strlen(copy)) : no_memory(u->error);
    }
    expr_text_free(&description);
    expr_text_free(&terminals);
    return status;
}

static void fill_report(const unit *u, int version, const char *id, mc_fmu_report *r)
{
    const fmu_model *m = u->model;
    *r = (mc_fmu_report){.version = version,
                         .model_exchange = m->state_count > 0,
                         .why = m->why,
                         .variable_count = m->variable_count,
                         .state_count = m->state_count,
                         .event_count = m->event_count,
                         .directional = fmu_has_directional(m)};
    snprintf(r->name, sizeof r->name, "%s", id);
    for (int i = 0; i < m->variable_count; i++) {
        r->input_count += m->variables[i].causality == FMU_INPUT;
        r->parameter_count += m->variables[i].causality == FMU_PARAMETER;
    }
}

static void remove_folder(const char *folder)
{
    DIR *all = opendir(folder);
    char path[PATH_SIZE];
    for (struct dirent *e; all && (e = readdir(all));) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] != '.' || strlen(e->d_name) > 2)
            unlink(path);
    }
    if (all)
        closedir(all);
    rmdir(folder);
}

// Which part of the input is to be the unit.
static mc_status take_part(unit *u, const mc_fmu_options *o)
{
    const char *const given[] = {o->law, o->vehicle, o->controller};
    char *const to[] = {u->settings.law, u->settings.vehicle, u->settings.controller};
    int count = 0;
    for (int k = 0; k < 3; k++) {
        const char *name = given[k] ? given[k] : "";
        if (strlen(name) >= sizeof u->settings.law || strpbrk(name, " \t\n"))
            return mc_error_set(u->error, MC_BAD_INPUT, NULL, 0, 0,
                                "\"%.60s\": expected a name of at most 47 characters", name);
        memcpy(to[k], name, strlen(name) + 1);
        count += name[0] != '\0';
    }
    return count <= 1 ? MC_OK
                      : mc_error_set(u->error, MC_BAD_INPUT, NULL, 0, 0,
                                     "a unit is one of a law, a vehicle or a controller");
}

static mc_status write_unit(unit *u, const char *input, const mc_fmu_options *o, const char *output,
                            mc_fmu_report *report)
{
    const int version = o->version ? o->version : 3;
    char id[48];
    mc_status status = check_method(o, u->error);
    if (status == MC_OK)
        status = take_part(u, o);
    if (status == MC_OK)
        status = add_model(u, input);
    if (status != MC_OK)
        return status;
    snprintf(u->settings.method, sizeof u->settings.method, "%s", o->method ? o->method : "");
    u->settings.fixed_step = o->fixed_step;
    u->settings.rtol = o->rtol;
    u->model = fmu_model_open(&u->settings, u->folder, u->error);
    if (!u->model) { // places are those of the user's file
        snprintf(u->error->file, sizeof u->error->file, "%s",
                 u->error->file[0] && input ? input : "");
        return u->error->code;
    }
    expr_identifier(u->model->name, id);
    if (report)
        fill_report(u, version, id, report);
    status = check_names(u);
    if (status == MC_OK)
        status = add_descriptions(u, version, id);
    if (status == MC_OK)
        status = add_binaries(u, version, id);
    if (status == MC_OK)
        status = add_sources(u, version, id);
    return status == MC_OK ? zip_write(output, u->entries, u->count, u->error) : status;
}

mc_status mc_fmu_write(const char *input, const mc_fmu_options *options, const char *output,
                       mc_fmu_report *report, mc_error *error)
{
    static const mc_fmu_options defaults = {0};
    mc_error own;
    const mc_fmu_options *o = options ? options : &defaults;
    unit *u = calloc(1, sizeof *u);
    error = error ? error : &own;
    if (!u)
        return no_memory(error);
    u->error = error;
    snprintf(u->folder, sizeof u->folder, "/tmp/motorcade-fmu-XXXXXX");
    mc_status status =
        o->version != 0 && o->version != 2 && o->version != 3
            ? mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "FMI %d: expected 2 or 3", o->version)
        : mkdtemp(u->folder)
            ? MC_OK
            : mc_error_set(error, MC_IO, NULL, 0, 0, "cannot make a folder in /tmp");
    if (status == MC_OK) {
        status = write_unit(u, input, o, output, report);
        remove_folder(u->folder);
    }
    fmu_model_close(u->model);
    arena_free(&u->memory);
    free(u);
    return status;
}
