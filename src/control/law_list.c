// law_list.c - the public list of laws.
#include "control/law.h"
#include "motorcade/laws.h"

static int give(const law_text *t, mc_law *out)
{
    if (!t)
        return 0;
    *out = (mc_law){
        .name = t->name,
        .doc = t->doc,
        .equation = t->card.equation,
        .source = t->card.source,
        .stability = t->card.stability,
        .limits = t->card.limits,
        .params = t->params,
        .param_count = t->param_count,
        .line_count = t->variable_count + t->state_count + 1,
    };
    return 1;
}

int mc_law_at(int index, mc_law *out)
{
    return give(law_at(index), out);
}

int mc_law_find(const char *name, mc_law *out)
{
    return give(law_find(name), out);
}

int mc_law_line_at(const char *name, int index, mc_law_line *out)
{
    const law_text *t = law_find(name);
    if (!t || index < 0 || index > t->variable_count + t->state_count)
        return 0;
    const law_line *line = &t->acceleration;
    *out = (mc_law_line){.kind = MC_LAW_ACCELERATION};
    if (index < t->variable_count) {
        line = &t->variables[index];
        out->kind = MC_LAW_VARIABLE;
    } else if (index < t->variable_count + t->state_count) {
        const law_state *s = &t->states[index - t->variable_count];
        line = &s->rate;
        out->kind = MC_LAW_STATE;
        out->start = s->start;
    }
    out->name = line->name;
    out->unit = line->unit;
    out->formula = line->formula;
    return 1;
}

int mc_law_signal_at(int index, mc_law_signal *out)
{
    if (index < 0 || index >= SIGNAL_COUNT)
        return 0;
    *out =
        (mc_law_signal){law_signals[index].name, law_signals[index].unit, law_signals[index].doc};
    return 1;
}
