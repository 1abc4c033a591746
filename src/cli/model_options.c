// model_options.c - shared options of the commands on mechanisms.
#include "cli/model_options.h"

#include "base/text.h"
#include "motorcade/simulate.h"

#include <stdio.h>
#include <string.h>

mc_status model_take_form(void *place, const cli_option *option, const char *value, mc_error *error)
{
    static const char *const names[] = {"lagrange", "recursive", "independent"};
    model_request *r = place;
    (void)option;
    for (int k = 0; k < 3; k++)
        if (strcmp(value, names[k]) == 0) {
            r->options.form = (mc_form)(MC_FORM_LAGRANGE + k);
            return MC_OK;
        }
    const char *near = text_nearest(value, names, 3);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "option --form: found \"%s\", expected lagrange, recursive or "
                        "independent%s%s",
                        value, near ? "; did you mean " : "", near ? near : "");
}

mc_status model_take_set(void *place, const cli_option *option, const char *value, mc_error *error)
{
    const char *equals = strchr(value, '=');
    if (!equals || equals == value || !equals[1])
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --set: found \"%s\", expected NAME=VALUE (--set "
                            "chassis.mass=2300, --set \"k=20 N/mm\")",
                            value);
    return cli_take_words(&((model_request *)place)->set, option, value, error);
}

mc_status model_need_file(const model_request *r, const char *program, mc_error *error)
{
    if (r->file)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "no model given; try: %s models/hmmwv10.yaml (`%s -h` explains)", program,
                        program);
}

mc_status model_apply_sets(const model_request *r, mc_multibody *m, double *y, mc_error *error)
{
    for (int k = 0; k < r->set.count; k++) {
        const char *set = r->set.word[k], *value = strchr(set, '=') + 1;
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)(value - 1 - set), set);
        mc_error reason;
        const mc_status status = mc_simulate_set(m, y, name, value, &reason);
        if (status != MC_OK)
            return mc_error_set(error, status, NULL, 0, 0, "option --set: %s", reason.text);
    }
    if (y)
        mc_multibody_normalise(m, y);
    return mc_multibody_check(m, error); // as a whole, after the last one
}

mc_multibody *model_open(const model_request *r, mc_error *error)
{
    mc_multibody *m = mc_multibody_load(r->file, &r->options, error);
    if (m && model_apply_sets(r, m, NULL, error) != MC_OK) {
        mc_multibody_free(m);
        m = NULL;
    }
    return m;
}
