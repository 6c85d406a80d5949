/* SPDX-License-Identifier: MIT */
/* The table of a partition. */
#include "law/law.h"
#include "mechanism/family.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "probity/experimental/buckets.h"
#include "probity/select.h"

/* 1 - below/norm */
struct chance {
    pby_expsum_t shown, norm;
};

static pby_status chance_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct chance *c = what;
    PBY_ARB(norm);
    pby_expsum_get_arb(ball, c->shown, prec);
    pby_expsum_get_arb(norm, c->norm, prec);
    arb_div(ball, ball, norm, prec);
    return PBY_OK;
}

static pby_status enclose(pby_enclosure *chance, const pby_law *law, int64_t k, unsigned digits,
                          pby_error *err)
{
    struct chance c;
    PBY_ARB(ball);
    pby_expsum_init(c.shown);
    pby_expsum_init(c.norm);
    pby_expsum_set(c.norm, law->norm);
    pby_law_below(c.shown, law, -k);
    pby_expsum_sub(c.shown, c.norm, c.shown);
    const pby_status status = pby_enclose(ball, chance_ball, &c, digits, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(chance, ball, digits);
    pby_expsum_clear(c.norm);
    pby_expsum_clear(c.shown);
    return status;
}

pby_status pby_partition_chance(pby_enclosure *chance, bool *sure, const pby_spec *spec, uint64_t k,
                                unsigned digits, pby_error *err)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    pby_law *law;
    if (spec->count != 1 || m->family->form != PBY_RELEASE_PRESENT)
        return pby_refuse(err, "SPEC", pby_spec_text(spec), "a partition");
    const pby_status status = m->family->law(&law, m, err);
    if (status != PBY_OK)
        return status;
    *sure = k >= (uint64_t)(1 - law->lo);
    const pby_status enclosed = *sure ? PBY_OK : enclose(chance, law, (int64_t)k, digits, err);
    if (*sure) {
        mpfr_set_ui(chance->lo, 1, MPFR_RNDD);
        mpfr_set_ui(chance->hi, 1, MPFR_RNDU);
    }
    pby_law_free(law);
    return enclosed;
}
