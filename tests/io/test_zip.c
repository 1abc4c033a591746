// test_zip.c - archives: written, read back, and rejected when broken.
#include "io/zip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];
static int read_well; // archives with the first name and all contents

static size_t make(unsigned char *out, size_t room)
{
    static char big[5000];
    memset(big, 'a', sizeof big);
    const zip_entry entries[] = {{"a.txt", "hello", 5}, {"b/c.bin", big, sizeof big}, {"e", "", 0}};
    mc_error error;
    assert_int_equal(zip_write(path, entries, 3, &error), MC_OK);
    FILE *in = fopen(path, "r");
    const size_t size = fread(out, 1, room, in);
    fclose(in);
    return size;
}

static mc_status read_bytes(const unsigned char *data, size_t size, int *count)
{
    arena memory = {0};
    zip_entry *entries;
    mc_error error = {0};
    FILE *out = fopen(path, "w");
    assert_int_equal(fwrite(data, 1, size, out), size);
    fclose(out);
    *count = 0;
    const mc_status status = zip_read(&memory, path, &entries, count, &error);
    if (status == MC_OK && *count == 3 && strcmp(entries[0].name, "a.txt") == 0) {
        assert_memory_equal(entries[0].data, "hello", 5);
        assert_int_equal(entries[1].size, 5000);
        assert_int_equal(entries[2].size, 0);
        read_well++;
    }
    if (status != MC_OK)
        assert_true(error.text[0] != '\0');
    arena_free(&memory);
    return status;
}

static void reads_what_it_wrote(void **state)
{
    (void)state;
    unsigned char data[4000];
    int count;
    const size_t size = make(data, sizeof data);
    assert_true(size > 100 && size < 1000); // 5000 letters a are packed
    assert_int_equal(read_bytes(data, size, &count), MC_OK);
    assert_int_equal(count, 3);
    assert_int_equal(read_well, 1);
}

static void rejects_every_cut(void **state)
{
    (void)state;
    unsigned char data[4000];
    int count;
    const size_t size = make(data, sizeof data);
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(read_bytes(data, cut, &count), MC_BAD_INPUT);
}

// A changed byte is rejected, or is one of a date, a mode or a version, which are not read.
static void survives_every_changed_byte(void **state)
{
    (void)state;
    unsigned char data[4000];
    int count, rejected = 0;
    const size_t size = make(data, sizeof data);
    for (size_t k = 0; k < size; k++) {
        data[k] ^= 0x5a;
        rejected += read_bytes(data, size, &count) != MC_OK;
        data[k] ^= 0x5a;
    }
    assert_true(rejected > 60);
}

static void rejects_names_that_climb(void **state)
{
    (void)state;
    static const char *const names[] = {"../a", "/etc/a", "a/../../b", "a/..", "a\\b"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const zip_entry entry = {names[k], "x", 1};
        mc_error error;
        arena memory = {0};
        zip_entry *entries;
        int count;
        assert_int_equal(zip_write(path, &entry, 1, &error), MC_OK);
        assert_int_equal(zip_read(&memory, path, &entries, &count, &error), MC_BAD_INPUT);
        assert_non_null(strstr(error.text, "name"));
        arena_free(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_wrote),
        cmocka_unit_test(rejects_every_cut),
        cmocka_unit_test(survives_every_changed_byte),
        cmocka_unit_test(rejects_names_that_climb),
    };
    snprintf(path, sizeof path, "/tmp/motorcade-zip-%d", (int)getpid());
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
