/* SPDX-License-Identifier: MIT */
#include "cli/guard.h"

#include <flint/flint.h>
#include <gmp.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/work.h"
#include "io/destination.h"
#include "number/integer.h"
#include "number/scoped.h"
#include "probity/rational.h"

enum { LINE_SIZE = 256, MICRO = 1000000, AGAIN = MICRO / 10 };

static const uint64_t kib = 1 << 10, mib = 1 << 20, gib = 1 << 30, least = 32 << 20;

enum { SECONDS, MEMORY, OPTIONS };

const pby_option pby_guard_options[OPTIONS + 1] = {
    [SECONDS] = {.name = "--seconds",
                 .shown = "S",
                 .expected = "a number of seconds",
                 .help = "ends with status 3 after S seconds of processor time; 0 for no limit"},
    [MEMORY] = {.name = "--memory",
                .shown = "M",
                .expected = "a size",
                .help = "ends with status 3 beyond this memory, such as 512MiB or 2GiB; 0 for no limit"},
};

/* ---- the budget ------------------------------------------------------------------------------- */

typedef struct budget {
    uint64_t micro;  /* of processor time; 0: any */
    uint64_t memory; /* bytes; 0: any */
} budget;

/* A certificate is a stranger's, and so may an audit's files, a deployment and a plan be. A question of one
 * line may come from anywhere, and an hour is more than a good one takes. What the data of the caller need is
 * not for the command to say. */
static const struct {
    const char *command;
    const char *but; /* an action of it that has no limits, or NULL */
    unsigned seconds, gib;
} defaults[] = {{"verify", NULL, 60, 1},       {"loss", NULL, 3600, 2},     {"select", NULL, 3600, 2},
                {"certify", NULL, 3600, 2},    {"accuracy", NULL, 3600, 2}, {"explain", NULL, 3600, 2},
                {"geometry", NULL, 3600, 2},   {"random", NULL, 3600, 2},   {"condensed", NULL, 3600, 2},
                {"experiment", NULL, 3600, 4}, {"audit", NULL, 3600, 4},    {"deployment", NULL, 600, 2},
                {"plan", "release", 600, 2}};

static bool is_given(const char *action, int argc, char *const *argv)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], action) == 0)
            return true;
    return false;
}

static budget usual(const char *command, int argc, char *const *argv)
{
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (strcmp(command, defaults[i].command) == 0 &&
            (defaults[i].but == NULL || !is_given(defaults[i].but, argc, argv)))
            return (budget){(uint64_t)defaults[i].seconds * MICRO, defaults[i].gib * gib};
    return (budget){0, 0};
}

static void show_size(char out[PBY_GUARD_DEFAULT_SIZE], uint64_t size)
{
    if (size % gib == 0)
        snprintf(out, PBY_GUARD_DEFAULT_SIZE, "%" PRIu64 "GiB", size / gib);
    else if (size % mib == 0)
        snprintf(out, PBY_GUARD_DEFAULT_SIZE, "%" PRIu64 "MiB", size / mib);
    else
        snprintf(out, PBY_GUARD_DEFAULT_SIZE, "%" PRIu64, size);
}

static pby_status read_seconds(uint64_t *micro, const char *text, pby_error *err)
{
    static const unsigned long most = 100000000;
    PBY_MPQ(x);
    PBY_MPZ(whole);
    const bool read = pby_rational_parse(x, "--seconds", text, NULL) == PBY_OK && mpq_sgn(x) >= 0 &&
                      mpq_cmp_ui(x, most, 1) <= 0;
    if (read) {
        mpz_mul_ui(whole, mpq_numref(x), MICRO);
        mpz_cdiv_q(whole, whole, mpq_denref(x));
        *micro = pby_integer_unsigned(whole);
    }
    return read ? PBY_OK
                : pby_refuse(err, "--seconds", text,
                             "a number of seconds up to 100000000, such as 60; 0 for no limit");
}

static pby_status read_memory(uint64_t *memory, const char *text, pby_error *err)
{
    const struct {
        const char *name;
        uint64_t bytes;
    } units[] = {{"", 1}, {"KiB", kib}, {"MiB", mib}, {"GiB", gib}};
    char *end;
    const size_t digits = strspn(text, "0123456789");
    const unsigned long long number = strtoull(text, &end, 10);
    for (size_t i = 0; digits > 0 && digits < 16 && i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0 && number <= INT64_MAX / units[i].bytes) {
            *memory = number * units[i].bytes;
            if (*memory == 0 || *memory >= least)
                return PBY_OK;
        }
    return pby_refuse(err, "--memory", text, "a size from 32MiB on, such as 512MiB or 2GiB; 0 for no limit");
}

/* ---- the arguments ---------------------------------------------------------------------------- */

/* The value of an option that stands at argv[i]; NULL when none does. *words is how many it takes. */
static const char *value_at(const char *name, int argc, char **argv, int i, int *words)
{
    const size_t size = strlen(name);
    *words = 1;
    if (strncmp(argv[i], name, size) != 0 || (argv[i][size] != '=' && argv[i][size] != '\0'))
        return NULL;
    if (argv[i][size] == '=')
        return argv[i] + size + 1;
    if (i + 1 == argc || strncmp(argv[i + 1], "--", 2) == 0)
        return "";
    *words = 2;
    return argv[i + 1];
}

static pby_status take(const char *values[2], int *argc, char **argv, pby_error *err)
{
    int kept = 0, words;
    bool only_operands = false;
    for (int i = 0; i < *argc; i += words) {
        const char *value = NULL;
        int which = 0;
        words = 1;
        only_operands = only_operands || strcmp(argv[i], "--") == 0;
        for (which = 0; !only_operands && which < 2; which++)
            if ((value = value_at(pby_guard_options[which].name, *argc, argv, i, &words)) != NULL)
                break;
        if (value == NULL) {
            argv[kept++] = argv[i];
            continue;
        }
        if (values[which] != NULL)
            return pby_refuse(err, pby_guard_options[which].name, value, "it once, not twice");
        values[which] = value;
    }
    *argc = kept;
    return PBY_OK;
}

/* ---- memory ----------------------------------------------------------------------------------- */

/* Limits the memory that is written to, and not memory that is only reserved or mapped from a file. Elsewhere
 * than on Linux RLIMIT_DATA would not cover all of it. */
#ifdef __linux__
#define BOUNDED RLIMIT_DATA
#else
#define BOUNDED RLIMIT_AS
#endif

static struct rlimit before;
static bool bounded;
static char no_memory[LINE_SIZE], no_time[LINE_SIZE], no_number[LINE_SIZE];

/* Only what a handler of signals may call. */
_Noreturn static void end_with(const char *line)
{
    pby_destination_sweep();
    const ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written;
    _exit(PBY_FAILED);
}

_Noreturn static void end_memory(void)
{
    end_with(no_memory);
}

/* GMP and FLINT abort where a number is larger than they can hold, too. */
__attribute__((noreturn)) static void end_number(void)
{
    end_with(no_number);
}

static void aborted(int number)
{
    (void)number;
    end_number();
}

static void *allocate(size_t size)
{
    void *p = malloc(size);
    if (p == NULL && size > 0)
        end_memory();
    return p;
}

static void *allocate_zero(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (p == NULL && count > 0 && size > 0)
        end_memory();
    return p;
}

static void *reallocate(void *old, size_t size)
{
    void *p = realloc(old, size);
    if (p == NULL && size > 0)
        end_memory();
    return p;
}

static void *reallocate_sized(void *old, size_t from, size_t size)
{
    (void)from;
    return reallocate(old, size);
}

static void free_sized(void *p, size_t size)
{
    (void)size;
    free(p);
}

/* A program that is started has what this one was started with. */
static void give_back(void)
{
    if (bounded)
        (void)setrlimit(BOUNDED, &before);
}

static bool is_lower(rlim_t limit, uint64_t memory)
{
    return limit != RLIM_INFINITY && limit <= memory;
}

/* A sanitizer keeps its own books in data of the process, more than any limit. */
#ifdef PBY_SANITIZED
enum { IS_BOUNDED = 0 };
#else
enum { IS_BOUNDED = 1 };
#endif

static void bound_memory(uint64_t memory)
{
    if (!IS_BOUNDED || memory == 0 || getrlimit(BOUNDED, &before) != 0 || is_lower(before.rlim_cur, memory))
        return;
    const struct rlimit limit = {.rlim_cur = memory, .rlim_max = before.rlim_max};
    bounded = !is_lower(before.rlim_max, memory) && pthread_atfork(NULL, NULL, give_back) == 0 &&
              setrlimit(BOUNDED, &limit) == 0;
}

/* ---- time ------------------------------------------------------------------------------------- */

static atomic_int late; /* how often the timer has struck */

static void arm(uint64_t micro)
{
    const struct itimerval once = {
        .it_value = {.tv_sec = (time_t)(micro / MICRO), .tv_usec = (suseconds_t)(micro % MICRO)}};
    (void)setitimer(ITIMER_PROF, &once, NULL);
}

/* First the library is told, which ends in order; what has not ended by then is ended. */
static void strike(int number)
{
    enum { PATIENCE = 10 };
    (void)number;
    if (atomic_fetch_add(&late, 1) >= PATIENCE && !pby_work_is_held())
        end_with(no_time);
    arm(AGAIN);
}

static bool is_late(void *data)
{
    (void)data;
    return atomic_load(&late) > 0 && !pby_work_is_held();
}

static void bound_time(uint64_t micro)
{
    const struct sigaction action = {.sa_handler = strike, .sa_flags = SA_RESTART};
    if (micro > 0 && sigaction(SIGPROF, &action, NULL) == 0)
        arm(micro);
}

/* ---- the guard -------------------------------------------------------------------------------- */

static budget given;

static void write_lines(const char *program, const budget *b)
{
    char size[PBY_GUARD_DEFAULT_SIZE];
    show_size(size, b->memory);
    if (b->memory == 0)
        snprintf(no_memory, sizeof no_memory, "%s: out of memory\n", program);
    else
        snprintf(no_memory, sizeof no_memory,
                 "%s: out of memory: the work needs more than %s (--memory gives it more)\n", program, size);
    snprintf(no_number, sizeof no_number, "%s: the arithmetic gave up: a number is too large\n", program);
    snprintf(no_time, sizeof no_time,
             "%s: out of time: the work takes more than %.6g s of processor time (--seconds gives it more)\n",
             program, (double)b->micro / MICRO);
}

pby_status pby_guard_begin(const char *program, const char *command, int *argc, char **argv, pby_error *err)
{
    const char *values[2] = {NULL, NULL};
    budget b = usual(command, *argc, argv);
    pby_status status = take(values, argc, argv, err);
    if (status == PBY_OK && values[0] != NULL)
        status = read_seconds(&b.micro, values[0], err);
    if (status == PBY_OK && values[1] != NULL)
        status = read_memory(&b.memory, values[1], err);
    if (status != PBY_OK)
        return status;
    given = b;
    write_lines(program, &b);
    mp_set_memory_functions(allocate, reallocate_sized, free_sized);
    __flint_set_memory_functions(allocate, allocate_zero, reallocate, free);
    flint_set_abort(end_number);
    (void)sigaction(SIGABRT, &(struct sigaction){.sa_handler = aborted}, NULL);
    bound_memory(b.memory);
    bound_time(b.micro);
    pby_interrupt_by(is_late, NULL);
    pby_work_memory(b.memory);
    pby_work_time(b.micro);
    return PBY_OK;
}

/* ---- what is said ----------------------------------------------------------------------------- */

/* The line of a sudden end, without the program's name and the newline. */
static void set_line(pby_error *err, const char *line)
{
    const char *text = strchr(line, ':');
    if (text != NULL)
        snprintf(err->text, sizeof err->text, "%.*s", (int)strcspn(text + 2, "\n"), text + 2);
}

/* Says what the work would have taken, where it was given up for that. */
static void set_foreseen(pby_error *err, uint64_t seconds)
{
    pby_fail_by(err, PBY_FAILED, PBY_REASON_STOPPED,
                "out of time: the work would take %" PRIu64
                " s of processor time or more, and has %.6g s (--seconds gives it more)",
                seconds, (double)given.micro / MICRO);
}

pby_status pby_guard_end(pby_status status, pby_error *err)
{
    const uint64_t foreseen = pby_work_foreseen();
    if (status == PBY_FAILED && err->reason == PBY_REASON_STOPPED && foreseen > 0)
        set_foreseen(err, foreseen);
    else if (status == PBY_FAILED && err->reason == PBY_REASON_STOPPED)
        set_line(err, no_time);
    else if ((status == PBY_FAILED || status == PBY_BAD) && err->reason == PBY_REASON_MEMORY &&
             given.memory > 0 && (given.memory < 2 * gib || strcmp(err->text, "out of memory") == 0)) {
        set_line(err, no_memory);
        return PBY_FAILED;
    }
    return status;
}

void pby_guard_default(char out[PBY_GUARD_DEFAULT_SIZE], const pby_option *option, const char *command)
{
    const budget b = usual(command, 0, NULL);
    snprintf(out, PBY_GUARD_DEFAULT_SIZE, "no limit");
    if (option == &pby_guard_options[MEMORY] && b.memory > 0)
        show_size(out, b.memory);
    if (option == &pby_guard_options[SECONDS] && b.micro > 0)
        snprintf(out, PBY_GUARD_DEFAULT_SIZE, "%" PRIu64, b.micro / MICRO);
    if (strcmp(command, "plan") == 0)
        snprintf(out + strlen(out), PBY_GUARD_DEFAULT_SIZE - strlen(out), "; release: none");
}
