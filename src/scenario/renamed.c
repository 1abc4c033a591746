// renamed.c - keys and numbers that are named as in 0.1.
#include "scenario/renamed.h"

#include "base/renamed.h"
#include "scenario/reader.h"

#include <stdio.h>
#include <string.h>

// The warning, written again with every name that comes to it.
static bool write_warning(scenario *s)
{
    enum { TEXT_SIZE = 700 };
    char text[TEXT_SIZE], line[TEXT_SIZE + 300];
    renamed_text(s->renamed, text, sizeof text);
    if (s->renamed_place.line > 0)
        snprintf(line, sizeof line, "%.250s:%d:%d: %s", s->file, s->renamed_place.line,
                 s->renamed_place.column, text);
    else
        snprintf(line, sizeof line, "%s", text);
    s->renamed_warning = arena_copy_text(&s->memory, line, strlen(line));
    return s->renamed_warning != NULL;
}

bool scenario_note_renamed(scenario *s, const char *old, scenario_place place)
{
    const unsigned bit = 1u << renamed_index(old);
    const bool placed = s->renamed_place.line > 0 || place.line == 0;
    if (s->renamed & bit && placed)
        return true;
    s->renamed |= bit;
    return placed ? write_warning(s) : scenario_place_renamed(s, place);
}

bool scenario_place_renamed(scenario *s, scenario_place place)
{
    if (s->renamed_place.line > 0)
        return true;
    s->renamed_place = place;
    return write_warning(s);
}

void scenario_rename_keys(scenario_reader *r, const yaml_node *map, scenario_knows *knows,
                          const void *context)
{
    for (const yaml_node *n = map->first; n && r->base.status == MC_OK; n = n->next) {
        const char *old = n->key->text, *now = renamed_now(old);
        if (!now || knows(context, old) || !knows(context, now))
            continue;
        if (yaml_find(map, now)) {
            reader_reject(&r->base, n->key,
                          "\"%s\" is the old name of \"%s\", and both are given; leave out \"%s\"",
                          old, now, old);
            return;
        }
        yaml_rename_key(n, now);
        if (!scenario_note_renamed(r->s, old, scenario_place_of(n->key)))
            reader_no_memory(&r->base);
    }
}

int scenario_warning_count(const scenario *s)
{
    return s->warning_count + (s->renamed_warning != NULL);
}

const char *scenario_warning_at(const scenario *s, int index)
{
    if (index == s->warning_count)
        return s->renamed_warning;
    return index >= 0 && index < s->warning_count ? s->warnings[index] : NULL;
}
