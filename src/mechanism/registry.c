/* SPDX-License-Identifier: MIT */
/* The families, in the order in which they are listed: a line for each. */
#include "mechanism/family.h"

/* clang-format off */
#define FAMILIES(X) \
    X(geometric)    \
    X(tgeometric)   \
    X(dgauss)       \
    X(laplace)      \
    X(microdata)    \
    X(tmicrodata)   \
    X(gmicrodata)   \
    X(stlap)        \
    X(threshold)    \
    X(gthreshold)   \
    X(range)        \
    X(partition)    \
    X(buckethist)   \
    X(gauss)        \
    X(matrix)       \
    X(exponential)  \
    X(power)        \
    X(noisymax)     \
    X(permuteflip)  \
    X(smalldb)      \
    X(ptr)          \
    X(smooth)       \
    X(choosing)     \
    X(fbquantile)   \
    X(depth)        \
    X(fbsupport)    \
    X(fbsteiner)    \
    X(above)        \
    X(sparse)       \
    X(rr)           \
    X(krr)          \
    X(onebit)       \
    X(memobit)      \
    X(rappor)       \
    X(scatter)      \
    X(robust)       \
    X(pure)         \
    X(approx)       \
    X(rdp)          \
    X(zcdp)         \
    X(gdp)
/* clang-format on */

#define DECLARE(name) extern const pby_family pby_family_##name;
#define LIST(name)    &pby_family_##name,

FAMILIES(DECLARE)

const pby_family *const pby_families[] = {FAMILIES(LIST) NULL};
