// test_picture.c - `motorcade picture`: every kind of result, its file, wrong calls.
#include "support/cli.h"
#include "support/sample_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
    cli_set_up(state);
    sample_run_write(cli_path("run.h5"), &(sample_run){.rows = 1201});
    cli_copy_medusa();
    free(cli_done("medusa -t2 --quiet --hdf5 medusa.h5"));
    free(cli_done("simulate " SOURCE_DIR "/models/four_bar.yaml -q --end 0.2 -o bar.h5"));
    return 0;
}

// Its size is in the first chunk of a PNG file.
static void is_png(const char *name, int width, int height)
{
    size_t size;
    char *bytes = run_get(&folder, name, &size);
    assert_true(size > 1000);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    const unsigned char *at = (const unsigned char *)bytes + 16;
    assert_int_equal(at[2] << 8 | at[3], width);
    assert_int_equal(at[6] << 8 | at[7], height);
    free(bytes);
}

static void draw(const char *arguments, const char *name, int width, int height)
{
    char says[200], *text = cli_printed(arguments);
    snprintf(says, sizeof says, "picture: %s\n", name);
    assert_string_equal(text, says);
    free(text);
    is_png(name, width, height);
}

static void every_kind(void **state)
{
    (void)state;
    draw("picture run.h5 --at 12.34 --size 160x100", "run.png", 160, 100);
    draw(
        "picture medusa.h5 --camera contact --strain --labels --magnify 20 --size 160x100 -o m.png",
        "m.png", 160, 100);
    draw("picture bar.h5 --at 0.1 --size 96x64 --labels -o b.png", "b.png", 96, 64);
    draw("picture bar.h5 --camera top --size 96x64 --theme evening -o t.png", "t.png", 96, 64);
    draw("picture " SOURCE_DIR "/models/quarter_car.yaml --mode 1 --size 96x64 -o q.png", "q.png",
         96, 64);
    draw("picture " SOURCE_DIR
         "/models/hmmwv_loops.yaml --rest --loads --lift 0.5 --labels --size 96x64 -o h.png",
         "h.png", 96, 64);
    draw("picture bar.h5 --loads --labels --size 96x64 -o l.png", "l.png", 96, 64);
}

static void cameras(void **state)
{
    (void)state;
    draw("picture run.h5 --camera chase --vehicle car3 --at 3 --size 96x64 -o 1.png", "1.png", 96,
         64);
    draw("picture run.h5 --camera driver --vehicle car3 --at 3 --size 96x64 -o 2.png", "2.png", 96,
         64);
    draw("picture run.h5 --camera top --at 3 --size 96x64 -o 3.png", "3.png", 96, 64);
    draw("picture run.h5 --from 0,-9,4 --look 30,0,1 --at 0 --size 96x64 -o 4.png", "4.png", 96,
         64);
    draw("picture run.h5 --camera contact --size 96x64 -o 5.png", "5.png", 96, 64);
}

// Same results, same pixels: whatever the number of threads.
static void same_bytes(void **state)
{
    (void)state;
    draw("picture run.h5 --at 5 --size 128x80 --threads 1 -o a.png", "a.png", 128, 80);
    draw("picture run.h5 --at 5 --size 128x80 --threads 3 -o b.png", "b.png", 128, 80);
    cli_same_files("a.png", "b.png");
}

static void wrong_calls(void **state)
{
    (void)state;
    cli_rejected_with("picture", 2, "no results file given");
    cli_rejected_with("picture none.h5", 2, "none.h5");
    cli_rejected_with("picture run.h5 --at 99", 2,
                      "99 s is not in the recording: expected an instant from 0 to 60 s");
    cli_rejected_with("picture run.h5 --at nan", 2, "--at");
    cli_rejected_with("picture run.h5 --camera plattoon", 2,
                      "unknown camera \"plattoon\"; did you mean \"platoon\"?");
    cli_rejected_with("picture run.h5 --vehicle car33", 2,
                      "no vehicle is called \"car33\"; did you mean");
    cli_rejected_with("picture run.h5 --theme noon", 2,
                      "unknown theme \"noon\"; expected day or evening");
    cli_rejected_with("picture run.h5 --size 12x900", 2, "expected WIDTHxHEIGHT in pixels");
    cli_rejected_with("picture run.h5 --camera free", 2, "--from X,Y,Z and --look X,Y,Z");
    cli_rejected_with("picture run.h5 --from 1,2", 2, "expected three numbers X,Y,Z");
    cli_rejected_with("picture run.h5 --strain", 2, "--strain needs a deformable vehicle");
    cli_rejected_with("picture bar.h5 --at 7", 2,
                      "7 s is not in the recording: expected an instant from 0 to 0.2 s");
    cli_rejected_with("picture bar.h5 --camera chase", 2, "a mechanism has top and free");
    cli_rejected_with("picture bar.h5 --mode 99", 2, "mode 99: expected 1 ..");
    cli_rejected_with("picture bar.h5 --model " SOURCE_DIR "/models/pendulum.yaml", 2,
                      "this is not the mechanism that bar.h5 was made with");
    cli_rejected_with("picture run.h5 --loads", 2, "are for mechanisms");
    cli_rejected_with("picture run.h5 --rest", 2, "are for mechanisms");
    cli_rejected_with("picture bar.h5 --lift=-1", 2, "--lift");
    cli_rejected_with("picture bar.h5 --rest --at 0.1", 2, "expected without --mode and --at");
    cli_rejected_with("picture run.h5 -o run.h5", 2, "run.h5");
}

static void help(void **state)
{
    (void)state;
    char *text = cli_printed("picture --help");
    cli_has(text, "usage: motorcade picture RUN.h5");
    cli_has(text, "--magnify N");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind), cmocka_unit_test(cameras),
                                       cmocka_unit_test(same_bytes), cmocka_unit_test(wrong_calls),
                                       cmocka_unit_test(help)};
    return cmocka_run_group_tests(tests, set_up, cli_tear_down);
}
