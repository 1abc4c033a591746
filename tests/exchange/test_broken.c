// test_broken.c - files of other programs with one mistake each: what is wrong, and where.
#include "exchange/formats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A good file with one text replaced by another.
typedef struct broken {
    const char *from, *to;
    const char *message; // "file:line:column: text"; NULL: it is read
} broken;

static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        print_error("not found: %s\n", from);
    assert_non_null(at);
    const size_t before = (size_t)(at - text);
    char *out = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(out);
    sprintf(out, "%.*s%s%s", (int)before, text, to, at + strlen(from));
    return out;
}

typedef struct files {
    const char *main, *main_path;   // the file
    const char *other, *other_path; // that it names
    bool change_other;
    const char *routes;
} files;

// Whether it is answered as expected.
static bool try_one(const files *f, const broken *b)
{
    char *text = b->from ? replaced(f->change_other ? f->other : f->main, b->from, b->to) : NULL;
    const char *main = text && !f->change_other ? text : f->main;
    const char *other = text && f->change_other ? text : f->other;
    const document_file given = {f->other_path, other, strlen(other)};
    document d = {.given = &given, .given_count = 1};
    mc_error error = {0};
    const mc_exchange_options o = {.routes = f->routes};
    char found[1024] = "";
    const mc_status status = exchange_parse(&d, main, strlen(main), f->main_path, &o, &error);
    if (status != MC_OK)
        mc_error_format(&error, found, sizeof found);
    const bool good =
        b->message ? status == MC_BAD_INPUT && strcmp(found, b->message) == 0 : status == MC_OK;
    if (!good)
        print_error("%s -> %s\n  found:    %s\n  expected: %s\n", b->from ? b->from : "(as it is)",
                    b->from ? b->to : "", status == MC_OK ? "(read)" : found,
                    b->message ? b->message : "(read)");
    document_free(&d);
    free(text);
    return good;
}

static void try_all(const files *f, const broken *list, size_t count)
{
    int bad = 0;
    for (size_t k = 0; k < count; k++)
        bad += !try_one(f, &list[k]);
    assert_int_equal(bad, 0);
}
#define TRY_ALL(f, list) try_all(f, list, sizeof(list) / sizeof(list)[0])

// ---- SUMO ----

static const char net[] =
    "<net>\n"
    "  <edge id=\":b_0\" function=\"internal\">\n"
    "    <lane id=\":b_0_0\" index=\"0\" speed=\"20\" length=\"2\" shape=\"300,0 302,0\"/></edge>\n"
    "  <edge id=\"in\" from=\"a\" to=\"b\">\n"
    "    <lane id=\"in_0\" index=\"0\" speed=\"30\" length=\"300\" shape=\"0,0 300,0\"/>\n"
    "    <lane id=\"in_1\" index=\"1\" speed=\"30\" length=\"300\" shape=\"0,3.2 "
    "300,3.2\"/></edge>\n"
    "  <edge id=\"out\" from=\"b\" to=\"c\">\n"
    "    <lane id=\"out_0\" index=\"0\" speed=\"30\" length=\"200\" shape=\"302,0 "
    "502,0\"/></edge>\n"
    "  <connection from=\"in\" to=\"out\" fromLane=\"0\" toLane=\"0\" via=\":b_0_0\"/>\n"
    "</net>\n";

static const char routes[] =
    "<routes>\n"
    "  <vType id=\"car\" length=\"5\" tau=\"1.2\"/>\n"
    "  <route id=\"r\" edges=\"in out\"/>\n"
    "  <vehicle id=\"v\" type=\"car\" route=\"r\" depart=\"0\" departLane=\"0\" departPos=\"20\" "
    "departSpeed=\"10\"/>\n"
    "  <flow id=\"f\" type=\"car\" from=\"in\" to=\"out\" begin=\"0\" end=\"60\" "
    "vehsPerHour=\"600\"/>\n"
    "</routes>\n";

static void networks(void **unused)
{
    (void)unused;
    static const broken list[] = {
        {NULL, NULL, NULL},
        {"</net>", "", "a.net.xml:11:1: not well-formed XML: no element found"},
        {"<net>", "<!DOCTYPE x><net>",
         "a.net.xml:1:12: a document type is not read; expected a file without <!DOCTYPE"},
        {"<net>", "<net lefthand=\"true\">",
         "a.net.xml:1:1: left-hand traffic is not read; expected lanes counted from the right"},
        {"id=\"out\"", "id=\"in\"",
         "a.net.xml:7:3: two edges have the id \"in\"; the other is on line 4"},
        {" id=\"in\"", "", "a.net.xml:4:3: edge has no attribute id"},
        {"index=\"1\"", "index=\"2\"",
         "a.net.xml:6:5: lane has the index 2; expected 1, counted from 0 at the right"},
        {"speed=\"30\"", "speed=\"-1\"", "a.net.xml:5:5: speed is -1 m/s; expected above 0"},
        {"speed=\"30\"", "speed=\"fast\"",
         "a.net.xml:5:5: lane: speed is \"fast\"; expected a number"},
        {"length=\"300\"", "length=\"0\"",
         "a.net.xml:5:5: length is 0 m; expected above 0 and at most 1e6 m"},
        {"length=\"300\"", "length=\"300\" width=\"40\"",
         "a.net.xml:5:5: width is 40 m; expected 0.5 .. 20 m"},
        {"0,0 300,0", "0,0 300",
         "a.net.xml:5:5: shape has \"300\"; expected points x,y with "
         "blanks between them"},
        {"0,0 300,0", "0,0", "a.net.xml:5:5: shape has 1 point; expected at least 2"},
        {"0,0 300,0", "0,0 300,nan",
         "a.net.xml:5:5: shape has \"300,nan\"; expected points x,y with blanks between them"},
        {"to=\"out\" fromLane", "to=\"away\" fromLane",
         "a.net.xml:9:3: a connection to edge \"away\", which does not exist"},
        {"fromLane=\"0\"", "fromLane=\"5\"",
         "a.net.xml:9:3: fromLane is 5; edge \"in\" has no such lane"},
        {"via=\":b_0_0\"", "via=\":c_0_0\"",
         "a.net.xml:9:3: via is \":c_0_0\"; there is no such lane"},
    };
    const files f = {net, "a.net.xml", routes, "a.rou.xml", false, "a.rou.xml"};
    TRY_ALL(&f, list);
}

static void vehicles(void **unused)
{
    (void)unused;
    static const broken list[] = {
        {"<routes>", "<route>", "a.rou.xml:6:3: not well-formed XML: mismatched tag"},
        {"length=\"5\"", "length=\"500\"", "a.rou.xml:2:3: length is 500; expected 0.5 .. 30"},
        {"tau=\"1.2\"", "speedFactor=\"quick\"",
         "a.rou.xml:2:3: speedFactor is \"quick\"; expected a number or norm(..)"},
        {"edges=\"in out\"", "edges=\"in up\"", "a.rou.xml:3:3: edge \"up\" is not in the network"},
        {"edges=\"in out\"", "edges=\"\"", "a.rou.xml:3:3: edges of the route are empty"},
        {"type=\"car\"", "type=\"cat\"",
         "a.rou.xml:4:3: type is \"cat\"; there is no such vType before it"},
        {"route=\"r\"", "route=\"q\"",
         "a.rou.xml:4:3: route is \"q\"; there is no such route before it"},
        {"route=\"r\"", "", "a.rou.xml:4:3: vehicle has no route, and not both of from and to"},
        {"depart=\"0\"", "depart=\"soon\"",
         "a.rou.xml:4:3: depart is \"soon\"; expected a time in s"},
        {"depart=\"0\" ", "", "a.rou.xml:4:3: vehicle has no attribute depart"},
        {"departLane=\"0\"", "departLane=\"3\"",
         "a.rou.xml:4:3: departLane is 3; edge \"in\" has 2 lanes for cars"},
        {"departPos=\"20\"", "departPos=\"900\"",
         "a.rou.xml:4:3: departPos is 900 m; edge \"in\" is 300 m long"},
        {"departSpeed=\"10\"", "departSpeed=\"-3\"",
         "a.rou.xml:4:3: departSpeed is \"-3\"; expected a number, max or desired"},
        {"id=\"f\"", "id=\"v\"",
         "a.rou.xml:5:3: two vehicles or flows have the id \"v\"; the other is on line 4"},
        {"end=\"60\"", "end=\"-1\"",
         "a.rou.xml:5:3: flow f ends at -1 s; expected after its begin, 0 s"},
        {" vehsPerHour=\"600\"", "",
         "a.rou.xml:5:3: flow f has nan vehicles per hour; expected one of vehsPerHour, period, "
         "probability and number"},
        {"from=\"in\" to=\"out\" begin", "from=\"in\" begin",
         "a.rou.xml:5:3: flow has no route, and not both of from and to"},
    };
    const files f = {net, "a.net.xml", routes, "a.rou.xml", true, "a.rou.xml"};
    TRY_ALL(&f, list);
}

// ---- CommonRoad ----

#define POINT(x, y) "<point><x>" #x "</x><y>" #y "</y></point>"
#define STATE(tag, x, y, t)                                                                        \
    "<" tag                                                                                        \
    "><position>" POINT(x, y) "</position><orientation><exact>0</exact></orientation>"             \
                              "<time><exact>" #t                                                   \
                              "</exact></time><velocity><exact>20</exact></velocity></" tag ">\n"

static const char commonroad[] =
    "<commonRoad commonRoadVersion=\"2020a\" timeStepSize=\"0.1\" benchmarkID=\"A\">\n"
    "<lanelet id=\"1\">\n"
    "<leftBound>" POINT(0, 5) POINT(
        200, 5) "</leftBound>\n"
                "<rightBound>" POINT(0, 2) POINT(
                    200,
                    2) "</rightBound>\n"
                       "<adjacentRight ref=\"2\" drivingDir=\"same\"/></lanelet>\n"
                       "<lanelet id=\"2\">\n"
                       "<leftBound>" POINT(0, 2) POINT(
                           200,
                           2) "</leftBound>\n"
                              "<rightBound>" POINT(0, -1) POINT(
                                  200,
                                  -1) "</rightBound>\n"
                                      "<adjacentLeft ref=\"1\" drivingDir=\"same\"/></lanelet>\n"
                                      "<dynamicObstacle id=\"7\"><type>car</type>\n"
                                      "<shape><rectangle><length>4.5</length><width>1.8</width></"
                                      "rectangle></shape>\n" STATE(
                                          "initialState", 10, 0.5,
                                          0) "<trajectory>\n" STATE("state", 12, 0.5, 1)
                                          STATE("state", 14, 0.5,
                                                2) "</trajectory></dynamicObstacle>\n"
                                                   "<planningProblem id=\"9\">\n" STATE(
                                                       "initialState", 50, 3.5,
                                                       0) "<goalState><time><intervalStart>10</"
                                                          "intervalStart>"
                                                          "<intervalEnd>20</intervalEnd></time></"
                                                          "goalState></planningProblem>\n"
                                                          "</commonRoad>\n";

static void lanelets(void **unused)
{
    (void)unused;
    static const broken list[] = {
        {NULL, NULL, NULL},
        {"<commonRoad", "<common", "a.xml:20:3: not well-formed XML: mismatched tag"},
        {"\"2020a\"", "\"2017a\"", "a.xml:1:1: commonRoadVersion is \"2017a\"; expected 2020a"},
        {"timeStepSize=\"0.1\"", "timeStepSize=\"0\"",
         "a.xml:1:1: timeStepSize is 0 s; expected above 0 and at most 10 s"},
        {" timeStepSize=\"0.1\"", "", "a.xml:1:1: commonRoad has no attribute timeStepSize"},
        {"id=\"2\"", "id=\"1\"", "a.xml:6:1: two lanelets have the id \"1\""},
        {"ref=\"2\"", "ref=\"8\"",
         "a.xml:5:1: adjacentRight refers to lanelet \"8\", which does not exist"},
        {"<x>200</x>", "<x>far</x>", "a.xml:3:50: x is \"far\"; expected a number"},
        {"<x>200</x>", "", "a.xml:3:43: point has no element x"},
        {POINT(200, 5), "", "a.xml:3:1: leftBound has 1 point; expected at least 2"},
        {POINT(200, 5), POINT(100, 5) POINT(200, 5),
         "a.xml:2:1: lanelet 1 has 3 points on its left and 2 on its right; expected the same "
         "number"},
        {POINT(0, -1) POINT(200, -1), POINT(0, -70) POINT(200, -70),
         "a.xml:6:1: lanelet 2 is 72 m wide; expected 0.5 .. 20 m"},
        {"<length>4.5</length>", "<length>0</length>",
         "a.xml:11:1: a shape of 0 by 1.8 m; expected above 0"},
        {"<length>4.5</length>", "", "a.xml:11:8: rectangle has no element length"},
        {"<position>" POINT(10, 0.5) "</position>", "",
         "a.xml:12:1: initialState has no element position"},
        {"<position>" POINT(10, 0.5) "</position>", "<position><circle/></position>",
         "a.xml:12:15: position is no point; expected <point>"},
        {"<time><exact>2</exact></time>", "<time><exact>1</exact></time>",
         "a.xml:15:1: obstacle 7: the state at 0.1 s comes after that at 0.1 s"},
        {"<time><exact>2</exact></time>", "<time><intervalStart>1</intervalStart></time>",
         "a.xml:15:106: time has no exact, and not both of intervalStart and intervalEnd"},
        {POINT(50, 3.5), POINT(50, 90),
         "a.xml:18:1: the planning problem does not begin on the road: 86.5 m beside it"},
        {"<goalState>", "<goal/><other>", "a.xml:19:92: not well-formed XML: mismatched tag"},
    };
    const files f = {commonroad, "a.xml", "", "none", false, NULL};
    TRY_ALL(&f, list);
}

// ---- OpenSCENARIO ----

static const char road[] =
    "<OpenDRIVE><road id=\"1\" length=\"500\" junction=\"-1\">"
    "<planView><geometry s=\"0\" x=\"0\" y=\"0\" hdg=\"0\" "
    "length=\"500\"><line/></geometry></planView>"
    "<lanes><laneSection s=\"0\"><right><lane id=\"-1\" type=\"driving\"><width sOffset=\"0\" "
    "a=\"3.5\" b=\"0\" c=\"0\" d=\"0\"/></lane><lane id=\"-2\" type=\"driving\"><width "
    "sOffset=\"0\" a=\"3.5\" b=\"0\" c=\"0\" d=\"0\"/></lane></right></laneSection></lanes>"
    "</road></OpenDRIVE>";

static const char story[] =
    "<OpenSCENARIO><FileHeader revMajor=\"1\" revMinor=\"0\"/>\n"
    "<ParameterDeclarations><ParameterDeclaration name=\"v\" "
    "value=\"20\"/></ParameterDeclarations>\n"
    "<RoadNetwork><LogicFile filepath=\"a.xodr\"/></RoadNetwork>\n"
    "<Entities><ScenarioObject name=\"Ego\"><Vehicle>\n"
    "<BoundingBox><Center x=\"1.4\" y=\"0\" z=\"0\"/><Dimensions width=\"2\" length=\"5\" "
    "height=\"1.5\"/></BoundingBox></Vehicle></ScenarioObject></Entities>\n"
    "<Storyboard><Init><Actions><Private entityRef=\"Ego\">\n"
    "<PrivateAction><TeleportAction><Position>\n"
    "<LanePosition roadId=\"1\" laneId=\"-2\" "
    "s=\"50\"/></Position></TeleportAction></PrivateAction>\n"
    "<PrivateAction><LongitudinalAction><SpeedAction><SpeedActionDynamics/>\n"
    "<SpeedActionTarget><AbsoluteTargetSpeed value=\"$v\"/></SpeedActionTarget></SpeedAction>\n"
    "</LongitudinalAction></PrivateAction></Private></Actions></Init>\n"
    "<Story><Act><ManeuverGroup><Actors><EntityRef entityRef=\"Ego\"/></Actors><Maneuver>\n"
    "<Event name=\"e\"><Action><PrivateAction><LateralAction><LaneChangeAction>\n"
    "<LaneChangeActionDynamics dynamicsShape=\"linear\" dynamicsDimension=\"time\" value=\"4\"/>\n"
    "<LaneChangeTarget><AbsoluteTargetLane value=\"-1\"/></LaneChangeTarget>\n"
    "</LaneChangeAction></LateralAction></PrivateAction></Action>\n"
    "<StartTrigger><ConditionGroup><Condition><ByValueCondition>\n"
    "<SimulationTimeCondition value=\"3\" rule=\"greaterThan\"/>\n"
    "</ByValueCondition></Condition></ConditionGroup></StartTrigger></Event>\n"
    "</Maneuver></ManeuverGroup></Act></Story></Storyboard></OpenSCENARIO>\n";

static void stories(void **unused)
{
    (void)unused;
    static const broken list[] = {
        {NULL, NULL, NULL},
        {"revMajor=\"1\"", "revMajor=\"2\"", "a.xosc:1:15: revMajor is 2; expected 1"},
        {"<FileHeader revMajor=\"1\" revMinor=\"0\"/>", "",
         "a.xosc:1:1: OpenSCENARIO has no element FileHeader"},
        {"\"$v\"", "\"$w\"",
         "a.xosc:10:20: AbsoluteTargetSpeed: value is \"$w\"; expected a number"},
        {"\"$v\"", "\"${2 * ($v - 5)}\"", NULL},
        {"\"$v\"", "\"${2*$w}\"",
         "a.xosc:10:20: AbsoluteTargetSpeed: value is \"${2*$w}\"; expected a number"},
        {"\"$v\"", "\"${1/0*$v}\"",
         "a.xosc:10:20: AbsoluteTargetSpeed: value is \"${1/0*$v}\"; expected a number"},
        {"value=\"20\"", "value=\"400\"",
         "a.xosc:10:1: the speed is to be 400 m/s; expected 0 .. 150 m/s"},
        {"<LogicFile filepath=\"a.xodr\"/>", "",
         "a.xosc:3:1: RoadNetwork has no element LogicFile"},
        {"a.xodr", "b.xodr",
         "a.xosc:3:14: the road network b.xodr: cannot be read: No such file or directory"},
        {"length=\"5\"", "length=\"0\"", "a.xosc:5:43: length is 0; expected 0.5 .. 30"},
        {"entityRef=\"Ego\">\n", "entityRef=\"Alter\">\n",
         "a.xosc:6:28: Private refers to entity \"Alter\", which does not exist"},
        {"roadId=\"1\"", "roadId=\"4\"",
         "a.xosc:8:1: there is no lane -2 to drive on at s = 50 m of road \"4\" in the road "
         "network"},
        {"laneId=\"-2\"", "laneId=\"-3\"",
         "a.xosc:8:1: there is no lane -3 to drive on at s = 50 m of road \"1\" in the road "
         "network"},
        {"laneId=\"-2\"", "laneId=\"right\"",
         "a.xosc:8:1: LanePosition: laneId is \"right\"; expected a whole number"},
        {"s=\"50\"", "s=\"5000\"",
         "a.xosc:8:1: there is no lane -2 to drive on at s = 5000 m of road \"1\" in the road "
         "network"},
        {"<LanePosition roadId=\"1\" laneId=\"-2\" s=\"50\"/>", "",
         "a.xosc:7:32: Position has no element; expected LanePosition, RoadPosition, "
         "WorldPosition, RelativeLanePosition or RelativeObjectPosition"},
        {"\"linear\"", "\"wavy\"",
         "a.xosc:14:1: dynamicsShape is \"wavy\"; expected linear, cubic, sinusoidal or step"},
        {"\"time\"", "\"space\"",
         "a.xosc:14:1: dynamicsDimension is \"space\"; expected time, rate or distance"},
        {"value=\"4\"", "value=\"0\"", "a.xosc:14:1: value is 0; expected above 0"},
        {"AbsoluteTargetLane value=\"-1\"", "AbsoluteTargetLane value=\"-7\"",
         "a.xosc:15:19: lane -7 of the main road does not exist where Ego is, at 111.4 m"},
        {"<AbsoluteTargetLane value=\"-1\"/>", "",
         "a.xosc:15:1: LaneChangeTarget has no AbsoluteTargetLane or RelativeTargetLane"},
        {"\"greaterThan\"", "\"about\"",
         "a.xosc:18:1: rule is \"about\"; expected lessThan, greaterThan or equalTo"},
        {"<EntityRef entityRef=\"Ego\"/>", "<EntityRef entityRef=\"Other\"/>",
         "a.xosc:12:36: EntityRef refers to entity \"Other\", which does not exist"},
    };
    const files f = {story, "a.xosc", road, "a.xodr", false, NULL};
    TRY_ALL(&f, list);
}

// ---- configurations, and files that are none of these ----

static void others(void **unused)
{
    (void)unused;
    static const char config[] = "<configuration>\n<input><net-file value=\"a.net.xml\"/></input>\n"
                                 "<time><end value=\"60\"/></time></configuration>\n";
    static const broken list[] = {
        {NULL, NULL, NULL},
        {"<net-file value=\"a.net.xml\"/>", "",
         "a.sumocfg:1:1: the configuration names no net-file"},
        {"a.net.xml", "b.net.xml", "b.net.xml: cannot be read: No such file or directory"},
        {"value=\"60\"", "value=\"late\"", "a.sumocfg:3:7: end is \"late\"; expected a time in s"},
        {"<configuration>", "<configuration>&x;",
         "a.sumocfg:1:16: not well-formed XML: undefined entity"},
    };
    const files f = {config, "a.sumocfg", net, "a.net.xml", false, NULL};
    TRY_ALL(&f, list);
    static const broken root[] = {
        {"<gpx", "<gpx",
         "a.xml:1:1: found <gpx>; expected <net> or <configuration> (SUMO), <commonRoad> or "
         "<OpenSCENARIO>"},
    };
    const files g = {"<gpx/>", "a.xml", net, "a.net.xml", false, NULL};
    TRY_ALL(&g, root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks), cmocka_unit_test(vehicles), cmocka_unit_test(lanelets),
        cmocka_unit_test(stories),  cmocka_unit_test(others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
