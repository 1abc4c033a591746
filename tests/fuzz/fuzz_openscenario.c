// fuzz_openscenario.c - OpenSCENARIO files on a fixed road, two_lanes.xodr.
#include "fuzz/fuzz_exchange.h"

static const char road[] =
    "<OpenDRIVE><road id=\"1\" length=\"900\" junction=\"-1\"><planView><geometry s=\"0\" x=\"0\" "
    "y=\"0\" hdg=\"0\" length=\"900\"><line/></geometry></planView><lanes><laneSection s=\"0\">"
    "<left><lane id=\"1\" type=\"driving\"><width sOffset=\"0\" a=\"3.5\" b=\"0\" c=\"0\" d=\"0\"/>"
    "</lane></left><right><lane id=\"-1\" type=\"driving\"><width sOffset=\"0\" a=\"3.5\" b=\"0\" "
    "c=\"0\" d=\"0\"/></lane><lane id=\"-2\" type=\"driving\"><width sOffset=\"0\" a=\"3.5\" "
    "b=\"0\" c=\"0\" d=\"0\"/></lane></right></laneSection></lanes></road></OpenDRIVE>";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const document_file given = {"two_lanes.xodr", road, sizeof road - 1};
    fuzz_exchange("openscenario", (const char *)data, size, &given, 1, NULL);
    return 0;
}
