// Included once for each set of instructions: see Kernels.cpp.

#include "Blocks.h"
#include "Members.h"
#include "Flat.h"
#include "Minify.h"
#include "Prefix.h"

static const csj_kernels kernels{minify, find_members, is_reordered, is_flat_reordered, plain_prefix};
