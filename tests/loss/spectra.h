/* SPDX-License-Identifier: MIT */
/* Renyi divergences, rho and conversions asked for in text, for tests. A failure fails the running test. */
#ifndef PBY_TESTS_LOSS_SPECTRA_H
#define PBY_TESTS_LOSS_SPECTRA_H

#include <arb.h>

#include "probity/loss.h"

enum { SPECTRA_DIGITS = 25, SPECTRA_PREC = 256 };

/* The order is a rational or "inf"; a second ball, if not NULL, takes what stands beside the answer. */
void ask_renyi(arb_t ball, const char *spec, const char *order);
void ask_renyi_beside(arb_t loss, arb_t delta, const char *spec, const char *order);
void ask_rho(arb_t ball, const char *spec, const char *xi, unsigned digits);
void ask_rho_beside(arb_t loss, arb_t delta, const char *spec, const char *xi);

/* The value is NULL for the order inf. */
void ask_conversion(arb_t ball, const char *name, pby_question question, const char *spec, const char *value);

/* A ball around the rational of a text. */
void set_ball(arb_t ball, const char *text);

/* |x - y| <= 10^-digits for certain. */
void expect_close(const arb_t x, const arb_t y, int digits, const char *what);

#endif
