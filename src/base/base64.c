// base64.c - bytes as text.
#include "base/base64.h"

#include <stdlib.h>

char *base64_text(const void *bytes, size_t size)
{
    static const char sign[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *in = bytes;
    char *out = malloc(4 * ((size + 2) / 3) + 1), *to = out;
    for (size_t k = 0; out && k < size; k += 3) {
        const unsigned two = k + 1 < size ? in[k + 1] : 0, three = k + 2 < size ? in[k + 2] : 0;
        const unsigned all = (unsigned)in[k] << 16 | two << 8 | three;
        *to++ = sign[all >> 18];
        *to++ = sign[all >> 12 & 63];
        *to++ = k + 1 < size ? sign[all >> 6 & 63] : '=';
        *to++ = k + 2 < size ? sign[all & 63] : '=';
    }
    if (out)
        *to = '\0';
    return out;
}
