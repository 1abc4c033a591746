// laws.c - `motorcade laws [NAME]`: the control laws, the steering laws and their cards.
#include "base/text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/lateral.h"
#include "motorcade/laws.h"
#include "motorcade/vehicle_type.h"

#include <stdio.h>
#include <string.h>

typedef struct request {
    const char *name;
    bool signals, all, help;
} request;

static const cli_option options[] = {
    {0, "signals", NULL, "print what formulas of a law may use", CLI_TO(signals)},
    {0, "all", NULL, "print the cards of all laws", CLI_TO(all)},
    CLI_HELP,
    CLI_ONE_WORD(name, "one law at a time: \"%s\" after \"%s\"; --all prints all cards"),
};

// A heading and a text in lines of at most WIDTH, broken at blanks.
static void print_text(const char *heading, const char *text)
{
    enum { WIDTH = 98, INDENT = 12 };
    printf("%-*s", INDENT, heading);
    int column = INDENT;
    while (*text) {
        const int word = (int)strcspn(text, " ");
        if (column > INDENT && column + 1 + word > WIDTH) {
            printf("\n%*s", INDENT, "");
            column = INDENT;
        } else if (column > INDENT) {
            putchar(' ');
            column++;
        }
        printf("%.*s", word, text);
        column += word;
        text += word;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_params(const mc_law *law)
{
    if (law->param_count == 0)
        return;
    printf("\nparameters\n");
    for (int i = 0; i < law->param_count; i++) {
        const mc_param *p = &law->params[i];
        char range[48];
        snprintf(range, sizeof range, "%g .. %g", p->min, p->max);
        printf("  %-18s %-12s %-8g %-14s %s\n", p->name, p->unit, p->fallback, range, p->doc);
    }
}

typedef struct family { // laws of one kind
    bool (*at)(int index, mc_law *out);
    bool (*find)(const char *name, mc_law *out);
    bool (*line_at)(const char *name, int index, mc_law_line *out);
    bool (*signal_at)(int index, mc_law_signal *out);
    const char *heading;
} family;

static const family families[] = {
    {mc_law_at, mc_law_find, mc_law_line_at, mc_law_signal_at, "control laws: acceleration"},
    {mc_steering_at, mc_steering_find, mc_steering_line_at, mc_steering_signal_at,
     "steering laws: angle of the steered wheels"},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

static void print_lines(const family *f, const mc_law *law)
{
    mc_law_line line;
    printf("\nformulas\n");
    for (int i = 0; f->line_at(law->name, i, &line); i++) {
        char heading[80];
        snprintf(heading, sizeof heading, "%s%s", line.name,
                 line.kind == MC_LAW_LINE_STATE ? "'" : "");
        printf("  %-14s = %s\n", heading, line.formula);
        if (line.kind == MC_LAW_LINE_STATE)
            printf("  %-14s   starts at %s\n", "", line.start ? line.start : "0");
    }
}

// Of a car of the default type on a straight path.
static void print_poles(const char *law)
{
    char text[400];
    const char *type = mc_vehicle_type_default()->name;
    const int length = snprintf(text, sizeof text,
                                "motorcade: scenario\ntime: {end: 1}\nmodels: {car: %s}\n"
                                "controllers: {keep: {law: %s}}\n"
                                "vehicles: [{model: car, name: car, x: 0, v: 20, controller: "
                                "keep}]\n",
                                type, mc_law_default(MC_LAW_ROLE_PROFILE));
    mc_error error = {0};
    mc_scenario *s = mc_scenario_parse(text, (size_t)length, NULL, &error);
    printf("\npoles with a car of type %s, 1/s\n", type);
    for (int v = 10; s && v <= 60; v += 25) {
        mc_lateral_options o = mc_lateral_defaults();
        o.law = law, o.speed = v, o.poles_only = true;
        mc_lateral *l = mc_lateral_create(s, 0, &o, &error);
        printf("  %d m/s  ", v);
        const mc_lateral_result *r = l ? mc_lateral_result_of(l) : NULL;
        for (int i = 0; r && i < r->pole_count; i++)
            if (r->pole_imaginary[i] > 0.0)
                printf("%s%.4g +- %.4gi", i ? ", " : "", r->pole_real[i], r->pole_imaginary[i]);
            else if (r->pole_imaginary[i] == 0.0)
                printf("%s%.4g", i ? ", " : "", r->pole_real[i]);
        printf("%s\n", r ? "" : error.text);
        mc_lateral_destroy(l);
    }
    mc_scenario_free(s);
}

static void print_card(const family *f, const mc_law *law)
{
    printf("%s - %s\n\n", law->name, law->doc);
    print_text("equation", law->equation);
    print_text("source", law->source);
    print_text("stability", law->stability);
    print_text("limits", law->limits);
    print_params(law);
    print_lines(f, law);
    if (f->at == mc_steering_at)
        print_poles(law->name);
}

static void print_list(void)
{
    mc_law law;
    for (int k = 0; k < FAMILIES; k++) {
        printf("%s%s\n", k ? "\n" : "", families[k].heading);
        for (int i = 0; families[k].at(i, &law); i++)
            printf("  %-14s %s\n", law.name, law.doc);
    }
    printf("\n`motorcade laws NAME` prints the card of one: equation, parameters, source, "
           "stability.\n");
}

static void print_signals(void)
{
    mc_law_signal s;
    for (int k = 0; k < FAMILIES; k++) {
        printf("%s%s\n", k ? "\n" : "", families[k].heading);
        for (int i = 0; families[k].signal_at(i, &s); i++)
            printf("  %-17s %-6s %s\n", s.name, s.unit, s.doc);
    }
}

static void print_all(bool first)
{
    mc_law law;
    for (int k = 0; k < FAMILIES; k++)
        for (int i = 0; families[k].at(i, &law); i++, first = false) {
            if (!first)
                printf("\n\n");
            print_card(&families[k], &law);
        }
}

static mc_status unknown(const char *name, mc_error *error)
{
    const char *names[128];
    mc_law law;
    int count = 0;
    for (int k = 0; k < FAMILIES; k++)
        for (int i = 0; count < 128 && families[k].at(i, &law); i++)
            names[count++] = law.name;
    const char *near = text_nearest(name, names, count);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "unknown law \"%s\"%s%s; `motorcade laws` lists them", name,
                        near ? ", did you mean " : "", near ? near : "");
}

int cli_laws(int argc, char **argv)
{
    const char *const program = "motorcade laws";
    request r = {0};
    mc_error error;
    mc_law law;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        printf("usage: motorcade laws [NAME] [OPTIONS]\n\n"
               "Lists the control laws and the steering laws, or prints the card of one.\n\n");
        cli_print_options(options);
        return 0;
    }
    int of = 0;
    while (r.name && of < FAMILIES && !families[of].find(r.name, &law))
        of++;
    if (of == FAMILIES) {
        unknown(r.name, &error);
        return cli_fail(program, &error);
    }
    if (r.name)
        print_card(&families[of], &law);
    if (r.all)
        print_all(!r.name);
    if (r.signals)
        print_signals();
    if (!r.name && !r.all && !r.signals)
        print_list();
    return 0;
}
