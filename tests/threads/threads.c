/* SPDX-License-Identifier: MIT */
/* Uses all that docs/library.md allows threads at once, for ThreadSanitizer: a ledger that all share and one
 * that each opens for itself, a spec that all share, sessions of one thread each, and a certificate that is
 * checked by all. */
#include <probity.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, ROUNDS = 3 };

static pby_ledger *shared;
static pby_spec *spec, *questions;
static char *certificate;
static const char *folder;
static _Atomic int spent, refused, faults;

static void expect(bool good, const char *what, const pby_error *err)
{
    if (good)
        return;
    fprintf(stderr, "threads: %s: %s\n", what, err->text);
    faults++;
}

static void spend_on(pby_ledger *ledger)
{
    pby_error err = PBY_NO_ERROR;
    const pby_status status = pby_ledger_spend(ledger, spec, NULL, &err);
    expect(status == PBY_OK || status == PBY_NO, "spend", &err);
    spent += status == PBY_OK;
    refused += status == PBY_NO;
}

static void look_at(pby_ledger *ledger)
{
    pby_error err = PBY_NO_ERROR;
    char digest[PBY_LEDGER_DIGEST_SIZE];
    expect(pby_ledger_digest(digest, ledger, &err) == PBY_OK, "digest", &err);
    expect(pby_ledger_after(ledger, digest, &err) == PBY_OK, "after", &err);
    const pby_status status = pby_ledger_affords(ledger, spec, NULL, &err);
    expect(status == PBY_OK || status == PBY_NO, "affords", &err);
}

static void open_and_spend(void)
{
    char path[512];
    pby_error err = PBY_NO_ERROR;
    pby_ledger *own;
    snprintf(path, sizeof path, "%s/ledger", folder);
    expect(pby_ledger_open(&own, path, &err) == PBY_OK, "open", &err);
    if (own != NULL)
        spend_on(own);
    pby_ledger_close(own);
}

static void ask(int number)
{
    char path[512];
    pby_error err = PBY_NO_ERROR;
    pby_session *session = NULL;
    pby_reply reply;
    size_t taken;
    snprintf(path, sizeof path, "%s/session%d", folder, number);
    expect(pby_session_create(path, questions, 100, NULL, &err) == PBY_OK, "create", &err);
    expect(pby_session_open(&session, path, &err) == PBY_OK, "open", &err);
    for (int i = 0; i < ROUNDS && session != NULL; i++)
        expect(pby_session_ask(session, &(int64_t){-1000}, 1, &reply, &taken, &err) == PBY_OK, "ask", &err);
    pby_session_close(session);
}

static void *work(void *what)
{
    pby_error err = PBY_NO_ERROR;
    pby_certificate *c;
    for (int i = 0; i < ROUNDS; i++) {
        spend_on(shared);
        look_at(shared);
        open_and_spend();
    }
    ask(*(int *)what);
    expect(pby_verify(&c, certificate, strlen(certificate), &err) == PBY_OK, "verify", &err);
    pby_certificate_free(c);
    pby_thread_end();
    return NULL;
}

int main(int argc, char **argv)
{
    static const char *const texts[] = {"geometric:eps=1/10", "2*above:eps=80"};
    static int numbers[THREADS];
    char path[512];
    pthread_t thread[THREADS];
    pby_error err = PBY_NO_ERROR;
    if (argc != 2)
        return 2;
    folder = argv[1];
    snprintf(path, sizeof path, "%s/ledger", folder);
    expect(pby_spec_parse(&spec, &texts[0], 1, &err) == PBY_OK, "spec", &err);
    expect(pby_spec_parse(&questions, &texts[1], 1, &err) == PBY_OK, "spec", &err);
    expect(pby_certify_text(&certificate, spec, PBY_ADD_REMOVE, "1/10", NULL, &err) == PBY_OK, "certify",
           &err);
    expect(pby_ledger_create_text(path, PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, 1, "4", "0", &err) == PBY_OK,
           "create", &err);
    expect(pby_ledger_open(&shared, path, &err) == PBY_OK, "open", &err);
    if (faults != 0)
        return 1;
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&thread[i], NULL, work, &numbers[i]) != 0)
            return 2;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    expect(spent == 40 && refused == 2 * THREADS * ROUNDS - 40, "40 spends of 1/10 are a budget of 4", &err);
    pby_ledger_close(shared);
    free(certificate);
    pby_spec_free(questions);
    pby_spec_free(spec);
    printf("threads: %d spent, %d refused, %d faults\n", spent, refused, faults);
    return faults != 0;
}
