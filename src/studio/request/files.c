// files.c - the folders given at start: what is in them, where it is.
#include "studio/request/files.h"

#include "motorcade/medusa.h"
#include "motorcade/multibody.h"
#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/open.h"
#include "studio/request/requests.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *files_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

// DYNAVIS data are rows of numbers; MEDUSA's input files end in .dat, too, and begin with words or
// with comments.
static bool begins_with_number(const char *path)
{
    FILE *in = fopen(path, "r");
    int c = in ? getc(in) : EOF;
    while (c == ' ' || c == '\t' || c == '\r' || c == '\n')
        c = getc(in);
    if (in)
        fclose(in);
    return c != EOF && strchr("+-.0123456789", c) != NULL;
}

static const char *file_kind(const char *path)
{
    const char *name = files_name(path);
    return open_is_scenario(name)       ? mc_multibody_is_model(path) ? "mechanism" : "scenario"
           : open_is_state(name)        ? "state"
           : open_ends_in(name, ".h5")  ? "results"
           : open_ends_in(name, ".asc") ? "data.asc"
           : open_ends_in(name, ".csv") ? "csv"
           : (open_ends_in(name, ".dat") || open_ends_in(name, ".data")) && begins_with_number(path)
               ? "dynavis"
           : open_ends_in(name, ".dat") && mc_medusa_is_platoon(path) ? "medusa"
                                                                      : NULL;
}

// The value of a top-level key of a scenario, as it stands in its first lines; "": none.
static void peek(const char *path, const char *key, char *out, size_t size)
{
    char line[400];
    FILE *in = fopen(path, "r");
    out[0] = '\0';
    const size_t length = strlen(key);
    for (int k = 0; in && k < 60 && fgets(line, sizeof line, in) && !out[0]; k++) {
        if (strncmp(line, key, length) != 0 || line[length] != ':')
            continue;
        char *value = line + length + 1;
        value += strspn(value, " \t\">|");
        value[strcspn(value, "\"\r\n")] = '\0';
        snprintf(out, size, "%s", value);
    }
    if (in)
        fclose(in);
}

static void list_files(const char *root, const char *below, int depth, json_t *list)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s%s", root, below[0] ? "/" : "", below);
    struct dirent **entries;
    const int count = scandir(path, &entries, NULL, alphasort);
    for (int k = 0; k < count; k++) {
        const char *name = entries[k]->d_name;
        char full[PATH_MAX], relative[1024];
        struct stat s;
        snprintf(relative, sizeof relative, "%.500s%s%.500s", below, below[0] ? "/" : "", name);
        const bool fits = snprintf(full, sizeof full, "%s/%s", path, name) < (int)sizeof full;
        if (name[0] != '.' && fits && stat(full, &s) == 0 && json_array_size(list) < 2000) {
            const char *kind = S_ISREG(s.st_mode) ? file_kind(full) : NULL;
            if (S_ISDIR(s.st_mode) && depth > 0)
                list_files(root, relative, depth - 1, list);
            else if (kind) {
                char title[200] = "", doc[300] = "";
                if (open_is_scenario(name)) {
                    peek(full, "name", title, sizeof title);
                    peek(full, "doc", doc, sizeof doc);
                }
                json_t *file = json_object(), *shown = json_string(relative);
                json_put(file, "file", shown ? shown : json_string(""));
                json_put(file, "kind", json_string(kind));
                json_t *text = json_string(title);
                json_put(file, "title", text ? text : json_string(""));
                text = json_string(doc);
                json_put(file, "doc", text ? text : json_string(""));
                json_put(file, "size", json_integer(s.st_size));
                if (shown)
                    json_array_append(list, file);
                json_decref(file);
            }
        }
        free(entries[k]);
    }
    if (count >= 0)
        free(entries);
}

void request_files(request *r)
{
    json_t *folders = json_array(), *out = json_object();
    for (int k = 0; k < r->h->options.folder_count; k++) {
        json_t *files = json_array(), *folder = json_object();
        list_files(r->h->folders[k], "", 1, files);
        json_put(folder, "name", json_string(files_name(r->h->folders[k])));
        json_put(folder, "files", files);
        json_array_append_new(folders, folder);
    }
    json_put(out, "folders", folders);
    request_done(r, out);
}

// The path of a file named by a page, FOLDER/FILE or FILE; false: it is in none of the folders.
_Static_assert(FILES_PATH_SIZE >= PATH_MAX, "realpath needs the room");

bool files_path(const hub *h, const char *file, char out[FILES_PATH_SIZE])
{
    for (int k = 0; k < h->options.folder_count; k++) {
        char root[PATH_MAX], whole[PATH_MAX];
        const char *name = files_name(h->folders[k]), *below = file;
        const size_t length = strlen(name);
        if (strncmp(file, name, length) == 0 && file[length] == '/')
            below = file + length + 1;
        for (int turn = 0; turn < 2; turn++, below = file) {
            if (snprintf(whole, sizeof whole, "%s/%s", h->folders[k], below) >= (int)sizeof whole ||
                !realpath(h->folders[k], root) || !realpath(whole, out))
                continue;
            const size_t n = strlen(root);
            if (strncmp(out, root, n) == 0 && out[n] == '/')
                return true;
        }
    }
    return false;
}
