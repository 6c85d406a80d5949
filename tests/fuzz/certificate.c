/* Reading a certificate never crashes, and what is read has one spelling. (The recomputation is left
 * out: its cost is that of the mechanism that the input names.) */
#include <stdint.h>
#include <stdlib.h>

#include "certificate/certificate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pby_error err;
    pby_certificate *c;
    bool digest_holds;
    const pby_status status = pby_certificate_read(&c, &digest_holds, (const char *)data, size, &err);
    if ((status == PBY_OK) != (c != NULL) || (status != PBY_OK && err.status != status))
        abort();
    pby_certificate_free(c);
    return 0;
}
