/* SPDX-License-Identifier: MIT */
/* Reading a deployment never crashes, and a refusal is one line. (The judgement is left out: its cost is that
 * of the mechanisms that the input names.) */
#include "deployment/deployment.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pby_error err = PBY_NO_ERROR;
    pby_deployment *d;
    const pby_status status = pby_deployment_read(&d, (const char *)data, size, &err);
    if ((status == PBY_OK) != (d != NULL) || (status != PBY_OK && err.status != status) ||
        strchr(err.text, '\n') != NULL)
        abort();
    pby_deployment_free(d);
    return 0;
}
