/* SPDX-License-Identifier: MIT */
/* Numbers for functions that take a pby_value. */
#ifndef PROBITY_VALUE_H
#define PROBITY_VALUE_H

#include "probity/rational.h"

PBY_BEGIN_API

/* A number given as text, NULL for none; and one given as a rational, likewise. */
PBY_CHECKED
static inline pby_value pby_value_text(const char *text)
{
    pby_value value;
    value.text = text;
    value.rational = 0;
    return value;
}

PBY_CHECKED
static inline pby_value pby_value_rational(mpq_srcptr rational)
{
    pby_value value;
    value.text = 0;
    value.rational = rational;
    return value;
}

PBY_END_API

#endif
