/* SPDX-License-Identifier: MIT */
#include "cli/certified.h"

#include <mpfr.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"
#include "io/sole.h"
#include "number/scoped.h"
#include "probity/enclosure.h"
#include "probity/key.h"

enum { PRECISION = 256 };

void pby_tell_certified(const char *what, const pby_certificate *c)
{
    char delta[PBY_DECIMAL_SIZE];
    const pby_question question = pby_certificate_question(c);
    if (question != PBY_ASK_DELTA) {
        fprintf(stderr, "probity: %s: %s at most %s, %s neighbours, %s\n", what,
                question == PBY_ASK_RHO     ? "rho"
                : question == PBY_ASK_RENYI ? "the Renyi divergence"
                                            : "mu",
                pby_certificate_divergence_hi(c), pby_neighbours_text(pby_certificate_neighbours(c)),
                pby_spec_text(pby_certificate_spec(c)));
        return;
    }
    PBY_MPFR(PRECISION, hi);
    mpfr_set_str(hi, pby_certificate_delta_hi(c), 10, MPFR_RNDU);
    pby_decimal(delta, hi, PBY_DIGITS_DEFAULT, false);
    /* 1e-06 is no binary number: rounded up twice it would be told as 1.00000001e-06, above its target */
    const char *const exact = pby_certificate_delta_hi(c);
    fprintf(stderr, "probity: %s: delta %s%s at epsilon %s, %s neighbours, %s\n", what,
            mpfr_zero_p(hi) ? "" : "at most ", strlen(exact) <= strlen(delta) ? exact : delta,
            pby_certificate_epsilon(c), pby_neighbours_text(pby_certificate_neighbours(c)),
            pby_spec_text(pby_certificate_spec(c)));
}

pby_status pby_certified_sign(char **text, const char *path, pby_error *err)
{
    char *secret, *signed_text = NULL;
    size_t size;
    if (path == NULL)
        return PBY_OK;
    pby_status status = pby_file_read(&secret, &size, path, PBY_KEY_SIZE, err);
    if (status != PBY_OK)
        return status;
    if (pby_key_is_secret(secret))
        status = pby_sole_secret("--sign", path, err);
    else
        status = pby_refuse(err, "--sign", path, "a secret key, the file KEY of probity keygen -o KEY");
    if (status == PBY_OK)
        status = pby_certificate_sign(&signed_text, *text, strlen(*text), secret, err);
    sodium_memzero(secret, size);
    free(secret);
    if (status == PBY_OK) {
        free(*text);
        *text = signed_text;
    }
    return status;
}
