#include "certificate/certificate.h"
#include "loss/loss.h"

enum { WORKING_DIGITS = 2 * PBY_CERTIFICATE_DIGITS, SHOWN_DIGITS = 9 };

static pby_status wrong(const pby_certificate *c, const char *end, const char *claim, const char *relation,
                        mpfr_srcptr truth, int lower, pby_error *err)
{
    char shown[PBY_DECIMAL_SIZE];
    pby_decimal(shown, truth, SHOWN_DIGITS, lower);
    return pby_fail(err, PBY_NO, "delta.%s '%s': not a bound, delta of %.100s at epsilon %.60s (%s) is %s %s",
                    end, claim, pby_spec_text(c->spec), c->epsilon_text,
                    pby_neighbours_text(c->relation), relation, shown);
}

/* Rounding outwards to 20 digits moves each end by less than 1e-19 of hi. */
static int is_tight(const pby_certificate *c)
{
    mpfr_t width, most;
    mpfr_inits2(mpfr_get_prec(c->delta.hi), width, most, (mpfr_ptr)0);
    mpfr_sub(width, c->delta.hi, c->delta.lo, MPFR_RNDU);
    mpfr_set_str(most, "2e-19", 10, MPFR_RNDU);
    mpfr_mul(most, most, c->delta.hi, MPFR_RNDU);
    const int tight = mpfr_lessequal_p(width, most);
    mpfr_clears(width, most, (mpfr_ptr)0);
    return tight;
}

/* The certificate holds when its two decimals surround the recomputed enclosure and are as close as
 * 20 digits allow. Of the enclosure it is the far ends that count, so a bound that is only perhaps
 * one is none. 0 <= delta <= 1 holds of every delta. */
static pby_status check_delta(const pby_certificate *c, pby_error *err)
{
    pby_enclosure truth;
    pby_enclosure_init(&truth);
    pby_status status = pby_loss_delta_direct(&truth, c->spec, c->relation, c->epsilon, WORKING_DIGITS, err);
    if (status == PBY_OK) {
        if (mpfr_sgn(truth.lo) < 0)
            mpfr_set_zero(truth.lo, 1);
        if (mpfr_cmp_ui(truth.hi, 1) > 0)
            mpfr_set_ui(truth.hi, 1, MPFR_RNDU);
        if (mpfr_greater_p(truth.hi, c->delta.hi))
            status = wrong(c, "hi", c->hi_text, "at least", truth.lo, 1, err);
        else if (mpfr_less_p(truth.lo, c->delta.lo))
            status = wrong(c, "lo", c->lo_text, "at most", truth.hi, 0, err);
        else if (!is_tight(c))
            status = pby_fail(err, PBY_NO, "delta: '%s' and '%s' are further apart than %d digits need",
                              c->lo_text, c->hi_text, PBY_CERTIFICATE_DIGITS);
    }
    pby_enclosure_clear(&truth);
    /* what the library refuses to compute cannot have been certified */
    if (status == PBY_BAD && err != NULL)
        err->status = PBY_NO;
    return status == PBY_BAD ? PBY_NO : status;
}

pby_status pby_verify(pby_certificate **out, const char *text, size_t length, pby_error *err)
{
    pby_certificate *c;
    int digest_holds;
    if (out != NULL)
        *out = NULL;
    pby_status status = pby_certificate_read(&c, &digest_holds, text, length, err);
    if (status != PBY_OK)
        return status;
    status = check_delta(c, err);
    if (status == PBY_OK && !digest_holds)
        status = pby_fail(err, PBY_NO, "digest: the file is not the one that was written");
    if (status == PBY_OK && out != NULL)
        *out = c;
    else
        pby_certificate_free(c);
    return status;
}
