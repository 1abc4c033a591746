// websocket.c - frames, the handshake's answer.
#include "studio/net/websocket.h"

#include <stdlib.h>
#include <string.h>

// ---- text ----

// Length of the UTF-8 character that begins at s (n bytes are left); 0: none. No overlong forms, no
// surrogates, nothing beyond U+10FFFF.
static size_t character_length(const uint8_t *s, size_t n)
{
    if (s[0] < 0x80)
        return 1;
    const size_t length = s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    if (length == 0 || length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    const bool surrogate = s[0] == 0xed && s[1] > 0x9f;
    const bool beyond = s[0] == 0xf4 && s[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : length;
}

bool websocket_utf8(const char *text, size_t length)
{
    const uint8_t *s = (const uint8_t *)text;
    while (length > 0) {
        const size_t step = character_length(s, length);
        if (step == 0)
            return false;
        s += step;
        length -= step;
    }
    return true;
}

// ---- reading ----

static websocket_event bad(websocket_reader *r, int code, const char *reason)
{
    r->code = code;
    r->reason = reason;
    return WEBSOCKET_BAD;
}

static int opcode_of(const websocket_reader *r)
{
    return r->head[0] & 0x0f;
}

static bool is_control(const websocket_reader *r)
{
    return opcode_of(r) >= WEBSOCKET_OP_CLOSE;
}

// The first two bytes say what a frame is and how long its head.
static websocket_event check_start(websocket_reader *r)
{
    const int opcode = opcode_of(r), length = r->head[1] & 0x7f;
    const bool final = r->head[0] & 0x80;
    if (r->head[0] & 0x70)
        return bad(r, WEBSOCKET_BAD_FRAME, "reserved bits are set; no extension was agreed on");
    if ((opcode > WEBSOCKET_OP_BINARY && opcode < WEBSOCKET_OP_CLOSE) || opcode > WEBSOCKET_OP_PONG)
        return bad(r, WEBSOCKET_BAD_FRAME, "unknown opcode");
    if (!(r->head[1] & 0x80))
        return bad(r, WEBSOCKET_BAD_FRAME, "frames of a page must be masked");
    if (is_control(r) && (!final || length > WEBSOCKET_CONTROL_MAX))
        return bad(r, WEBSOCKET_BAD_FRAME, "a control frame must be whole and at most 125 bytes");
    if (opcode == WEBSOCKET_OP_BINARY)
        return bad(r, WEBSOCKET_NOT_TEXT, "pages send text (JSON), not binary messages");
    if (opcode == WEBSOCKET_OP_TEXT && r->in_message)
        return bad(r, WEBSOCKET_BAD_FRAME, "a message begins before the previous one ended");
    if (opcode == 0 && !r->in_message)
        return bad(r, WEBSOCKET_BAD_FRAME, "a continued message has no beginning");
    r->head_needed = 6 + (length == 126 ? 2 : length == 127 ? 8 : 0);
    return WEBSOCKET_MORE;
}

// The head is complete.
static websocket_event start_payload(websocket_reader *r)
{
    const int length = r->head[1] & 0x7f;
    const int extra = r->head_needed - 6;
    r->left = extra ? 0 : (uint64_t)length;
    for (int i = 0; i < extra; i++)
        r->left = r->left << 8 | r->head[2 + i];
    if (r->left >> 63)
        return bad(r, WEBSOCKET_BAD_FRAME, "the length has its first bit set");
    if ((extra == 2 && r->left < 126) || (extra == 8 && r->left < 65536))
        return bad(r, WEBSOCKET_BAD_FRAME, "the length is not in its shortest form");
    r->mask_index = 0;
    r->in_payload = true;
    if (is_control(r)) {
        r->control_length = 0;
        return WEBSOCKET_MORE;
    }
    if (!r->in_message) {
        r->length = 0;
        r->fragments = 0;
        r->in_message = true;
    }
    if (++r->fragments > WEBSOCKET_FRAGMENTS_MAX)
        return bad(r, WEBSOCKET_POLICY_VIOLATION, "more than 1024 fragments in a message");
    if (r->left > WEBSOCKET_MESSAGE_MAX - r->length)
        return bad(r, WEBSOCKET_TOO_LONG, "a message may have at most 65536 bytes");
    return WEBSOCKET_MORE;
}

static bool reserve(websocket_reader *r, size_t needed)
{
    if (needed <= r->room)
        return true;
    size_t room = r->room ? r->room : 512;
    while (room < needed)
        room *= 2;
    char *message = realloc(r->message, room);
    if (!message)
        return false;
    r->message = message;
    r->room = room;
    return true;
}

static websocket_event take_payload(websocket_reader *r, const uint8_t **bytes, size_t *length)
{
    const size_t n = r->left < *length ? (size_t)r->left : *length;
    const uint8_t *mask = r->head + r->head_needed - 4;
    uint8_t *out;
    if (is_control(r)) {
        out = r->control + r->control_length;
        r->control_length += (int)n;
    } else {
        if (!reserve(r, r->length + n + 1))
            return bad(r, WEBSOCKET_FAILED, "no memory");
        out = (uint8_t *)r->message + r->length;
        r->length += n;
        r->message[r->length] = '\0';
    }
    for (size_t i = 0; i < n; i++)
        out[i] = (*bytes)[i] ^ mask[r->mask_index++ & 3];
    *bytes += n;
    *length -= n;
    r->left -= n;
    return WEBSOCKET_MORE;
}

static bool close_code_good(int code)
{
    return (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006) ||
           (code >= 3000 && code <= 4999);
}

static websocket_event end_close(websocket_reader *r)
{
    r->code = 0;
    if (r->control_length == 0)
        return WEBSOCKET_CLOSE;
    r->code = r->control_length > 1 ? r->control[0] << 8 | r->control[1] : 0;
    if (!close_code_good(r->code))
        return bad(r, WEBSOCKET_BAD_FRAME, "the close code is not allowed");
    if (!websocket_utf8((const char *)r->control + 2, (size_t)r->control_length - 2))
        return bad(r, WEBSOCKET_BAD_TEXT, "the reason of the close is not UTF-8");
    return WEBSOCKET_CLOSE;
}

static websocket_event end_frame(websocket_reader *r)
{
    r->in_payload = false;
    r->head_length = r->head_needed = 0;
    switch (opcode_of(r)) {
    case WEBSOCKET_OP_CLOSE:
        return end_close(r);
    case WEBSOCKET_OP_PING:
        return WEBSOCKET_PING;
    case WEBSOCKET_OP_PONG:
        return WEBSOCKET_PONG;
    default:
        break;
    }
    if (!(r->head[0] & 0x80))
        return WEBSOCKET_MORE; // more fragments follow
    r->in_message = false;
    if (!websocket_utf8(r->message, r->length))
        return bad(r, WEBSOCKET_BAD_TEXT, "the message is not UTF-8");
    return WEBSOCKET_TEXT;
}

websocket_event websocket_read(websocket_reader *r, const uint8_t **bytes, size_t *length)
{
    websocket_event event = WEBSOCKET_MORE;
    while (event == WEBSOCKET_MORE) {
        if (r->in_payload) {
            event = take_payload(r, bytes, length);
            if (event == WEBSOCKET_MORE && r->left == 0)
                event = end_frame(r);
            else if (*length == 0)
                return event;
            continue;
        }
        if (*length == 0)
            return WEBSOCKET_MORE;
        r->head[r->head_length++] = *(*bytes)++;
        --*length;
        if (r->head_length == 2)
            event = check_start(r);
        else if (r->head_length == r->head_needed)
            event = start_payload(r);
    }
    return event;
}

void websocket_end(websocket_reader *r)
{
    free(r->message);
    *r = (websocket_reader){0};
}

// ---- writing ----

uint8_t *websocket_prepend(uint8_t *payload, size_t length, int opcode)
{
    const int extra = length < 126 ? 0 : length < 65536 ? 2 : 8;
    uint8_t *head = payload - 2 - extra;
    head[0] = (uint8_t)(0x80 | opcode);
    head[1] = (uint8_t)(extra == 0 ? length : extra == 2 ? 126 : 127);
    for (int i = 0; i < extra; i++)
        head[2 + i] = (uint8_t)(length >> 8 * (extra - 1 - i));
    return head;
}

int websocket_close_payload(int code, const char *reason, uint8_t out[WEBSOCKET_CONTROL_MAX])
{
    size_t length = strlen(reason);
    if (length > WEBSOCKET_CONTROL_MAX - 2) // cut between characters
        for (length = WEBSOCKET_CONTROL_MAX - 2; ((uint8_t)reason[length] & 0xc0) == 0x80;)
            length--;
    out[0] = (uint8_t)(code >> 8);
    out[1] = (uint8_t)code;
    memcpy(out + 2, reason, length);
    return (int)length + 2;
}

// ---- handshake ----

static uint32_t rotate(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

// One block of SHA-1 (FIPS 180-4).
static void sha1_block(uint32_t h[5], const uint8_t block[64])
{
    static const uint32_t constant[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 80; t++)
        w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    for (int t = 0; t < 80; t++) {
        const uint32_t f = t < 20   ? (b & c) | (~b & d)
                           : t < 40 ? b ^ c ^ d
                           : t < 60 ? (b & c) | (b & d) | (c & d)
                                    : b ^ c ^ d;
        const uint32_t next = rotate(a, 5) + f + e + constant[t / 20] + w[t];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

static void base64(const uint8_t *bytes, int length, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < length; i += 3) {
        const int n = length - i < 3 ? length - i : 3;
        const uint32_t v = (uint32_t)bytes[i] << 16 | (n > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                           (n > 2 ? bytes[i + 2] : 0);
        *out++ = digits[v >> 18];
        *out++ = digits[v >> 12 & 63];
        *out++ = n > 1 ? digits[v >> 6 & 63] : '=';
        *out++ = n > 2 ? digits[v & 63] : '=';
    }
    *out = '\0';
}

bool websocket_key_good(const char *key)
{
    return strlen(key) == 24 &&
           strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") == 22 &&
           strcmp(key + 22, "==") == 0;
}

void websocket_accept(const char *key, char out[WEBSOCKET_ACCEPT_SIZE])
{
    static const char suffix[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    // 24 + 36 bytes, then 0x80 and the length in bits: two blocks
    uint8_t text[128] = {0}, digest[20];
    memcpy(text, key, 24);
    memcpy(text + 24, suffix, 36);
    text[60] = 0x80;
    text[126] = (60 * 8) >> 8;
    text[127] = (60 * 8) & 0xff;
    uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    sha1_block(h, text);
    sha1_block(h, text + 64);
    for (int i = 0; i < 20; i++)
        digest[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
    base64(digest, 20, out);
}
