#include "NAME.h"

int64_t NAME(int64_t x, int64_t threshold, int64_t z)
{
    if (x == 0 || x + z < threshold)
        return SUPPRESSED;
    return x + z;
}
