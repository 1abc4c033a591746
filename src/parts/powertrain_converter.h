// powertrain_converter.h - what the table and the vector code of the converter share: the report's
// engine (powertrain_report.h), its mixture given by the throttle alone.
#pragma once

#include "parts/powertrain_report.h"

powertrain_hold converter_hold_plain, converter_hold_avx2;
powertrain_eval converter_eval_plain, converter_eval_avx2;
powertrain_plan converter_plan_plain, converter_plan_avx2;
