// test_medusa_bad.c - what `motorcade medusa` and `motorcade equilibrium` reject: the exact
// message, the exit code, and that no file was created or changed.
//
// All cases share one folder, made by set_up: the sample files, an old data.asc, and files of the
// wrong kind. A case may have an input file of its own, "bad.dat".
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static char *models, *platoon; // the sample files

static void make(const char *name, const char *text, mode_t mode)
{
    char path[100];
    snprintf(path, sizeof path, "%s/%s", folder.path, name);
    if (text)
        run_put(&folder, name, text);
    else
        assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static int set_up(void **state)
{
    cli_set_up(state);
    cli_copy_medusa();
    models = run_get(&folder, "model.dat", NULL);
    platoon = run_get(&folder, "platoon.dat", NULL);
    make("data.asc", "old\n", 0644);
    make("run.h5", "old\n", 0644);
    make("empty.dat", "", 0644);
    make("locked.dat", models, 0000);
    make("read_only.asc", "old\n", 0444);
    make("folder", NULL, 0755);
    make("folder_read_only", NULL, 0555);
    run_put_bytes(&folder, "binary.dat", "\x89HDF\r\n\x1a\n\0\0\0", 11);
    return 0;
}

static int tear_down(void **state)
{
    free(models);
    free(platoon);
    return cli_tear_down(state);
}

typedef struct rejection {
    const char *arguments;
    const char *message; // all of standard error but the newline
} rejection;

// Runs it; standard error must be the message and nothing else, standard output empty, and the
// folder as it was.
static void check(const rejection *c, int code)
{
    run_age(&folder);
    char *before = run_listing(&folder, code == 2);
    run_result r = cli_run(c->arguments);
    char *after = run_listing(&folder, code == 2);
    char expected[1200];
    snprintf(expected, sizeof expected, "%s\n", c->message);
    if (strcmp(r.err, expected) != 0)
        fail_msg("motorcade %s:\nfound    %sexpected %s", c->arguments, r.err, expected);
    if (r.code != code)
        fail_msg("motorcade %s: exit code %d", c->arguments, r.code);
    if (code == 2)
        assert_string_equal(r.out, "");
    if (strcmp(before, after) != 0)
        fail_msg("motorcade %s: touched a file:\n%s\n%s", c->arguments, before, after);
    free(before);
    free(after);
    run_result_free(&r);
}

static void check_all(const rejection *cases, size_t count, int code)
{
    for (size_t i = 0; i < count; i++)
        check(&cases[i], code);
}
#define CHECK_ALL(cases, code) check_all(cases, sizeof(cases) / sizeof(cases)[0], code)

// ---- command lines -----------------------------------------------------------------------------

static const rejection commands[] = {
    {"medsua -t10",
     "motorcade: unknown command \"medsua\", did you mean medusa; `motorcade --help` lists them"},
    {"MEDUSA -t10",
     "motorcade: unknown command \"MEDUSA\", did you mean medusa; `motorcade --help` lists them"},
    {"drive",
     "motorcade: unknown command \"drive\", did you mean derive; `motorcade --help` lists them"},
    {"-t10", "motorcade: unknown command \"-t10\"; `motorcade --help` lists them"},
    {"''", "motorcade: unknown command \"\"; `motorcade --help` lists them"},
};

static const rejection options[] = {
    // not known
    {"medusa -t10 -q", "medusa: unknown option \"-q\"; -h lists them"},
    {"medusa -T10", "medusa: unknown option \"-T10\", did you mean -t; -h lists them"},
    {"medusa -t10 -E", "medusa: unknown option \"-E\", did you mean -e; -h lists them"},
    {"medusa -t10 -V", "medusa: unknown option \"-V\", did you mean -v; -h lists them"},
    {"medusa -t10 --schema published",
     "medusa: unknown option \"--schema\", did you mean --scheme; -h lists them"},
    {"medusa -t10 --thread=2",
     "medusa: unknown option \"--thread\", did you mean --threads; -h lists them"},
    {"medusa -t10 --Digits 9",
     "medusa: unknown option \"--Digits\", did you mean --digits; -h lists them"},
    {"medusa -t10 --as_published",
     "medusa: unknown option \"--as_published\", did you mean --as-published; -h lists them"},
    {"medusa -t10 --energy-tol 1e-6",
     "medusa: unknown option \"--energy-tol\", did you mean --energy-tolerance; -h lists them"},
    {"medusa -t10 --chatty", "medusa: unknown option \"--chatty\"; -h lists them"},
    {"medusa -t10 --", "medusa: unknown option \"--\"; -h lists them"},
    {"medusa -t10 -\xc3\xa9", "medusa: unknown option \"-\xc3\xa9\"; -h lists them"},
    // no value, or one where none belongs
    {"medusa -t", "medusa: option -t needs a value right after it, without a space: -tx.xx"},
    {"medusa -t 10", "medusa: option -t needs a value right after it, without a space: -tx.xx"},
    {"medusa -t10 -s", "medusa: option -s needs a value right after it, without a space: -sx.xx"},
    {"medusa -d -t10", "medusa: option -d needs a value right after it, without a space: -dx.xxx"},
    {"medusa -t10 -F test.out",
     "medusa: option -F needs a value right after it, without a space: -Ffile"},
    {"medusa -t10 -f", "medusa: option -f needs a value right after it, without a space: -ffile"},
    {"medusa -t10 --digits", "medusa: option --digits needs a value: N"},
    {"medusa -t10 --scheme", "medusa: option --scheme needs a value: NAME"},
    {"medusa -t10 --hdf5=", "medusa: option --hdf5 needs a value: FILE"},
    {"medusa -t10 --collisions ''", "medusa: option --collisions needs a value: FILE"},
    {"medusa -t10 -ev",
     "medusa: option -e takes no value, found \"-ev\"; letters are not combined"},
    {"medusa -t10 -v1",
     "medusa: option -v takes no value, found \"-v1\"; letters are not combined"},
    {"medusa -t10 --as-published=yes", "medusa: option --as-published takes no value"},
    // words that are none
    {"medusa 10", "medusa: unexpected \"10\"; expected an option. Values follow their letter "
                  "without a space: -t10"},
    {"medusa -t10 platoon.dat", "medusa: unexpected \"platoon.dat\"; expected an option. Values "
                                "follow their letter without a space: -t10"},
    {"medusa -t10 -", "medusa: unexpected \"-\"; expected an option. Values follow their letter "
                      "without a space: -t10"},
    {"medusa -t10 ''", "medusa: unexpected \"\"; expected an option. Values follow their letter "
                       "without a space: -t10"},
    // no end
    {"medusa", "No endtime specified. Type medusa -h for help"},
    {"medusa -e -v -s.02", "No endtime specified. Type medusa -h for help"},
};

static const rejection numbers[] = {
    {"medusa -tten", "medusa: option -t: found \"ten\", expected a number"},
    {"medusa -t10s", "medusa: option -t: found \"10s\", expected a number"},
    {"medusa -t1,5", "medusa: option -t: found \"1,5\", expected a number"},
    {"medusa -t0x10", "medusa: option -t: found \"0x10\", expected a number"},
    {"medusa -tnan", "medusa: option -t: found \"nan\", expected a number"},
    {"medusa -tinf", "medusa: option -t: found \"inf\", expected a number"},
    {"medusa -t1e999", "medusa: option -t: found \"1e999\", expected a number"},
    {"medusa -t=10", "medusa: option -t: found \"=10\", expected a number"},
    {"medusa -t0", "medusa: option -t: 0 is out of range, expected 1e-09 .. 1e+09"},
    {"medusa -t-1", "medusa: option -t: -1 is out of range, expected 1e-09 .. 1e+09"},
    {"medusa -t1e10", "medusa: option -t: 1e10 is out of range, expected 1e-09 .. 1e+09"},
    {"medusa -t10 -s0", "medusa: option -s: 0 is out of range, expected 1e-09 .. 1e+09"},
    {"medusa -t10 -s-0.01", "medusa: option -s: -0.01 is out of range, expected 1e-09 .. 1e+09"},
    {"medusa -t10 -d0", "medusa: option -d: 0 is out of range, expected 1e-09 .. 1"},
    {"medusa -t10 -d1.5", "medusa: option -d: 1.5 is out of range, expected 1e-09 .. 1"},
    {"medusa -t10 -dnan", "medusa: option -d: found \"nan\", expected a number"},
    {"medusa -t10 --digits 0",
     "medusa: option --digits: found \"0\", expected a whole number within 1 .. 17"},
    {"medusa -t10 --digits 18",
     "medusa: option --digits: found \"18\", expected a whole number within 1 .. 17"},
    {"medusa -t10 --digits x",
     "medusa: option --digits: found \"x\", expected a whole number within 1 .. 17"},
    {"medusa -t10 --digits=6.5",
     "medusa: option --digits: found \"6.5\", expected a whole number within 1 .. 17"},
    {"medusa -t10 --threads 0",
     "medusa: option --threads: found \"0\", expected a whole number within 1 .. 1024"},
    {"medusa -t10 --threads -2",
     "medusa: option --threads: found \"-2\", expected a whole number within 1 .. 1024"},
    {"medusa -t10 --threads 99999999999999999999",
     "medusa: option --threads: found \"99999999999999999999\", expected a whole number within 1 "
     ".. 1024"},
    {"medusa -t10 --energy-tolerance 0",
     "medusa: option --energy-tolerance: 0 is out of range, expected 1e-15 .. 1"},
    {"medusa -t10 --energy-tolerance small",
     "medusa: option --energy-tolerance: found \"small\", expected a number"},
    {"medusa -t10 --scheme Published",
     "medusa: option --scheme: found \"Published\", expected exponential or published"},
    {"medusa -t10 --scheme -e",
     "medusa: option --scheme: found \"-e\", expected exponential or published"},
    // too much
    {"medusa -t1e9",
     "medusa: 1e+11 rows (end time 1e+09 s, one every 0.01 s): expected at most 1e9"},
    {"medusa -t100 -s1e-8",
     "medusa: 1e+10 rows (end time 100 s, one every 1e-08 s): expected at most 1e9"},
    {"medusa -t1e9 -s1e6 -d1e-9",
     "medusa: step 1e-09 s: the run would take 1e+18 steps, expected at most 1e13"},
};

static const rejection contradictions[] = {
    {"medusa -t10 --as-published --scheme exponential",
     "medusa: option --as-published contradicts --scheme exponential"},
    {"medusa -t10 --scheme exponential --as-published",
     "medusa: option --as-published contradicts --scheme exponential"},
    {"medusa -t10 --scheme published --energy-tolerance 1e-6",
     "medusa: option --energy-tolerance: scheme published does not adapt its step"},
    {"medusa -t10 --friction 0.3 --scheme published",
     "medusa: option --friction: not supported by the contact model of scheme published"},
    {"medusa -t10 --restitution 0.3 --as-published",
     "medusa: option --restitution: not supported by the contact model of scheme published"},
    {"medusa -t10 --restitution 1.5",
     "medusa: option --restitution: 1.5 is out of range, expected 0 .. 1"},
    {"medusa -t10 --friction -1",
     "medusa: option --friction: -1 is out of range, expected 0 .. 10"},
    {"medusa -t10 --friction ice", "medusa: option --friction: found \"ice\", expected a number"},
    {"medusa -t10 --energy-tolerance 1e-6 --as-published",
     "medusa: option --energy-tolerance: scheme published does not adapt its step"},
    // steps that would blow up; test_medusa_contract.c tries both sides of the bound
    {"medusa -t10 -d0.1",
     "medusa: step 0.1 s is too long: scheme exponential is stable up to 0.0053892 s for these "
     "models"},
    {"medusa -t10 -d1e-3 --scheme published",
     "medusa: step 0.001 s is too long: scheme published is stable up to 0.0007139 s for these "
     "models"},
    {"medusa -t10 -d1 --as-published",
     "medusa: step 1 s is too long: scheme published is stable up to 0.0007139 s for these "
     "models"},
    // one file for two things
    {"medusa -t10 -Fmodel.dat", "model.dat: -F would overwrite the file read by --models"},
    {"medusa -t10 -F./folder/../platoon.dat",
     "./folder/../platoon.dat: -F would overwrite the file read by -f"},
    {"medusa -t10 --hdf5 platoon.dat", "platoon.dat: --hdf5 would overwrite the file read by -f"},
    {"medusa -t10 --hdf5 data.asc", "data.asc: --hdf5 would overwrite the file written by -F"},
    {"medusa -t10 --collisions a --picture ./a",
     "./a: --picture would overwrite the file written by --collisions"},
    {"medusa -t10 -Fa --collisions folder/../a",
     "folder/../a: --collisions would overwrite the file written by -F"},
};

static const rejection missing[] = {
    {"medusa -t10 -fmissing.dat", "missing.dat: cannot be read: No such file or directory"},
    {"medusa -t10 --models missing.dat", "missing.dat: cannot be read: No such file or directory"},
    {"medusa -t10 -fmissing/platoon.dat",
     "missing/platoon.dat: cannot be read: No such file or directory"},
    {"medusa -t10 -fmodel.dat/platoon.dat",
     "model.dat/platoon.dat: cannot be read: Not a directory"},
    {"medusa -t10 -ffolder", "folder: is a folder, not a file"},
    {"medusa -t10 --models=folder/", "folder/: is a folder, not a file"},
    {"medusa -t10 --models locked.dat", "locked.dat: cannot be read: Permission denied"},
    {"medusa -t10 -fempty.dat",
     "empty.dat:1:1: found the end of the file, expected NUMBER_OF_VEHICLES (how many vehicles "
     "this file has)"},
    {"medusa -t10 --models empty.dat",
     "empty.dat:1:1: found the end of the file, expected NUMBER_OF_MODELS (how many models this "
     "file has)"},
    {"medusa -t10 -fbinary.dat",
     "binary.dat:1:1: found byte 0x89, expected plain ASCII text (other characters only in % "
     "comments)"},
    {"medusa -t10 -fmodel.dat",
     "model.dat:8:1: found \"NUMBER_OF_MODELS\", expected NUMBER_OF_VEHICLES (how many vehicles "
     "this file has)"},
    {"medusa -t10 --models platoon.dat",
     "platoon.dat:4:1: found \"NUMBER_OF_VEHICLES\", expected NUMBER_OF_MODELS (how many models "
     "this file has)"},
    {"equilibrium", "motorcade equilibrium: no model file given; try: motorcade equilibrium "
                    "model.dat"},
    {"equilibrium model.dat platoon.dat", "motorcade equilibrium: only one model file is expected: "
                                          "found \"platoon.dat\" after \"model.dat\""},
    {"equilibrium missing.dat", "missing.dat: cannot be read: No such file or directory"},
    {"equilibrium missing.dat --write", "missing.dat: cannot be read: No such file or directory"},
    {"equilibrium folder", "folder: is a folder, not a file"},
    {"equilibrium platoon.dat -w",
     "platoon.dat:4:1: found \"NUMBER_OF_VEHICLES\", expected NUMBER_OF_MODELS (how many models "
     "this file has)"},
    {"equilibrium model.dat -m 3",
     "model.dat: unknown model 3: the file has 2 models, numbered from 1"},
    {"equilibrium model.dat -m 3 --write",
     "model.dat: unknown model 3: the file has 2 models, numbered from 1"},
    {"equilibrium model.dat -m0", "motorcade equilibrium: option -m: found \"0\", expected a whole "
                                  "number within 1 .. 2147483647"},
    {"equilibrium model.dat --model=one", "motorcade equilibrium: option -m: found \"one\", "
                                          "expected a whole number within 1 .. 2147483647"},
    {"equilibrium model.dat -m", "motorcade equilibrium: option -m needs a value: -m N"},
    {"equilibrium model.dat --writ",
     "motorcade equilibrium: unknown option \"--writ\", did you mean --write; -h lists them"},
    {"equilibrium model.dat -M1",
     "motorcade equilibrium: unknown option \"-M1\", did you mean -m; -h lists them"},
};

static void bad_commands(void **state)
{
    (void)state;
    CHECK_ALL(commands, 2);
}

static void bad_options(void **state)
{
    (void)state;
    CHECK_ALL(options, 2);
}

static void bad_numbers(void **state)
{
    (void)state;
    CHECK_ALL(numbers, 2);
}

static void contradicting_options(void **state)
{
    (void)state;
    CHECK_ALL(contradictions, 2);
}

static void bad_files(void **state)
{
    (void)state;
    CHECK_ALL(missing, 2);
}

// ---- where nothing can be written: exit code 1 -------------------------------------------------

static const rejection unwritable[] = {
    {"medusa -t10 --quiet -Fmissing/data.asc",
     "missing/data.asc: cannot be created in folder \"missing\": No such file or directory"},
    {"medusa -t10 --quiet -Ffolder", "folder: is a folder, not a file"},
    {"medusa -t10 --quiet -Fnew/", "new/: is not the name of a file"},
    {"medusa -t10 --quiet -Ffolder_read_only/data.asc",
     "folder_read_only/data.asc: cannot be created in folder \"folder_read_only\": Permission "
     "denied"},
    {"medusa -t10 --quiet -Fread_only.asc", "read_only.asc: cannot be written: Permission denied"},
    {"medusa -t10 --quiet -F/dev/full", "/dev/full: cannot be written: No space left on device"},
    {"medusa -t10 --quiet --hdf5 missing/run.h5",
     "missing/run.h5: cannot be created in folder \"missing\": No such file or directory"},
    {"medusa -t10 --quiet --hdf5 folder", "folder: is a folder, not a file"},
    // found before the run, not after it
    {"medusa -t1e6 --quiet --collisions missing/crash.csv",
     "missing/crash.csv: cannot be created in folder \"missing\": No such file or directory"},
    {"medusa -t1e6 --quiet --picture folder_read_only/crash.svg",
     "folder_read_only/crash.svg: cannot be created in folder \"folder_read_only\": Permission "
     "denied"},
    {"medusa -t1e6 --quiet --collisions read_only.asc",
     "read_only.asc: cannot be written: Permission denied"},
    {"medusa -t1e6 --quiet --picture folder", "folder: is a folder, not a file"},
    {"equilibrium read_only.dat --write", "read_only.dat: cannot be written: Permission denied"},
};

static void bad_places(void **state)
{
    (void)state;
    make("read_only.dat", models, 0444);
    CHECK_ALL(unwritable, 1);
}

// ---- files that are wrong ----------------------------------------------------------------------
//
// A few of each sort; tests/medusa/test_files_bad.c has them all.

typedef struct edit {
    char file;                  // 'm': of the models, 'p': of the platoon
    const char *find, *replace; // the first place of find
    const char *message;
} edit;

static const edit edits[] = {
    {'m', "MASS    1573.0", "MAS     1573.0",
     "bad.dat:13:3: found \"MAS\", expected MASS (mass of the vehicle, kg)"},
    {'m', "1573.0", "heavy", "bad.dat:13:11: found \"heavy\", expected a number after MASS"},
    {'m', "1573.0", "nan", "bad.dat:13:11: found \"nan\", expected a number after MASS"},
    {'m', "1573.0", "1e999",
     "bad.dat:13:11: found \"1e999\", expected a number within +-1.8e308 after MASS"},
    {'m', "1573.0", "-1573.0",
     "bad.dat:13:11: MASS -1573.0 is out of range: mass of the vehicle must be in 1 .. 1e+06 kg"},
    {'m', "  NU        0.30 ", "  NU        0.50 ",
     "bad.dat:18:13: NU 0.50 is out of range: Poisson's ratio of the chassis must be in -0.99 .. "
     "0.499"},
    {'m', "IX       479.6", "IX       9999",
     "bad.dat:14:12: IX is 9999 kg m^2, expected less than the sum of the other two moments of "
     "inertia (5376.6)"},
    {'m', "NUMBER_OF_MODELS 2", "NUMBER_OF_MODELS 1",
     "bad.dat:46:1: NUMBER_OF_MODELS says 1, found one more MODEL"},
    {'m', "MODEL 2 %", "MODEL 3 %",
     "bad.dat:46:7: found MODEL 3, expected MODEL 2: models are numbered from 1, in order"},
    {'m', "D22 1.0", "D22 0.0",
     "bad.dat:42:7: the directors D11..D33 span a volume of 0, expected about 1: they must be "
     "three nearly orthonormal vectors, right-handed"},
    {'p', "VEHICLE_HAS_MODEL 1", "VEHICLE_HAS_MODEL 3",
     "bad.dat:6:19: VEHICLE_HAS_MODEL 3: model.dat has 2 models"},
    {'p', "VEHICLE_HAS_MODEL 1", "VEHICLE_HAS_MODEL 0",
     "bad.dat:6:19: found \"0\", expected a whole number within 1 .. 100000 after "
     "VEHICLE_HAS_MODEL"},
    {'p', "NUMBER_OF_VEHICLES 2", "NUMBER_OF_VEHICLES 3",
     "bad.dat:19:1: found the end of the file, expected vehicle 3 of 3 (NUMBER_OF_VEHICLES says "
     "3)"},
    {'p', "NUMBER_OF_VEHICLES 2", "NUMBER_OF_VEHICLES 0",
     "bad.dat:4:20: found \"0\", expected a whole number within 1 .. 1000000 after "
     "NUMBER_OF_VEHICLES"},
    {'p', "SPEED       24.4444", "SPEED       300",
     "bad.dat:10:15: SPEED 300 is out of range: forward speed must be in -200 .. 200 m/s"},
    {'p', "  STEERING     0.0     %", "  %",
     "bad.dat:13:1: found \"VEHICLE_HAS_MODEL\", expected STEERING (steering angle of the front "
     "wheels (left is positive), rad)"},
    {'p', "X            5.0", "X            2.5",
     "bad.dat:13:1: vehicle 2 overlaps vehicle 1 at the start: move them apart"},
    {'p', "X            5.0", "X            0.0",
     "bad.dat:13:1: vehicle 2 overlaps vehicle 1 at the start: move them apart"},
};

static void bad_contents(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        const edit *e = &edits[i];
        const char *text = e->file == 'm' ? models : platoon, *place = strstr(text, e->find);
        assert_non_null(place);
        char edited[8192];
        snprintf(edited, sizeof edited, "%.*s%s%s", (int)(place - text), text, e->replace,
                 place + strlen(e->find));
        run_put(&folder, "bad.dat", edited);
        check(
            &(rejection){e->file == 'm' ? "medusa -t10 --models bad.dat" : "medusa -t10 -fbad.dat",
                         e->message},
            2);
        if (e->file == 'm') {
            check(&(rejection){"equilibrium bad.dat", e->message}, 2);
            check(&(rejection){"equilibrium bad.dat --write", e->message}, 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_commands), cmocka_unit_test(bad_options),
        cmocka_unit_test(bad_numbers),  cmocka_unit_test(contradicting_options),
        cmocka_unit_test(bad_files),    cmocka_unit_test(bad_contents),
        cmocka_unit_test(bad_places),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
