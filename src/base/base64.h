// base64.h - bytes as text, for JSON.
#pragma once

#include <stddef.h>

char *base64_text(const void *bytes, size_t size); // ends with '\0'; to be freed. NULL: no memory
