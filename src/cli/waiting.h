/* A line that counts the seconds of work that says nothing of itself, on a terminal and only there.
 *
 * As with progress.h nothing is shown unless standard error is a terminal, nor in the first second, and
 * pby_waiting_end takes the line away again: before anything else is printed. */
#ifndef PBY_CLI_WAITING_H
#define PBY_CLI_WAITING_H

#include <pthread.h>
#include <stdbool.h>

typedef struct pby_waiting {
    const char *what;
    bool started, ended, shown;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t end;
} pby_waiting;

void pby_waiting_begin(pby_waiting *waiting, const char *what);
void pby_waiting_end(pby_waiting *waiting);

#endif
