/* SPDX-License-Identifier: MIT */
/* A certificate, checked from nothing, and one release under it.
 *
 *     cc -std=c11 $(pkg-config --cflags probity) release.c $(pkg-config --libs probity) -o release
 *
 * It prints:
 *     certified: stlap:eps=1/2,q=40, delta at most 1.4726618650060221602e-05 at epsilon 1/2
 *     a certificate with one letter changed does not hold
 *     released 5 bars: the empty one stayed empty, none grew, none lost more than 40
 */
#include <probity.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BARS = 5 };

static pby_status certify(char **text, pby_error *err)
{
    const char *const spec_text = "stlap:eps=1/2,q=40";
    pby_spec *spec;
    mpq_t epsilon;
    mpq_init(epsilon);
    mpq_set_ui(epsilon, 1, 2);
    pby_status status = pby_spec_parse(&spec, &spec_text, 1, err);
    if (status == PBY_OK) {
        status = pby_certify(text, spec, PBY_ADD_REMOVE, epsilon, err);
        pby_spec_free(spec);
    }
    mpq_clear(epsilon);
    return status;
}

/* The noise comes from the system; what can be told of every release is in the kernel's contract. */
static pby_status release(const pby_spec *spec, pby_error *err)
{
    const int64_t counts[BARS] = {1200, 0, 35, 871, 1};
    int64_t noisy[BARS];
    pby_release *r;
    pby_status status = pby_release_new(&r, spec, PBY_ADD_REMOVE, err);
    if (status != PBY_OK)
        return status;
    status = pby_release_counts(r, counts, noisy, BARS, err);
    int kept = status == PBY_OK && noisy[1] == 0;
    for (int i = 0; i < BARS && kept; i++)
        kept = noisy[i] >= 0 && noisy[i] <= counts[i] && counts[i] - noisy[i] <= 40;
    if (kept)
        printf("released %d bars: the empty one stayed empty, none grew, none lost more than 40\n", BARS);
    pby_release_free(r);
    return status;
}

/* PBY_NO is no error of the program: it is the answer. */
static void forge(char *text)
{
    strstr(text, "q=40")[2] = '5';
    if (pby_verify(NULL, text, strlen(text), NULL) == PBY_NO)
        puts("a certificate with one letter changed does not hold");
}

int main(void)
{
    pby_error err = PBY_NO_ERROR;
    char *text = NULL;
    pby_certificate *certificate = NULL;
    pby_status status = certify(&text, &err);
    if (status == PBY_OK)
        status = pby_verify(&certificate, text, strlen(text), &err);
    if (status == PBY_OK) {
        printf("certified: %s, delta at most %s at epsilon %s\n",
               pby_spec_text(pby_certificate_spec(certificate)), pby_certificate_delta_hi(certificate),
               pby_certificate_epsilon(certificate));
        forge(text);
        status = release(pby_certificate_spec(certificate), &err);
    }
    if (status != PBY_OK)
        fprintf(stderr, "release: %s\n", err.text);
    pby_certificate_free(certificate);
    free(text);
    return (int)status;
}
