// plot_png.c - SVG to PNG by the program rsvg-convert, started without a shell.
//
// It reads the picture from a file in memory and writes to the draft of the target, both inherited
// as its input and output: no names, no pipe that could fill up or break.
#include "report/plot.h"

#include "base/file.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char program[] = "rsvg-convert";

// Starts the program with its three streams and waits. Its exit code; -1: it could not be started
// or was killed, errno says why.
static int run_program(int in, int out, int messages)
{
    char word[4][32] = {"rsvg-convert", "--format=png", "--zoom=2", "--background-color=white"};
    char *const words[] = {word[0], word[1], word[2], word[3], NULL};
    posix_spawn_file_actions_t files;
    pid_t id;
    int state = 0;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in, 0);
    posix_spawn_file_actions_adddup2(&files, out, 1);
    posix_spawn_file_actions_adddup2(&files, messages, 2);
    const int failure = posix_spawnp(&id, program, &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    if (failure != 0) {
        errno = failure;
        return -1;
    }
    while (waitpid(id, &state, 0) < 0)
        if (errno != EINTR)
            return -1;
    errno = 0;
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

// The first line the program wrote to its standard error.
static void first_line(int fd, char line[200])
{
    const ssize_t n = pread(fd, line, 199, 0);
    line[n > 0 ? n : 0] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
}

static mc_status convert(int in, int out, int messages, mc_error *error)
{
    const int code = run_program(in, out, messages);
    if (code == 0)
        return MC_OK;
    char line[200];
    if (code == -1 && (errno == ENOENT || errno == EACCES))
        return mc_error_set(error, MC_IO, NULL, 0, 0,
                            "PNG needs the program %s, which is not installed; install the Debian "
                            "package librsvg2-bin, or write SVG with -o",
                            program);
    if (code == 127) // an older posix_spawn tells it this way
        return mc_error_set(error, MC_IO, NULL, 0, 0,
                            "PNG needs the program %s, which cannot be started; install the Debian "
                            "package librsvg2-bin, or write SVG with -o",
                            program);
    first_line(messages, line);
    return mc_error_set(error, MC_IO, NULL, 0, 0, "%s could not create the PNG: %s", program,
                        line[0]      ? line
                        : errno      ? strerror(errno)
                        : code == -1 ? "it was killed"
                                     : "no reason given");
}

mc_status run_png_write(const char *path, const char *svg, size_t size, mc_error *error)
{
    file_draft draft;
    mc_status status = file_draft_open(&draft, path, error);
    if (status != MC_OK)
        return status;
    const int in = memfd_create("svg", MFD_CLOEXEC),
              messages = memfd_create("messages", MFD_CLOEXEC);
    if (in < 0 || messages < 0 || !file_write_at(in, svg, size, 0) || lseek(in, 0, SEEK_SET) != 0)
        status = mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left for the picture");
    else
        status = convert(in, draft.fd, messages, error);
    if (in >= 0)
        close(in);
    if (messages >= 0)
        close(messages);
    if (status == MC_OK)
        return file_draft_commit(&draft, error);
    file_draft_abandon(&draft);
    return status;
}
