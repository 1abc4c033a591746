// end.h - what every public header has after its last declaration: see begin.h.
#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
