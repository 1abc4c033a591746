// test_access.c - hosts, origins, tokens, queries.
#include "studio/net/access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_hosts(void **state)
{
    (void)state;
    static const struct {
        const char *address, *host;
        bool good;
    } cases[] = {
        {"127.0.0.1", "127.0.0.1:8080", true},
        {"127.0.0.1", "localhost:8080", true},
        {"127.0.0.1", "LOCALHOST:8080", true},
        {"127.0.0.1", "[::1]:8080", true},
        {"127.0.0.1", "::1:8080", false},
        {"127.0.0.1", "localhost", false}, // port 80
        {"127.0.0.1", "localhost:", false},
        {"127.0.0.1", "localhost:08080", true},
        {"127.0.0.1", "localhost:8080x", false},
        {"127.0.0.1", "localhost:8080 ", false},
        {"127.0.0.1", "localhost:+8080", false},
        {"127.0.0.1", "localhost:73616", false}, // 8080 + 2^16
        {"127.0.0.1", "localhost:4294975376", false},
        {"127.0.0.1", "a@localhost:8080", false},
        {"127.0.0.1", "localhost.:8080", false},
        {"127.0.0.1", "[localhost]:8080", true}, // still this machine's own name
        {"127.0.0.1", "[::1]8080", false},
        {"127.0.0.1", "127.0.0.2:8080", false},
        {"127.0.0.1", "box:8080", false},
        {"127.0.0.1", "", false},
        {"127.0.0.1", ":8080", false},
        {"127.0.0.1", NULL, false},
        {"192.168.1.5", "192.168.1.5:8080", true},
        {"192.168.1.5", "192.168.1.6:8080", false},
        {"fe80::1", "[fe80::1]:8080", true},
        {"studio.lab", "Studio.Lab:8080", true},
        {"studio.lab", "lab:8080", false},
        {"0.0.0.0", "10.1.2.3:8080", true},
        {"0.0.0.0", "box:8080", true},
        {"0.0.0.0", "evil.example:8080", false},
        {"0.0.0.0", "1.2.3.4.evil.example:8080", false},
        {"::", "[2001:db8::7]:8080", true},
        {"::", "face:8080", false}, // hex digits, but a name
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const access_rules rules = {cases[k].address, "box", NULL, 8080};
        if (access_host(&rules, cases[k].host) != cases[k].good)
            fail_msg("%s on %s", cases[k].host, cases[k].address);
    }
}

static void test_origins(void **state)
{
    (void)state;
    assert_true(access_origin(NULL, "localhost:8080"));
    assert_true(access_origin("http://localhost:8080", "localhost:8080"));
    assert_true(access_origin("HTTP://LocalHost:8080", "localhost:8080"));
    assert_false(access_origin("http://localhost:8080/", "localhost:8080"));
    assert_false(access_origin("http://localhost:8081", "localhost:8080"));
    assert_false(access_origin("https://localhost:8080", "localhost:8080"));
    assert_false(access_origin("http://localhost:8080.evil.example", "localhost:8080"));
    assert_false(access_origin("http://", "localhost:8080"));
    assert_false(access_origin("", "localhost:8080"));
    assert_false(access_origin("null", "localhost:8080"));
    assert_false(access_origin("file://", "localhost:8080"));
}

static void test_tokens(void **state)
{
    (void)state;
    const access_rules rules = {"0.0.0.0", "box", "secret-word_1", 8080},
                       open = {"127.0.0.1", NULL, NULL, 80};
    assert_true(access_token(&open, NULL, NULL));
    assert_false(access_token(&rules, NULL, NULL));
    assert_true(access_token(&rules, "token=secret-word_1", NULL));
    assert_true(access_token(&rules, "a=b&token=secret%2dword%5F1", NULL));
    assert_true(access_token(&rules, NULL, "x=y; motorcade_token=secret-word_1; z=1"));
    assert_true(access_token(&rules, "token=wrong", "motorcade_token=secret-word_1"));
    assert_true(access_token(&rules, "token=secret-word_1", "motorcade_token=old"));
    assert_false(access_token(&rules, "token=secret-word_", NULL));
    assert_false(access_token(&rules, "token=secret-word_12", NULL));
    assert_false(access_token(&rules, "token=secret-word_1%00", NULL));
    assert_false(access_token(&rules, "Token=secret-word_1", NULL));
    assert_false(access_token(&rules, "token", "motorcade_token"));
    assert_false(access_token(&rules, NULL, "xmotorcade_token=secret-word_1"));
    char giant[1000];
    memset(giant, 'a', sizeof giant);
    memcpy(giant, "token=", 6);
    giant[sizeof giant - 1] = '\0';
    assert_false(access_token(&rules, giant, NULL));

    assert_true(access_token_good("12345678"));
    assert_false(access_token_good("1234567"));
    assert_false(access_token_good("12345678 "));
    assert_false(access_token_good("1234;5678"));
    assert_false(access_token_good(giant));
}

static void test_queries(void **state)
{
    (void)state;
    char out[16];
    assert_true(access_query("name=a+b%21", "name", out, sizeof out));
    assert_string_equal(out, "a b!");
    assert_true(access_query("x=1&name=%C3%A4", "name", out, sizeof out));
    assert_string_equal(out, "\xc3\xa4");
    assert_true(access_query("name=", "name", out, sizeof out));
    assert_string_equal(out, "");
    assert_true(access_query("name=15-letters-fit", "name", out, sizeof out));
    assert_false(access_query("name=16-letters-don't", "name", out, sizeof out));
    assert_false(access_query("name=%", "name", out, sizeof out));
    assert_false(access_query("name=%4", "name", out, sizeof out));
    assert_false(access_query("name=%4&x=1", "name", out, sizeof out));
    assert_false(access_query("name=%g0", "name", out, sizeof out));
    assert_false(access_query("name=%00", "name", out, sizeof out));
    assert_false(access_query("names=1", "name", out, sizeof out));
    assert_false(access_query("", "name", out, sizeof out));
    assert_false(access_query(NULL, "name", out, sizeof out));
}

static void test_file_names(void **state)
{
    (void)state;
    assert_true(access_file_name("run 1.h5"));
    assert_true(access_file_name("\xc3\xa4.csv"));
    assert_false(access_file_name(""));
    assert_false(access_file_name("."));
    assert_false(access_file_name(".."));
    assert_false(access_file_name(".bashrc"));
    assert_false(access_file_name("a/b"));
    assert_false(access_file_name("a\\b"));
    assert_false(access_file_name("a\nb"));
    char giant[300];
    memset(giant, 'a', sizeof giant);
    giant[201] = '\0';
    assert_false(access_file_name(giant));
    giant[200] = '\0';
    assert_true(access_file_name(giant));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hosts),      cmocka_unit_test(test_origins),
        cmocka_unit_test(test_tokens),     cmocka_unit_test(test_queries),
        cmocka_unit_test(test_file_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
