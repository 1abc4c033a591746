// description.c - see description.h.
#include "unit/description.h"

#include "base/text.h"
#include "io/xml.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
    arena *memory;
    const char *file;
    unit_description *d;
    mc_error *error;
} reading;

static mc_status bad(const reading *r, const xml_node *node, const char *what, const char *found,
                     const char *expected)
{
    return mc_error_set(r->error, MC_BAD_INPUT, r->file, node->line, node->column,
                        "<%s>: %s%s%s%s, expected %s", node->name, what, found ? " \"" : "",
                        found ? found : "", found ? "\"" : "", expected);
}

static const char *copy(const reading *r, const char *text)
{
    return text ? arena_copy_text(r->memory, text, strlen(text)) : "";
}

static mc_status no_memory(const reading *r)
{
    return mc_error_set(r->error, MC_NO_MEMORY, r->file, 0, 0, "no memory for the unit");
}

// ---- attributes --------------------------------------------------------------------------------

static mc_status read_flag(const reading *r, const xml_node *node, const char *name, bool *out)
{
    const char *text = xml_get(node, name);
    if (!text)
        return MC_OK;
    *out = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return *out || strcmp(text, "false") == 0 || strcmp(text, "0") == 0
               ? MC_OK
               : bad(r, node, name, text, "true or false");
}

static mc_status read_number(const reading *r, const xml_node *node, const char *name, double *out)
{
    const char *text = xml_get(node, name);
    return !text || (text_to_double(text, out) && isfinite(*out))
               ? MC_OK
               : bad(r, node, name, text, "a finite number");
}

static mc_status need_text(const reading *r, const xml_node *node, const char *name,
                           const char **out)
{
    const char *text = xml_get(node, name);
    if (!text || !text[0])
        return bad(r, node, "no attribute", name, "one with a text");
    *out = copy(r, text);
    return *out ? MC_OK : no_memory(r);
}

// ---- variables ---------------------------------------------------------------------------------

static const struct {
    const char *name;
    wire_type type;
} types2[] = {{"Real", WIRE_FLOAT64},
              {"Integer", WIRE_INT32},
              {"Enumeration", WIRE_INT32},
              {"Boolean", WIRE_BOOLEAN},
              {"String", WIRE_OTHER}},
  types3[] = {{"Float64", WIRE_FLOAT64}, {"Float32", WIRE_FLOAT32},   {"Int8", WIRE_INT8},
              {"UInt8", WIRE_UINT8},     {"Int16", WIRE_INT16},       {"UInt16", WIRE_UINT16},
              {"Int32", WIRE_INT32},     {"UInt32", WIRE_UINT32},     {"Int64", WIRE_INT64},
              {"UInt64", WIRE_UINT64},   {"Enumeration", WIRE_INT64}, {"Boolean", WIRE_BOOLEAN},
              {"String", WIRE_OTHER},    {"Binary", WIRE_OTHER},      {"Clock", WIRE_OTHER}};

static bool find_type(int version, const char *name, wire_type *out)
{
    const size_t count =
        version == 2 ? sizeof types2 / sizeof *types2 : sizeof types3 / sizeof *types3;
    for (size_t k = 0; k < count; k++)
        if (strcmp(version == 2 ? types2[k].name : types3[k].name, name) == 0) {
            *out = version == 2 ? types2[k].type : types3[k].type;
            return true;
        }
    return false;
}

static mc_status read_reference(const reading *r, const xml_node *node, unsigned *out)
{
    const char *text = xml_get(node, "valueReference");
    char *end = NULL;
    if (!text)
        return bad(r, node, "no valueReference", NULL, "a whole number");
    const unsigned long long value = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    *out = (unsigned)value;
    return end && !*end && value <= UINT32_MAX
               ? MC_OK
               : bad(r, node, "valueReference", text, "a whole number of 32 bits");
}

static mc_status read_causality(const reading *r, const xml_node *node, unit_causality *out)
{
    static const char *const words[] = {"parameter", "input", "output"};
    static const char *const others[] = {"local", "independent", "calculatedParameter",
                                         "structuralParameter", "dependent"};
    const char *text = xml_get(node, "causality");
    *out = UNIT_LOCAL;
    if (!text)
        return MC_OK;
    for (int k = 0; k < 3; k++)
        if (strcmp(text, words[k]) == 0) {
            *out = (unit_causality)k;
            return MC_OK;
        }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(text, others[k]) == 0)
            return MC_OK;
    return bad(r, node, "causality", text, "parameter, input, output, local or independent");
}

// Where values stand: in 2.0 in an element of the type, in 3.0 in the variable itself.
static mc_status read_values(const reading *r, const xml_node *values, unit_variable *v)
{
    bool start = false;
    v->start = NAN;
    if (v->type == WIRE_OTHER || v->array)
        return MC_OK;
    mc_status status;
    if (v->type == WIRE_BOOLEAN) {
        status = read_flag(r, values, "start", &start);
        v->start = xml_get(values, "start") ? (double)start : NAN;
    } else {
        status = read_number(r, values, "start", &v->start);
    }
    double min = -HUGE_VAL, max = HUGE_VAL;
    if (status == MC_OK && v->type != WIRE_BOOLEAN)
        status = read_number(r, values, "min", &min);
    if (status == MC_OK && v->type != WIRE_BOOLEAN)
        status = read_number(r, values, "max", &max);
    if (status == MC_OK && min > max)
        status = bad(r, values, "min above max", NULL, "a range");
    v->min = min, v->max = max;
    return status;
}

static mc_status read_variable(const reading *r, const xml_node *node, unit_variable *v)
{
    const xml_node *values = node;
    const char *initial = xml_get(node, "initial");
    mc_status status = need_text(r, node, "name", &v->name);
    if (status == MC_OK)
        status = read_reference(r, node, &v->reference);
    if (status == MC_OK)
        status = read_causality(r, node, &v->causality);
    if (status != MC_OK)
        return status;
    if (r->d->version == 2) {
        if (strcmp(node->name, "ScalarVariable") != 0)
            return bad(r, node, "a variable", NULL, "<ScalarVariable>");
        for (values = node->first; values && !find_type(2, values->name, &v->type);)
            values = values->next;
        if (!values)
            return bad(r, node, "no type of", v->name,
                       "Real, Integer, Boolean, String, Enumeration");
    } else if (!find_type(3, node->name, &v->type)) {
        return bad(r, node, "a variable", NULL, "an element such as <Float64>");
    }
    v->array = xml_first(node, "Dimension") != NULL;
    v->unit = copy(r, xml_get(values, "unit"));
    v->doc = copy(r, xml_get(node, "description"));
    if (!v->unit || !v->doc)
        return no_memory(r);
    status = read_values(r, values, v);
    v->exact = v->causality == UNIT_PARAMETER || v->causality == UNIT_INPUT ||
               (initial ? strcmp(initial, "exact") == 0 : !isnan(v->start));
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const unit_variable *)a)->name, ((const unit_variable *)b)->name);
}

static mc_status read_variables(const reading *r, const xml_node *root)
{
    const xml_node *all = xml_first(root, "ModelVariables");
    int count = 0;
    if (!all)
        return bad(r, root, "no element", "ModelVariables", "the variables of the unit");
    for (const xml_node *n = all->first; n; n = n->next)
        count++;
    if (count == 0)
        return bad(r, all, "no variable", NULL, "at least one");
    unit_description *d = r->d;
    d->variables = arena_alloc(r->memory, (size_t)count * sizeof *d->variables);
    if (!d->variables)
        return no_memory(r);
    for (const xml_node *n = all->first; n; n = n->next) {
        if (d->version == 3 && strcmp(n->name, "Annotations") == 0)
            continue;
        const mc_status status = read_variable(r, n, &d->variables[d->variable_count]);
        if (status != MC_OK)
            return status;
        d->variable_count++;
    }
    qsort(d->variables, (size_t)d->variable_count, sizeof *d->variables, by_name);
    for (int k = 1; k < d->variable_count; k++)
        if (strcmp(d->variables[k - 1].name, d->variables[k].name) == 0)
            return bad(r, all, "two variables are called", d->variables[k].name,
                       "one of that name");
    return MC_OK;
}

// ---- the interface -----------------------------------------------------------------------------

static bool is_identifier(const char *text)
{
    if (!isalpha((unsigned char)text[0]) && text[0] != '_')
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_')
            return false;
    return true;
}

static mc_status read_interface(const reading *r, const xml_node *root)
{
    unit_description *d = r->d;
    const xml_node *node = xml_first(root, "CoSimulation");
    bool tool = false;
    if (!node && d->version == 3)
        node = xml_first(root, "ModelExchange");
    d->exchange = node && strcmp(node->name, "ModelExchange") == 0;
    if (!node)
        return bad(r, root, "no element", "CoSimulation",
                   xml_first(root, "ModelExchange")
                       ? "a unit for co-simulation; this one is for model exchange only, which is "
                         "supported in FMI 3.0"
                       : "a unit for co-simulation");
    mc_status status = need_text(r, node, "modelIdentifier", &d->identifier);
    if (status == MC_OK && !is_identifier(d->identifier))
        status = bad(r, node, "modelIdentifier", d->identifier, "letters, digits and _");
    if (status == MC_OK)
        status = read_flag(r, node, "needsExecutionTool", &tool);
    if (status == MC_OK && tool)
        status = bad(r, node, "needsExecutionTool", "true",
                     "a unit that runs without the tool it comes from");
    if (status == MC_OK)
        status =
            read_flag(r, node, d->version == 2 ? "canSerializeFMUstate" : "canSerializeFMUState",
                      &d->serializes);
    if (status == MC_OK)
        status = read_flag(r, node, "canHandleVariableCommunicationStepSize", &d->any_step);
    if (status == MC_OK && d->version == 3)
        status = read_number(r, node, "fixedInternalStepSize", &d->step);
    return status == MC_OK && !(d->step >= 0.0)
               ? bad(r, node, "fixedInternalStepSize", xml_get(node, "fixedInternalStepSize"),
                     "a positive number")
               : status;
}

mc_status unit_description_read(arena *memory, const char *bytes, size_t size, const char *file,
                                unit_description *out, mc_error *error)
{
    const reading r = {memory, file, out, error};
    const xml_node *root;
    *out = (unit_description){0};
    mc_status status = xml_parse(memory, bytes, size, file, &root, error);
    if (status != MC_OK)
        return status;
    if (!root || strcmp(root->name, "fmiModelDescription") != 0)
        return mc_error_set(error, MC_BAD_INPUT, file, root ? root->line : 1,
                            root ? root->column : 1, "found <%s>, expected <fmiModelDescription>",
                            root ? root->name : "");
    const char *version = xml_get(root, "fmiVersion");
    out->version = !version                         ? 0
                   : strcmp(version, "2.0") == 0    ? 2
                   : strncmp(version, "3.", 2) == 0 ? 3
                                                    : 0;
    if (out->version == 0)
        return bad(&r, root, "fmiVersion", version ? version : "", "2.0 or 3.0");
    status = need_text(&r, root, "modelName", &out->name);
    if (status == MC_OK)
        status =
            need_text(&r, root, out->version == 2 ? "guid" : "instantiationToken", &out->token);
    if (status == MC_OK && strlen(out->token) >= WIRE_TOKEN)
        status = bad(&r, root, "the token", NULL, "at most 511 characters");
    if (status == MC_OK)
        status = read_interface(&r, root);
    if (status == MC_OK)
        status = read_variables(&r, root);
    if (status == MC_OK && !xml_first(root, "ModelStructure"))
        status = bad(&r, root, "no element", "ModelStructure", "one");
    return status;
}

const unit_variable *unit_variable_find(const unit_description *d, const char *name)
{
    const unit_variable key = {.name = name};
    return bsearch(&key, d->variables, (size_t)d->variable_count, sizeof key, by_name);
}
