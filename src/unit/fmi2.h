// fmi2.h - the C interface of FMI 2.0, as the standard gives it.
#pragma once

#include <stddef.h>

#define FMI2_API __attribute__((visibility("default")))

typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean, fmi2Type, fmi2Status, fmi2StatusKind;
typedef char fmi2Byte;
typedef const char *fmi2String;

typedef struct fmi2CallbackFunctions {
    void (*logger)(fmi2ComponentEnvironment, fmi2String instance, fmi2Status, fmi2String category,
                   fmi2String message, ...);
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct fmi2EventInfo {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged,
        valuesOfContinuousStatesChanged, nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

FMI2_API const char *fmi2GetTypesPlatform(void);
FMI2_API const char *fmi2GetVersion(void);
FMI2_API fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean, size_t, const fmi2String *);
FMI2_API fmi2Component fmi2Instantiate(fmi2String, fmi2Type, fmi2String, fmi2String,
                                       const fmi2CallbackFunctions *, fmi2Boolean, fmi2Boolean);
FMI2_API void fmi2FreeInstance(fmi2Component);
FMI2_API fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean,
                                        fmi2Real);
FMI2_API fmi2Status fmi2EnterInitializationMode(fmi2Component);
FMI2_API fmi2Status fmi2ExitInitializationMode(fmi2Component);
FMI2_API fmi2Status fmi2Terminate(fmi2Component);
FMI2_API fmi2Status fmi2Reset(fmi2Component);
#define FMI2_VALUES(type)                                                                          \
    FMI2_API fmi2Status fmi2Get##type(fmi2Component, const fmi2ValueReference *, size_t,           \
                                      fmi2##type *);                                               \
    FMI2_API fmi2Status fmi2Set##type(fmi2Component, const fmi2ValueReference *, size_t,           \
                                      const fmi2##type *);
FMI2_VALUES(Real)
FMI2_VALUES(Integer)
FMI2_VALUES(Boolean)
FMI2_VALUES(String)
FMI2_API fmi2Status fmi2GetFMUstate(fmi2Component, fmi2FMUstate *);
FMI2_API fmi2Status fmi2SetFMUstate(fmi2Component, fmi2FMUstate);
FMI2_API fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate *);
FMI2_API fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2FMUstate, size_t *);
FMI2_API fmi2Status fmi2SerializeFMUstate(fmi2Component, fmi2FMUstate, fmi2Byte *, size_t);
FMI2_API fmi2Status fmi2DeSerializeFMUstate(fmi2Component, const fmi2Byte *, size_t,
                                            fmi2FMUstate *);
FMI2_API fmi2Status fmi2GetDirectionalDerivative(fmi2Component, const fmi2ValueReference *, size_t,
                                                 const fmi2ValueReference *, size_t,
                                                 const fmi2Real *, fmi2Real *);
FMI2_API fmi2Status fmi2EnterEventMode(fmi2Component);
FMI2_API fmi2Status fmi2NewDiscreteStates(fmi2Component, fmi2EventInfo *);
FMI2_API fmi2Status fmi2EnterContinuousTimeMode(fmi2Component);
FMI2_API fmi2Status fmi2CompletedIntegratorStep(fmi2Component, fmi2Boolean, fmi2Boolean *,
                                                fmi2Boolean *);
FMI2_API fmi2Status fmi2SetTime(fmi2Component, fmi2Real);
FMI2_API fmi2Status fmi2SetContinuousStates(fmi2Component, const fmi2Real *, size_t);
FMI2_API fmi2Status fmi2GetDerivatives(fmi2Component, fmi2Real *, size_t);
FMI2_API fmi2Status fmi2GetEventIndicators(fmi2Component, fmi2Real *, size_t);
FMI2_API fmi2Status fmi2GetContinuousStates(fmi2Component, fmi2Real *, size_t);
FMI2_API fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component, fmi2Real *, size_t);
FMI2_API fmi2Status fmi2SetRealInputDerivatives(fmi2Component, const fmi2ValueReference *, size_t,
                                                const fmi2Integer *, const fmi2Real *);
FMI2_API fmi2Status fmi2GetRealOutputDerivatives(fmi2Component, const fmi2ValueReference *, size_t,
                                                 const fmi2Integer *, fmi2Real *);
FMI2_API fmi2Status fmi2DoStep(fmi2Component, fmi2Real, fmi2Real, fmi2Boolean);
FMI2_API fmi2Status fmi2CancelStep(fmi2Component);
FMI2_API fmi2Status fmi2GetStatus(fmi2Component, fmi2StatusKind, fmi2Status *);
FMI2_API fmi2Status fmi2GetRealStatus(fmi2Component, fmi2StatusKind, fmi2Real *);
FMI2_API fmi2Status fmi2GetIntegerStatus(fmi2Component, fmi2StatusKind, fmi2Integer *);
FMI2_API fmi2Status fmi2GetBooleanStatus(fmi2Component, fmi2StatusKind, fmi2Boolean *);
FMI2_API fmi2Status fmi2GetStringStatus(fmi2Component, fmi2StatusKind, fmi2String *);
