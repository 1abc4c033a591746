// verify.c - `motorcade verify [NAME...] [--csv [FILE]] [--list] [--brief]`.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *csv; // NULL: none; "-": standard output
    bool list, brief, help;
    bool *chosen; // of each benchmark
    int chosen_count;
    file_writer *file;
    int checks, failed; // numbers of all benchmarks
} request;

// ---- the command line --------------------------------------------------------------------------

static mc_status take_csv(void *place, const cli_option *option, const char *value, mc_error *error)
{
    if (*(const char **)place)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "option --csv is given twice");
    return cli_take_text(place, option, value, error);
}

static mc_status take_word(void *place, const cli_option *option, const char *word, mc_error *error)
{
    request *r = place;
    (void)option;
    const int i = mc_verify_find(word, error);
    if (i < 0) {
        const size_t length = strlen(error->text);
        snprintf(error->text + length, sizeof error->text - length, "; --list names them");
        return MC_BAD_INPUT;
    }
    r->chosen_count += !r->chosen[i];
    r->chosen[i] = true;
    return MC_OK;
}

static const cli_option options[] = {
    {0, "csv", "[FILE]", "write all numbers as a table to FILE, or to the screen without FILE",
     CLI_BY(take_csv, csv)},
    {'l', "list", NULL, "list the benchmarks, including pending ones", CLI_TO(list)},
    {'b', "brief", NULL, "print one line per benchmark, and the numbers that fail", CLI_TO(brief)},
    CLI_HELP,
    CLI_EACH_WORD(CLI_BY_ALL(take_word)),
};

// The word after --csv is its file when it looks like one: benchmarks have no point and no slash.
static bool looks_like_file(const char *word)
{
    return strcmp(word, "-") == 0 || (word[0] != '-' && strpbrk(word, "./"));
}

// Reads the words with "--csv" alone made "--csv=-", since other options have a value always or
// never. room: argc words.
static mc_status read_words(int argc, char **argv, char **room, request *r, mc_error *error)
{
    static char alone[] = "--csv=-";
    for (int i = 0; i < argc; i++) {
        const bool bare = i > 0 && strcmp(argv[i], "--csv") == 0;
        room[i] = bare && !(i + 1 < argc && looks_like_file(argv[i + 1])) ? alone : argv[i];
        if (bare && room[i] != alone) { // its file must not be taken for another --csv
            room[i + 1] = argv[i + 1];
            i++;
        }
    }
    return cli_read(argc, room, options, r, error);
}

// ---- output ------------------------------------------------------------------------------------

static void print_list(void)
{
    const mc_verify_benchmark *b;
    for (int i = 0; (b = mc_verify_at(i)); i++)
        printf("%-16s %s\n%-16s   %s\n", b->name, b->doc, "", b->source);
}

static const char csv_head[] = "benchmark,quantity,value,reference,digits,pass\n";

// No name and no quantity holds a comma or a quote.
static void write_csv(request *r, const mc_verify_result *n)
{
    char line[256];
    snprintf(line, sizeof line, "%s,%s,%.17g,%.17g,%.2f,%s\n", n->benchmark, n->quantity, n->value,
             n->reference, n->digits, n->pass ? "true" : "false");
    if (r->file)
        file_write(r->file, line, strlen(line));
    else
        fputs(line, stdout);
}

static bool table_is_shown(const request *r)
{
    return !r->csv || r->file;
}

static void show(void *context, const mc_verify_result *n)
{
    request *r = context;
    if (r->csv)
        write_csv(r, n);
    if (table_is_shown(r) && (!r->brief || !n->pass))
        printf("  %-42s %23.15g %23.15g %6.1f  %s\n", n->quantity, n->value, n->reference,
               n->digits, n->pass ? "pass" : "FAIL");
}

static void show_end(const request *r, const mc_verify_benchmark *b, const mc_verify_summary *s)
{
    if (!table_is_shown(r))
        return;
    char drift[32] = "-";
    if (!isnan(s->drift))
        snprintf(drift, sizeof drift, "%.1e", s->drift);
    printf("%s%-16s %3d of %3d pass, energy drift %s, %.3f s; %s\n", r->brief ? "" : "  = ",
           b->name, s->checks - s->failed, s->checks, drift, s->seconds, b->source);
}

// ---- running -----------------------------------------------------------------------------------

// One benchmark that cannot be run does not keep the others from running; it counts as failed.
static void run_one(request *r, int i)
{
    const mc_verify_benchmark *b = mc_verify_at(i);
    if (table_is_shown(r) && !r->brief)
        printf("%s: %s\n  %-42s %23s %23s %6s\n", b->name, b->doc, "quantity", "ours", "published",
               "digits");
    mc_verify_summary summary;
    mc_error error = {0};
    if (mc_verify_run(i, show, r, &summary, &error) != MC_OK) {
        char text[1024];
        fprintf(stderr, "motorcade verify: %s cannot be run: %s\n", b->name,
                mc_error_format(&error, text, sizeof text));
        summary.checks++;
        summary.failed++;
        const mc_verify_result none = {b->name, "run", NAN, NAN, 0.0, 0.0, false};
        if (r->csv)
            write_csv(r, &none);
    }
    show_end(r, b, &summary);
    if (table_is_shown(r) && !r->brief)
        printf("\n");
    fflush(stdout);
    r->checks += summary.checks;
    r->failed += summary.failed;
}

static int run_all(request *r)
{
    mc_error error;
    if (r->csv && strcmp(r->csv, "-") != 0) {
        r->file = file_writer_open(r->csv, &error);
        if (!r->file)
            return cli_fail("motorcade verify", &error);
        file_write(r->file, csv_head, strlen(csv_head));
    } else if (r->csv) {
        fputs(csv_head, stdout);
    }
    int count = 0;
    for (int i = 0; mc_verify_at(i); i++)
        if (r->chosen_count == 0 || r->chosen[i]) {
            run_one(r, i);
            count++;
        }
    if (table_is_shown(r))
        printf("%d benchmark%s, %d numbers: %s", count, count == 1 ? "" : "s", r->checks,
               r->failed ? "" : "all pass\n");
    if (table_is_shown(r) && r->failed)
        printf("%d FAIL\n", r->failed);
    if (r->file && file_writer_commit(r->file, &error) != MC_OK)
        return cli_fail("motorcade verify", &error);
    return r->failed > 0;
}

static void print_help(void)
{
    printf(
        "usage: motorcade verify [NAME...] [OPTIONS]\n\n"
        "Runs all benchmarks, or those named, and prints each number next to the published one,\n"
        "with the number of digits that agree: -log10 of the relative error (absolute where the\n"
        "published number is 0), at most 16. Exit code 0: all pass; 1: at least one fails; 2: the\n"
        "command line is wrong. No file is needed.\n\n");
    cli_print_options(options);
    printf("\nThe columns of the table are benchmark,quantity,value,reference,digits,pass. The "
           "word\nafter --csv is its file if it contains a dot or a slash; otherwise write "
           "--csv=FILE.\n");
}

int cli_verify(int argc, char **argv)
{
    int count = 0;
    while (mc_verify_at(count))
        count++;
    request r = {.chosen = calloc((size_t)count, sizeof(bool))};
    char **room = calloc((size_t)argc + 1, sizeof *room);
    mc_error error;
    int code = 0;
    if (!r.chosen || !room)
        mc_error_set(&error, MC_NO_MEMORY, NULL, 0, 0, "no memory");
    if (!r.chosen || !room || read_words(argc, argv, room, &r, &error) != MC_OK)
        code = cli_fail("motorcade verify", &error);
    else if (r.help)
        print_help();
    else if (r.list)
        print_list();
    else
        code = run_all(&r);
    free(room);
    free(r.chosen);
    return code;
}
