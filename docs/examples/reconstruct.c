/* SPDX-License-Identifier: MIT */
/* Who lives in a block, from the table that was published of it. The program tries every world, and finds
 * that one alone fits ([Survey], Table 1). Then it counts how many people share what a neighbour may know.
 *
 *     cc reconstruct.c $(pkg-config --cflags --libs probity) -o reconstruct && ./reconstruct
 *
 * It prints:
 *     three men, any ages: 341376
 *     three men, median 30, mean 44: 31
 *     worlds that fit the whole table: 1
 *     age,sex,race,married
 *     8,female,black,no
 *     36,female,black,yes
 *     66,female,black,yes
 *     84,male,black,yes
 *     24,female,white,no
 *     18,male,white,no
 *     30,male,white,yes
 *     1-anonymous by sex and race
 *     1-anonymous by sex and married
 */
#include <probity.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { OLDEST = 125, PEOPLE = 7 };
enum { FEMALE = 1, MALE = 2, BLACK = 4, WHITE = 8, MARRIED = 16 };

struct person {
    int age, is;
};

/* The rows of the table that are not (D): those are not used at all. A median and a mean are in tenths, a
 * mean rounded to one. */
static const struct row {
    int of, count, median, mean;
} table[] = {
    {0, 7, 300, 380},     {FEMALE, 4, 300, 335},  {MALE, 3, 300, 440},           {BLACK, 4, 510, 485},
    {WHITE, 3, 240, 240}, {MARRIED, 4, 510, 540}, {BLACK | FEMALE, 3, 360, 367},
};
enum { ROWS = sizeof table / sizeof table[0] };

/* Returns true if the row is true of the people so far: n of them, and no more of its kind to come. */
static bool fits(const struct row *row, const struct person *who, int n)
{
    int age[PEOPLE] = {0}, count = 0, sum = 0;
    for (int i = 0; i < n; i++)
        if ((who[i].is & row->of) == row->of) {
            int at = count++;
            for (; at > 0 && age[at - 1] > who[i].age; at--)
                age[at] = age[at - 1];
            age[at] = who[i].age;
            sum += who[i].age;
        }
    return count == row->count && 5 * (age[(count - 1) / 2] + age[count / 2]) == row->median &&
           2 * abs(10 * sum - row->mean * count) <= count;
}

/* The table leaves one way to share out sex and race: three black women and four of the others. */
static const int cell[PEOPLE] = {BLACK | FEMALE, BLACK | FEMALE, BLACK | FEMALE, BLACK | MALE,
                                 WHITE | FEMALE, WHITE | MALE,   WHITE | MALE};

/* The last person that a row is about; weddings come last. */
static int last_of(const struct row *row)
{
    int last = PEOPLE;
    if (row->of != MARRIED)
        while (last > 0 && (cell[last - 1] & row->of) != row->of)
            last--;
    return last;
}

static long worlds;
static struct person found[PEOPLE];

static void marry(struct person *who, int n, int married)
{
    if (n < PEOPLE) {
        marry(who, n + 1, married);
        if (married < 4 && who[n].age >= 15) {
            who[n].is |= MARRIED;
            marry(who, n + 1, married + 1);
            who[n].is &= ~MARRIED;
        }
        return;
    }
    for (int r = 0; r < ROWS; r++)
        if (!fits(&table[r], who, PEOPLE))
            return;
    worlds++;
    for (int i = 0; i < PEOPLE; i++)
        found[i] = who[i];
}

/* Every age for the next person; people of one sex and race stand by age, so that none is counted twice. */
static void settle(struct person *who, int n)
{
    if (n == PEOPLE) {
        marry(who, 0, 0);
        return;
    }
    who[n].is = cell[n];
    for (int age = n > 0 && cell[n] == cell[n - 1] ? who[n - 1].age : 0; age <= OLDEST; age++) {
        bool good = true;
        who[n].age = age;
        for (int r = 0; r < ROWS && good; r++)
            good = table[r].of == MARRIED || last_of(&table[r]) != n + 1 || fits(&table[r], who, n + 1);
        if (good)
            settle(who, n + 1);
    }
}

static void print_men(void)
{
    struct person man[3] = {{0, MALE}, {0, MALE}, {0, MALE}};
    long any = 0, fit = 0;
    for (man[0].age = 0; man[0].age <= OLDEST; man[0].age++)
        for (man[1].age = man[0].age; man[1].age <= OLDEST; man[1].age++)
            for (man[2].age = man[1].age; man[2].age <= OLDEST; man[2].age++) {
                any++;
                fit += fits(&table[2], man, 3);
            }
    printf("three men, any ages: %ld\nthree men, median 30, mean 44: %ld\n", any, fit);
}

static void print_people(FILE *out)
{
    fprintf(out, "age,sex,race,married\n");
    for (int i = 0; i < PEOPLE; i++)
        fprintf(out, "%d,%s,%s,%s\n", found[i].age, found[i].is & FEMALE ? "female" : "male",
                found[i].is & BLACK ? "black" : "white", found[i].is & MARRIED ? "yes" : "no");
}

static int anonymity(const char *quasi, const char *words)
{
    pby_anonymity *a;
    pby_error err = PBY_NO_ERROR;
    const pby_status status = pby_anonymity_csv(&a, "people.csv", quasi, &err);
    if (status != PBY_OK)
        fprintf(stderr, "%s\n", err.text);
    else
        printf("%llu-anonymous by %s\n", (unsigned long long)pby_anonymity_least(a), words);
    pby_anonymity_free(a);
    return status;
}

int main(void)
{
    struct person who[PEOPLE];
    print_men();
    settle(who, 0);
    printf("worlds that fit the whole table: %ld\n", worlds);
    print_people(stdout);
    FILE *out = fopen("people.csv", "w");
    if (out == NULL)
        return PBY_FAILED;
    print_people(out);
    if (fclose(out) != 0)
        return PBY_FAILED;
    const int status = anonymity("sex,race", "sex and race");
    return status != PBY_OK ? status : anonymity("sex,married", "sex and married");
}
