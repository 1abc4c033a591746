// description.c - modelDescription.xml of FMI 2.0 and 3.0, terminalsAndIcons.xml of 3.0.
#include "fmu/description.h"

#include "expr/unit.h"
#include "motorcade/version.h"

#include <math.h>
#include <string.h>

// Characters of XML; control characters become blanks.
static void add_escaped(expr_text *t, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            expr_text_add(t, "&amp;");
            break;
        case '<':
            expr_text_add(t, "&lt;");
            break;
        case '"':
            expr_text_add(t, "&quot;");
            break;
        default:
            expr_text_add(t, "%c", (unsigned char)*text < ' ' ? ' ' : *text);
        }
}

static void add_text(expr_text *t, const char *attribute, const char *value)
{
    expr_text_add(t, " %s=\"", attribute);
    add_escaped(t, value);
    expr_text_add(t, "\"");
}

static void add_number(expr_text *t, const char *attribute, double value)
{
    expr_text_add(t, " %s=\"%.17g\"", attribute, value);
}

static void add_flag(expr_text *t, const char *attribute, bool value)
{
    expr_text_add(t, " %s=\"%s\"", attribute, value ? "true" : "false");
}

bool fmu_has_directional(const fmu_model *m)
{
    return m->kind->directional && m->event_count == 0;
}

// ---- units -------------------------------------------------------------------------------------

static void add_unit(expr_text *t, const char *text)
{
    expr_unit u;
    double factor;
    int bad;
    expr_text_add(t, "    <Unit");
    add_text(t, "name", text);
    if (!expr_unit_read(text, (int)strlen(text), &u, &factor, &bad) ||
        (u.length | u.mass | u.time) % 2 || u.length % 6 || u.mass % 6 || u.time % 6) {
        expr_text_add(t, "/>\n");
        return;
    }
    expr_text_add(t, "><BaseUnit");
    if (u.mass)
        expr_text_add(t, " kg=\"%d\"", u.mass / 6);
    if (u.length)
        expr_text_add(t, " m=\"%d\"", u.length / 6);
    if (u.time)
        expr_text_add(t, " s=\"%d\"", u.time / 6);
    if (strncmp(text, "rad", 3) == 0)
        expr_text_add(t, " rad=\"1\"");
    if (factor != 1.0)
        add_number(t, "factor", factor);
    expr_text_add(t, "/></Unit>\n");
}

static void add_units(expr_text *t, const fmu_model *m)
{
    bool any = false;
    for (int i = 0; i < m->variable_count; i++) {
        bool known = !m->variables[i].unit[0];
        for (int k = 0; k < i && !known; k++)
            known = strcmp(m->variables[k].unit, m->variables[i].unit) == 0;
        if (known)
            continue;
        if (!any)
            expr_text_add(t, "  <UnitDefinitions>\n");
        any = true;
        add_unit(t, m->variables[i].unit);
    }
    if (any)
        expr_text_add(t, "  </UnitDefinitions>\n");
}

// ---- variables ---------------------------------------------------------------------------------

static const char *const causalities[] = {"independent", "parameter", "input", "output", "local"};

static const char *variability(const fmu_variable *v)
{
    if (v->causality == FMU_PARAMETER)
        return v->tunable ? "tunable" : "fixed";
    return v->boolean ? "discrete" : "continuous";
}

// What both versions write alike: place, meaning, causality.
static void add_head(expr_text *t, const fmu_variable *v, int reference)
{
    add_text(t, "name", v->name);
    expr_text_add(t, " valueReference=\"%d\"", reference);
    if (v->doc[0])
        add_text(t, "description", v->doc);
    add_text(t, "causality", causalities[v->causality]);
    add_text(t, "variability", variability(v));
    if (v->causality == FMU_INPUT || v->causality == FMU_INDEPENDENT)
        return;
    add_text(t, "initial", v->exact ? "exact" : "calculated");
}

static void add_values(expr_text *t, const fmu_variable *v)
{
    if (v->unit[0])
        add_text(t, "unit", v->unit);
    if (v->min != v->max && isfinite(v->min))
        add_number(t, "min", v->min);
    if (v->min != v->max && isfinite(v->max))
        add_number(t, "max", v->max);
    if (v->exact && !v->boolean)
        add_number(t, "start", v->start);
    else if (v->exact)
        add_flag(t, "start", v->start != 0.0);
}

static void add_variable(expr_text *t, const fmu_model *m, int i, int version)
{
    const fmu_variable *v = &m->variables[i];
    const char *type = v->boolean ? "Boolean" : version == 3 ? "Float64" : "Real";
    const bool derived = v->derivative_of > 0 && m->state_count > 0;
    if (version == 2) {
        expr_text_add(t, "    <ScalarVariable");
        add_head(t, v, i);
        expr_text_add(t, "><%s", type);
        add_values(t, v);
        if (derived)
            expr_text_add(t, " derivative=\"%d\"", v->derivative_of + 1);
        expr_text_add(t, "/></ScalarVariable>\n");
        return;
    }
    expr_text_add(t, "    <%s", type);
    add_head(t, v, i);
    add_values(t, v);
    if (derived)
        expr_text_add(t, " derivative=\"%d\"", v->derivative_of);
    expr_text_add(t, "/>\n");
}

// ---- structure ---------------------------------------------------------------------------------

static bool is_output(const fmu_model *m, int i)
{
    return m->variables[i].causality == FMU_OUTPUT;
}

static bool is_rate(const fmu_model *m, int i)
{
    return m->variables[i].derivative_of > 0;
}

static bool is_initial(const fmu_model *m, int i)
{
    return (is_output(m, i) && !m->variables[i].exact) || is_rate(m, i);
}

static bool is_indicator(const fmu_model *m, int i)
{
    return m->variables[i].indicator;
}

static const struct {
    const char *old, *name; // list of 2.0; element of 3.0
    bool (*has)(const fmu_model *m, int i);
} lists[] = {{"Outputs", "Output", is_output},
             {"Derivatives", "ContinuousStateDerivative", is_rate},
             {"InitialUnknowns", "InitialUnknown", is_initial},
             {NULL, "EventIndicator", is_indicator}};

static void add_structure(expr_text *t, const fmu_model *m, int version)
{
    expr_text_add(t, "  <ModelStructure>\n");
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        int count = 0;
        for (int i = 0; i < m->variable_count; i++) {
            if (!lists[k].has(m, i) || (version == 2 && !lists[k].old))
                continue;
            if (version == 3) {
                expr_text_add(t, "    <%s valueReference=\"%d\"/>\n", lists[k].name, i);
                continue;
            }
            if (count++ == 0)
                expr_text_add(t, "    <%s>\n", lists[k].old);
            expr_text_add(t, "      <Unknown index=\"%d\"/>\n", i + 1);
        }
        if (count > 0)
            expr_text_add(t, "    </%s>\n", lists[k].old);
    }
    expr_text_add(t, "  </ModelStructure>\n");
}

// ---- the whole ---------------------------------------------------------------------------------

static void add_interfaces(expr_text *t, const fmu_model *m, int version, const char *id)
{
    const char *state = version == 3 ? "FMUState" : "FMUstate";
    const char *derivative =
        version == 3 ? "providesDirectionalDerivatives" : "providesDirectionalDerivative";
    for (int exchange = m->state_count > 0; exchange >= 0; exchange--) {
        expr_text_add(t, "  <%s", exchange ? "ModelExchange" : "CoSimulation");
        add_text(t, "modelIdentifier", id);
        expr_text_add(t, " canGetAndSet%s=\"true\" canSerialize%s=\"true\"", state, state);
        add_flag(t, derivative, fmu_has_directional(m));
        if (exchange && version == 3)
            add_flag(t, "needsCompletedIntegratorStep", m->completes);
        else if (exchange)
            add_flag(t, "completedIntegratorStepNotNeeded", !m->completes);
        else
            add_flag(t, "canHandleVariableCommunicationStepSize", true);
        if (!exchange && version == 3 && m->step > 0.0)
            add_number(t, "fixedInternalStepSize", m->step);
        expr_text_add(t, "/>\n");
    }
}

void fmu_describe(const fmu_model *m, int version, const char *id, const char *token,
                  expr_text *out)
{
    expr_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
    add_text(out, "fmiVersion", version == 3 ? "3.0" : "2.0");
    add_text(out, "modelName", m->name);
    add_text(out, version == 3 ? "instantiationToken" : "guid", token);
    if (m->doc[0])
        add_text(out, "description", m->doc);
    add_text(out, "generationTool", "Motorcade " MC_VERSION);
    add_text(out, "variableNamingConvention", "flat");
    if (version == 2)
        expr_text_add(out, " numberOfEventIndicators=\"%d\"", m->event_count);
    expr_text_add(out, ">\n");
    add_interfaces(out, m, version, id);
    add_units(out, m);
    expr_text_add(out, "  <DefaultExperiment startTime=\"0\"");
    add_number(out, "stopTime", m->end);
    add_number(out, "stepSize", m->step > 0.0 ? m->step : m->output);
    expr_text_add(out, "/>\n  <ModelVariables>\n");
    for (int i = 0; i < m->variable_count; i++)
        add_variable(out, m, i, version);
    expr_text_add(out, "  </ModelVariables>\n");
    add_structure(out, m, version);
    expr_text_add(out, "</fmiModelDescription>\n");
}

static bool is_port(const fmu_model *m, int i)
{
    return m->variables[i].causality == FMU_INPUT || is_output(m, i);
}

// The owner of a port is the word before the first point; without one, all inputs or all outputs.
static size_t owner_of(const fmu_model *m, int i, const char **owner)
{
    const char *name = m->variables[i].name, *point = strchr(name, '.');
    *owner = point ? name : m->variables[i].causality == FMU_INPUT ? "inputs" : "outputs";
    return point ? (size_t)(point - name) : strlen(*owner);
}

static bool same_owner(const fmu_model *m, int i, int k)
{
    const char *a, *b;
    const size_t n = owner_of(m, i, &a);
    return is_port(m, k) && owner_of(m, k, &b) == n && strncmp(a, b, n) == 0;
}

static void add_terminal(expr_text *t, const fmu_model *m, int first)
{
    const char *owner;
    const int length = (int)owner_of(m, first, &owner);
    expr_text_add(t, "    <Terminal name=\"%.*s\" matchingRule=\"plug\">\n", length, owner);
    for (int i = first; i < m->variable_count; i++) {
        const char *name = m->variables[i].name;
        if (!same_owner(m, first, i))
            continue;
        expr_text_add(t, "      <TerminalMemberVariable variableKind=\"signal\"");
        add_text(t, "variableName", name);
        add_text(t, "memberName", strchr(name, '.') ? name + length + 1 : name);
        expr_text_add(t, "/>\n");
    }
    expr_text_add(t, "    </Terminal>\n");
}

// One terminal per owner; a unit with a port has one at least, as the schema wants.
void fmu_describe_terminals(const fmu_model *m, expr_text *out)
{
    bool any = false;
    expr_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n");
    for (int i = 0; i < m->variable_count; i++) {
        bool seen = !is_port(m, i);
        for (int k = 0; k < i && !seen; k++)
            seen = same_owner(m, i, k);
        if (seen)
            continue;
        expr_text_add(out, "%s", any ? "" : "  <Terminals>\n");
        any = true;
        add_terminal(out, m, i);
    }
    expr_text_add(out, "%s</fmiTerminalsAndIcons>\n", any ? "  </Terminals>\n" : "");
}
