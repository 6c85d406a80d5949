/* SPDX-License-Identifier: MIT */
/* Status codes and error texts.
 *
 * Every function that can fail returns a pby_status and takes a pby_error as its last argument. The
 * status values are the exit statuses of the command, so that a caller may pass one on as it is.
 *
 *   PBY_OK      it holds, it was done
 *   PBY_NO      a negative verdict: a certificate that does not verify, a violation found
 *   PBY_BAD     bad usage or input; the text names the argument, its value and what was expected
 *   PBY_FAILED  the machine failed (no entropy, no memory, no disk); nothing was released
 *   PBY_INCONCLUSIVE  an audit whose evidence could not have shown a violation; the command alone uses it
 *
 * Bad input is refused, never answered with an abort. A pointer must not be NULL unless its function says
 * that it may (PBY_NONNULL lists those that must not); three may everywhere: a pby_error, an array of no
 * elements, and what is handed to a function that frees or closes. A function that makes something sets
 * *out to NULL when it fails.
 *
 * There is no global state but for what a thread sets for itself (interrupt.h, work.h): threads may call
 * anything at the same time, as long as no two of them work on one object that either may change. What takes
 * a pointer to const changes nothing. A thread that ends while the program goes on calls pby_thread_end, or
 * what the arithmetic keeps for each thread is lost.
 *
 * A status says what to do, a reason (pby_reason) what it came from: a program that has other words than
 * these for its users, or tries again where the machine failed, asks the reason and not the text.
 *
 * A pby_error may be NULL where the caller does not want the text. The text is one line, without a
 * newline at its end, and never holds a secret: no count, no noise, no key of a histogram.
 */
#ifndef PROBITY_STATUS_H
#define PROBITY_STATUS_H

/* Between these two stands what the shared library exports, with C linkage in C++ too. */
#ifdef __cplusplus
#define PBY_BEGIN_API                                  \
    _Pragma("GCC visibility push(default)") extern "C" \
    {
#define PBY_END_API \
    }               \
    _Pragma("GCC visibility pop")
#else
#define PBY_BEGIN_API _Pragma("GCC visibility push(default)")
#define PBY_END_API   _Pragma("GCC visibility pop")
#endif

/* The caller must check the result. */
#define PBY_CHECKED __attribute__((warn_unused_result))

/* The parameters, counted from 1, that must not be NULL, for the compiler to warn. */
#define PBY_NONNULL(...) __attribute__((nonnull(__VA_ARGS__)))

typedef enum pby_status {
    PBY_OK = 0,
    PBY_NO = 1,
    PBY_BAD = 2,
    PBY_FAILED = 3,
    PBY_INCONCLUSIVE = 4
} pby_status;

/* Why a status is not PBY_OK. More may be added behind the last: take one that is not known for the usual one
 * of its status, which comes first in its group. */
typedef enum pby_reason {
    PBY_REASON_NONE,
    /* of PBY_BAD */
    PBY_REASON_ARGUMENT, /* an argument, a spec, an option, or a file that is not what it is named for */
    PBY_REASON_INPUT, /* data that are not what they should be; the text names line and column, or the row */
    /* of PBY_NO */
    PBY_REASON_VERDICT,     /* an answer that is no */
    PBY_REASON_CERTIFICATE, /* a certificate that does not hold */
    PBY_REASON_BUDGET,      /* a ledger that would be overspent; nothing was recorded */
    PBY_REASON_TARGET,      /* a delta that is not met */
    /* of PBY_FAILED */
    PBY_REASON_INTERNAL, /* two computations that contradict each other: nothing was released or certified */
    PBY_REASON_MEMORY,   /* no memory */
    PBY_REASON_ENTROPY,  /* no entropy, or a tape at its end */
    PBY_REASON_IO, /* a file, a descriptor or a ledger that cannot be read or written, or changed meanwhile */
    PBY_REASON_PRECISION, /* undecided at all the precision that is tried */
    PBY_REASON_STOPPED,   /* stopped by the caller's limit on its work (work.h) */
} pby_reason;

enum { PBY_ERROR_SIZE = 512 };

typedef struct pby_error {
    pby_status status;
    pby_reason reason;
    char text[PBY_ERROR_SIZE];
} pby_error;

/* A pby_error of which nothing is said yet. */
#define PBY_NO_ERROR                \
    {                               \
        PBY_OK, PBY_REASON_NONE, "" \
    }

PBY_BEGIN_API

/* The reason in one word, such as "budget"; "unknown" where there is none such. */
PBY_CHECKED
const char *pby_reason_text(pby_reason reason);

PBY_END_API

#endif
