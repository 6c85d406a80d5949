/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/mode.h"
#include "probity/experimental/ledgers.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "probity/rational.h"

static const char *const names[] = {
    [PBY_FILTER_NONE] = "",    [PBY_FILTER_APPROX] = "filter:split=",
    [PBY_FILTER_RHO] = "zcdp", [PBY_FILTER_RENYI] = "renyi:order=",
    [PBY_FILTER_GDP] = "gdp",  [PBY_FILTER_ODOMETER] = "odometer:split=",
};

enum { NAMES = sizeof names / sizeof *names };

/* A name that ends in = has a number behind it. */
static bool has_number(pby_filter filter)
{
    const size_t length = strlen(names[filter]);
    return length > 0 && names[filter][length - 1] == '=';
}

char *pby_mode_text(pby_filter filter, mpq_srcptr order, mpq_srcptr split)
{
    mpq_srcptr value = !has_number(filter) ? NULL : filter == PBY_FILTER_RENYI ? order : split;
    char *text, *number = value == NULL ? NULL : mpq_get_str(NULL, 10, value);
    const int length = asprintf(&text, "%s%s", names[filter], number == NULL ? "" : number);
    free(number);
    return length < 0 ? NULL : text;
}

static pby_status refuse(const char *name, mpq_srcptr value, const char *expected, pby_error *err)
{
    char *text = mpq_get_str(NULL, 10, value);
    const pby_status status = pby_refuse(err, name, text, expected);
    free(text);
    return status;
}

pby_status pby_mode_check(pby_filter filter, mpq_srcptr order, mpq_srcptr split, pby_error *err)
{
    if (filter == PBY_FILTER_RENYI && mpq_cmp_ui(order, 1, 1) <= 0)
        return refuse("order", order, "a rational above 1", err);
    if (has_number(filter) && filter != PBY_FILTER_RENYI &&
        (mpq_sgn(split) < 0 || mpq_cmp_ui(split, 1, 1) >= 0))
        return refuse("split", split, "a rational from 0 to below 1", err);
    return PBY_OK;
}

const char *pby_mode_bound(pby_filter filter)
{
    static const char *const bounds[] = {
        [PBY_FILTER_NONE] = "epsilon", [PBY_FILTER_APPROX] = "epsilon", [PBY_FILTER_RHO] = "rho",
        [PBY_FILTER_RENYI] = "renyi",  [PBY_FILTER_GDP] = "mu",         [PBY_FILTER_ODOMETER] = "rho",
    };
    return bounds[filter];
}

const char *pby_mode_charge(pby_filter filter)
{
    return filter == PBY_FILTER_APPROX ? "rho"
           : filter == PBY_FILTER_GDP  ? "mu_squared"
                                       : pby_mode_bound(filter);
}

static pby_filter find(const char *text)
{
    for (int i = PBY_FILTER_APPROX; i < NAMES; i++) {
        const size_t length = strlen(names[i]);
        if (has_number((pby_filter)i) ? strncmp(text, names[i], length) == 0 : strcmp(text, names[i]) == 0)
            return (pby_filter)i;
    }
    return PBY_FILTER_NONE;
}

static pby_status parse_filter(pby_filter filter, mpq_t order, mpq_t split, const char *text, pby_error *err)
{
    const char *value = text + strlen(names[filter]);
    pby_status status = PBY_OK;
    if (filter == PBY_FILTER_RENYI)
        status = pby_rational_parse(order, "ledger order", value, err);
    if (filter == PBY_FILTER_APPROX || filter == PBY_FILTER_ODOMETER)
        status = pby_rational_parse(split, "ledger split", value, err);
    return status == PBY_OK ? pby_mode_check(filter, order, split, err) : status;
}

pby_status pby_mode_parse(pby_filter *filter, pby_composition *accounting, mpq_t order, mpq_t split,
                          const char *text, pby_error *err)
{
    *filter = find(text);
    *accounting = PBY_COMPOSE_BASIC;
    if (*filter != PBY_FILTER_NONE)
        return parse_filter(*filter, order, split, text, err);
    if (strcmp(text, pby_composition_text(PBY_COMPOSE_EXACT)) == 0)
        *accounting = PBY_COMPOSE_EXACT;
    return strcmp(text, pby_composition_text(*accounting)) == 0
               ? PBY_OK
               : pby_refuse(err, "ledger accounting", text,
                            "exact, basic, filter, zcdp, renyi, gdp or odometer");
}
