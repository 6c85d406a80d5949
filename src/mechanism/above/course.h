/* SPDX-License-Identifier: MIT */
/* Courses: streams of answers that are held against a noisy threshold, and outputs whose chances two
 * neighbours are told apart by.
 *
 * A course is a list of stretches of equal answers. It succeeds where the first answer that reaches the
 * threshold lies in a stretch that counts; then it is gone through again, `tops` times in all, against the
 * same noisy threshold. What is asked depends on what was said, as a session may. */
#ifndef PBY_MECHANISM_ABOVE_COURSE_H
#define PBY_MECHANISM_ABOVE_COURSE_H

#include "law/law.h"

enum { PBY_STRETCHES = 8 };

/* The answers relative to the threshold, on the one input and on the other. */
typedef struct pby_stretch {
    int64_t at[2];
    unsigned times;
    bool counts;
} pby_stretch;

typedef struct pby_course {
    pby_stretch stretch[PBY_STRETCHES];
    size_t count;
    unsigned tops;
} pby_course;

/* The most answers of a course in which no top is reached but by the last of each turn. */
static inline unsigned pby_course_length(const pby_course *course)
{
    unsigned length = 0;
    for (size_t i = 0; i < course->count; i++)
        length += course->stretch[i].times;
    return length * course->tops;
}

/* A ball around the chance that the course succeeds on an input: with two-sided geometric noise of these
 * rates; and with any two laws that are symmetric about 0, added up as far as `reach`. */
void pby_course_geometric(arb_t chance, const pby_course *course, int input, const fmpq_t threshold,
                          const fmpq_t answer, slong prec);
void pby_course_summed(arb_t chance, const pby_course *course, int input, const pby_law *threshold,
                       const pby_law *answer, int64_t reach, slong prec);

/* Balls around the chances of all outputs on an input, of a course that is gone through once: that the i-th
 * answer is the first to reach the threshold, and then that none does. */
void pby_outputs_geometric(arb_ptr chance, const pby_course *course, int input, const fmpq_t threshold,
                           const fmpq_t answer, slong prec);
void pby_outputs_summed(arb_ptr chance, const pby_course *course, int input, const pby_law *threshold,
                        const pby_law *answer, int64_t reach, slong prec);

#endif
