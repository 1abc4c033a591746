// series.c - the share from the environment, and the journal: one file per series,
//
//     motorcade series <hash of the program> <cases> <case to do next> <bytes kept, in hexadecimal>
//
// replaced as a whole about once a second, so that a kill leaves the old one or the new one.
#include "support/series.h"

#include <errno.h> // program_invocation_short_name
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double series_share(void)
{
    const char *text = getenv("MOTORCADE_SERIES");
    if (!text || !*text)
        text = "1/50";
    char *end;
    double value = strtod(text, &end);
    if (*end == '/')
        value /= strtod(end + 1, &end);
    if (*end != '\0' || !(value > 0.0 && value <= 1.0))
        fail_msg("MOTORCADE_SERIES is \"%s\"; expected a share such as 1/50 or 1", text);
    return value;
}

// FNV-1a of the running program's file: a journal means something to that program alone.
static uint64_t program_hash(void)
{
    static uint64_t hash;
    FILE *file = hash ? NULL : fopen("/proc/self/exe", "rb");
    if (file) {
        unsigned char bytes[1 << 16];
        hash = 14695981039346656037u;
        for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
            for (size_t i = 0; i < n; i++)
                hash = (hash ^ bytes[i]) * 1099511628211u;
        fclose(file);
    }
    return hash;
}

// PROGRAM.NAME.journal in the folder, words of the name joined by _.
static void name_journal(series *s, const char *name)
{
    const char *folder = getenv("MOTORCADE_JOURNAL");
    if (!folder || !*folder)
        return;
    const int n = snprintf(s->journal, sizeof s->journal - 4, "%s/%s.%s.journal", folder,
                           program_invocation_short_name, name);
    assert_true(n > 0 && (size_t)n < sizeof s->journal - 4);
    for (char *c = s->journal + strlen(folder) + 1; *c; c++)
        if (*c == ' ' || *c == '/')
            *c = '_';
}

static void save(series *s)
{
    char fresh[sizeof s->journal + 4];
    snprintf(fresh, sizeof fresh, "%s.new", s->journal);
    FILE *file = fopen(fresh, "w");
    if (!file)
        fail_msg("cannot write %s", fresh);
    fprintf(file, "motorcade series %016llx %ld %ld ", (unsigned long long)program_hash(), s->count,
            s->next);
    for (size_t i = 0; i < s->size; i++)
        fprintf(file, "%02x", ((const unsigned char *)s->kept)[i]);
    fputc('\n', file);
    const bool good = ferror(file) == 0;
    if (fclose(file) != 0 || !good || rename(fresh, s->journal) != 0)
        fail_msg("cannot write %s", s->journal);
    s->saved = seconds_now();
}

// Takes over what the journal says, if it is of this program and this share.
static void resume(series *s)
{
    FILE *file = fopen(s->journal, "r");
    if (!file)
        return;
    unsigned long long hash;
    long count, next;
    unsigned char *kept = malloc(s->size + 1);
    assert_non_null(kept);
    bool good = fscanf(file, "motorcade series %llx %ld %ld ", &hash, &count, &next) == 3 &&
                hash == program_hash() && count == s->count && next >= 0 && next <= count;
    for (size_t i = 0; good && i < s->size; i++) {
        unsigned byte;
        good = fscanf(file, "%2x", &byte) == 1;
        kept[i] = (unsigned char)byte;
    }
    if (good && fgetc(file) == '\n') {
        memcpy(s->kept, kept, s->size);
        s->next = next;
        printf("%s: resumes at case %ld of %ld\n", s->journal, next, count);
    }
    free(kept);
    fclose(file);
}

series series_open(const char *name, long whole, void *kept, size_t size)
{
    series s = {.kept = kept, .size = size, .saved = seconds_now()};
    s.count = (long)((double)whole * series_share() + 0.5);
    if (s.count < 1)
        s.count = 1;
    name_journal(&s, name);
    if (s.journal[0])
        resume(&s);
    return s;
}

bool series_next(series *s, long *i)
{
    const bool more = s->next < s->count;
    if (s->journal[0] && (!more || seconds_now() - s->saved > 0.5))
        save(s);
    *i = s->next;
    s->next += more;
    return more;
}
