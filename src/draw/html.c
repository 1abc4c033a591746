// html.c - pages: text, numbers, tables, style.
#include "draw/html.h"

#include "draw/svg.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void html_text(FILE *out, const char *text)
{
    char piece[SVG_PIECE];
    while (*text)
        if (*text == '\n' || *text == '\t') {
            fputc(*text++, out);
        } else {
            const int length = svg_text_next(&text, piece);
            fwrite(piece, 1, (size_t)length, out);
        }
}

void html_print(FILE *out, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) >= 0)
        html_text(out, text);
    else
        text = NULL;
    va_end(arguments);
    free(text);
}

const char *html_number(double value, int digits, char buffer[HTML_NUMBER])
{
    if (!isfinite(value)) {
        snprintf(buffer, HTML_NUMBER, "%s",
                 isnan(value)  ? "\u2013"
                 : value > 0.0 ? "\u221e"
                               : "\u2212\u221e");
        return buffer;
    }
    const double size = fabs(value);
    char text[32];
    if (size == 0.0) {
        snprintf(text, sizeof text, "0");
    } else if (size < 1e-4 || size >= 1e7) {
        snprintf(text, sizeof text, "%.*e", digits - 1, size);
        char *e = strchr(text, 'e');
        const int power = atoi(e + 1);
        *e = '\0';
        snprintf(buffer, HTML_NUMBER, "%s%.16s\u00b710^%d", value < 0.0 ? "\u2212" : "", text,
                 power);
        return buffer;
    } else {
        // Decimals so that `digits` count; rounding may make 9.996 one digit longer.
        int whole = (int)floor(log10(size)) + 1;
        whole += size + 0.5 * pow(10.0, whole - digits) >= pow(10.0, whole);
        snprintf(text, sizeof text, "%.*f", digits > whole ? digits - whole : 0, size);
    }
    snprintf(buffer, HTML_NUMBER, "%s%s", value < 0.0 ? "\u2212" : "", text);
    return buffer;
}

const char *html_plain(double value, int digits, char buffer[HTML_NUMBER])
{
    html_number(value, digits, buffer);
    if (strchr(buffer, '.') && !strchr(buffer, '^')) {
        size_t n = strlen(buffer);
        while (buffer[n - 1] == '0')
            buffer[--n] = '\0';
        if (buffer[n - 1] == '.')
            buffer[--n] = '\0';
    }
    return buffer;
}

// ---- the frame ----

// Chrome is ink on paper; colour is for data and for verdicts, which are words too. Colours and
// fonts are those of the studio (web/src/style/base.css), light or dark as the reader has set it;
// printed it is light.
#define LIGHT                                                                                      \
    "--bg:#eef0f3;--surface:#fff;--raised:#f6f7f9;--line:#dce0e6;--line2:#c5ccd6;--ink:#161a20;"   \
    "--ink2:#505a68;--danger:#c0143c;--dangerbg:#fdebef;--ok:#0a7a4d;--okbg:#e6f5ee;"              \
    "color-scheme:light"
#define DARK                                                                                       \
    "--bg:#0c0f13;--surface:#14181e;--raised:#1a1f26;--line:#272e38;--line2:#3a4350;"              \
    "--ink:#eaeef3;--ink2:#a7b1be;--danger:#ff5f7e;--dangerbg:#3a1622;--ok:#3ecf8e;"               \
    "--okbg:#112b21;color-scheme:dark"

static const char style[] =
    ":root{" LIGHT "}\n"
    "@media(prefers-color-scheme:dark){:root{" DARK "}}\n"
    "@media print{:root{" LIGHT "}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 Inter,\"Segoe UI\","
    "system-ui,-apple-system,\"Noto Sans\",\"DejaVu Sans\",sans-serif}\n"
    "main{max-width:1060px;margin:0 auto;padding:28px 20px 60px}\n"
    "header,section{background:var(--surface);border:1px solid "
    "var(--line);border-radius:10px;padding:20px 24px;"
    "margin:0 0 18px}\n"
    "h1{font-size:27px;line-height:1.2;margin:0 0 4px;overflow-wrap:anywhere}\n"
    "h2{font-size:19px;margin:0 0 12px}\n"
    "h3{font-size:15px;margin:20px 0 6px}\n"
    "p{margin:0 0 10px;max-width:78ch}\n"
    ".faint{color:var(--ink2)}\n"
    ".pills{margin:12px 0 16px;display:flex;flex-wrap:wrap;gap:8px}\n"
    ".pill{border-radius:999px;padding:3px 12px;font-weight:600;background:var(--raised)}\n"
    ".good{background:var(--okbg);color:var(--ok)}\n"
    ".bad{background:var(--dangerbg);color:var(--danger)}\n"
    ".facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(170px,1fr));gap:10px 24px;"
    "margin:0}\n"
    ".facts dt{color:var(--ink2);font-size:13px}\n"
    ".facts dd{margin:0;font-weight:600;overflow-wrap:anywhere}\n"
    ".wide{overflow-x:auto;margin:0 0 14px}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:14px}\n"
    "th,td{padding:4px 11px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid "
    "var(--line)}\n"
    "thead th{font-weight:600;border-bottom:1px solid var(--line2);line-height:1.25}\n"
    "th small{display:block;color:var(--ink2);font-weight:400}\n"
    "thead th{white-space:nowrap}td.n,thead th.n{text-align:right}thead th.n{white-space:normal}\n"
    "td.n,th small{white-space:nowrap}\n"
    "th.name{font-weight:400;white-space:nowrap}\n"
    "td.t{overflow-wrap:break-word;max-width:60ch}\n"
    ".bad-text{color:var(--danger);font-weight:600}\n"
    ".happened{list-style:none;margin:0 0 12px;padding:0}\n"
    ".happened li{display:grid;grid-template-columns:86px 1fr;gap:0 14px;padding:6px "
    "0;border-bottom:"
    "1px solid var(--line)}\n"
    ".happened "
    "time{color:var(--ink2);text-align:right;font-variant-numeric:tabular-nums;white-space:"
    "nowrap}\n"
    ".happened .crash{box-shadow:inset 3px 0 var(--danger)}\n"
    "figure{margin:0 0 14px}\n"
    "figure svg{display:block;width:100%;height:auto}\n"
    "pre{background:var(--raised);border:1px solid var(--line);border-radius:8px;padding:12px "
    "14px;overflow-x:"
    "auto;font:13px/1.45 \"JetBrains Mono\",ui-monospace,\"DejaVu Sans Mono\",monospace;margin:0 0 "
    "12px;tab-size:4}\n"
    "summary{cursor:pointer;font-weight:600;margin:0 0 8px}\n"
    "@media print{@page{margin:14mm}\n"
    "body{background:var(--surface);font-size:10.5pt}main{max-width:none;padding:0}\n"
    "header,section{border:0;border-radius:0;padding:0;margin:0 0 12pt}\n"
    "h2,h3,thead{break-after:avoid}figure,table,tr,.happened li,.pills{break-inside:avoid}\n"
    ".wide{overflow:visible}thead{display:table-header-group}\n"
    "table{font-size:8.5pt}th,td{padding-right:6pt}\n"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:8.5pt}\n"
    ".pill,.bad,.good,svg,.crash{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";

void html_page_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'\">\n<title>",
          out);
    html_text(out, title);
    fprintf(out, "</title>\n<style>\n%s@media print{body .mc-figure{", style);
    svg_theme_light(out);
    fputs("}}\n</style>\n</head>\n<body>\n<main>\n", out);
}

void html_page_end(FILE *out)
{
    fputs("</main>\n</body>\n</html>\n", out);
}

void html_section_begin(FILE *out, const char *id, const char *heading)
{
    fprintf(out, "<section id=\"%s\">\n<h2>", id);
    html_text(out, heading);
    fputs("</h2>\n", out);
}

void html_section_end(FILE *out)
{
    fputs("</section>\n", out);
}

// ---- tables ----

void html_heading(FILE *out, const char *name, const char *unit, const char *doc, int is_number)
{
    fputs(is_number ? "<th class=\"n\"" : "<th", out);
    if (doc && *doc) {
        fputs(" title=\"", out);
        html_text(out, doc);
        fputc('"', out);
    }
    fputc('>', out);
    html_text(out, name);
    if (is_number && unit && *unit) {
        fputs("<small>", out);
        html_text(out, unit);
        fputs("</small>", out);
    }
    fputs("</th>", out);
}

void html_cell(FILE *out, const char *text)
{
    fputs("<td class=\"t\">", out);
    html_text(out, text);
    fputs("</td>", out);
}

static void cell_number(FILE *out, double value, int digits)
{
    char number[HTML_NUMBER];
    fprintf(out, "<td class=\"n\">%s</td>", html_number(value, digits, number));
}

int html_decimals(double largest, int digits)
{
    const double size = fabs(largest);
    if (!isfinite(size) || size < 1e-4 || size >= 1e7)
        return -1;
    const int whole = (int)floor(log10(size)) + 1;
    return digits > whole ? digits - whole : 0;
}

void html_cell_fixed(FILE *out, double value, int decimals)
{
    if (decimals < 0 || !isfinite(value)) {
        cell_number(out, value, 4);
        return;
    }
    char text[64];
    snprintf(text, sizeof text, "%.*f", decimals, fabs(value));
    const bool is_zero = strspn(text, "0.") == strlen(text);
    fprintf(out, "<td class=\"n\">%s%s</td>", value < 0.0 && !is_zero ? "\u2212" : "", text);
}

void html_cell_count(FILE *out, long count)
{
    fprintf(out, "<td class=\"n\">%ld</td>", count);
}
