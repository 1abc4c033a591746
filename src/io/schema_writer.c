// schema_writer.c - JSON Schemas as text.
#include "io/schema_writer.h"

#include <math.h>
#include <stdlib.h>

static void string(schema_writer *j, const char *text)
{
    putc('"', j->out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', j->out);
        if ((unsigned char)*text < 0x20)
            fprintf(j->out, "\\u%04x", (unsigned)*text);
        else
            putc(*text, j->out);
    }
    putc('"', j->out);
}

// Begins a new element; key NULL: of a list.
static void begin(schema_writer *j, const char *key)
{
    if (j->flat)
        fputs(j->more ? ", " : "", j->out);
    else
        fprintf(j->out, "%s\n%*s", j->more ? "," : "", 2 * j->depth, "");
    j->more = true;
    if (key) {
        string(j, key);
        fputs(": ", j->out);
    }
}

void schema_open(schema_writer *j, const char *key, char bracket)
{
    if (j->depth > 0)
        begin(j, key);
    putc(bracket, j->out);
    j->depth++;
    j->more = false;
}

void schema_shut(schema_writer *j, char bracket)
{
    j->depth--;
    if (j->flat)
        putc(bracket, j->out);
    else
        fprintf(j->out, "\n%*s%c", 2 * j->depth, "", bracket);
    j->more = true;
}

void schema_open_line(schema_writer *j, const char *key, char bracket)
{
    schema_open(j, key, bracket);
    j->flat++;
}

void schema_shut_line(schema_writer *j, char bracket)
{
    schema_shut(j, bracket);
    j->flat--;
}

void schema_text(schema_writer *j, const char *key, const char *value)
{
    begin(j, key);
    string(j, value);
}

void schema_word(schema_writer *j, const char *key, const char *literal)
{
    begin(j, key);
    fputs(literal, j->out);
}

void schema_number(schema_writer *j, const char *key, double value)
{
    char short_form[40];
    snprintf(short_form, sizeof short_form, "%.15g", value);
    if (strtod(short_form, NULL) != value)
        snprintf(short_form, sizeof short_form, "%.17g", value);
    begin(j, key);
    fputs(short_form, j->out);
}

void schema_texts(schema_writer *j, const char *key, const char *const *words, int count)
{
    schema_open_line(j, key, '[');
    for (int i = 0; i < count; i++)
        schema_text(j, NULL, words[i]);
    schema_shut_line(j, ']');
}

void schema_type(schema_writer *j, const char *type)
{
    schema_open(j, NULL, '{');
    schema_text(j, "type", type);
    schema_shut(j, '}');
}

void schema_choice(schema_writer *j, const char *const *words, int count)
{
    schema_open(j, NULL, '{');
    schema_texts(j, "enum", words, count);
    schema_shut(j, '}');
}

void schema_refer(schema_writer *j, const char *key, const char *name)
{
    char path[160];
    snprintf(path, sizeof path, "#/definitions/%s", name);
    schema_open(j, key, '{');
    schema_text(j, "$ref", path);
    schema_shut(j, '}');
}

void schema_number_or_text(schema_writer *j, double min, double max)
{
    schema_open(j, "anyOf", '[');
    schema_open(j, NULL, '{');
    schema_text(j, "type", "number");
    if (fabs(min) < 1e300)
        schema_number(j, "minimum", min);
    if (fabs(max) < 1e300)
        schema_number(j, "maximum", max);
    schema_shut(j, '}');
    schema_open(j, NULL, '{');
    schema_text(j, "type", "string");
    schema_text(j, "pattern", "^ *[-+]?[.0-9]");
    schema_shut(j, '}');
}
