/* SPDX-License-Identifier: MIT */
#include "transport/channel.h"

#include "base/status.h"
#include "number/scoped.h"

static pby_status check_input(mpq_srcptr chance, size_t x, size_t outputs, mpq_t sum, pby_error *err)
{
    mpq_set_ui(sum, 0, 1);
    for (size_t z = 0; z < outputs; z++) {
        if (mpq_sgn(&chance[z]) < 0)
            return pby_fail(err, PBY_BAD, "channel: input %zu, output %zu: expected a chance from 0 to 1",
                            x + 1, z + 1);
        mpq_add(sum, sum, &chance[z]);
    }
    return mpq_cmp_ui(sum, 1, 1) == 0
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "channel: input %zu: expected chances that add up to 1", x + 1);
}

pby_status pby_channel_check(mpq_srcptr channel, size_t inputs, size_t outputs, pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_MPQ(sum);
    for (size_t x = 0; x < inputs && status == PBY_OK; x++)
        status = check_input(channel + x * outputs, x, outputs, sum, err);
    return status;
}
