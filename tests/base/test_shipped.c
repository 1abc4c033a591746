// test_shipped.c - shipped files are found from the program, else in the source tree.
#include "base/shipped.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void the_source_tree_is_found(void **unused)
{
    (void)unused;
    char path[4096];
    assert_true(shipped_path("scenarios/hill.yaml", path, sizeof path));
    assert_string_equal(path, SOURCE_DIR "/scenarios/hill.yaml");
    assert_true(shipped_path("scenarios", path, sizeof path));
    assert_string_equal(path, SOURCE_DIR "/scenarios");
    assert_false(shipped_path("scenarios/no_such.yaml", path, sizeof path));
    assert_false(shipped_path("scenarios/hill.yaml", path, strlen(SOURCE_DIR)));
}

// A copy of this program below a prefix that no build knows.
static void an_installed_program_finds_its_own(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/shipped-XXXXXX", command[1000], expected[100], got[1000] = "";
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "cd %s && mkdir -p bin share/motorcade/scenarios && cp /proc/%d/exe bin/program && "
             "touch share/motorcade/scenarios/hill.yaml && cd / && %s/bin/program find",
             folder, (int)getpid(), folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(got, sizeof got, pipe));
    assert_int_equal(pclose(pipe), 0);
    snprintf(expected, sizeof expected, "%s/share/motorcade/scenarios/hill.yaml", folder);
    assert_string_equal(got, expected);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "find") == 0) {
        char path[4096] = "";
        const bool found = shipped_path("scenarios/hill.yaml", path, sizeof path);
        fputs(path, stdout);
        return !found;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_source_tree_is_found),
        cmocka_unit_test(an_installed_program_finds_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
