#include "NAME.h"

int64_t NAME(int64_t x, int64_t z)
{
    const int64_t clamped = x < 0 ? 0 : x < TOP ? x : TOP;
    return clamped + z;
}
