/* SPDX-License-Identifier: MIT */
#include "audit/count/feature.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/audit/mechanisms.h"

Test(audit_feature, keys_have_the_order_of_values)
{
    specimen_random *random = specimen_random_new(11);
    for (int i = 0; i < 100000; i++) {
        const double a = (specimen_uniform(random) - 0.5) * exp(40 * (specimen_uniform(random) - 0.5));
        const double b = (specimen_uniform(random) - 0.5) * exp(40 * (specimen_uniform(random) - 0.5));
        cr_assert_eq(a < b, pby_key_of(a) < pby_key_of(b));
        cr_assert_eq(pby_key_value(pby_key_of(a), 0), a);
        cr_assert_leq(pby_key_value(pby_key_of(a) >> 40, 40), a);
        cr_assert_gt(pby_key_value((pby_key_of(a) >> 40) + 1, 40), a);
    }
    cr_assert_eq(pby_key_of(0.0), pby_key_of(-0.0));
    cr_assert_eq(pby_key_value(pby_key_of(-32) >> 50, 50), -32);
    specimen_random_free(random);
}

static double reading(const char *text, unsigned feature)
{
    pby_reading r[PBY_FEATURES];
    pby_outcome o;
    pby_outcome_read(&o, text, strlen(text));
    const size_t n = pby_features_read(r, &o);
    for (size_t i = 0; i < n; i++)
        if (r[i].feature == feature)
            return pby_feature_ordered(feature) ? pby_key_value(r[i].key, 0) : (double)r[i].key;
    return NAN;
}

Test(audit_feature, of_one_number)
{
    cr_assert_eq(reading("12", PBY_FEATURE_VALUE), 12);
    cr_assert_eq(reading("12", PBY_FEATURE_GRID), 2);
    cr_assert_eq(reading("12", PBY_FEATURE_ZEROS), 51);
    cr_assert_eq(reading("0.375", PBY_FEATURE_GRID), -3);
    cr_assert_eq(reading("0.1", PBY_FEATURE_GRID), -55);
    cr_assert_eq(reading("5e-324", PBY_FEATURE_GRID), -1074);
    cr_assert_eq(reading("0x3ff00000000000ab", PBY_FEATURE_BITS), 0xab);
    cr_assert(isnan(reading("0", PBY_FEATURE_GRID)));
    cr_assert(isnan(reading("word", PBY_FEATURE_VALUE)));
    cr_assert(isnan(reading("12", PBY_FEATURE_MAX)));
}

Test(audit_feature, the_last_digit_is_that_in_front_of_an_exponent)
{
    cr_assert_eq(reading("127", PBY_FEATURE_DIGIT), 7);
    cr_assert_eq(reading("-0.50", PBY_FEATURE_DIGIT), 0);
    cr_assert_eq(reading("1.23e-05", PBY_FEATURE_DIGIT), 3);
    cr_assert_eq(reading("1,29", PBY_FEATURE_DIGIT + 1), 9);
    cr_assert(isnan(reading("0x3ff0000000000005", PBY_FEATURE_DIGIT)));
    cr_assert(isnan(reading("7.", PBY_FEATURE_DIGIT)));
}

/* 0.1f is 13421773 * 2^-27, and 0.2f twice that. */
Test(audit_feature, a_float_has_a_grid_of_its_own)
{
    cr_assert_eq(reading("0.1", PBY_FEATURE_SINGLE), -27);
    cr_assert_eq(reading("0.200000003", PBY_FEATURE_SINGLE), -26);
    cr_assert_eq(reading("1e-45", PBY_FEATURE_SINGLE), -149);
    cr_assert(isnan(reading("0.5", PBY_FEATURE_SINGLE)), "the double's grid says it");
    cr_assert(isnan(reading("0.10000000000000001", PBY_FEATURE_SINGLE)), "too many digits for a float");
    cr_assert(isnan(reading("1e300", PBY_FEATURE_SINGLE)));
    cr_assert(isnan(reading("1e-300", PBY_FEATURE_SINGLE)));
}

Test(audit_feature, a_form_is_how_numbers_are_written)
{
    static const struct {
        const char *text, *form;
    } cases[] = {{"-17.25", "0.00"},
                 {"3", "0"},
                 {"+3.0 ", "+0.0 "},
                 {"1.5e-07", "0.0e0"},
                 {"1200,-.5", "0,.0"},
                 {"T,-12", "T,0"},
                 {"a-b 7.125.10", "a-b 0.000.00"},
                 {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char form[PBY_FORM_SIZE];
        const size_t length = pby_form(form, cases[i].text, strlen(cases[i].text));
        cr_assert_eq(length, strlen(cases[i].form), "%s", cases[i].text);
        cr_assert_eq(memcmp(form, cases[i].form, length), 0, "%s", cases[i].text);
    }
    char text[2 * PBY_FORM_SIZE], form[PBY_FORM_SIZE];
    memset(text, 'x', sizeof text);
    cr_assert_eq(pby_form(form, text, sizeof text), PBY_FORM_SIZE, "no more than fits");
    cr_assert(isnan(reading("-17", PBY_FEATURE_FORM)), "a plain integer has nothing to tell");
    cr_assert_eq(reading("1.5", PBY_FEATURE_FORM), reading("-20.7", PBY_FEATURE_FORM));
    cr_assert_neq(reading("1.5", PBY_FEATURE_FORM), reading("1.50", PBY_FEATURE_FORM));
}

/* As frexp(3) has them, of any bits that are a number, subnormal ones among them. */
Test(audit_feature, grid_and_zeros_are_those_of_the_mantissa)
{
    specimen_random *random = specimen_random_new(12);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = 0;
        for (int part = 0; part < 4; part++)
            bits = bits << 16 | (uint64_t)(65536 * specimen_uniform(random));
        bits &= i % 3 == 0 ? ~(UINT64_C(0x7ff) << 52) : UINT64_MAX;
        bits &= UINT64_MAX << (uint64_t)(64 * specimen_uniform(random));
        double value;
        char text[32];
        int exponent;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value) || value == 0)
            continue;
        snprintf(text, sizeof text, "%#.16llx", (unsigned long long)bits);
        const int zeros = __builtin_ctzll((uint64_t)ldexp(fabs(frexp(value, &exponent)), 53));
        cr_assert_eq(reading(text, PBY_FEATURE_ZEROS), zeros, "%s", text);
        cr_assert_eq(reading(text, PBY_FEATURE_GRID), exponent - 53 + zeros, "%s", text);
    }
    specimen_random_free(random);
}

Test(audit_feature, the_pattern_of_one_number_is_the_hash_of_its_kind)
{
    const uint64_t code[] = {1, PBY_NUMBER};
    pby_reading r[PBY_FEATURES];
    pby_outcome o;
    pby_outcome_read(&o, "-17", 3);
    const size_t n = pby_features_read(r, &o);
    for (size_t i = 0; i < n; i++)
        cr_assert(r[i].feature != PBY_FEATURE_PATTERN || r[i].key == pby_audit_hash(code, sizeof code));
}

Test(audit_feature, of_vectors)
{
    const char *v = "3,,x,-1,3";
    cr_assert_eq(reading(v, PBY_FEATURE_LENGTH), 5);
    cr_assert_eq(reading(v, PBY_FEATURE_MAX), 3);
    cr_assert_eq(reading(v, PBY_FEATURE_MIN), -1);
    cr_assert_eq(reading(v, PBY_FEATURE_RANGE), 4);
    cr_assert_eq(reading(v, PBY_FEATURE_SUM), 5);
    cr_assert_eq(reading(v, PBY_FEATURE_LARGEST), 1);
    cr_assert_eq(reading(v, PBY_FEATURE_SMALLEST), 4);
    cr_assert_eq(reading(v, PBY_FEATURE_EMPTY), 1);
    cr_assert_eq(reading(v, PBY_FEATURE_DISTINCT), 4);
    cr_assert_eq(reading(v, PBY_FEATURE_STEP + 3), 4);
    cr_assert_eq(reading("F,F,F,T,F", PBY_FEATURE_RUN), 3);
    cr_assert_eq(reading("1,2", PBY_FEATURE_ORDER), reading("5,9", PBY_FEATURE_ORDER));
    cr_assert_neq(reading("1,2", PBY_FEATURE_ORDER), reading("2,1", PBY_FEATURE_ORDER));
    cr_assert_eq(reading("F,1.5,F", PBY_FEATURE_PATTERN), reading("F,-7,F", PBY_FEATURE_PATTERN));
    cr_assert_neq(reading("F,1.5,F", PBY_FEATURE_PATTERN), reading("F,1.5,T", PBY_FEATURE_PATTERN));
}

Test(audit_feature, names_are_distinct)
{
    char a[PBY_FEATURE_NAME_SIZE], b[PBY_FEATURE_NAME_SIZE];
    for (unsigned f = 0; f < PBY_FEATURES; f++)
        for (unsigned g = 0; g < f; g++) {
            pby_feature_name(a, f);
            pby_feature_name(b, g);
            cr_assert_str_neq(a, b);
        }
}

/* Its place is a block of keys, at every level, and the value is what is left of the key. */
Test(audit_feature, of_the_first_number)
{
    static const double values[] = {-1e300, -2.5, 0, 0.5, 1e300};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[64];
        pby_reading r[PBY_FEATURES];
        pby_outcome o;
        uint64_t key = 0;
        pby_outcome_read(&o, text, (size_t)sprintf(text, "F,,%.17g,7", values[i]));
        for (size_t n = pby_features_read(r, &o); n > 0; n--)
            if (r[n - 1].feature == PBY_FEATURE_FIRST)
                key = r[n - 1].key;
        for (unsigned level = 0; level < 50; level += 7) {
            const uint64_t cut = key >> level, inside = pby_key_inside(PBY_FEATURE_FIRST, cut, level);
            cr_assert_eq(pby_key_block(PBY_FEATURE_FIRST, cut, level), 3);
            cr_assert_leq(pby_key_value(inside, level + 6), values[i]);
            cr_assert_gt(pby_key_value(inside + 1, level + 6), values[i]);
        }
    }
    cr_assert(isnan(reading("F,F", PBY_FEATURE_FIRST)));
    cr_assert(isnan(reading("1,F", PBY_FEATURE_FIRST)), "coordinate 1 says it");
    cr_assert(isnan(reading("1", PBY_FEATURE_FIRST)));
    cr_assert_eq(pby_key_block(PBY_FEATURE_VALUE, 1, 0), 0);
    cr_assert_eq(pby_key_inside(PBY_FEATURE_VALUE, 5, 0), 5);
}
