/* SPDX-License-Identifier: MIT */
/* Groups: inputs that are several neighbours apart (public face: probity/loss.h).
 *
 * A mechanism of additive noise with a sensitivity is the same mechanism with a greater one; its pair is
 * the law shifted further, which is exact. A guarantee becomes another guarantee:
 *
 *   pure  e                 k e
 *   zcdp  (xi, rho)         (xi k (1 + 1/2 + ... + 1/k), k^2 rho)
 *   rdp   order a, e        order 1/(1 - u^k), e (1 + 1/u + ... + 1/u^(k-1)), u = 1 - 1/a
 *
 * The answers of a random query (theta) at the two ends of k steps are coupled but for k theta of their mass.
 * One user's value is changed in a single step, whatever it was: a group sees a local mechanism as it is.
 *
 * Any other profile has a theorem of its own (loss/group_loss.c).
 */
#include <stdlib.h>

#include "mechanism/family.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"

static bool has_sensitivity(const pby_mechanism *m)
{
    return pby_family_with(m->family, PBY_ROLE_SENSITIVITY) < PBY_PARAMETERS_MAX;
}

/* Where eps is the loss at the sensitivity, the noise stays what it is only if both grow. Each member of the
 * group is counted in bars of its own, and some may be added while others are removed. */
static void grow_sensitivity(pby_mechanism *m, unsigned long size)
{
    static const pby_role roles[] = {PBY_ROLE_EPSILON, PBY_ROLE_SENSITIVITY, PBY_ROLE_DIMENSIONS,
                                     PBY_ROLE_NEW};
    fmpz_t k;
    fmpz_init_set_ui(k, size);
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        const size_t at = pby_family_with(m->family, roles[i]);
        if (at < PBY_PARAMETERS_MAX)
            fmpq_mul_fmpz(&m->value[at], &m->value[at], k);
    }
    fmpz_clear(k);
    const size_t theta = pby_family_with(m->family, PBY_ROLE_THETA);
    if (theta < PBY_PARAMETERS_MAX) {
        fmpq_mul_ui(&m->value[theta], &m->value[theta], size);
        if (fmpq_cmp_si(&m->value[theta], 1) > 0)
            fmpq_one(&m->value[theta]);
    }
    const size_t moves = pby_family_with(m->family, PBY_ROLE_MOVES);
    if (moves < PBY_PARAMETERS_MAX && size > 1)
        fmpq_one(&m->value[moves]);
}

/* Any two inputs are neighbours, so that none are farther apart. */
static bool is_local(const pby_mechanism *m)
{
    return m->family->relations == PBY_LOCALLY;
}

/* True if what a group sees is a mechanism of the same family. Members of a group are sampled one by one, so
 * that several are seen, or some, which is no sampled mechanism of a greater sensitivity; and each is in a
 * step of its own. Not every vector of k times a length is a sum of k vectors. */
static bool grows(const pby_mechanism *m)
{
    return pby_mechanism_sample(m) == NULL && !pby_mechanism_allocated(m) &&
           pby_mechanism_value(m, PBY_ROLE_NORM) == NULL &&
           (m->family->grow != NULL || has_sensitivity(m) || is_local(m));
}

static void grow(pby_mechanism *m, unsigned long size)
{
    if (m->family->grow != NULL)
        m->family->grow(m, size);
    else if (!is_local(m))
        grow_sensitivity(m, size);
}

static pby_status check_size(unsigned long size, pby_error *err)
{
    return size >= 1 && size <= PBY_GROUP_MAX
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "group '%lu': expected an integer from 1 to %d", size, PBY_GROUP_MAX);
}

static pby_status check_grows(const pby_spec *spec, pby_error *err)
{
    for (size_t i = 0; i < spec->count; i++)
        if (!grows(&spec->use[i].mechanism))
            return pby_family_lacks(&spec->use[i].mechanism,
                                    "a group of its own (of any other epsilon and delta alone are answered)",
                                    err);
    return PBY_OK;
}

pby_status pby_spec_group(pby_spec **out, const pby_spec *spec, unsigned long size, pby_error *err)
{
    *out = NULL;
    pby_status status = check_size(size, err);
    if (status == PBY_OK)
        status = check_grows(spec, err);
    if (status != PBY_OK)
        return status;
    pby_use *use = calloc(spec->count, sizeof *use);
    if (use == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < spec->count; i++) {
        use[i].times = spec->use[i].times;
        pby_mechanism_init(&use[i].mechanism, NULL);
        pby_mechanism_copy(&use[i].mechanism, &spec->use[i].mechanism);
        grow(&use[i].mechanism, size);
    }
    status = pby_spec_of_uses(out, use, spec->count, err);
    for (size_t i = 0; i < spec->count; i++)
        pby_mechanism_clear(&use[i].mechanism);
    free(use);
    return status;
}

bool pby_spec_grows(const pby_spec *spec)
{
    return check_grows(spec, NULL) == PBY_OK;
}
