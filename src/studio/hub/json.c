// json.c - small helpers on Jansson.
#include "studio/hub/json.h"

#include "base/bytes.h"
#include "motorcade/laws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

json_t *json_value(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_values(const double *values, int count)
{
    json_t *list = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(list, json_value(values[k]));
    return list;
}

void json_put(json_t *object, const char *name, json_t *value)
{
    json_object_set_new_nocheck(object, name, value);
}

// RFC 8259, section 7: quotes, backslashes and control characters are escaped.
void json_write_text(bytes *out, const char *text)
{
    bytes_put(out, "\"", 1);
    while (*text) {
        size_t plain = 0;
        while ((unsigned char)text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\')
            plain++;
        bytes_put(out, text, plain);
        text += plain;
        if (*text) {
            char escaped[8];
            const int length =
                snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(unsigned char)*text++);
            bytes_put(out, escaped, (size_t)length);
        }
    }
    bytes_put(out, "\"", 1);
}

void json_write_value(bytes *out, double value, json_number *last)
{
    if (!last->text[0] || last->value != value) {
        last->value = value;
        if (isfinite(value))
            snprintf(last->text, sizeof last->text, "%.12g", value);
        else
            strcpy(last->text, "null");
    }
    bytes_put(out, last->text, strlen(last->text));
}

json_t *json_rows(const mc_param *rows, int count)
{
    json_t *list = json_array();
    for (int k = 0; k < count; k++) {
        json_t *row = json_object();
        json_put(row, "name", json_string(rows[k].name));
        json_put(row, "unit", json_string(rows[k].unit));
        json_put(row, "default", json_value(rows[k].fallback));
        json_put(row, "min", json_value(rows[k].min));
        json_put(row, "max", json_value(rows[k].max));
        json_put(row, "doc", json_string(rows[k].doc));
        json_array_append_new(list, row);
    }
    return list;
}

json_t *json_law_line(const mc_law_line *line)
{
    static const char *const kinds[] = {"variable", "state", "acceleration"};
    json_t *out = json_object();
    json_put(out, "kind", json_string(kinds[line->kind]));
    json_put(out, "name", json_string(line->name ? line->name : "a"));
    json_put(out, "unit", json_string(line->unit ? line->unit : ""));
    json_put(out, "formula", json_string(line->formula));
    json_put(out, "start", json_string(line->start ? line->start : ""));
    return out;
}
