// test_page_file.c - files of the page: embedded, from a folder, and the script that embeds them.
#include "studio/net/page_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64], path[256];

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *out = fopen(in_folder(name), "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/motorcade-page-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

// What is in the program is what is in web/dist, to the byte.
static void test_embedded(void **state)
{
    (void)state;
    assert_true(page_file_count > 0);
    assert_ptr_equal(page_file_find("/"), page_file_find("/index.html"));
    assert_non_null(page_file_find("/"));
    for (int i = 0; i < page_file_count; i++) {
        const page_file *file = &page_files[i];
        uint8_t *bytes;
        size_t length;
        assert_true(page_file_read(SOURCE_DIR "/web/dist", file->path, &bytes, &length));
        assert_int_equal(file->length, length);
        assert_memory_equal(file->bytes, bytes, length);
        assert_int_equal(strlen(file->etag), 16);
        assert_ptr_equal(page_file_find(file->path), file);
        free(bytes);
    }
    assert_null(page_file_find("/none"));
    assert_null(page_file_find(""));
    assert_null(page_file_find("index.html"));
}

static void test_types(void **state)
{
    (void)state;
    assert_string_equal(page_file_type("/"), "text/html; charset=utf-8");
    assert_string_equal(page_file_type("/a/app.js"), "text/javascript; charset=utf-8");
    assert_string_equal(page_file_type("/app.css"), "text/css; charset=utf-8");
    assert_string_equal(page_file_type("/fonts/x.woff2"), "font/woff2");
    assert_string_equal(page_file_type("/x"), "application/octet-stream");
}

static void test_folder(void **state)
{
    (void)state;
    mc_error error;
    uint8_t *bytes;
    size_t length;
    assert_int_equal(page_file_check_folder(folder, &error), MC_BAD_INPUT);
    write_file("index.html", "<p>");
    write_file(".secret", "x");
    assert_int_equal(mkdir(in_folder("fonts"), 0700), 0);
    write_file("fonts/a.woff2", "font");
    assert_int_equal(symlink("/etc/passwd", in_folder("out.txt")), 0);
    assert_int_equal(symlink("fonts/a.woff2", in_folder("in.txt")), 0);
    assert_int_equal(symlink("/etc", in_folder("etc")), 0);
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    assert_int_equal(page_file_check_folder(folder, &error), MC_OK);

    assert_true(page_file_read(folder, "/", &bytes, &length));
    assert_int_equal(length, 3);
    free(bytes);
    assert_true(page_file_read(folder, "/fonts/a.woff2", &bytes, &length));
    assert_memory_equal(bytes, "font", 4);
    free(bytes);
    assert_true(page_file_read(folder, "/in.txt", &bytes, &length));
    free(bytes);
    static const char *const wrong[] = {"/out.txt",
                                        "/etc/passwd",
                                        "/../etc/passwd",
                                        "/fonts",
                                        "/fonts/",
                                        "/.secret",
                                        "/fonts/../index.html",
                                        "//index.html",
                                        "/pipe",
                                        "index.html",
                                        "",
                                        "/none",
                                        "/index.html%00",
                                        "/a b"};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        if (page_file_read(folder, wrong[k], &bytes, &length))
            fail_msg("%s was read", wrong[k]);
}

static int embed(char *said, size_t size)
{
    char command[512];
    snprintf(command, sizeof command,
             "cmake -DFOLDER=%s -DOUT=%s/out.c -P " SOURCE_DIR "/cmake/embed.cmake 2>&1", folder,
             folder);
    FILE *in = popen(command, "r");
    assert_non_null(in);
    said[fread(said, 1, size - 1, in)] = '\0';
    return pclose(in);
}

static void test_embedding(void **state)
{
    (void)state;
    char said[2000];
    assert_int_not_equal(embed(said, sizeof said), 0); // no page
    assert_non_null(strstr(said, "index.html is missing"));
    assert_non_null(strstr(said, "npm run build"));
    write_file("index.html", "<p>");
    write_file("index.html.gz", "gz");
    write_file("app.js", "let x");
    assert_int_equal(embed(said, sizeof said), 0);
    FILE *in = fopen(in_folder("out.c"), "r");
    assert_non_null(in);
    said[fread(said, 1, sizeof said - 1, in)] = '\0';
    fclose(in);
    assert_non_null(strstr(said, "{\"/app.js\", page_blob_0, 5, 0, 0, \""));
    assert_non_null(strstr(said, "{\"/index.html\", page_blob_1, 3, page_blob_1_gz, 2, \""));
    assert_non_null(strstr(said, "page_file_count = 2;"));
    write_file("a b.js", "");
    assert_int_not_equal(embed(said, sizeof said), 0);
    assert_non_null(strstr(said, "names may have"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_embedded),
        cmocka_unit_test(test_types),
        cmocka_unit_test_setup_teardown(test_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_embedding, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
