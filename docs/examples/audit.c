/* SPDX-License-Identifier: MIT */
/* Somebody's mechanism, audited from its outputs alone: geometric noise of rate 1/2 on a count of 100 and on
 * one of 101, first under a claim that it does not keep, then under the one that it does.
 *
 *     cc -std=c11 $(pkg-config --cflags probity) audit.c $(pkg-config --libs probity) -o audit
 *
 * It prints:
 *     claimed epsilon 1/10: refuted
 *     claimed epsilon 1/2: not refuted
 */
#include <probity.h>
#include <stdio.h>

enum { OUTPUTS = 100000 };

/* Collects outputs of a stand-in for the mechanism: a seed makes the run repeat itself, and is not for
 * releases. */
static pby_status collect(pby_audit *audit, pby_side side, int64_t count, pby_error *err)
{
    static int64_t noise[OUTPUTS];
    const char *const text = "geometric:eps=1/2";
    const uint8_t seed[PBY_SEED_SIZE] = {(uint8_t)count};
    pby_spec *spec = NULL;
    pby_sampler *sampler = NULL;
    pby_entropy *words = NULL;
    pby_status status = pby_spec_parse(&spec, &text, 1, err);
    if (status == PBY_OK)
        status = pby_sampler_new(&sampler, spec, err);
    if (status == PBY_OK)
        status = pby_entropy_seeded(&words, seed, err);
    if (status == PBY_OK)
        status = pby_draw_many(sampler, words, noise, OUTPUTS, err);
    for (int i = 0; i < OUTPUTS && status == PBY_OK; i++) {
        char output[32];
        const int length = snprintf(output, sizeof output, "%lld", (long long)(count + noise[i]));
        status = pby_audit_add(audit, side, output, (size_t)length, err);
    }
    pby_entropy_free(words);
    pby_sampler_free(sampler);
    pby_spec_free(spec);
    return status;
}

static pby_status judge(const pby_audit *audit, const char *claim, pby_error *err)
{
    pby_verdict *verdict;
    const pby_status status = pby_audit_judge(&verdict, audit, pby_value_text(claim), pby_value_text("0"),
                                              pby_value_text("1e-6"), err);
    if (status == PBY_OK) {
        printf("claimed epsilon %s: %s\n", claim, pby_verdict_violation(verdict) ? "refuted" : "not refuted");
        pby_verdict_free(verdict);
    }
    return status;
}

int main(void)
{
    pby_error err = PBY_NO_ERROR;
    pby_audit *audit = NULL;
    pby_status status = pby_audit_new(&audit, &err);
    if (status == PBY_OK)
        status = collect(audit, PBY_LEFT, 100, &err);
    if (status == PBY_OK)
        status = collect(audit, PBY_RIGHT, 101, &err);
    if (status == PBY_OK)
        status = pby_audit_settle(audit, &err);
    if (status == PBY_OK)
        status = judge(audit, "1/10", &err);
    if (status == PBY_OK)
        status = judge(audit, "1/2", &err);
    if (status != PBY_OK)
        fprintf(stderr, "audit: %s\n", err.text);
    pby_audit_free(audit);
    return (int)status;
}
