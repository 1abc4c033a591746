// begin.h - what every public header has before its first declaration; end.h stands after its last.
//
// Names declared in between have C linkage in C++ too, and leave the library. Everything else in it
// is hidden (-fvisibility=hidden): a program that links it may have a pool_run of its own. Included
// once per header, so there is no guard.
#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)
