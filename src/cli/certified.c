/* SPDX-License-Identifier: MIT */
#include "cli/certified.h"

#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "certificate/secret_key.h"
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
    pby_secret_key key;
    char *signed_text = NULL;
    if (path == NULL)
        return PBY_OK;
    PBY_TRY(pby_secret_key_read(&key, "--sign", path, err));
    const pby_status status = pby_certificate_sign(&signed_text, *text, strlen(*text), key.text, err);
    pby_secret_key_clear(&key);
    if (status == PBY_OK) {
        free(*text);
        *text = signed_text;
    }
    return status;
}
