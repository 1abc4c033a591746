// request_table.c - the requests a page can make.
#include "studio/requests.h"

#include "base/text.h"

#include <string.h>

static const request_kind kinds[] = {
    // name, thread, changes, function
    {"hello", ANSWERS, false, request_hello},
    {"subscribe", HERE, false, request_subscribe},
    {"time", HERE, false, request_time},
    {"ack", HERE, false, request_ack},
    {"pages", HERE, false, request_pages},
    {"name", HERE, false, request_name},
    {"follow", HERE, false, request_follow},
    {"rows", ANSWERS, false, request_rows},
    {"seek", SIMULATION, false, request_seek},
    {"series", ANSWERS, false, request_series},
    {"track", ANSWERS, false, request_track},
    {"events", ANSWERS, false, request_events},
    {"set", SIMULATION, true, request_set},
    {"road", SIMULATION, true, request_road},
    {"fault", SIMULATION, true, request_fault},
    {"drive", HERE, true, request_drive},
    {"release", HERE, true, request_release},
    {"branch", SIMULATION, true, request_branch},
    {"worlds", SIMULATION, true, request_worlds_op},
    {"edit", SIMULATION, true, request_edit},
    {"car", SIMULATION, true, request_car},
    {"grades", SIMULATION, true, request_grades},
    {"law", SIMULATION, true, request_law},
    {"law_check", ANSWERS, false, request_law_check},
    {"step", SIMULATION, true, request_step},
    {"end", SIMULATION, true, request_end},
    {"row", SIMULATION, true, request_row},
    {"undo", SIMULATION, true, request_undo},
    {"redo", SIMULATION, true, request_redo},
    {"log_remove", SIMULATION, true, request_log_remove},
    {"log_move", SIMULATION, true, request_log_move},
    {"log_change", SIMULATION, true, request_log_change},
    {"log", ANSWERS, false, request_log},
    {"card", SIMULATION, false, request_card},
    {"pedals", SIMULATION, false, request_pedals},
    {"string", SIMULATION, false, request_string},
    {"figures", ANSWERS, false, request_figures},
    {"spectrum", ANSWERS, false, request_spectrum},
    {"collision", ANSWERS, false, request_collision},
    {"identify", ANSWERS, false, request_identify},
    {"mileage", ANSWERS, false, request_mileage},
    {"sweep", SIMULATION, true, request_sweep},
    {"sweep_stop", SIMULATION, true, request_sweep_stop},
    {"sweep_open", SIMULATION, true, request_sweep_open},
    {"files", ANSWERS, false, request_files},
    {"preview", ANSWERS, false, request_preview},
    {"open", ANSWERS, true, request_open},
    {"export", ANSWERS, false, request_export},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const request_kind *request_find(const char *name)
{
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kinds[k].name, name) == 0)
            return &kinds[k];
    return NULL;
}

const char *request_nearest(const char *name)
{
    const char *names[KINDS];
    for (int k = 0; k < KINDS; k++)
        names[k] = kinds[k].name;
    return strlen(name) < 40 ? text_nearest(name, names, KINDS) : NULL;
}
