// schema.h - the JSON Schema (draft 7) of scenario files, made from the tables that the
// reader uses: editors complete keys and mark mistakes with it. It says less than the reader: names
// of vehicles, overlaps and formulas are beyond it.
#pragma once

#include <stdio.h>

void scenario_write_schema(FILE *out);
