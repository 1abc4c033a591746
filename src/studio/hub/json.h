// json.h - small helpers on Jansson; any thread.
#pragma once

#include "motorcade/laws.h"

#include <jansson.h>

struct bytes; // base/bytes.h

json_t *json_value(double value); // null when it is not finite
json_t *json_values(const double *values, int count);
json_t *json_rows(const mc_param *rows, int count);
json_t *json_law_line(const mc_law_line *line);
void json_put(json_t *object, const char *name, json_t *value); // takes value

// The same as text. *last: the number that was written before in this place, all zero at first.
typedef struct json_number {
    double value;
    char text[32];
} json_number;
void json_write_text(struct bytes *out, const char *text);
void json_write_value(struct bytes *out, double value, json_number *last);
