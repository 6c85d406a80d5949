/* SPDX-License-Identifier: MIT */
#include "table/row/decimal.h"

#include <string.h>

static unsigned count_digits(uint64_t value)
{
    unsigned n = 1;
    for (uint64_t power = 10; n < PBY_DIGITS && value >= power; power *= 10)
        n++;
    return n;
}

/* Two digits at a time from the right. */
uint8_t *pby_put_number(uint8_t *out, int64_t value)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536"
                                "37383940414243444546474849505152535455565758596061626364656667686970717273"
                                "7475767778798081828384858687888990919293949596979899";
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    if (value < 0)
        *out++ = '-';
    uint8_t *const end = out + count_digits(rest), *at = end;
    for (; rest >= 100; rest /= 100) {
        at -= 2;
        memcpy(at, pairs + 2 * (rest % 100), 2);
    }
    if (rest >= 10)
        memcpy(out, pairs + 2 * rest, 2);
    else
        *out = (uint8_t)('0' + rest);
    return end;
}
