// access.c - names, origins, tokens.
#include "studio/net/access.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

bool access_is_any(const char *address)
{
    return strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
}

bool access_is_loopback(const char *address)
{
    return strcmp(address, "127.0.0.1") == 0 || strcmp(address, "::1") == 0 ||
           strcasecmp(address, "localhost") == 0;
}

// ---- Host and Origin ----

// Divides NAME:PORT or [NAME]:PORT. Without a port it is HTTP's, 80.
static bool divide_host(const char *host, char name[256], int *port)
{
    const bool bracket = host[0] == '[';
    const char *begin = host + bracket;
    const size_t length = strcspn(begin, bracket ? "]" : ":");
    if (length == 0 || length > 255 || (bracket && begin[length] != ']'))
        return false;
    memcpy(name, begin, length);
    name[length] = '\0';
    const char *rest = begin + length + bracket;
    *port = 80;
    if (rest[0] == '\0')
        return true;
    const size_t digits = strspn(rest + 1, "0123456789");
    if (rest[0] != ':' || digits == 0 || digits > 5 || rest[1 + digits] != '\0')
        return false;
    *port = 0;
    for (const char *c = rest + 1; *c; c++)
        *port = 10 * *port + (*c - '0');
    return true;
}

// An address in digits: no name server was asked for it.
static bool in_digits(const char *name, bool bracket)
{
    const char *allowed = bracket ? "0123456789abcdefABCDEF:." : "0123456789.";
    return name[strspn(name, allowed)] == '\0';
}

bool access_host(const access_rules *rules, const char *host)
{
    char name[256];
    int port;
    if (!host || !divide_host(host, name, &port) || port != rules->port)
        return false;
    if (strcmp(name, "127.0.0.1") == 0 || strcasecmp(name, "localhost") == 0 ||
        strcmp(name, "::1") == 0)
        return true;
    if (access_is_any(rules->address))
        return in_digits(name, host[0] == '[') ||
               (rules->machine && strcasecmp(name, rules->machine) == 0);
    return strcasecmp(name, rules->address) == 0;
}

bool access_origin(const char *origin, const char *host)
{
    return !origin || (strncasecmp(origin, "http://", 7) == 0 && strcasecmp(origin + 7, host) == 0);
}

// ---- tokens ----

bool access_token_good(const char *token)
{
    const size_t length = strspn(token, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789-_");
    return token[length] == '\0' && length >= ACCESS_TOKEN_MIN && length <= ACCESS_TOKEN_MAX;
}

// Both in buffers of the same size, filled up with zeros: every byte is looked at.
static bool same_token(const char a[ACCESS_TOKEN_MAX + 1], const char b[ACCESS_TOKEN_MAX + 1])
{
    unsigned difference = 0;
    for (int i = 0; i <= ACCESS_TOKEN_MAX; i++)
        difference |= (unsigned)(unsigned char)a[i] ^ (unsigned)(unsigned char)b[i];
    return difference == 0;
}

// Value of a cookie in a header (a=1; b=2), as it is; false: not there, or too long.
static bool find_cookie(const char *cookies, const char *name, char *out, size_t size)
{
    const size_t name_length = strlen(name);
    for (const char *at = cookies; at && *at;) {
        at += strspn(at, " ");
        const size_t length = strcspn(at, ";");
        if (length > name_length && strncmp(at, name, name_length) == 0 && at[name_length] == '=') {
            const size_t value = length - name_length - 1;
            if (value >= size)
                return false;
            memset(out, 0, size);
            memcpy(out, at + name_length + 1, value);
            return true;
        }
        at += length + (at[length] == ';');
    }
    return false;
}

bool access_token(const access_rules *rules, const char *query, const char *cookie)
{
    if (!rules->token)
        return true;
    char right[ACCESS_TOKEN_MAX + 1] = "", given[ACCESS_TOKEN_MAX + 1] = "";
    snprintf(right, sizeof right, "%s", rules->token);
    const bool asked = access_query(query, "token", given, sizeof given);
    const bool by_query = same_token(right, given) && asked;
    memset(given, 0, sizeof given);
    const bool brought = find_cookie(cookie, ACCESS_COOKIE, given, sizeof given);
    return (same_token(right, given) && brought) || by_query;
}

// ---- values of queries and cookies ----

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool decode(const char *text, size_t length, char *out, size_t size)
{
    size_t used = 0;
    memset(out, 0, size);
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '+') {
            c = ' ';
        } else if (c == '%') {
            const int high = length - i > 2 ? hex_digit(text[i + 1]) : -1;
            const int low = length - i > 2 ? hex_digit(text[i + 2]) : -1;
            if (high < 0 || low < 0 || (high == 0 && low == 0))
                return false;
            c = (char)(16 * high + low);
            i += 2;
        }
        if (used + 1 >= size)
            return false;
        out[used++] = c;
    }
    return true;
}

bool access_query(const char *query, const char *key, char *out, size_t size)
{
    const size_t key_length = strlen(key);
    for (const char *at = query; at && *at;) {
        const size_t length = strcspn(at, "&");
        if (length > key_length && strncmp(at, key, key_length) == 0 && at[key_length] == '=')
            return decode(at + key_length + 1, length - key_length - 1, out, size);
        at += length + (at[length] == '&');
    }
    return false;
}

bool access_file_name(const char *name)
{
    if (name[0] == '\0' || name[0] == '.' || strlen(name) > 200)
        return false;
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f || *c == '/' || *c == '\\')
            return false;
    return true;
}
