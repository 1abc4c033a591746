// test_broken.c - units that are broken: rejected when the scenario is read, or contained in their
// process while the run ends with a message, or continues under a law.
#include "io/zip.h"
#include "motorcade/run.h"
#include "motorcade/scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64], unit_path[128];

static const char good[] =
    "<?xml version=\"1.0\"?><fmiModelDescription fmiVersion=\"3.0\" modelName=\"bad\" "
    "instantiationToken=\"@\"><CoSimulation modelIdentifier=\"bad\"/><ModelVariables>"
    "<Float64 name=\"gap\" valueReference=\"0\" causality=\"input\" start=\"20\"/>"
    "<Float64 name=\"acceleration\" valueReference=\"1\" causality=\"output\"/>"
    "</ModelVariables><ModelStructure/></fmiModelDescription>";

static char *slurp(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        fail_msg("no %s", path);
    char *data = malloc(1 << 20);
    *size = fread(data, 1, 1 << 20, in);
    fclose(in);
    return data;
}

// The text with `from` replaced by `to`.
static char *changed(const char *text, const char *from, const char *to)
{
    static char out[4096];
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("no %s", from);
    snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

static void write_unit(const char *description, const char *entry, const void *binary, size_t size)
{
    mc_error error;
    const zip_entry entries[] = {{"modelDescription.xml", description, strlen(description)},
                                 {entry, binary, size}};
    if (zip_write(unit_path, description[0] ? entries : entries + 1, description[0] ? 2 : 1,
                  &error) != MC_OK)
        fail_msg("%s", error.text);
}

static mc_scenario *load(const char *options, mc_error *error)
{
    char text[2048], path[128];
    snprintf(path, sizeof path, "%s/scenario.yaml", folder);
    snprintf(text, sizeof text,
             "motorcade: scenario\n"
             "time: {end: 2, step: 0.05}\n"
             "models: {car: {kind: point}}\n"
             "controllers:\n"
             "  unit: {law: pid, fmu: {file: bad.fmu, time_limit: 0.5%s}}\n"
             "platoons:\n"
             "  - {leader: {model: car, profile: 20}, v: 20,\n"
             "     cars: [{model: car, name: follower, controller: unit}]}\n",
             options);
    return mc_scenario_parse(text, strlen(text), path, error);
}

// The message names the unit and says what is wrong.
static void says(const mc_error *error, const char *words)
{
    if (!strstr(error->text, words) ||
        (!strstr(error->text, "bad.fmu") && !strstr(error->file, "bad.fmu")))
        fail_msg("\"%s: %s\", expected bad.fmu and \"%s\"", error->file, error->text, words);
}

static void is_rejected(const char *words)
{
    mc_error error = {0};
    mc_scenario *s = load("", &error);
    if (s)
        fail_msg("accepted; expected \"%s\"", words);
    assert_int_equal(error.code, MC_BAD_INPUT);
    says(&error, words);
}

// Runs to the end, or fails with the message.
static mc_run *run(const char *options, mc_scenario **s, mc_status *status, mc_error *error)
{
    *s = load(options, error);
    if (!*s)
        fail_msg("%s", error->text);
    mc_run *r = mc_run_create(*s, &(mc_run_options){.threads = 1, .interpret = true}, error);
    assert_non_null(r);
    *status = MC_OK;
    while (*status == MC_OK && mc_run_time(r) < 1.99)
        *status = mc_run_step(r, error);
    return r;
}

static void fails(const char *words)
{
    mc_error error = {0};
    mc_scenario *s;
    mc_status status;
    mc_run *r = run("", &s, &status, &error);
    assert_int_equal(status, MC_FAILED);
    says(&error, words);
    if (!strstr(error.text, "follower"))
        fail_msg("\"%s\" does not name the vehicle", error.text);
    mc_run_destroy(r);
    mc_scenario_free(s);
}

// ---- files -------------------------------------------------------------------------------------

static void broken_archives(void **state)
{
    (void)state;
    FILE *out = fopen(unit_path, "wb");
    fputs("this is not an archive", out);
    fclose(out);
    is_rejected("not a sound ZIP archive");
    write_unit(good, "binaries/x86_64-linux/bad.so", "\177ELF", 4);
    assert_int_equal(truncate(unit_path, 300), 0);
    is_rejected("not a sound ZIP archive");
    write_unit("", "binaries/x86_64-linux/bad.so", "\177ELF", 4);
    is_rejected("no modelDescription.xml in it");
    write_unit(good, "../outside.so", "\177ELF", 4);
    is_rejected("name that is not allowed");
    write_unit(good, "binaries/x86_64-windows/bad.dll", "MZ", 2);
    is_rejected("for other systems");
    write_unit(good, "sources/bad.c", "int x;", 6);
    is_rejected("sources only");
    write_unit(good, "binaries/x86_64-linux/bad.so", "text", 4);
    is_rejected("not a library for Linux");
}

static void broken_descriptions(void **state)
{
    static const struct {
        const char *from, *to, *says;
    } cases[] = {
        {"<ModelStructure/>", "<ModelStructure>", "not well-formed XML"},
        {"<?xml version=\"1.0\"?>", "<!DOCTYPE x [<!ENTITY a \"b\">]>", "document type"},
        {"<fmiModelDescription", "<modelDescription", "not well-formed XML"},
        {"fmiVersion=\"3.0\"", "fmiVersion=\"1.0\"", "expected 2.0 or 3.0"},
        {"fmiVersion=\"3.0\"", "", "expected 2.0 or 3.0"},
        {"instantiationToken=\"@\"", "", "instantiationToken"},
        {"modelName=\"bad\"", "", "modelName"},
        {"<CoSimulation modelIdentifier=\"bad\"/>", "<ScheduledExecution modelIdentifier=\"bad\"/>",
         "CoSimulation"},
        {"<CoSimulation modelIdentifier=\"bad\"/>", "", "CoSimulation"},
        {"modelIdentifier=\"bad\"", "modelIdentifier=\"../../bin/sh\"", "letters, digits and _"},
        {"modelIdentifier=\"bad\"", "modelIdentifier=\"bad\" needsExecutionTool=\"true\"",
         "without the tool"},
        {"modelIdentifier=\"bad\"", "modelIdentifier=\"bad\" canSerializeFMUState=\"maybe\"",
         "true or false"},
        {"name=\"gap\"", "name=\"acceleration\"", "two variables are called"},
        {"valueReference=\"0\"", "valueReference=\"-1\"", "whole number"},
        {"valueReference=\"0\"", "", "no valueReference"},
        {"start=\"20\"", "start=\"nan\"", "finite number"},
        {"start=\"20\"", "start=\"20\" min=\"5\" max=\"1\"", "min above max"},
        {"causality=\"input\"", "causality=\"sideways\"", "causality"},
        {"<Float64 name=\"gap\"", "<Complex name=\"gap\"", "an element such as"},
        {"<ModelStructure/>", "", "ModelStructure"},
        {"name=\"acceleration\"", "name=\"torque\"",
         "no scalar output \"acceleration\"; it has torque"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_unit(changed(good, cases[k].from, cases[k].to), "binaries/x86_64-linux/bad.so",
                   "\177ELF", 4);
        is_rejected(cases[k].says);
    }
}

// ---- binaries ----------------------------------------------------------------------------------

static void write_binary(const char *library, const char *how)
{
    char path[256];
    size_t size;
    snprintf(path, sizeof path, UNIT_FOLDER "/%s.so", library);
    char *data = slurp(path, &size);
    write_unit(changed(good, "@", how), "binaries/x86_64-linux/bad.so", data, size);
    free(data);
}

static void broken_binaries(void **state)
{
    static const struct {
        const char *how, *says;
    } cases[] = {
        {"no instance", "fmi3InstantiateCoSimulation returned nothing; it says: the licence"},
        {"crash load", "crashed while it is loaded: signal 11"},
        {"crash begin", "crashed while it is initialized at t = 0 s"},
        {"error begin", "fmi3EnterInitializationMode returned Error"},
        {"no set", "fmi3SetFloat64 returned Error"},
        {"no get", "fmi3GetFloat64 returned Fatal"},
        {"crash step", "crashed in a step of 0.05 s at t = 0.15 s: signal 11"},
        {"abort step", "signal 6"},
        {"deep step", "crashed in a step"},
        {"exit step", "ended its process in a step of 0.05 s at t = 0.15 s, with exit code 7"},
        {"hang step", "did not answer within 0.5 s in a step of 0.05 s at t = 0.15 s"},
        {"spin step", "did not answer within 0.5 s"},
        {"close step", "in a step of 0.05 s at t = 0.15 s"},
        {"scribble step", "in a step of 0.05 s at t = 0.15 s"},
        {"nan", "its output acceleration is not a finite number in a step of 0.05 s at t = 0.15 s"},
        {"inf", "its output acceleration is not a finite number"},
        {"error step", "fmi3DoStep returned Error; it says: the solver did not converge"},
        {"fatal step", "fmi3DoStep returned Fatal"},
        {"discard step", "fmi3DoStep returned Discard"},
        {"strange step", "a status that does not exist"},
        {"terminate", "asks for the end of the simulation"},
        {"early", "returned early"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_binary("test_unit_whole", cases[k].how);
        fails(cases[k].says);
    }
    write_binary("test_unit_lacking", "good");
    fails("its binary has no function fmi3DoStep");
    char junk[2000] = "\177ELF is not all that a library has";
    write_unit(good, "binaries/x86_64-linux/bad.so", junk, sizeof junk);
    fails("its binary cannot be loaded");
}

// ---- the run continues -------------------------------------------------------------------------

static void law_takes_over(void **state)
{
    mc_error error = {0};
    mc_scenario *s;
    mc_status status;
    mc_run_view view;
    mc_happened last = {0};
    (void)state;
    write_binary("test_unit_whole", "crash step");
    mc_run *r = run(", failure: law", &s, &status, &error);
    assert_int_equal(status, MC_OK);
    assert_non_null(strstr(mc_run_fmu_failure(r), "bad.fmu: the unit crashed"));
    const int count = mc_run_happened_count(r);
    assert_true(count > 0 && mc_run_happened_at(r, count - 1, &last));
    assert_string_equal(last.name, "fmu_failed");
    assert_true(last.time > 0.14 && last.time < 0.16);
    mc_run_look(r, 1, &view);
    assert_true(view.motion.v > 15.0 && view.motion.v < 25.0);
    mc_run_destroy(r);
    mc_scenario_free(s);
}

// A unit that cannot serialize its state runs, but not back in time.
static void no_checkpoint(void **state)
{
    mc_error error = {0};
    mc_scenario *s;
    mc_status status;
    mc_snapshot snapshot = {0};
    (void)state;
    write_binary("test_unit_whole", "good");
    mc_run *r = run("", &s, &status, &error);
    assert_int_equal(status, MC_OK);
    assert_int_equal(mc_run_save(r, &snapshot, &error), MC_BAD_INPUT);
    says(&error, "cannot serialize its state");
    assert_int_equal(mc_run_step(r, &error), MC_OK); // and it continues
    mc_run_destroy(r);
    mc_scenario_free(s);
}

// A unit that hangs or crashes at its end does not hold the run up; nothing is left in /tmp.
static void ends_cleanly(void **state)
{
    mc_error error = {0};
    mc_scenario *s;
    mc_status status;
    int left = 0;
    char own[64];
    (void)state;
    snprintf(own, sizeof own, "motorcade-unit-%d-", (int)getpid());
    for (int k = 0; k < 2; k++) {
        write_binary("test_unit_whole", k ? "crash end" : "hang end");
        mc_run *r = run("", &s, &status, &error);
        assert_int_equal(status, MC_OK);
        mc_run_destroy(r);
        mc_scenario_free(s);
    }
    DIR *all = opendir("/tmp");
    for (struct dirent *e; (e = readdir(all));)
        left += strncmp(e->d_name, own, strlen(own)) == 0;
    closedir(all);
    assert_int_equal(left, 0);
}

static int prepare(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/motorcade-broken-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(unit_path, sizeof unit_path, "%s/bad.fmu", folder);
    return 0;
}

static int clean(void **state)
{
    (void)state;
    unlink(unit_path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_archives), cmocka_unit_test(broken_descriptions),
        cmocka_unit_test(broken_binaries), cmocka_unit_test(law_takes_over),
        cmocka_unit_test(no_checkpoint),   cmocka_unit_test(ends_cleanly),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
