// guard.c - which files a command reads and writes, compared in pairs.
#include "cli/guard.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add(cli_guard *g, cli_guarded file)
{
    if (!file.path)
        return;
    struct stat status;
    if (stat(file.path, &status) == 0 && S_ISREG(status.st_mode)) {
        file.exists = true;
        file.device = status.st_dev;
        file.inode = status.st_ino;
    }
    if ((g->count & (g->count - 1)) == 0) { // there is room up to the next power of two
        cli_guarded *larger =
            reallocarray(g->files, g->count > 0 ? 2 * (size_t)g->count : 1, sizeof *g->files);
        g->failed = !larger || g->failed;
        if (!larger)
            return;
        g->files = larger;
    }
    g->files[g->count++] = file;
}

void cli_guard_reads(cli_guard *g, const char *label, const char *path)
{
    add(g, (cli_guarded){.label = label, .path = path, .use = CLI_GUARD_FILE});
}

void cli_guard_reads_results(cli_guard *g, const char *label, const char *path)
{
    add(g, (cli_guarded){.label = label, .path = path, .use = CLI_GUARD_RESULTS});
}

void cli_guard_reads_scenario(cli_guard *g, const mc_scenario *scenario)
{
    for (int k = 0; scenario && mc_scenario_file_name(scenario, k); k++)
        add(g, (cli_guarded){.path = mc_scenario_file_name(scenario, k), .named = true});
}

void cli_guard_writes(cli_guard *g, const char *label, const char *path)
{
    add(g, (cli_guarded){.label = label, .path = path, .use = CLI_GUARD_FILE, .written = true});
}

void cli_guard_writes_results(cli_guard *g, const char *label, const char *path)
{
    add(g, (cli_guarded){.label = label, .path = path, .use = CLI_GUARD_RESULTS, .written = true});
}

void cli_guard_writes_into(cli_guard *g, const char *label, const char *folder)
{
    add(g, (cli_guarded){.label = label, .path = folder, .use = CLI_GUARD_FOLDER, .written = true});
}

// ---- two paths ----

// Splits a path that may not exist into the real path of its folder and its name.
static bool place_of(const char *path, char folder[PATH_MAX], char name[NAME_MAX + 1])
{
    const char *slash = strrchr(path, '/');
    char parent[PATH_MAX];
    const int length = slash ? (int)(slash - path) + 1 : 0;
    if (length >= PATH_MAX || strlen(path + length) > NAME_MAX)
        return false;
    snprintf(parent, sizeof parent, "%.*s", length, path);
    strcpy(name, path + length);
    return realpath(slash ? parent : ".", folder) != NULL;
}

bool cli_guard_same(const char *a, const char *b)
{
    struct stat status[2];
    const bool a_exists = stat(a, &status[0]) == 0, b_exists = stat(b, &status[1]) == 0;
    if (a_exists && b_exists)
        return S_ISREG(status[0].st_mode) && status[0].st_dev == status[1].st_dev &&
               status[0].st_ino == status[1].st_ino;
    char folder[2][PATH_MAX], name[2][NAME_MAX + 1];
    return !a_exists && !b_exists && place_of(a, folder[0], name[0]) &&
           place_of(b, folder[1], name[1]) && strcmp(folder[0], folder[1]) == 0 &&
           strcmp(name[0], name[1]) == 0;
}

// Whether a name is that of a further file of a results file: "run.h5" -> "run.0001.h5",
// "run.impacts.0001.h5" (hdf5/results.h).
static bool is_further(const char *of, const char *name)
{
    const char *dot = strrchr(of, '.');
    dot = dot && dot > of ? dot : of + strlen(of);
    const size_t stem = (size_t)(dot - of), ending = strlen(dot), length = strlen(name);
    if (length < stem + 5 + ending || strncmp(name, of, stem) != 0 || name[stem] != '.' ||
        strcmp(name + length - ending, dot) != 0)
        return false;
    const char *number = name + length - ending - 4;
    return number[-1] == '.' && strspn(number, "0123456789") >= 4;
}

// Whether `other` is one of the further files of the results file `of`.
static bool is_part(const char *of, const char *other)
{
    char folder[2][PATH_MAX], name[2][NAME_MAX + 1], real[PATH_MAX];
    const char *there = realpath(other, real) ? real : other; // through links
    return place_of(of, folder[0], name[0]) && place_of(there, folder[1], name[1]) &&
           strcmp(folder[0], folder[1]) == 0 && is_further(name[0], name[1]);
}

static bool touches(const cli_guarded *a, const cli_guarded *b)
{
    const bool same = a->exists && b->exists
                          ? a->device == b->device && a->inode == b->inode
                          : !a->exists && !b->exists && cli_guard_same(a->path, b->path);
    return same || (a->use == CLI_GUARD_RESULTS && is_part(a->path, b->path)) ||
           (b->use == CLI_GUARD_RESULTS && is_part(b->path, a->path));
}

// The first of the files that is a CSV file in the folder, or what one there is a link to.
static const cli_guarded *find_inside(const cli_guard *g, const char *folder)
{
    const cli_guarded *found = NULL;
    DIR *entries = opendir(folder);
    for (const struct dirent *e; entries && !found && (e = readdir(entries));) {
        const size_t length = strlen(e->d_name);
        struct stat status;
        if (length < 4 || strcmp(e->d_name + length - 4, ".csv") != 0 ||
            fstatat(dirfd(entries), e->d_name, &status, 0) != 0)
            continue;
        for (int i = 0; i < g->count && !found; i++)
            if (g->files[i].exists && g->files[i].device == status.st_dev &&
                g->files[i].inode == status.st_ino)
                found = &g->files[i];
    }
    if (entries)
        closedir(entries);
    return found;
}

// ---- the check ----

static mc_status report(const cli_guarded *out, const cli_guarded *other, mc_error *error)
{
    char what[512];
    if (other->named)
        snprintf(what, sizeof what, "\"%.400s\", which the scenario names", other->path);
    else if (other->label[0] == '-')
        snprintf(what, sizeof what, "the file %s by %s", other->written ? "written" : "read",
                 other->label);
    else
        snprintf(what, sizeof what, "%s", other->label);
    return mc_error_set(error, MC_BAD_INPUT, out->path, 0, 0,
                        out->use == CLI_GUARD_FOLDER
                            ? "%s could overwrite %s, which is in this folder; name another one"
                            : "%s would overwrite %s",
                        out->label, what);
}

static mc_status check(const cli_guard *g, mc_error *error)
{
    for (int k = 0; k < g->count; k++) {
        const cli_guarded *out = &g->files[k];
        if (!out->written)
            continue;
        const cli_guarded *hit = out->use == CLI_GUARD_FOLDER ? find_inside(g, out->path) : NULL;
        for (int i = 0; i < g->count && !hit && out->use != CLI_GUARD_FOLDER; i++)
            if ((i < k || !g->files[i].written) && g->files[i].use != CLI_GUARD_FOLDER &&
                touches(&g->files[i], out))
                hit = &g->files[i];
        if (hit)
            return report(out, hit, error);
    }
    return MC_OK;
}

mc_status cli_guard_check(cli_guard *g, mc_error *error)
{
    const mc_status status =
        g->failed ? mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for names of files")
                  : check(g, error);
    free(g->files);
    *g = (cli_guard){0};
    return status;
}
