/* SPDX-License-Identifier: MIT */
#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* From three letters on it is a guess; what is no longer than SHORT is read at a glance. */
enum { NAME_SIZE = 32, GUESS = 3, BEGINNING = 3, SHORT = 100 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* The number of letters to insert, drop, change or swap with the next one that turns a into b; names
 * beyond NAME_SIZE - 1 bytes are far from everything. */
static size_t distance(const char *a, const char *b)
{
    const size_t m = strlen(a), n = strlen(b);
    size_t d[NAME_SIZE][NAME_SIZE];
    if (m >= NAME_SIZE || n >= NAME_SIZE)
        return NAME_SIZE;
    for (size_t i = 0; i <= m; i++)
        for (size_t j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const size_t drop_or_insert = 1 + least(d[i - 1][j], d[i][j - 1]);
            d[i][j] = least(drop_or_insert, d[i - 1][j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[m][n];
}

/* True if one of them is how the other begins: eps of epsilon, --eps of --epsilon. */
static bool begins(const char *a, const char *b)
{
    const size_t common = least(strlen(a), strlen(b));
    return common >= strspn(a, "-") + BEGINNING && strncasecmp(a, b, common) == 0;
}

static size_t far_from(const char *text, const char *name)
{
    const size_t letters = distance(text, name);
    return begins(text, name) ? least(letters, 1) : letters;
}

const char *pby_nearest(const char *text, const char *const *names)
{
    const char *nearest = NULL;
    size_t best = GUESS;
    for (; *names != NULL; names++) {
        const size_t far = far_from(text, *names);
        if (far < best && far < strlen(*names)) {
            best = far;
            nearest = *names;
        }
    }
    return nearest;
}

void pby_suggest(char *out, size_t size, const char *text, const char *const *names)
{
    const char *nearest = pby_nearest(text, names);
    const size_t at = strlen(out);
    if (nearest != NULL && size - at > strlen("; did you mean ?") + strlen(nearest))
        snprintf(out + at, size - at, "; did you mean %s?", nearest);
}

pby_status pby_refuse_guess(pby_error *err, const char *name, const char *value, const char *expected,
                            const char *text, const char *const *names)
{
    const char *nearest = pby_nearest(text, names);
    char whole[PBY_ERROR_SIZE];
    pby_error why;
    if (nearest == NULL || strlen(expected) <= SHORT) {
        snprintf(whole, sizeof whole, "%s", expected);
        pby_suggest(whole, sizeof whole, text, names);
        return pby_refuse(err, name, value, whole);
    }
    pby_refuse(&why, name, value, ""); /* the value as it is shown, in front of what is expected */
    why.text[strlen(why.text) - strlen(" expected ")] = '\0';
    return pby_fail(err, PBY_BAD, "%.300s not known; did you mean %s? expected %s", why.text, nearest,
                    expected);
}

pby_status pby_refuse_name(pby_error *err, const char *name, const char *value, const char *const *names)
{
    char expected[PBY_ERROR_SIZE] = "one of";
    for (const char *const *at = names; *at != NULL; at++) {
        strncat(expected, at == names ? " " : ", ", sizeof expected - strlen(expected) - 1);
        strncat(expected, *at, sizeof expected - strlen(expected) - 1);
    }
    return pby_refuse_guess(err, name, value, expected, value, names);
}

pby_status pby_name_find(size_t *out, const char *const *names, const char *name, const char *value,
                         pby_error *err)
{
    for (*out = 0; names[*out] != NULL; ++*out)
        if (strcmp(names[*out], value) == 0)
            return PBY_OK;
    return pby_refuse_name(err, name, value, names);
}
