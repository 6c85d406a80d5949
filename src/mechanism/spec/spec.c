/* SPDX-License-Identifier: MIT */
#include "probity/spec.h"
#include "base/printed.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "mechanism/family.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/rational.h"

enum { NAME_MAX_SIZE = 32, VALUE_MAX_SIZE = PBY_RATIONAL_DIGITS_MAX + 16, FAMILIES_MAX = 64 };

/* A piece of the text being parsed. */
struct slice {
    const char *at;
    size_t len;
};

static bool same(struct slice s, const char *name)
{
    return strlen(name) == s.len && memcmp(name, s.at, s.len) == 0;
}

/* A copy of the slice that is cut to fit. */
static void copy(char *out, size_t size, struct slice s)
{
    const size_t n = s.len < size - 1 ? s.len : size - 1;
    memcpy(out, s.at, n);
    out[n] = '\0';
}

/* Returns the text before the next `stop` or the end, and moves *rest behind it. */
static struct slice take(struct slice *rest, char stop)
{
    const char *end = memchr(rest->at, stop, rest->len);
    struct slice taken = {rest->at, end == NULL ? rest->len : (size_t)(end - rest->at)};
    const size_t used = taken.len + (end != NULL);
    rest->at += used;
    rest->len -= used;
    return taken;
}

/* Returns the family that has this name elsewhere; any other name as it is. */
static const char *known_as(const char *name)
{
    static const struct {
        const char *name, *family;
    } others[] = {{"gaussian", "gauss"},
                  {"normal", "gauss"},
                  {"discrete_gaussian", "dgauss"},
                  {"discrete-gaussian", "dgauss"},
                  {"discretegaussian", "dgauss"},
                  {"discrete_laplace", "geometric"},
                  {"discrete-laplace", "geometric"},
                  {"laplacian", "laplace"},
                  {"randomized_response", "rr"},
                  {"randomised_response", "rr"},
                  {"exp", "exponential"},
                  {"report_noisy_max", "noisymax"},
                  {"svt", "sparse"},
                  {"sparse_vector", "sparse"},
                  {"above_threshold", "above"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcasecmp(others[i].name, name) == 0)
            return others[i].family;
    return name;
}

static bool ends_with(struct slice s, const char *end)
{
    const size_t length = strlen(end);
    return s.len > length && memcmp(s.at + s.len - length, end, length) == 0;
}

/* Returns the text of a refusal of a file in the place of a mechanism; NULL of another word. */
static const char *unlike_a_file(struct slice name)
{
    static const char *const tables[] = {".csv", ".tsv", ".txt", ".parquet", ".arrow"};
    if (ends_with(name, ".json"))
        return "a mechanism, not a file; a certificate is for verify, release, explain and accuracy";
    if (ends_with(name, ".toml"))
        return "a mechanism, not a file; a plan is for probity plan";
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (ends_with(name, tables[i]))
            return "a mechanism such as geometric:eps=1, not a file; a table stands behind it: "
                   "probity release geometric:eps=1 TABLE";
    return NULL;
}

/* Returns the text of a refusal of a word that by its form names no mechanism: a sign between two, a number
 * of uses with another sign than * or behind the mechanism. NULL where it may be a name. */
static const char *unlike_a_name(char *expected, size_t size, const char *given)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const size_t digits = strspn(given, "0123456789"), length = strlen(given);
    if ((given[0] == 'x' || given[0] == 'X') && length > 1 && strspn(given + 1, "0123456789") == length - 1) {
        snprintf(expected, size, "a number of uses in front of its mechanism: %s*SPEC", given + 1);
        return expected;
    }
    if (length > 0 && (strpbrk(given, letters) == NULL || strcmp(given, "x") == 0))
        return "a mechanism such as geometric:eps=1; several compose, with a blank between, and 100*SPEC is "
               "a hundred";
    if (digits == 0 || (given[digits] != 'x' && given[digits] != 'X'))
        return NULL;
    snprintf(expected, size, "%.*s*%s for so many uses", (int)digits, given, given + digits + 1);
    return expected;
}

static pby_status unknown_family(struct slice name, pby_error *err)
{
    const char *names[FAMILIES_MAX + 1] = {NULL};
    char given[NAME_MAX_SIZE], expected[PBY_ERROR_SIZE] = "one of";
    for (size_t i = 0; pby_families[i] != NULL && i < FAMILIES_MAX; i++) {
        const size_t at = strlen(expected);
        names[i] = pby_families[i]->name;
        snprintf(expected + at, sizeof expected - at, "%s %s", i == 0 ? "" : ",", names[i]);
    }
    copy(given, sizeof given, name);
    char form[4 * NAME_MAX_SIZE];
    const char *unlike = unlike_a_file(name);
    if (unlike == NULL)
        unlike = unlike_a_name(form, sizeof form, given);
    return unlike != NULL ? pby_refuse(err, "SPEC", given, unlike)
                          : pby_refuse_guess(err, "SPEC", given, expected, known_as(given), names);
}

const pby_family *pby_family_spelled(const char *name, size_t length)
{
    const struct slice text = {name, length};
    size_t i = 0;
    while (pby_families[i] != NULL && !same(text, pby_families[i]->name))
        i++;
    return pby_families[i];
}

/* A standard deviation in the place of a variance, by the names that it has elsewhere: the same number would
 * be another mechanism. */
static bool is_deviation(const pby_family *family, const char *name)
{
    static const char *const names[] = {"sigma", "sd", "std", "stdev", "stddev", "scale"};
    if (pby_family_with(family, PBY_ROLE_VARIANCE) == PBY_PARAMETERS_MAX)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static pby_status refuse_deviation(const pby_family *family, const char *name, struct slice text,
                                   pby_error *err)
{
    const char *variance = family->parameters[pby_family_with(family, PBY_ROLE_VARIANCE)].name;
    char value[VALUE_MAX_SIZE], where[2 * NAME_MAX_SIZE], square[PBY_DECIMAL_SIZE],
        expected[PBY_DECIMAL_SIZE + 128];
    PBY_MPQ(q);
    copy(value, sizeof value, text);
    snprintf(where, sizeof where, "%s:%s", family->name, name);
    snprintf(expected, sizeof expected, "%s, the variance, which is the square of %s", variance, name);
    if (pby_rational_parse(q, where, value, NULL) == PBY_OK) {
        mpq_mul(q, q, q);
        pby_mpq_text(square, q);
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), ": %s=%s", variance,
                 square);
    }
    return pby_refuse(err, where, value, expected);
}

/* The loss that is wanted in the place of what the noise is. */
static pby_status refuse_loss(const pby_family *family, const char *name, pby_error *err)
{
    char where[2 * NAME_MAX_SIZE], expected[192];
    const size_t scale = pby_family_with(family, PBY_ROLE_SCALE);
    snprintf(where, sizeof where, "%s parameter", family->name);
    if (scale < PBY_PARAMETERS_MAX)
        snprintf(
            expected, sizeof expected,
            "%s, the sensitivity divided by the epsilon; probity select %s --epsilon E --delta D chooses "
            "it",
            family->parameters[scale].name, family->name);
    else
        snprintf(expected, sizeof expected,
                 "the parameters of the noise; probity select %s --epsilon E --delta D chooses them",
                 family->name);
    return pby_refuse(err, where, name, expected);
}

static bool is_loss(const pby_family *family, const char *name)
{
    return family->select != NULL && (strcmp(name, "eps") == 0 || strcmp(name, "epsilon") == 0) &&
           pby_family_with(family, PBY_ROLE_EPSILON) == PBY_PARAMETERS_MAX;
}

/* A promise about all data says nothing of a sample, which hides who is in it. */
static pby_status refuse_sample(const pby_family *family, pby_error *err)
{
    char where[2 * NAME_MAX_SIZE];
    snprintf(where, sizeof where, "%s parameter", family->name);
    return pby_refuse(err, where, "sample",
                      "no sample: how a sample changes this promise is not known; a mechanism that is named, "
                      "such as gauss, or a promise of pure or approx takes sample=R");
}

static pby_status unknown_parameter(const pby_family *family, struct slice name, struct slice value,
                                    pby_error *err)
{
    const char *names[PBY_PARAMETERS_MAX + 1] = {NULL};
    char given[NAME_MAX_SIZE], where[2 * NAME_MAX_SIZE];
    const size_t count = pby_family_parameters(family);
    for (size_t i = 0; i < count; i++)
        names[i] = family->parameters[i].name;
    copy(given, sizeof given, name);
    snprintf(where, sizeof where, "%s parameter", family->name);
    if (is_loss(family, given))
        return refuse_loss(family, given, err);
    if (strcmp(given, "sample") == 0 && family->list[PBY_ABOVE] == NULL)
        return refuse_sample(family, err);
    if (is_deviation(family, given))
        return refuse_deviation(family, given, value, err);
    return pby_refuse_name(err, where, given, names);
}

static bool natural(const fmpq_t value)
{
    return fmpz_is_one(fmpq_denref(value)) && fmpz_sgn(fmpq_numref(value)) > 0 &&
           fmpz_cmp_si(fmpq_numref(value), INT32_MAX) <= 0;
}

static pby_status set_choice(fmpq_t value, const char *const words[2], const char *where, const char *text,
                             pby_error *err)
{
    const char *const names[] = {words[0], words[1], NULL};
    size_t i;
    const pby_status status = pby_name_find(&i, names, where, text, err);
    if (status == PBY_OK)
        fmpq_set_ui(value, i, 1);
    return status;
}

enum { DIGEST_BITS = 256 };

static const char digest_expected[] = "64 hexadecimal digits, the SHA-256 of a file";

static pby_status set_digest(fmpq_t value, const char *where, const char *text, pby_error *err)
{
    if (strlen(text) != PBY_DIGEST_SIZE - 1 || strspn(text, "0123456789abcdefABCDEF") != PBY_DIGEST_SIZE - 1)
        return pby_refuse(err, where, text, digest_expected);
    fmpq_one(value);
    fmpz_set_str(fmpq_numref(value), text, 16);
    return PBY_OK;
}

static const char numbers_expected[] =
    "rationals from 0 on with a ; between, not all 0, such as 1;1/2;3/8, or sqrt";

/* The bytes of the list in its canonical form, as a number. */
static pby_status set_numbers(fmpq_t value, const char *where, const char *text, pby_error *err)
{
    char canonical[VALUE_MAX_SIZE] = "sqrt";
    struct slice rest = {text, strlen(text)};
    bool good = rest.len > 0, some = strcmp(text, canonical) == 0;
    size_t size = 0;
    for (bool more = good && !some; more && good;) {
        char one[VALUE_MAX_SIZE];
        PBY_MPQ(q);
        const struct slice number = take(&rest, ';');
        more = number.at + number.len < text + strlen(text);
        copy(one, sizeof one, number);
        good = pby_rational_parse(q, where, one, NULL) == PBY_OK && mpq_sgn(q) >= 0 &&
               mpz_sizeinbase(mpq_numref(q), 10) + mpz_sizeinbase(mpq_denref(q), 10) + size + 8 <
                   sizeof canonical;
        some = some || mpq_sgn(q) > 0;
        if (good)
            size += (size_t)gmp_snprintf(canonical + size, sizeof canonical - size,
                                         size == 0 ? "%Qd" : ";%Qd", q);
    }
    if (!good || !some)
        return pby_refuse(err, where, text, numbers_expected);
    fmpq_zero(value);
    for (const char *c = canonical; *c != '\0'; c++) {
        fmpz_mul_2exp(fmpq_numref(value), fmpq_numref(value), 8);
        fmpz_add_ui(fmpq_numref(value), fmpq_numref(value), (unsigned char)*c);
    }
    return PBY_OK;
}

/* Returns the text that a refusal expects if the value is not of the kind; NULL if it is. */
static const char *unfit(pby_kind kind, const fmpq_t value)
{
    if (kind == PBY_NATURAL && !natural(value))
        return "an integer from 1 to 2147483647";
    if (kind == PBY_NOT_NEGATIVE && fmpq_sgn(value) < 0)
        return "a rational from 0 on";
    if (kind == PBY_ABOVE_ONE && fmpq_cmp_si(value, 1) <= 0)
        return "a rational above 1";
    if (kind == PBY_PROBABILITY && (fmpq_sgn(value) < 0 || fmpq_cmp_si(value, 1) > 0))
        return "a rational from 0 to 1";
    if (kind == PBY_RATE && (fmpq_sgn(value) <= 0 || fmpq_cmp_si(value, 1) > 0))
        return "a rational above 0, at most 1";
    if (kind == PBY_POSITIVE && fmpq_sgn(value) <= 0)
        return "a rational above 0";
    if (kind == PBY_DIGEST && (!fmpz_is_one(fmpq_denref(value)) || fmpq_sgn(value) <= 0 ||
                               fmpz_bits(fmpq_numref(value)) > DIGEST_BITS))
        return digest_expected;
    return NULL;
}

/* Parses and checks one value. `where` is family.parameter, for the refusal. */
static pby_status set_value(pby_mechanism *m, size_t i, const char *where, const char *text, pby_error *err)
{
    const pby_kind kind = m->family->parameters[i].kind;
    fmpq *const value = &m->value[i];
    if (kind == PBY_CHOICE)
        return set_choice(value, pby_family_words(m->family, i), where, text, err);
    if (kind == PBY_NUMBERS)
        return set_numbers(value, where, text, err);
    if (strpbrk(text, "=;:") != NULL)
        return pby_refuse(err, where, text, "one value, and a comma between this parameter and the next");
    PBY_MPQ(q);
    const pby_status status = kind == PBY_DIGEST ? set_digest(value, where, text, err)
                                                 : pby_rational_parse(q, where, text, err);
    if (status == PBY_OK && kind != PBY_DIGEST)
        fmpq_set_mpq(value, q);
    const char *expected = status == PBY_OK ? unfit(kind, value) : NULL;
    return expected != NULL ? pby_refuse(err, where, text, expected) : status;
}

static void name_parameter(char *where, size_t size, const pby_family *family, size_t i)
{
    snprintf(where, size, "%s:%s", family->name, family->parameters[i].name);
}

/* A message repeats what was typed on one line, whatever that holds. */
static void keep_on_line(char *text)
{
    for (; *text != '\0'; text++)
        if (iscntrl((unsigned char)*text))
            *text = '?';
}

/* A value without its name, a name without a value, or nothing behind the colon. */
static pby_status refuse_nameless(const pby_family *family, struct slice text, bool is_name, pby_error *err)
{
    char given[NAME_MAX_SIZE], where[2 * NAME_MAX_SIZE], expected[4 * NAME_MAX_SIZE];
    copy(given, sizeof given, text);
    snprintf(where, sizeof where, "%s%s%s", family->name, is_name ? ":" : " parameter", is_name ? given : "");
    if (is_name)
        snprintf(expected, sizeof expected, "NAME=VALUE without blanks: %s=VALUE", given);
    else
        snprintf(expected, sizeof expected, "NAME=VALUE without blanks, such as %s=%s",
                 family->parameters[0].name, given[0] == '\0' || strpbrk(given, ":;") != NULL ? "1" : given);
    keep_on_line(where);
    keep_on_line(expected);
    return pby_refuse(err, where, is_name ? "" : given, expected);
}

/* True if a comma stands for a decimal point: digits on both sides of it, and no name behind it. */
static bool is_decimal_comma(struct slice one, struct slice rest)
{
    const char *comma = memchr(rest.at, ',', rest.len);
    const size_t size = comma == NULL ? rest.len : (size_t)(comma - rest.at);
    return memchr(one.at, '=', one.len) != NULL && one.len > 0 &&
           isdigit((unsigned char)one.at[one.len - 1]) && size > 0 && strspn(rest.at, "0123456789") >= size;
}

static pby_status refuse_decimal_comma(const pby_family *family, struct slice one, struct slice rest,
                                       pby_error *err)
{
    char name[NAME_MAX_SIZE], value[NAME_MAX_SIZE], more[NAME_MAX_SIZE], where[2 * NAME_MAX_SIZE],
        whole[2 * NAME_MAX_SIZE], expected[8 * NAME_MAX_SIZE];
    copy(name, sizeof name, take(&one, '='));
    copy(value, sizeof value, one);
    copy(more, sizeof more, take(&rest, ','));
    snprintf(where, sizeof where, "%s:%s", family->name, name);
    snprintf(whole, sizeof whole, "%s,%s", value, more);
    snprintf(expected, sizeof expected, "a decimal point, as commas separate parameters: %s=%s.%s", name,
             value, more);
    keep_on_line(where);
    keep_on_line(expected);
    return pby_refuse(err, where, whole, expected);
}

/* One "name=value" of a mechanism; *given has a bit for each parameter seen. */
static pby_status parse_parameter(pby_mechanism *m, unsigned *given, struct slice text, pby_error *err)
{
    struct slice rest = text;
    const struct slice name = take(&rest, '=');
    const size_t count = pby_family_parameters(m->family);
    size_t i = 0;
    while (i < count && !same(name, m->family->parameters[i].name))
        i++;
    if (name.len == text.len) /* no = */
        return refuse_nameless(m->family, text, i < count, err);
    if (i == count)
        return unknown_parameter(m->family, name, rest, err);
    char where[2 * NAME_MAX_SIZE], value[VALUE_MAX_SIZE];
    name_parameter(where, sizeof where, m->family, i);
    copy(value, sizeof value, rest);
    if (rest.len >= sizeof value)
        return pby_refuse(err, where, value, "at most 4096 digits");
    if (*given >> i & 1)
        return pby_refuse(err, where, value, "each parameter once");
    *given |= 1u << i;
    return set_value(m, i, where, value, err);
}

static pby_status fill_fallbacks(pby_mechanism *m, unsigned given, pby_error *err)
{
    const size_t count = pby_family_parameters(m->family);
    for (size_t i = 0; i < count; i++) {
        if (given >> i & 1)
            continue;
        const pby_parameter *parameter = &m->family->parameters[i];
        char where[2 * NAME_MAX_SIZE];
        name_parameter(where, sizeof where, m->family, i);
        if (parameter->fallback == NULL)
            return pby_refuse(err, where, "", parameter->meaning);
        if (*parameter->fallback == '\0')
            continue;
        const pby_status status = set_value(m, i, where, parameter->fallback, err);
        if (status != PBY_OK)
            return status;
    }
    return PBY_OK;
}

pby_status pby_mechanism_set(pby_mechanism *m, size_t i, const fmpq_t value, pby_error *err)
{
    char where[2 * NAME_MAX_SIZE];
    const char *expected = unfit(m->family->parameters[i].kind, value);
    fmpq_set(&m->value[i], value);
    name_parameter(where, sizeof where, m->family, i);
    return expected == NULL ? PBY_OK : pby_refuse_rational(err, where, value, expected);
}

pby_status pby_mechanism_give(pby_mechanism *m, unsigned *given, const char *name, const fmpq_t value,
                              pby_error *err)
{
    const size_t parameter = pby_family_find(m->family, name);
    *given |= 1u << parameter;
    return pby_mechanism_set(m, parameter, value, err);
}

pby_status pby_mechanism_complete(pby_mechanism *m, unsigned given, pby_error *err)
{
    const pby_status status = fill_fallbacks(m, given, err);
    return status == PBY_OK ? pby_mechanism_check(m, err) : status;
}

/* True if a parameter of this name is given a value. */
static bool gives(struct slice parameters, const char *name)
{
    bool found = false;
    while (parameters.len > 0 && !found) {
        struct slice one = take(&parameters, ',');
        found = same(take(&one, '='), name);
    }
    return found;
}

/* One name stands for two families where a parameter that only the other has is given. */
static const pby_family *family_of(struct slice name, struct slice parameters)
{
    static const struct {
        const char *name, *given, *family;
    } others[] = {{"threshold", "sigma2", "gthreshold"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (same(name, others[i].name) && gives(parameters, others[i].given))
            return pby_family_spelled(others[i].family, strlen(others[i].family));
    return pby_family_spelled(name.at, name.len);
}

const pby_family *pby_family_meant(const char *text)
{
    struct slice rest = {text, strlen(text)};
    const struct slice name = take(&rest, ':');
    return family_of(name, rest);
}

/* The family, and the parameters that are named. */
static pby_status parse_given(pby_mechanism *m, unsigned *given, struct slice text, pby_error *err)
{
    struct slice rest = text;
    const struct slice name = take(&rest, ':');
    m->family = family_of(name, rest);
    if (m->family == NULL)
        return unknown_family(name, err);
    pby_status status = PBY_OK;
    *given = 0;
    if (rest.len == 0 && name.len < text.len)
        return refuse_nameless(m->family, rest, false, err);
    for (bool more = rest.len > 0; more && status == PBY_OK;) {
        const struct slice one = take(&rest, ',');
        more = one.at + one.len < text.at + text.len; /* a comma stands behind it */
        status = more && is_decimal_comma(one, rest) ? refuse_decimal_comma(m->family, one, rest, err)
                                                     : parse_parameter(m, given, one, err);
    }
    return status;
}

pby_status pby_mechanism_read(pby_mechanism *m, unsigned *given, const char *text, pby_error *err)
{
    return parse_given(m, given, (struct slice){text, strlen(text)}, err);
}

static pby_status parse_mechanism(pby_mechanism *m, struct slice text, pby_error *err)
{
    unsigned given = 0;
    const pby_status status = parse_given(m, &given, text, err);
    return status == PBY_OK ? pby_mechanism_complete(m, given, err) : status;
}

/* "100*" in front; 1 when there is none. */
static pby_status parse_times(uint64_t *times, struct slice *text, pby_error *err)
{
    *times = 1;
    if (memchr(text->at, '*', text->len) == NULL)
        return PBY_OK;
    const struct slice number = take(text, '*');
    uint64_t value = 0;
    bool good = number.len > 0;
    for (size_t i = 0; i < number.len && good; i++) {
        good = number.at[i] >= '0' && number.at[i] <= '9';
        value = 10 * value + (uint64_t)(number.at[i] - '0');
        good = good && value <= PBY_TIMES_MAX;
    }
    if (!good || value == 0) {
        char given[NAME_MAX_SIZE];
        copy(given, sizeof given, number);
        return pby_refuse(err, "SPEC multiplicity", given,
                          isalpha((unsigned char)given[0])
                              ? "a number of uses, in front of its mechanism: 3*geometric:eps=1"
                              : "an integer from 1 to 1000000000");
    }
    *times = value;
    return PBY_OK;
}

/* The canonical text of the spec with every use `times` times as often, for free(3). */
static pby_status print_spec(pby_spec *spec, pby_error *err)
{
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    if (spec->first.family != NULL) {
        pby_mechanism_print(out, &spec->first);
        fputc(' ', out);
    }
    for (size_t i = 0; i < spec->count; i++) {
        if (i > 0)
            fputc(' ', out);
        if (spec->use[i].times > 1)
            fprintf(out, "%llu*", (unsigned long long)spec->use[i].times);
        pby_mechanism_print(out, &spec->use[i].mechanism);
    }
    if (spec->last.family != NULL) {
        fputc(' ', out);
        pby_mechanism_print(out, &spec->last);
    }
    return pby_printed_end(&spec->text, &printed, PBY_OK, err);
}

/* ---- several uses ----------------------------------------------------------------------------- */

static size_t count_uses(const char *text)
{
    size_t n = 1;
    for (; *text != '\0'; text++)
        n += *text == ' ';
    return n;
}

static pby_status parse_uses(pby_use *use, const char *text, size_t count, pby_error *err)
{
    struct slice rest = {text, strlen(text)};
    pby_status status = PBY_OK;
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        struct slice one = take(&rest, ' ');
        status = parse_times(&use[i].times, &one, err);
        if (status == PBY_OK)
            status = parse_mechanism(&use[i].mechanism, one, err);
    }
    return status;
}

/* Data are of one size, and each mechanism that reads it accepts two sizes, n and n + 1. Of different n they
 * accept at most one in common, and so no two neighbours: which of them accept the data tells the size
 * (docs/theory/stlap-size.md). */
static pby_status check_sizes(const pby_spec *spec, pby_error *err)
{
    int64_t first = 0;
    for (size_t i = 0; i < spec->count; i++) {
        const int64_t n = pby_mechanism_size(&spec->use[i].mechanism);
        if (first > 0 && n > 0 && n != first)
            return pby_fail(err, PBY_BAD,
                            "SPEC: mechanisms that read the size of their data, of n=%" PRId64
                            " and of n=%" PRId64 ": expected one n, as all are about one data set",
                            first, n);
        first = n > 0 ? n : first;
    }
    return PBY_OK;
}

static pby_spec *spec_new(size_t count)
{
    pby_spec *spec = calloc(1, sizeof *spec);
    pby_use *use = calloc(count, sizeof *use);
    if (spec == NULL || use == NULL) {
        free(spec);
        free(use);
        return NULL;
    }
    spec->use = use;
    spec->count = count;
    for (size_t i = 0; i < count; i++)
        pby_mechanism_init(&use[i].mechanism, NULL);
    pby_mechanism_init(&spec->first, NULL);
    pby_mechanism_init(&spec->last, NULL);
    return spec;
}

/* True if a first step may stand in front of a mechanism: it reads counts that may be any. */
static bool reads_counts(const pby_mechanism *m)
{
    return m->family->release != NULL && m->family->takes == PBY_TAKES_COUNTS && pby_mechanism_size(m) == 0;
}

/* A first step in front of other uses leaves them. */
static pby_status split_first(pby_spec *spec, pby_error *err)
{
    const pby_use *use = spec->use;
    if (spec->count == 1)
        return PBY_OK;
    for (size_t i = 0; i < spec->count; i++)
        if (use[i].mechanism.family->first && (i > 0 || use[i].times > 1))
            return pby_refuse(err, "SPEC", use[i].mechanism.family->name, "it once, in front of all others");
    if (!use[0].mechanism.family->first)
        return PBY_OK;
    for (size_t i = 1; i < spec->count; i++)
        if (!reads_counts(&use[i].mechanism))
            return pby_refuse(
                err, "SPEC", use[0].mechanism.family->name,
                "mechanisms behind it that release a histogram, whatever the number of its records");
    spec->first = spec->use[0].mechanism; /* which takes its numbers over */
    memmove(spec->use, spec->use + 1, --spec->count * sizeof *spec->use);
    return PBY_OK;
}

/* True if a last step may stand behind a mechanism: what that releases are numbers. */
static bool releases_numbers(const pby_family *family)
{
    return !pby_family_is_step(family) && family->stream == NULL && family->chooser == NULL &&
           family->takes == PBY_TAKES_COUNTS && family->form == PBY_RELEASE_COUNTS;
}

/* A last step behind other uses leaves them. */
static pby_status split_last(pby_spec *spec, pby_error *err)
{
    for (size_t i = 0; i < spec->count; i++) {
        const pby_use *use = &spec->use[i];
        if (!use->mechanism.family->last || spec->count == 1)
            continue;
        if (i + 1 < spec->count || use->times > 1)
            return pby_refuse(err, "SPEC", use->mechanism.family->name, "it once, behind all others");
        if (!releases_numbers(spec->use[i - 1].mechanism.family))
            return pby_refuse(err, "SPEC", use->mechanism.family->name,
                              "a mechanism in front of it that releases numbers");
    }
    if (spec->count > 1 && spec->use[spec->count - 1].mechanism.family->last)
        spec->last = spec->use[--spec->count].mechanism; /* which takes its numbers over */
    return PBY_OK;
}

pby_status pby_spec_parse(pby_spec **out, const char *const *texts, size_t count, pby_error *err)
{
    size_t uses = 0;
    *out = NULL;
    if (count == 0)
        return pby_fail(err, PBY_BAD, "SPEC: expected at least one mechanism such as stlap:eps=1/2,q=40");
    for (size_t i = 0; i < count; i++)
        uses += count_uses(texts[i]);
    pby_spec *spec = spec_new(uses);
    if (spec == NULL)
        return pby_no_memory(err);
    pby_use *use = spec->use;
    pby_status status = PBY_OK;
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        const size_t n = count_uses(texts[i]);
        status = parse_uses(use, texts[i], n, err);
        use += n;
    }
    if (status == PBY_OK)
        status = split_last(spec, err);
    if (status == PBY_OK)
        status = split_first(spec, err);
    if (status == PBY_OK)
        status = check_sizes(spec, err);
    if (status == PBY_OK)
        status = print_spec(spec, err);
    if (status != PBY_OK)
        pby_spec_free(spec);
    else
        *out = spec;
    return status;
}

/* Hands out a spec once its text is made, or frees it. */
static pby_status take_spec(pby_spec **out, pby_spec *spec, pby_error *err)
{
    const pby_status status = print_spec(spec, err);
    if (status == PBY_OK)
        *out = spec;
    else
        pby_spec_free(spec);
    return status;
}

pby_status pby_spec_times(pby_spec **out, const pby_spec *spec, uint64_t times, pby_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < spec->count; i++)
        if (times == 0 || spec->use[i].times > PBY_TIMES_MAX / times)
            return pby_refuse(err, "SPEC", spec->text, "at most 1000000000 uses together");
    pby_spec *all = spec_new(spec->count);
    if (all == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < spec->count; i++) {
        pby_mechanism_copy(&all->use[i].mechanism, &spec->use[i].mechanism);
        all->use[i].times = times * spec->use[i].times;
    }
    pby_mechanism_copy(&all->first, &spec->first);
    pby_mechanism_copy(&all->last, &spec->last);
    return take_spec(out, all, err);
}

pby_status pby_spec_of(pby_spec **out, const pby_mechanism *m, uint64_t times, pby_error *err)
{
    *out = NULL;
    pby_spec *spec = spec_new(1);
    if (spec == NULL)
        return pby_no_memory(err);
    pby_mechanism_copy(&spec->use[0].mechanism, m);
    spec->use[0].times = times;
    return take_spec(out, spec, err);
}

/* Sets every parameter to its own value, so that each is checked. */
static pby_status check_values(pby_mechanism *m, pby_error *err)
{
    const size_t count = pby_family_parameters(m->family);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        const char *fallback = m->family->parameters[i].fallback;
        const bool left_out = fallback != NULL && *fallback == '\0' && fmpq_is_zero(&m->value[i]);
        if (m->family->parameters[i].kind != PBY_CHOICE && !left_out)
            status = pby_mechanism_set(m, i, &m->value[i], err);
    }
    return status == PBY_OK ? pby_mechanism_check(m, err) : status;
}

pby_status pby_spec_of_uses(pby_spec **out, const pby_use *use, size_t count, pby_error *err)
{
    *out = NULL;
    pby_spec *spec = spec_new(count);
    if (spec == NULL)
        return pby_no_memory(err);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        pby_mechanism_copy(&spec->use[i].mechanism, &use[i].mechanism);
        spec->use[i].times = use[i].times;
        status = check_values(&spec->use[i].mechanism, err);
    }
    if (status == PBY_OK)
        status = check_sizes(spec, err);
    if (status == PBY_OK)
        return take_spec(out, spec, err);
    pby_spec_free(spec);
    return status;
}

void pby_spec_free(pby_spec *spec)
{
    if (spec == NULL)
        return;
    for (size_t i = 0; i < spec->count; i++)
        pby_mechanism_clear(&spec->use[i].mechanism);
    pby_mechanism_clear(&spec->first);
    pby_mechanism_clear(&spec->last);
    free(spec->use);
    free(spec->text);
    free(spec);
}

const char *pby_spec_text(const pby_spec *spec)
{
    return spec->text;
}

uint64_t pby_spec_uses(const pby_spec *spec)
{
    return spec->count == 1 ? spec->use[0].times : 0;
}

bool pby_spec_is_single(const pby_spec *spec)
{
    return spec->count == 1 && spec->use[0].times == 1;
}

pby_status pby_spec_single(const pby_mechanism **out, const pby_spec *spec, const char *what, pby_error *err)
{
    if (!pby_spec_is_single(spec) || spec->first.family != NULL || spec->last.family != NULL)
        return pby_refuse(err, "SPEC", spec->text, what);
    *out = &spec->use[0].mechanism;
    return PBY_OK;
}
