/* SPDX-License-Identifier: MIT */
/* Release plans: a unit of privacy, bounds on a user's rows, statistics and one budget, from which the noise
 * of all of them is chosen and certified (docs/plan.md).
 *
 *     pby_planned *plan;
 *     char *text;
 *     pby_planned_read(&plan, "visits.toml", err);                  checked, and its noise chosen
 *     pby_planned_report(&text, plan, PBY_REPORT_LINES, err);       what each statistic is worth
 *     pby_planned_certify(&text, plan, err);                        a certificate of all releases
 *     pby_planned_ledger("visits.ledger", plan, NULL, err);         a ledger of the plan's budget
 *     pby_plan_release november = {.data = "november.csv", .folder = "november", .ledger = "visits.ledger"};
 *     pby_planned_release(plan, &november, err);                    bounded, charged once, then released
 *
 * A plan is used by one thread at a time.
 */
#ifndef PROBITY_EXPERIMENTAL_PLAN_H
#define PROBITY_EXPERIMENTAL_PLAN_H

#include <stddef.h>

#include "probity/experimental/arrow.h"
#include "probity/report.h"
#include "probity/status.h"

PBY_BEGIN_API

/* A plan with the noise that was chosen for it. */
typedef struct pby_planned pby_planned;

/* Reads a file, and the files of groups that it names, which are looked for beside it, and chooses the noise.
 * PBY_NO where the errors that are asked for (within) do not fit the budget. */
PBY_CHECKED
pby_status pby_planned_read(pby_planned **out, const char *path, pby_error *err) PBY_NONNULL(1, 2);

/* Reads the text of a plan, which a refusal calls by the name. Groups in files are looked for in the folder,
 * and refused where that is NULL. */
PBY_CHECKED
pby_status pby_planned_parse(pby_planned **out, const char *name, const char *folder, const char *text,
                             size_t size, pby_error *err) PBY_NONNULL(1, 2, 4);

void pby_planned_free(pby_planned *plan);

/* Prints the loss of all releases together, what each statistic is worth, and which changes would help
 * most. */
PBY_CHECKED
pby_status pby_planned_report(char **text, pby_planned *plan, pby_report_form form, pby_error *err)
    PBY_NONNULL(1, 2);

/* The errors of all statistics at 9 budgets, from a quarter to 4 times the plan's, as one JSON object: for
 * each budget the noise is chosen anew, so that this takes as long as reading the plan 8 times. */
PBY_CHECKED
pby_status pby_planned_curves(char **json, pby_planned *plan, pby_error *err) PBY_NONNULL(1, 2);

/* The report as one HTML page that needs nothing from outside, with plots of these errors. */
PBY_CHECKED
pby_status pby_planned_page(char **page, pby_planned *plan, pby_error *err) PBY_NONNULL(1, 2);

/* The plan with all defaults and its noise, as one JSON object; groups as their number and digest. */
PBY_CHECKED
pby_status pby_planned_json(char **json, const pby_planned *plan, pby_error *err) PBY_NONNULL(1, 2);

/* A certificate of all releases, with the plan in it. For a budget of rho or mu it is of version 2. */
PBY_CHECKED
pby_status pby_planned_certify(char **certificate, const pby_planned *plan, pby_error *err) PBY_NONNULL(1, 2);

/* Creates a ledger of the plan's budget, neighbours and unit. With parts, which may be NULL, that name tells
 * disjoint parts of the users apart, and each has the budget. */
PBY_CHECKED
pby_status pby_planned_ledger(const char *path, const pby_planned *plan, const char *parts, pby_error *err)
    PBY_NONNULL(1, 2);

/* One release: its input, and what permits it. */
typedef struct pby_plan_release {
    const char *data;              /* the table in CSV; NULL and "-": standard input */
    struct ArrowArrayStream *rows; /* in its place, the rows as a stream, which is taken over; or NULL */
    const char *folder;            /* that is made; it must not exist */
    const char *ledger;            /* that is charged, once, for the list of one release */
    const char *certificate; /* the name of a certificate's file, of this plan; NULL: none is asked for */
    const char *after;       /* the digest that the ledger has; NULL: any */
    const char *part; /* the part of the ledger's users that all rows are of; NULL: all, and each part pays */
} pby_plan_release;

/* Everything that does not need the data is checked first, then the table is read, then the ledger is
 * charged: until then a failure costs nothing, and behind that it has been spent. The folder appears whole or
 * not at all. PBY_NO where the ledger would overspend, or the certificate does not hold or is of another
 * plan. */
PBY_CHECKED
pby_status pby_planned_release(const pby_planned *plan, const pby_plan_release *release, pby_error *err)
    PBY_NONNULL(1, 2);

PBY_END_API

#endif
