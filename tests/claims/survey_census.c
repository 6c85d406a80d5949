/* SPDX-License-Identifier: MIT */
/* [Survey] section 1: the block of Table 1, by sums and medians alone. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/claims/decide.h"
#include "tests/claims/report.h"

enum { OLDEST = 125 };

static int by_age(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* True if n ages have this median and this mean, both in tenths, the mean rounded to one of them. */
static bool fit(const int *ages, int n, int median, int mean)
{
    int sorted[7], sum = 0;
    for (int i = 0; i < n; i++)
        sum += sorted[i] = ages[i];
    qsort(sorted, (size_t)n, sizeof *sorted, by_age);
    return 5 * (sorted[(n - 1) / 2] + sorted[n / 2]) == median && 2 * abs(10 * sum - n * mean) <= n;
}

/* Three men: as the row of the men has them, and any.
 * claims: Survey/Section 1.3.1, three men */
Test(claims_census, three_men)
{
    unsigned long any = 0, left = 0;
    mpq_t found, promised;
    mpq_inits(found, promised, NULL);
    for (int a = 0; a <= OLDEST; a++)
        for (int b = a; b <= OLDEST; b++)
            for (int c = b; c <= OLDEST; c++) {
                any++;
                left += fit((int[]){a, b, c}, 3, 300, 440);
            }
    cr_assert(claims_eq_si("Survey/Section 1.3.1, three men", (long)any, 341376));
    cr_assert(claims_eq_si("Survey/Section 1.3.1, three men", (long)left, 31));
    mpq_set_ui(found, left, 1);
    mpq_set_ui(promised, 30, 1);
    claims_tell("Survey/Section 1.3.1, three men", found, promised);
    mpq_clears(found, promised, NULL);
}

/* Four of seven are married, all of them 15 or over: how many ways have median 51 and mean 54. */
static int weddings(const int *age)
{
    int ways = 0;
    for (unsigned set = 0; set < 1U << 7; set++) {
        int married[7], n = 0;
        bool grown = true;
        for (int i = 0; i < 7; i++)
            if (set >> i & 1) {
                grown = grown && age[i] >= 15;
                married[n++] = age[i];
            }
        ways += n == 4 && grown && fit(married, 4, 510, 540);
    }
    return ways;
}

/* The counts leave three black women, a black man, a white woman and two white men. Their ages, from the
 * group with the most said of it on: b of the black women, m, w, and v <= u of the white men.
 * claims: Survey/Table 1 */
Test(claims_census, one_world)
{
    int worlds = 0, age[7];
    for (int a = 0; a <= OLDEST; a++)
        for (int b = a; b <= OLDEST; b++)
            for (int c = b; c <= OLDEST; c++) {
                if (!fit((int[]){a, b, c}, 3, 360, 367))
                    continue;
                for (int m = 0; m <= OLDEST; m++)
                    for (int w = 0; w <= OLDEST && fit((int[]){a, b, c, m}, 4, 510, 485); w++) {
                        if (!fit((int[]){a, b, c, w}, 4, 300, 335))
                            continue;
                        for (int v = 0; v <= OLDEST; v++)
                            for (int u = v; u <= OLDEST; u++) {
                                const int all[7] = {a, b, c, m, w, v, u};
                                if (!fit((int[]){m, v, u}, 3, 300, 440) ||
                                    !fit((int[]){w, v, u}, 3, 240, 240) || !fit(all, 7, 300, 380))
                                    continue;
                                worlds += weddings(all);
                                for (int i = 0; i < 7; i++)
                                    age[i] = all[i];
                            }
                    }
            }
    cr_assert(claims_eq_si("Survey/Table 1", worlds, 1));
    cr_assert_arr_eq(age, ((int[]){8, 36, 66, 84, 24, 18, 30}), sizeof age);
}
