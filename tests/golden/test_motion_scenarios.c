// test_motion_scenarios.c - the motion of all shipped scenarios, from start to end, is that of
// motion_scenarios.txt (support/motion_trace.h).
#include "support/motion_rows.h"
#include "support/platoon.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run(const motion_case *c, motion_trace *t)
{
    mc_scenario *s = platoon_shipped(c->name);
    motion_scenario(t, s);
    mc_scenario_free(s);
}

int main(int argc, char **argv)
{
    glob_t found;
    if (glob(SOURCE_DIR "/scenarios/*.yaml", 0, NULL, &found) != 0)
        return 1;
    const int count = (int)found.gl_pathc;
    motion_case *cases = calloc((size_t)count, sizeof *cases);
    for (int k = 0; cases && k < count; k++) {
        char *name = strrchr(found.gl_pathv[k], '/') + 1;
        name[strlen(name) - strlen(".yaml")] = '\0';
        cases[k] = (motion_case){name, run, NULL};
    }
    const int code = cases ? motion_main(argc, argv, "scenarios", cases, count) : 1;
    free(cases);
    globfree(&found);
    return code;
}
