/* SPDX-License-Identifier: MIT */
/* Limits that a program sets for its own thread. */
#include "base/work.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <pthread.h>

#include "loss/loss.h"
#include "probity.h"
#include "tests/spec.h"

static int asked;

static bool stop_at(void *data)
{
    return ++asked >= *(int *)data;
}

static pby_status ask(const char *text, pby_error *err)
{
    pby_spec *spec = NULL;
    pby_enclosure delta;
    mpq_t epsilon;
    mpq_init(epsilon);
    mpq_set_ui(epsilon, 1, 1);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, err), PBY_OK);
    const pby_status status = pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, epsilon, 9, err);
    pby_spec_free(spec);
    pby_enclosure_clear(&delta);
    mpq_clear(epsilon);
    return status;
}

/* Wherever it is stopped, it stops there, and asks no further. */
Test(work, a_computation_stops_when_it_is_told_to)
{
    pby_error err = PBY_NO_ERROR;
    int never = 1 << 30;
    pby_interrupt_by(stop_at, &never);
    cr_assert_eq(ask("10*laplace:scale=5", &err), PBY_OK);
    const int whole = asked;
    cr_assert_gt(whole, 3);
    for (int at = 1; at <= whole; at += 1 + whole / 7) {
        asked = 0;
        pby_interrupt_by(stop_at, &at);
        cr_assert_eq(ask("10*laplace:scale=5", &err), PBY_FAILED);
        cr_assert_eq(err.reason, PBY_REASON_STOPPED);
        cr_assert_eq(asked, at);
    }
    pby_interrupt_never();
    cr_assert_eq(ask("10*laplace:scale=5", &err), PBY_OK);
}

Test(work, a_grid_larger_than_the_limit_is_refused_before_it_is_made)
{
    pby_error err = PBY_NO_ERROR;
    pby_work_memory(1 << 16);
    cr_assert_eq(ask("100*laplace:scale=10", &err), PBY_BAD);
    cr_assert_eq(err.reason, PBY_REASON_MEMORY);
    pby_work_memory(UINT64_C(1) << 31);
    cr_assert_eq(ask("100*laplace:scale=10", &err), PBY_OK);
}

static void *other_thread(void *data)
{
    pby_error err = PBY_NO_ERROR;
    *(pby_status *)data = ask("100*laplace:scale=10", &err);
    pby_thread_end();
    return NULL;
}

Test(work, a_limit_is_one_thread_s_own)
{
    pthread_t thread;
    pby_status status = PBY_FAILED;
    pby_work_memory(1 << 16);
    cr_assert_eq(pthread_create(&thread, NULL, other_thread, &status), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_assert_eq(status, PBY_OK);
    cr_assert_eq(pby_work_fits(1 << 17, "this", NULL), PBY_BAD);
}

/* ---- time that is foreseen -------------------------------------------------------------------- */

static void work_for(uint64_t micro)
{
    const uint64_t until = pby_work_spent() + micro;
    while (pby_work_spent() < until)
        ;
}

/* A fifth of a second has gone by for the steps that are done. */
Test(work, what_would_take_too_long_is_given_up_at_once)
{
    enum { SECOND = 1000000 };
    pby_error err = PBY_NO_ERROR;
    const uint64_t began = pby_work_spent();
    work_for(SECOND / 5);
    cr_assert_eq(pby_work_paces(began, 100, 1000000, &err), PBY_OK, "there is no limit");
    pby_work_time(SECOND);
    cr_assert_eq(pby_work_paces(began, 100, 110, &err), PBY_OK, "the rest takes little");
    cr_assert_eq(pby_work_paces(began, 10, 1000000, &err), PBY_OK, "ten steps tell nothing");
    cr_assert_eq(pby_work_foreseen(), 0);
    cr_assert_eq(pby_work_paces(began, 100, 1000000, &err), PBY_FAILED);
    cr_assert_eq(err.reason, PBY_REASON_STOPPED);
    cr_assert_geq(pby_work_foreseen(), 1999);
}

/* 2^40 steps have 200 ms of processor time, and say after a second that they would take far longer. */
Test(work, time_that_is_not_there_is_foreseen)
{
    pby_error err = PBY_NO_ERROR;
    const uint64_t began = pby_work_spent(), steps = UINT64_C(1) << 40;
    uint64_t done = 0;
    pby_status status = PBY_OK;
    pby_work_time(200000);
    while (status == PBY_OK && pby_work_spent() - began < 60000000)
        status = pby_work_goes_on(began, done++, steps, &err);
    cr_assert_eq(status, PBY_FAILED);
    cr_assert_eq(err.reason, PBY_REASON_STOPPED);
    cr_assert_gt(pby_work_foreseen(), 60);
    pby_work_time(0);
    cr_assert_eq(pby_work_goes_on(began, 1 << 20, steps, &err), PBY_OK);
}

/* Steps that fit are never refused, however many there are; whoever is asked is asked between them. */
Test(work, steps_that_fit_go_on)
{
    pby_error err = PBY_NO_ERROR;
    int once = 1;
    pby_work_time(1000000000);
    for (uint64_t i = 0; i < 1 << 16; i++)
        cr_assert_eq(pby_work_goes_on(pby_work_spent(), i, 1 << 16, &err), PBY_OK);
    cr_assert_eq(pby_work_foreseen(), 0);
    asked = 0;
    pby_interrupt_by(stop_at, &once);
    cr_assert_eq(pby_work_goes_on(0, 1, 1 << 16, &err), PBY_OK);
    cr_assert_eq(pby_work_goes_on(0, 64, 1 << 16, &err), PBY_FAILED);
    cr_assert_eq(err.reason, PBY_REASON_STOPPED);
    pby_interrupt_never();
    pby_work_time(0);
}
