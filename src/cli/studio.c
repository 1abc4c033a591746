// studio.c - `motorcade studio [FILE]`: simulations in a browser.
#include "cli/studio.h"

#include "base/interrupt.h"
#include "cli/commands.h"
#include "cli/detail.h"

#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// ---- what all commands share ----

studio_request studio_request_default(void)
{
    return (studio_request){.options = mc_studio_defaults()};
}

// 0: there is no screen, or nothing to open a page with.
static pid_t open_browser(const char *address)
{
    const char *screen = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    if (!(screen && screen[0]) && !(wayland && wayland[0]))
        return 0;
    char program[] = "xdg-open", *words[] = {program, strdup(address), NULL};
    posix_spawn_file_actions_t quiet;
    pid_t child = 0;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDIN_FILENO, "/dev/null", 0, 0);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1, 0);
    posix_spawn_file_actions_adddup2(&quiet, STDOUT_FILENO, STDERR_FILENO);
    if (!words[1] || posix_spawnp(&child, program, &quiet, NULL, words, environ) != 0)
        child = 0;
    posix_spawn_file_actions_destroy(&quiet);
    free(words[1]);
    return child;
}

static bool stop(void *context)
{
    pid_t *browser = context;
    if (*browser > 0 && waitpid(*browser, NULL, WNOHANG) != 0)
        *browser = 0;
    return interrupt_requested();
}

int studio_serve(const char *program, const studio_request *r, const char *what)
{
    mc_error error;
    mc_studio_options o = r->options;
    char scenarios[PATH_MAX], models[PATH_MAX];
    const char *const shipped[] = {scenarios, models};
    if (o.folder_count == 0 && mc_studio_shipped("", scenarios, sizeof scenarios)) {
        o.folders = shipped;
        o.folder_count = mc_studio_shipped("../models", models, sizeof models) ? 2 : 1;
    }
    interrupt_install();
    mc_studio *studio = mc_studio_create(&o, &error);
    if (!studio)
        return cli_fail(program, &error);
    char address[1024];
    snprintf(address, sizeof address, "%s%s%s", mc_studio_address(studio), r->view ? "#" : "",
             r->view ? r->view : "");
    printf("%s is at %s\n", what, address);
    if (strstr(address, "?token="))
        printf("Anyone with this address, which contains the token, may %s.\n",
               o.read_only ? "watch" : "drive");
    printf("Press Ctrl-C to stop.\n");
    fflush(stdout);
    pid_t browser = r->no_open ? 0 : open_browser(address);
    mc_status status = mc_studio_wait(studio, stop, &browser, &error);
    if (status == MC_OK && r->at_end)
        status = r->at_end(studio, r->context, &error);
    mc_studio_destroy(studio);
    return status == MC_OK ? 0 : cli_fail(program, &error);
}

// ---- the command ----

typedef struct request {
    studio_request studio;
    cli_words folders;
    cli_detail detail;
    bool help;
} request;

static const cli_option options[] = {
    STUDIO_OPTIONS,
    {0, "with", "FILE",
     "file that belongs to FILE: parameters of DYNAVIS data, models of a MEDUSA platoon",
     CLI_TO(studio.options.with)},
    {0, "folder", "DIR",
     "folder whose files pages may open; may be repeated (default: shipped scenarios and models)",
     CLI_WITHIN(folders, 0, 32)},
    CLI_DETAIL,
    CLI_HELP,
    CLI_ONE_WORD(studio.options.file,
                 "only one file is expected: found \"%s\" after \"%s\"; open others in the page"),
};

static void print_help(void)
{
    printf("usage: motorcade studio [FILE] [OPTIONS]\n\n"
           "Opens the studio in a browser: a scenario (SCENARIO.yaml) is simulated and can be "
           "paused,\n"
           "rewound, edited and driven; a recording (run.h5, data.asc, DYNAVIS data, CSV) is\n"
           "replayed; a MEDUSA platoon (platoon.dat, with model.dat beside it or by --with) runs "
           "live;\n"
           "a mechanism (MODEL.yaml), or results of simulate, opens on the vehicle bench.\n"
           "Without FILE it opens a shipped scenario. docs/studio.md explains it.\n\n");
    cli_print_options(options);
}

static mc_status check(const request *r, mc_error *error)
{
    const mc_studio_options *o = &r->studio.options;
    if (o->with && !o->file)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --with: only together with a file it belongs to");
    for (int i = 0; i < o->folder_count; i++)
        if (access(o->folders[i], R_OK | X_OK) != 0)
            return mc_error_set(error, MC_BAD_INPUT, o->folders[i], 0, 0,
                                "option --folder: no readable folder");
    return MC_OK;
}

int cli_studio(int argc, char **argv)
{
    request r = {.studio = studio_request_default()};
    mc_error error;
    mc_status status = cli_read(argc, argv, options, &r, &error);
    if (status == MC_OK && r.help) {
        print_help();
        return 0;
    }
    r.studio.options.folders = r.folders.word;
    r.studio.options.folder_count = r.folders.count;
    if (status == MC_OK)
        status = check(&r, &error);
    if (status != MC_OK)
        return cli_fail("motorcade studio", &error);
    detail_machine(&r.detail, r.studio.options.threads);
    const char *file = r.studio.options.file;
    const size_t length = file ? strlen(file) : 0;
    if (length > 5 && strcmp(file + length - 5, ".yaml") == 0 &&
        detail_file(&r.detail, file, &error) != MC_OK)
        return cli_fail("motorcade studio", &error);
    return studio_serve("motorcade studio", &r.studio, "The studio");
}
