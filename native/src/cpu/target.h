#pragma once
/** Compiles what lies between for instructions that the rest of the program may not use. */
#if defined(__clang__)
#define CALIB_PRAGMA(text) _Pragma(#text)
#define CALIB_TARGET_BEGIN(features) CALIB_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define CALIB_TARGET_END CALIB_PRAGMA(clang attribute pop)
#else
#define CALIB_PRAGMA(text) _Pragma(#text)
#define CALIB_TARGET_BEGIN(features) CALIB_PRAGMA(GCC push_options) CALIB_PRAGMA(GCC target(features))
#define CALIB_TARGET_END CALIB_PRAGMA(GCC pop_options)
#endif
