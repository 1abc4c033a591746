// lanes.c - lane, ersc, check_in, section, platoon: commands about lanes, the ERSC and platoons.
#include "studio/request/requests.h"

#include "studio/request/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A command to one vehicle, whose number is that of a key of the request; key NULL: it has none.
static void to_vehicle(request *r, const char *event, const char *key, double min, double max,
                       bool optional, const char *says)
{
    const char *vehicle;
    log_entry e = {.param = "", .value = NAN};
    if (!read_text(r, "vehicle", NAME_SIZE - 1, NULL, &vehicle))
        return;
    if (key && (optional ? !read_optional(r, key, min, max, &e.value)
                         : !read_number(r, key, min, max, NAN, &e.value)))
        return;
    snprintf(e.event, sizeof e.event, "%s", event);
    snprintf(e.vehicle, sizeof e.vehicle, "%s", vehicle);
    char text[160], number[40] = "";
    if (!isnan(e.value))
        snprintf(number, sizeof number, " %g", e.value);
    snprintf(text, sizeof text, "%.60s %s%s", vehicle, says, number);
    request_command(r, &e, text);
}

void request_lane(request *r)
{
    to_vehicle(r, "lane", "lane", 1.0, 64.0, false, "goes to lane");
}

void request_driver_lane(request *r)
{
    to_vehicle(r, "driver_lane", "lane", 1.0, 64.0, false, "is steered to lane");
}

void request_check_in(request *r)
{
    to_vehicle(r, "check_in", NULL, 0.0, 0.0, true, "checks in");
}

void request_check_out(request *r)
{
    to_vehicle(r, "check_out", NULL, 0.0, 0.0, true, "checks out");
}

void request_join(request *r)
{
    to_vehicle(r, "join", "platoon", 1.0, 1e5, false, "joins platoon");
}

void request_leave(request *r)
{
    to_vehicle(r, "leave", "lane", 1.0, 64.0, false, "leaves its platoon for lane");
}

void request_split(request *r)
{
    to_vehicle(r, "split", "gap", 1.0, 1e4, true, "splits its platoon");
}

void request_merge(request *r)
{
    to_vehicle(r, "merge", NULL, 0.0, 0.0, true, "merges its platoon");
}

void request_ersc(request *r)
{
    log_entry e = {.event = "ersc", .param = ""};
    if (!read_number(r, "level", 0.0, 4.0, NAN, &e.value))
        return;
    char text[40];
    snprintf(text, sizeof text, "ERSC level %g", e.value);
    request_command(r, &e, text);
}

// Rules of a lane, as the words of the log.
void request_section(request *r)
{
    static const char *const numbers[] = {"lane", "from", "to", "speed", "headway", "separation"};
    static const char *const words[] = {"use", "enter"};
    char kept[256] = "";
    size_t at = 0;
    log_entry e = {.event = "section", .param = kept, .value = NAN};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        double value;
        if (!read_optional(r, numbers[k], -1e300, 1e300, &value))
            return;
        if (!isnan(value) && at < sizeof kept)
            at += (size_t)snprintf(kept + at, sizeof kept - at, "%s%s %.12g", at > 0 ? " " : "",
                                   numbers[k], value);
    }
    for (int k = 0; k < 2; k++) {
        const char *word;
        if (!read_text(r, words[k], 16, "", &word))
            return;
        if (word[0] && at < sizeof kept)
            at += (size_t)snprintf(kept + at, sizeof kept - at, " %s %s", words[k], word);
    }
    char text[96];
    snprintf(text, sizeof text, "%.90s", kept);
    request_command(r, &e, text);
}
