// fmi3.h - the C interface of FMI 3.0, as the standard gives it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FMI3_API __attribute__((visibility("default")))

typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8, fmi3Byte;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean, fmi3Clock;
typedef const char *fmi3String;
typedef const fmi3Byte *fmi3Binary;
typedef int fmi3Status, fmi3DependencyKind, fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                       fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean,
                                               fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean *,
                                               fmi3Float64 *);
typedef void (*fmi3PreemptionCallback)(void);

FMI3_API const char *fmi3GetVersion(void);
FMI3_API fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean, size_t, const fmi3String *);
FMI3_API fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                                   fmi3Boolean, fmi3InstanceEnvironment,
                                                   fmi3LogMessageCallback);
FMI3_API fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                                  fmi3Boolean, fmi3Boolean, fmi3Boolean,
                                                  const fmi3ValueReference *, size_t,
                                                  fmi3InstanceEnvironment, fmi3LogMessageCallback,
                                                  fmi3IntermediateUpdateCallback);
FMI3_API
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                               fmi3Boolean, fmi3InstanceEnvironment,
                                               fmi3LogMessageCallback, fmi3ClockUpdateCallback,
                                               fmi3PreemptionCallback, fmi3PreemptionCallback);
FMI3_API void fmi3FreeInstance(fmi3Instance);
FMI3_API fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64,
                                                fmi3Boolean, fmi3Float64);
FMI3_API fmi3Status fmi3ExitInitializationMode(fmi3Instance);
FMI3_API fmi3Status fmi3EnterEventMode(fmi3Instance);
FMI3_API fmi3Status fmi3Terminate(fmi3Instance);
FMI3_API fmi3Status fmi3Reset(fmi3Instance);
#define FMI3_VALUES(type)                                                                          \
    FMI3_API fmi3Status fmi3Get##type(fmi3Instance, const fmi3ValueReference *, size_t,            \
                                      fmi3##type *, size_t);                                       \
    FMI3_API fmi3Status fmi3Set##type(fmi3Instance, const fmi3ValueReference *, size_t,            \
                                      const fmi3##type *, size_t);
FMI3_VALUES(Float32)
FMI3_VALUES(Float64)
FMI3_VALUES(Int8)
FMI3_VALUES(UInt8)
FMI3_VALUES(Int16)
FMI3_VALUES(UInt16)
FMI3_VALUES(Int32)
FMI3_VALUES(UInt32)
FMI3_VALUES(Int64)
FMI3_VALUES(UInt64)
FMI3_VALUES(Boolean)
FMI3_VALUES(String)
FMI3_API fmi3Status fmi3GetBinary(fmi3Instance, const fmi3ValueReference *, size_t, size_t *,
                                  fmi3Binary *, size_t);
FMI3_API fmi3Status fmi3SetBinary(fmi3Instance, const fmi3ValueReference *, size_t, const size_t *,
                                  const fmi3Binary *, size_t);
FMI3_API fmi3Status fmi3GetClock(fmi3Instance, const fmi3ValueReference *, size_t, fmi3Clock *);
FMI3_API fmi3Status fmi3SetClock(fmi3Instance, const fmi3ValueReference *, size_t,
                                 const fmi3Clock *);
FMI3_API fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance, fmi3ValueReference, size_t *);
FMI3_API fmi3Status fmi3GetVariableDependencies(fmi3Instance, fmi3ValueReference, size_t *,
                                                fmi3ValueReference *, size_t *,
                                                fmi3DependencyKind *, size_t);
FMI3_API fmi3Status fmi3GetFMUState(fmi3Instance, fmi3FMUState *);
FMI3_API fmi3Status fmi3SetFMUState(fmi3Instance, fmi3FMUState);
FMI3_API fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState *);
FMI3_API fmi3Status fmi3SerializedFMUStateSize(fmi3Instance, fmi3FMUState, size_t *);
FMI3_API fmi3Status fmi3SerializeFMUState(fmi3Instance, fmi3FMUState, fmi3Byte *, size_t);
FMI3_API fmi3Status fmi3DeserializeFMUState(fmi3Instance, const fmi3Byte *, size_t, fmi3FMUState *);
FMI3_API fmi3Status fmi3GetDirectionalDerivative(fmi3Instance, const fmi3ValueReference *, size_t,
                                                 const fmi3ValueReference *, size_t,
                                                 const fmi3Float64 *, size_t, fmi3Float64 *,
                                                 size_t);
FMI3_API fmi3Status fmi3GetAdjointDerivative(fmi3Instance, const fmi3ValueReference *, size_t,
                                             const fmi3ValueReference *, size_t,
                                             const fmi3Float64 *, size_t, fmi3Float64 *, size_t);
FMI3_API fmi3Status fmi3EnterConfigurationMode(fmi3Instance);
FMI3_API fmi3Status fmi3ExitConfigurationMode(fmi3Instance);
FMI3_API fmi3Status fmi3GetIntervalDecimal(fmi3Instance, const fmi3ValueReference *, size_t,
                                           fmi3Float64 *, fmi3IntervalQualifier *);
FMI3_API fmi3Status fmi3GetIntervalFraction(fmi3Instance, const fmi3ValueReference *, size_t,
                                            fmi3UInt64 *, fmi3UInt64 *, fmi3IntervalQualifier *);
FMI3_API fmi3Status fmi3GetShiftDecimal(fmi3Instance, const fmi3ValueReference *, size_t,
                                        fmi3Float64 *);
FMI3_API fmi3Status fmi3GetShiftFraction(fmi3Instance, const fmi3ValueReference *, size_t,
                                         fmi3UInt64 *, fmi3UInt64 *);
FMI3_API fmi3Status fmi3SetIntervalDecimal(fmi3Instance, const fmi3ValueReference *, size_t,
                                           const fmi3Float64 *);
FMI3_API fmi3Status fmi3SetIntervalFraction(fmi3Instance, const fmi3ValueReference *, size_t,
                                            const fmi3UInt64 *, const fmi3UInt64 *);
FMI3_API fmi3Status fmi3SetShiftDecimal(fmi3Instance, const fmi3ValueReference *, size_t,
                                        const fmi3Float64 *);
FMI3_API fmi3Status fmi3SetShiftFraction(fmi3Instance, const fmi3ValueReference *, size_t,
                                         const fmi3UInt64 *, const fmi3UInt64 *);
FMI3_API fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance);
FMI3_API fmi3Status fmi3UpdateDiscreteStates(fmi3Instance, fmi3Boolean *, fmi3Boolean *,
                                             fmi3Boolean *, fmi3Boolean *, fmi3Boolean *,
                                             fmi3Float64 *);
FMI3_API fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance);
FMI3_API fmi3Status fmi3CompletedIntegratorStep(fmi3Instance, fmi3Boolean, fmi3Boolean *,
                                                fmi3Boolean *);
FMI3_API fmi3Status fmi3SetTime(fmi3Instance, fmi3Float64);
FMI3_API fmi3Status fmi3SetContinuousStates(fmi3Instance, const fmi3Float64 *, size_t);
FMI3_API fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance, fmi3Float64 *, size_t);
FMI3_API fmi3Status fmi3GetEventIndicators(fmi3Instance, fmi3Float64 *, size_t);
FMI3_API fmi3Status fmi3GetContinuousStates(fmi3Instance, fmi3Float64 *, size_t);
FMI3_API fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance, fmi3Float64 *, size_t);
FMI3_API fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance, size_t *);
FMI3_API fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance, size_t *);
FMI3_API fmi3Status fmi3EnterStepMode(fmi3Instance);
FMI3_API fmi3Status fmi3GetOutputDerivatives(fmi3Instance, const fmi3ValueReference *, size_t,
                                             const fmi3Int32 *, fmi3Float64 *, size_t);
FMI3_API fmi3Status fmi3DoStep(fmi3Instance, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Boolean *,
                               fmi3Boolean *, fmi3Boolean *, fmi3Float64 *);
FMI3_API fmi3Status fmi3ActivateModelPartition(fmi3Instance, fmi3ValueReference, fmi3Float64);
