// units.c - the key fmu of controllers: a unit of FMI that drives.
#include "base/bytes.h"
#include "scenario/reader.h"

#include <stdio.h>
#include <string.h>

static void close_package(void *package)
{
    unit_package_close(package);
}

// What drives: throttle, brake, speed and acceleration of the car; the force at its wheels.
static bool make_powertrain_words(scenario_reader *r, unit_words *out)
{
    static const unit_word in[SCENARIO_FORCE_WORDS] = {
        [SCENARIO_FORCE_THROTTLE] = {"throttle", false},
        [SCENARIO_FORCE_BRAKE] = {"brake", false},
        [SCENARIO_FORCE_V] = {"v", false},
        [SCENARIO_FORCE_A] = {"a", false}};
    static const unit_word answers[] = {{"force", true}};
    (void)r;
    *out = (unit_words){
        .inputs = in, .input_count = SCENARIO_FORCE_WORDS, .outputs = answers, .output_count = 1};
    return true;
}

// Every signal of laws, now where the unit has it for the middle of the step too; else in the
// middle.
static bool make_law_words(scenario_reader *r, unit_words *out)
{
    static const unit_word answers[] = {{"acceleration", true}};
    static const unit_word begins[] = {{"midpoint", false}}; // told that middle.* are connected
    unit_word *words = reader_alloc(&r->base, SCENARIO_UNIT_WORDS, sizeof *words);
    for (int k = 0; words && k < SIGNAL_COUNT; k++) {
        const size_t size = strlen(law_signals[k].name) + sizeof "middle.";
        char *name = reader_alloc(&r->base, (int)size, 1);
        if (!name)
            return false;
        snprintf(name, size, "middle.%s", law_signals[k].name);
        words[k].name = law_signals[k].name;
        words[SIGNAL_COUNT + k].name = name;
    }
    *out = (unit_words){.inputs = words,
                        .input_count = SCENARIO_UNIT_WORDS,
                        .outputs = answers,
                        .output_count = 1,
                        .begins = begins,
                        .begin_count = 1};
    return words != NULL;
}

static const char *text_of(scenario_reader *r, const yaml_node *map, const char *key)
{
    const yaml_node *node = map->kind == YAML_MAPPING ? reader_get(&r->base, map, key) : NULL;
    return node ? reader_text(&r->base, node) : "";
}

// NAME = VALUE, .. of a key; messages are at its place.
static unit_pairs pairs_of(scenario_reader *r, const yaml_node *map, const char *key)
{
    mc_error error = {0};
    unit_pairs pairs = {0};
    const char *text = text_of(r, map, key);
    if (unit_pairs_read(r->base.memory, text, &pairs, &error) != MC_OK)
        reader_reject(&r->base, yaml_find(map, key), "%s", error.text);
    return pairs;
}

static bool law_continues(scenario_reader *r, const yaml_node *map)
{
    static const char *const words[] = {"stop", "law"};
    const yaml_node *node = map->kind == YAML_MAPPING ? reader_get(&r->base, map, "failure") : NULL;
    return node && reader_choice(&r->base, node, words, 2) == 1;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

typedef bool make_words(scenario_reader *r, unit_words *out);

static void wire(scenario_reader *r, const yaml_node *node, const mc_file *file, make_words *make,
                 scenario_fmu *out)
{
    mc_error error = {0};
    unit_words words;
    const unit_pairs connect = pairs_of(r, node, "connect"), set = pairs_of(r, node, "parameters");
    if (r->base.status != MC_OK || !make(r, &words))
        return;
    unit_package *package = unit_package_open(file->bytes, file->size, file->path, &error);
    if (!package && error.line == 0)
        reader_reject(&r->base, node, "%s: %s", base_name(file->path), error.text);
    else if (!package)
        scenario_reject_by(r, node, &error);
    if (!package)
        return;
    if (!arena_on_free(r->base.memory, close_package, package)) {
        unit_package_close(package);
        reader_no_memory(&r->base);
        return;
    }
    if (unit_wire(r->base.memory, package, &words, &connect, &set, &out->wiring, &error) != MC_OK)
        reader_reject(&r->base, node, "%s: %s", unit_package_name(package), error.text);
}

static const scenario_fmu *read_unit(scenario_reader *r, const yaml_node *node, make_words *make)
{
    const bool short_form = node->kind == YAML_SCALAR && !reader_is_empty(node);
    if (!short_form && !scenario_check_keys(r, node, SECTION_FMU, NULL, 0))
        return NULL;
    const yaml_node *named = short_form ? node : scenario_need(r, node, SECTION_FMU, "file");
    const mc_file *file = named ? scenario_take_file(r, named, 0) : NULL;
    scenario_fmu *out = reader_alloc(&r->base, 1, sizeof *out);
    if (!file || !out)
        return NULL;
    wire(r, node, file, make, out);
    out->place = scenario_place_of(node);
    out->law_continues = law_continues(r, node);
    out->wiring.limit = short_form ? 10.0 : scenario_number(r, node, SECTION_FMU, "time_limit");
    const char *texts[] = {text_of(r, node, "connect"), text_of(r, node, "parameters")};
    out->hash = file->hash;
    for (int k = 0; k < 2; k++)
        out->hash = bytes_hash(out->hash, texts[k], strlen(texts[k]) + 1);
    return r->base.status == MC_OK ? out : NULL;
}

const scenario_fmu *scenario_read_unit(scenario_reader *r, const yaml_node *node)
{
    return read_unit(r, node, make_law_words);
}

const scenario_fmu *scenario_read_powertrain_unit(scenario_reader *r, const yaml_node *node)
{
    const scenario_fmu *out = read_unit(r, node, make_powertrain_words);
    if (out && out->law_continues)
        reader_reject(&r->base, node, "failure: law is for controllers; a powertrain has no law");
    return out;
}
