/* SPDX-License-Identifier: MIT */
/* Prints the answers of probity random about a random function. Its table is that of
 * table/map/table_scatter.h. */
#ifndef PBY_LAB_RANDOM_REPORT_RANDOM_H
#define PBY_LAB_RANDOM_REPORT_RANDOM_H

#include "probity/report.h"

/* A member that is not given is NULL. With rho: the least delta for which the function is robust, at epsilon
 * and theta. With beta: the error sensitivity of a mechanism (NULL: the function itself), at beta and gamma1
 * with the allowances alpha and gamma. Otherwise the distortion sensitivity at alpha, relaxed by omega and
 * gamma. */
typedef struct pby_random_asked {
    const char *table, *mechanism;
    const char *alpha, *omega, *gamma;
    const char *beta, *gamma1;
    const char *rho, *epsilon, *theta;
    unsigned digits;
} pby_random_asked;

PBY_CHECKED
pby_status pby_report_random(char **text, const pby_random_asked *asked, pby_report_form form,
                             pby_error *err);

/* Asks if the table keeps neighbours: how many steps apart neighbouring keys are behind it, but for a mass
 * theta (NULL: 0). The neighbours stand in square tables of 0 and 1. */
typedef struct pby_keeping_asked {
    const char *table, *neighbours, *new_neighbours;
    const char *theta;
} pby_keeping_asked;

PBY_CHECKED
pby_status pby_report_keeping(char **text, const pby_keeping_asked *asked, pby_report_form form,
                              pby_error *err);

/* Asks if a query survives the transformation of a table (probity/experimental/projection.h). A member that
 * is not given is NULL. With new_utilities: the least epsilon at theta; with epsilon the least theta; with
 * both, PBY_NO where it does not hold. Without: the least epsilon of any other query, at theta 0. */
typedef struct pby_projection_asked {
    const char *table, *utilities, *new_utilities;
    const char *epsilon, *theta;
    unsigned digits;
} pby_projection_asked;

PBY_CHECKED
pby_status pby_report_projection(char **text, const pby_projection_asked *asked, pby_report_form form,
                                 pby_error *err);

#endif
