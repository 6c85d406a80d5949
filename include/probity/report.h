/* SPDX-License-Identifier: MIT */
/* Whole answers as text: lines for people, or one JSON object for programs, as the command prints them.
 *
 * Numbers are given as text (see probity/rational.h); what is not said is NULL or 0.
 *
 *     pby_accuracy_asked asked = {.n = "3000", .support = "3"};
 *     char *text;
 *     if (pby_report_accuracy(&text, spec, &asked, PBY_REPORT_JSON, err) == PBY_OK)
 *         fputs(text, stdout);
 *     free(text);
 *
 * A text ends with a newline and is for free(3); it is NULL when a function fails.
 */
#ifndef PROBITY_REPORT_H
#define PROBITY_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "probity/certificate.h"
#include "probity/ledger.h"
#include "probity/loss.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

typedef enum pby_report_form { PBY_REPORT_LINES, PBY_REPORT_JSON } pby_report_form;

/* ---- loss -------------------------------------------------------------------------------------- */

/* The answer with what the paper claims, and beside an infinite divergence the approximate one. */
PBY_CHECKED
pby_status pby_report_loss(char **text, const pby_spec *spec, const pby_loss_request *request,
                           pby_report_form form, pby_error *err) PBY_NONNULL(1, 2, 3);

/* delta at N epsilons from LO to HI, request->at.text being LO:HI:N (NULL: 0:2:201): as CSV of
 * epsilon,delta_lo,delta_hi in place of lines, or as JSON. plot, unless NULL, is the name of a file that ends
 * in .svg or .png and gets the picture; text may be NULL where that is all. *wider is why some enclosures
 * stay wider than asked for; NULL where none does. */
PBY_CHECKED
pby_status pby_report_profile(char **text, const char **wider, const pby_spec *spec,
                              const pby_loss_request *request, const char *plot, pby_report_form form,
                              pby_error *err) PBY_NONNULL(2, 3, 4);

/* ---- certificates ------------------------------------------------------------------------------ */

/* Prints the claims of a certificate that pby_verify found to hold, and the checks that were made; note,
 * unless NULL, stands behind the name of the signer. */
PBY_CHECKED
pby_status pby_report_certificate(char **text, const pby_certificate *certificate, const char *note,
                                  pby_report_form form, pby_error *err) PBY_NONNULL(1, 2);

/* ---- accuracy ---------------------------------------------------------------------------------- */

/* A question about the accuracy of a release: the inputs, as pby_input_class has them; for noise an error
 * beta, or a chance gamma; and what more is told. Which of these a mechanism needs depends on its kind
 * (pby_accuracy_kind); one that it does not read is refused. */
typedef struct pby_accuracy_asked {
    const char *n, *support, *width;
    const char *beta, *gamma;
    const char *eta;        /* the price of a move by one: also the accuracy of records dropped and moved */
    const char *statistics; /* names such as max,median; NULL: all that have a meaning and need no k and q */
    const char *k, *q;      /* of max_k and min_k, and of quantile */
    unsigned digits;        /* of a chance; 0: PBY_DIGITS_DEFAULT */
    const char *density, *within; /* of fbquantile: also the chance of data that are not typical, where
                                   * records are drawn from a law whose density is at least so much within so
                                   * far of its quantile; both or neither */
} pby_accuracy_asked;

PBY_CHECKED
pby_status pby_report_accuracy(char **text, const pby_spec *spec, const pby_accuracy_asked *asked,
                               pby_report_form form, pby_error *err) PBY_NONNULL(1, 2, 3);

/* ---- selection --------------------------------------------------------------------------------- */

/* The target for which the parameters of a family are chosen: epsilon and delta, rho, or mu; see
 * pby_target. */
typedef struct pby_select_asked {
    const char *epsilon, *delta; /* delta NULL: 0, where the family can have that */
    const char *rho, *mu;
    const pby_neighbours *relation; /* NULL: the first that the family is about */
    unsigned long uses;             /* 0: 1; PBY_USES_MOST: as many as suffice */
    const char *resolution;

    /* Points whose buckets are planned: a family with buckets takes them, and given buckets in the place of
     * them (buckethist:bound=100,width=10). alpha is the part of the points that may be dropped, beta how far
     * a coordinate may be moved; with neither the answer has a table of both. */
    const char *records, *bound, *dimension, *alpha, *beta;

    unsigned digits;                            /* 0: PBY_DIGITS_DEFAULT */
    void (*asking)(void *what, uint64_t asked); /* as in pby_target */
    void *what;
} pby_select_asked;

/* Prints the answer of pby_select for a family, with the table of a partition or the plan of buckets.
 * *chosen, unless chosen is NULL, is the mechanism, all uses of it, for pby_spec_free; NULL where no buckets
 * were chosen. */
PBY_CHECKED
pby_status pby_report_choice(char **text, pby_spec **chosen, const char *family,
                             const pby_select_asked *asked, pby_report_form form, pby_error *err)
    PBY_NONNULL(1, 3, 4);

/* ---- families ---------------------------------------------------------------------------------- */

/* Every family of mechanisms as one JSON array: its name, summary, parameters, what select chooses, its lines
 * of the manual, and examples. */
PBY_CHECKED
pby_status pby_report_families(char **text, pby_error *err) PBY_NONNULL(1);

/* ---- explanations ------------------------------------------------------------------------------ */

/* Describes a mechanism, its loss and its accuracy, and says where each is proved; digits 0:
 * PBY_DIGITS_DEFAULT. *page, unless page is NULL, is the same as one HTML page with its drawings, for
 * free(3). */
PBY_CHECKED
pby_status pby_report_explanation(char **text, char **page, const pby_spec *spec, pby_neighbours relation,
                                  unsigned digits, pby_report_form form, pby_error *err) PBY_NONNULL(1, 3);

/* ---- budgets and sessions ---------------------------------------------------------------------- */

/* The budget, what was spent, the last digest, and every release. */
PBY_CHECKED
pby_status pby_report_ledger(char **text, pby_ledger *ledger, pby_report_form form, pby_error *err)
    PBY_NONNULL(1, 2);

PBY_END_API

#endif
