// law_list.c - the public list of laws.
#include "control/law.h"
#include "control/steering.h"

static const char *text(const char *given) // a law from outside may say less
{
    return given ? given : "";
}

static int give(const law_text *t, mc_law *out)
{
    if (!t)
        return 0;
    *out = (mc_law){
        .name = t->name,
        .doc = t->doc,
        .equation = text(t->card.equation),
        .source = text(t->card.source),
        .stability = text(t->card.stability),
        .limits = text(t->card.limits),
        .params = t->params,
        .param_count = t->param_count,
        .line_count = t->variable_count + t->state_count + 1,
    };
    return 1;
}

bool mc_law_at(int index, mc_law *out)
{
    return give(law_at(index), out);
}

bool mc_law_find(const char *name, mc_law *out)
{
    return give(law_find(name), out);
}

const char *mc_law_default(mc_law_role role)
{
    return law_default(role)->name;
}

static bool line_at(const law_text *t, int index, mc_law_line_kind result, const char *name,
                    mc_law_line *out)
{
    if (!t || index < 0 || index > t->variable_count + t->state_count)
        return 0;
    const law_line *line = &t->acceleration;
    *out = (mc_law_line){.kind = result};
    if (index < t->variable_count) {
        line = &t->variables[index];
        out->kind = MC_LAW_LINE_VARIABLE;
    } else if (index < t->variable_count + t->state_count) {
        const law_state *s = &t->states[index - t->variable_count];
        line = &s->rate;
        out->kind = MC_LAW_LINE_STATE;
        out->start = s->start;
    }
    out->name = line == &t->acceleration ? name : line->name;
    out->unit = text(line->unit);
    out->formula = line->formula;
    return 1;
}

bool mc_law_line_at(const char *name, int index, mc_law_line *out)
{
    return line_at(law_find(name), index, MC_LAW_LINE_ACCELERATION, "acceleration", out);
}

bool mc_law_signal_at(int index, mc_law_signal *out)
{
    if (index < 0 || index >= SIGNAL_COUNT)
        return 0;
    *out =
        (mc_law_signal){law_signals[index].name, law_signals[index].unit, law_signals[index].doc};
    return 1;
}

// ---- steering ----

bool mc_steering_at(int index, mc_law *out)
{
    return give(steering_at(index), out);
}

bool mc_steering_find(const char *name, mc_law *out)
{
    return give(steering_find(name), out);
}

bool mc_steering_line_at(const char *name, int index, mc_law_line *out)
{
    return line_at(steering_find(name), index, MC_LAW_LINE_STEER, "steer", out);
}

bool mc_steering_signal_at(int index, mc_law_signal *out)
{
    if (index < 0 || index >= STEERING_SIGNAL_COUNT)
        return 0;
    const law_signal_row *row = &steering_signals[index];
    *out = (mc_law_signal){row->name, row->unit, row->doc};
    return 1;
}
