// Included once for each set of instructions: see Kernels.cpp.

#include "Blocks.h"
#include "Length.h"
#include "Minify.h"

static const csj_kernels kernels{minify, value_length};
