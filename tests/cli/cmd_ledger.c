/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/run.h"

#define SPEC  "stlap:eps=1/2,q=60"
#define INPUT "a,100\nb,50\n"

static char folder[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE], in[PBY_PATH_SIZE], out[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(ledger, folder, "ledger");
    pby_folder_path(in, folder, "in.csv");
    pby_folder_path(out, folder, "out.csv");
    pby_write_file(in, INPUT);
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(ledger_command, .init = setup, .fini = teardown);

static void make(const char *delta)
{
    const pby_run *r = PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", delta);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(r->out_size, 0);
}

/* Returns the number of releases in the ledger. */
static int entries(void)
{
    const pby_run *r = PBY_RUN(NULL, "ledger", "export", ledger);
    cr_assert_eq(r->status, 0, "%s", r->err);
    int count = 0;
    for (const char *at = r->out; (at = strstr(at, "\"number\"")) != NULL; at++)
        count++;
    return count;
}

Test(ledger_command, charges_a_release_and_refuses_to_overspend)
{
    make("1e-6");
    cr_assert_eq(PBY_RUN(INPUT, "release", SPEC, "--ledger", ledger)->status, 0);
    cr_assert_eq(PBY_RUN(NULL, "release", SPEC, in, "--ledger", ledger, "-o", out)->status, 0);
    cr_assert_eq(access(out, F_OK), 0);
    unlink(out);
    PBY_REFUSED(1, "ledger: " SPEC " would overspend", NULL, "release", SPEC, in, "--ledger", ledger, "-o",
                out);
    PBY_REFUSED(1, "would overspend", INPUT, "release", SPEC, "--ledger", ledger);
    cr_assert_neq(access(out, F_OK), 0);
    cr_assert_eq(entries(), 2);
}

Test(ledger_command, shows_what_was_spent)
{
    make("1e-6");
    cr_assert_eq(PBY_RUN(INPUT, "release", SPEC, "--ledger", ledger)->status, 0);
    const pby_run *r = PBY_RUN(NULL, "ledger", "show", ledger);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\nrows        disjoint\nbudget      epsilon 1, delta 1/1000000\n"),
                       "%s", r->out);
    cr_assert_not_null(strstr(r->out, "delta, at the budget's epsilon\n"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "\n     1  2"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "Z  " SPEC "\n"), "%s", r->out);
    r = PBY_RUN(NULL, "ledger", "show", ledger, "--json");
    cr_assert_not_null(strstr(r->out, "\"budget\": {\"epsilon\": \"1\", \"delta\": \"1/1000000\"}"), "%s",
                       r->out);
}

/* A basic ledger charges what the certificate says: twice a half, and no third time. */
Test(ledger_command, accounts_as_it_was_told_to)
{
    const char *certificate = "tests/vectors/stlap.json";
    const pby_run *r = PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "1e-4",
                               "--accounting", "basic", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"accounting\": \"basic\""), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "\"entries\": []"), "%s", r->out);
    PBY_REFUSED(2, "its accounting is basic: expected a certificate", INPUT, "release", SPEC, "--ledger",
                ledger);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(PBY_RUN(INPUT, "release", certificate, "--ledger", ledger)->status, 0);
    PBY_REFUSED(1, "epsilon would be up to 1.5, the budget is 1", INPUT, "release", certificate, "--ledger",
                ledger);
    r = PBY_RUN(NULL, "ledger", "show", ledger);
    cr_assert_not_null(strstr(r->out, "\naccounting  basic\n"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "stlap:eps=1/2,q=40  epsilon 1/2, delta 1.47266187e-05\n"), "%s",
                       r->out);
    r = PBY_RUN(NULL, "ledger", "export", ledger);
    cr_assert_not_null(strstr(r->out, "\"epsilon\": \"1/2\", \"delta\": \"1.47266187e-05\"}]"), "%s", r->out);
    PBY_REFUSED(2, "--accounting 'basicly': expected one of exact, basic", NULL, "ledger", "init", out,
                "--epsilon", "1", "--delta", "0", "--accounting", "basicly");
    PBY_REFUSED(2, "--accounting: expected it with ledger init", NULL, "ledger", "show", ledger,
                "--accounting", "exact");
}

/* A filter says its mode in what it shows, exports and leaves as a receipt; a session is not for it. */
Test(ledger_command, filters_say_their_mode)
{
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", ledger, "--accounting", "zcdp", "--rho", "1/8")->status, 0);
    const pby_run *r = PBY_RUN(INPUT, "release", "dgauss:sigma2=4", "--ledger", ledger, "-o", out, "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(
        strstr(r->out,
               "\"spent\": null, \"ledger_accounting\": \"zcdp\", \"ledger_budget\": {\"rho\": \"0.125\""),
        "%s", r->out);
    PBY_REFUSED(1, "rho would be up to 0.125", INPUT, "release", "dgauss:sigma2=4000000000", "--ledger",
                ledger, "-o", out);
    r = PBY_RUN(NULL, "ledger", "show", ledger);
    cr_assert_not_null(strstr(r->out, "\nbudget      rho 1/8, delta 0\n"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "0.125  the sum of rhos; what is guaranteed is the budget\n"), "%s",
                       r->out);
    r = PBY_RUN(NULL, "ledger", "export", ledger);
    cr_assert_not_null(strstr(r->out, "\"charged\": {\"rho\": {\"lo\": \"0.125\""), "%s", r->out);
    cr_assert_null(strstr(r->out, "\"spent\""), "%s", r->out);
    PBY_REFUSED(2, "--order '3': expected it with another --accounting than zcdp", NULL, "ledger", "init",
                out, "--accounting", "zcdp", "--rho", "1", "--order", "3");
    PBY_REFUSED(2, "ledger init: expected --order A and --renyi B", NULL, "ledger", "init", out,
                "--accounting", "renyi", "--renyi", "1");
}

/* Releases of other programs are charged by the same rule. */
Test(ledger_command, spends_for_what_is_released_elsewhere)
{
    make("1e-6");
    const pby_run *r = PBY_RUN(NULL, "ledger", "spend", ledger, SPEC);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(r->out_size, 0);
    r = PBY_RUN(NULL, "ledger", "spend", ledger, "geometric:eps=1/4", "geometric:eps=1/8", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"spec\": \"geometric:eps=1/4 geometric:eps=1/8\""), "%s", r->out);
    PBY_REFUSED(1, "ledger: " SPEC " would overspend", NULL, "ledger", "spend", ledger, SPEC);
    PBY_REFUSED(1, "ledger: " SPEC " would overspend", INPUT, "release", SPEC, "--ledger", ledger);
    PBY_REFUSED(2, "SPEC 'gauß'", NULL, "ledger", "spend", ledger, "gauß:sigma2=1");
    PBY_REFUSED(2, "expected FILE and a certificate or a SPEC", NULL, "ledger", "spend", ledger);
    PBY_REFUSED(2, "one certificate or SPEC..., nothing more", NULL, "ledger", "spend", ledger,
                "tests/vectors/stlap.json", SPEC);
    PBY_REFUSED(2, "--delta: expected it with ledger init, not with ledger spend", NULL, "ledger", "spend",
                ledger, SPEC, "--delta", "1");
    PBY_REFUSED(2, "expected a file that probity ledger init made", NULL, "ledger", "spend", out, SPEC);
    cr_assert_eq(entries(), 2);
}

/* A certificate is charged as its release would be, and only if it holds and is about these neighbours. */
Test(ledger_command, spends_for_a_certificate)
{
    static const char false_certificate[] = "{\"format\": \"probity-certificate\"}\n";
    const char *certificate = "tests/vectors/stlap.json";
    cr_assert_eq(
        PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "1e-4", "--accounting", "basic")
            ->status,
        0);
    PBY_REFUSED(2, "its accounting is basic: expected a certificate", NULL, "ledger", "spend", ledger, SPEC);
    const pby_run *r = PBY_RUN(NULL, "ledger", "spend", ledger, certificate, "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"epsilon\": \"1/2\", \"delta\": \"1.47266187e-05\"}]"), "%s", r->out);
    cr_assert_eq(PBY_RUN(INPUT, "release", certificate, "--ledger", ledger)->status, 0);
    PBY_REFUSED(1, "epsilon would be up to 1.5, the budget is 1", NULL, "ledger", "spend", ledger,
                certificate);
    PBY_REFUSED(2, "its neighbours are add-remove: expected substitute", NULL, "ledger", "spend", ledger,
                "tests/vectors/stlap-substitute.json");
    pby_folder_path(out, folder, "false.json");
    pby_write_file(out, false_certificate);
    PBY_REFUSED(1, "field 'version'", NULL, "ledger", "spend", ledger, out);
    cr_assert_eq(entries(), 2);
}

/* Charged by what was said beforehand, and never by the number of rows in the file. */
Test(ledger_command, rows_that_overlap_are_charged_as_uses)
{
    const pby_run *r = PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "0", "--rows",
                               "overlapping=50", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"rows\": \"overlapping=50\""), "%s", r->out);
    PBY_REFUSED(1, "50*geometric:eps=1/10 would overspend", "a,1\n", "release", "geometric:eps=1/10",
                "--ledger", ledger);
    r = PBY_RUN("a,1\n", "release", "geometric:eps=1/100", "--ledger", ledger);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->err, "rows overlap: one record is in at most 50 of them\n"), "%s", r->err);
    r = PBY_RUN("a,1\nb,1\nc,1\nd,1\n", "release", "geometric:eps=1/100", "--ledger", ledger);
    cr_assert_eq(r->status, 0, "%s", r->err);
    r = PBY_RUN(NULL, "ledger", "show", ledger);
    cr_assert_not_null(strstr(r->out, "\nrows        overlapping=50\n"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "     1  "), "%s", r->out);
    cr_assert_not_null(strstr(strstr(r->out, "50*geometric:eps=1/100\n") + 1, "50*geometric:eps=1/100\n"),
                       "%s", r->out);
    PBY_REFUSED(2, "a ledger whose rows are disjoint", "a,1\n", "release", "geometric:eps=1/100", "--ledger",
                ledger, "--group-by", in);
    PBY_REFUSED(2, "the ledger's rows overlap", "1\n", "release", "buckethist:eps=1/2,q=60,bound=10,width=1",
                "--ledger", ledger);
    PBY_REFUSED(2, "--rows 'apart': expected disjoint or overlapping=N", NULL, "ledger", "init", out,
                "--epsilon", "1", "--delta", "0", "--rows", "apart");
    PBY_REFUSED(2, "--rows overlapping '0': expected", NULL, "ledger", "init", out, "--epsilon", "1",
                "--delta", "0", "--rows", "overlapping=0");
    PBY_REFUSED(2, "--rows: expected it with ledger init", NULL, "ledger", "show", ledger, "--rows",
                "disjoint");
}

/* A refusal for another reason costs nothing: the input is read first. */
Test(ledger_command, a_bad_input_costs_nothing)
{
    make("1e-6");
    PBY_REFUSED(2, "line 1", "a,-1\n", "release", SPEC, "--ledger", ledger);
    PBY_REFUSED(2, "output '/tmp'", INPUT, "release", SPEC, "--ledger", ledger, "-o", "/tmp");
    PBY_REFUSED(2, "SPEC", INPUT, "release", "nosuch:a=1", "--ledger", ledger);
    cr_assert_eq(entries(), 0);
}

Test(ledger_command, the_neighbours_must_be_those_of_the_certificate)
{
    make("1e-6");
    PBY_REFUSED(2, "its neighbours are add-remove: expected substitute", INPUT, "release",
                "tests/vectors/stlap-substitute.json", "--ledger", ledger);
    cr_assert_eq(entries(), 0);
}

Test(ledger_command, refuses_bad_usage)
{
    make("1e-6");
    PBY_REFUSED(2, "File exists", NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "0");
    PBY_REFUSED(2, "ledger init: expected --epsilon E and --delta D", NULL, "ledger", "init", out);
    PBY_REFUSED(2, "delta '1'", NULL, "ledger", "init", out, "--epsilon", "1", "--delta", "1");
    PBY_REFUSED(2, "ledger 'pay': expected one of init, show, export, spend", NULL, "ledger", "pay", ledger);
    PBY_REFUSED(2, "expected init, show, export, spend or copy, and a FILE", NULL, "ledger", "show");
    PBY_REFUSED(2, "--delta: expected it with ledger init", NULL, "ledger", "show", ledger, "--delta", "1");
    char named[PBY_PATH_SIZE + 64];
    snprintf(named, sizeof named, "ledger '%s': expected a file that probity ledger init made", in);
    PBY_REFUSED(2, named, NULL, "ledger", "show", in);
    PBY_REFUSED(2, "expected a file that probity ledger init made", INPUT, "release", SPEC, "--ledger", out);
    cr_assert_eq(pby_folder_entries(folder), 2);
}

/* ---- a full disk ------------------------------------------------------------------------------- */

/* Runs a release with a limit on the size of files, which writes beyond it fail at. */
static int release_within(rlim_t bytes)
{
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        const char *command = getenv("PROBITY");
        const struct rlimit limit = {bytes, bytes};
        const int nowhere = open("/dev/null", O_RDWR);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        execl(command != NULL ? command : "build/probity", "probity", "release", SPEC, in, "--ledger", ledger,
              "-o", out, (char *)NULL);
        _exit(127);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(ledger_command, a_full_disk_releases_nothing_that_is_not_recorded)
{
    make("1e-6");
    int refused = 0;
    for (rlim_t bytes = 0; bytes <= 65536; bytes += 1024) {
        unlink(out);
        const int status = release_within(bytes), recorded = entries();
        const bool released = access(out, F_OK) == 0;
        cr_assert(status == 0 || status == 3, "status %d", status);
        cr_assert_eq(released, status == 0);
        cr_assert(!released || recorded == 1);
        refused += status == 3;
        if (released)
            break;
    }
    cr_assert_gt(refused, 0);
    cr_assert_eq(access(out, F_OK), 0);
}

/* ---- kill -9 ----------------------------------------------------------------------------------- */

/* The system calls that leave something behind. */
static bool leaves_a_trace(unsigned long long number)
{
    static const long calls[] = {SYS_openat,    SYS_write,     SYS_pwrite64, SYS_fsync,
                                 SYS_fdatasync, SYS_ftruncate, SYS_close,    SYS_linkat,
                                 SYS_renameat,  SYS_renameat2, SYS_unlinkat,
#ifdef SYS_unlink
                                 SYS_unlink,    SYS_rename,    SYS_link,
#endif
                                 SYS_fcntl};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (number == (unsigned long long)calls[i])
            return true;
    return false;
}

static pid_t start_traced(void)
{
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        const char *command = getenv("PROBITY");
        setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* the leak check traces the process itself */
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(126);
        execl(command != NULL ? command : "build/probity", "probity", "release", SPEC, in, "--ledger", ledger,
              "-o", out, (char *)NULL);
        _exit(127);
    }
    return child;
}

/* Kills a release on its way into the n-th call that leaves a trace. 1 when it was killed, 0 when it ended
 * before, -1 when processes may not be traced here. */
static int release_killed_at(int n)
{
    const pid_t child = start_traced();
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    if (!WIFSTOPPED(status))
        return -1;
    cr_assert_eq(ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL), 0);
    while (ptrace(PTRACE_SYSCALL, child, NULL, NULL) == 0 && waitpid(child, &status, 0) == child &&
           WIFSTOPPED(status)) {
        struct __ptrace_syscall_info info;
        if (WSTOPSIG(status) != (SIGTRAP | 0x80) ||
            ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info) <= 0 ||
            info.op != PTRACE_SYSCALL_INFO_ENTRY)
            continue;
        n -= leaves_a_trace(info.entry.nr);
        if (n == 0) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return 1;
        }
    }
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}

/* With the journal, which would make the next release take other steps. */
static void remove_ledger(void)
{
    char journal[PBY_PATH_SIZE];
    pby_folder_path(journal, folder, "ledger-journal");
    unlink(journal);
    unlink(ledger);
}

/* At whatever step the command is killed: what was released is recorded, the ledger can be read and charged,
 * and it refuses what would overspend. */
Test(ledger_command, a_kill_at_any_system_call_loses_budget_and_never_privacy)
{
    int n = 1, killed = 1, between = 0;
    for (; killed > 0; n++) {
        make("1e-6");
        killed = release_killed_at(n);
        if (killed < 0)
            cr_skip_test("processes may not be traced here");
        const bool released = access(out, F_OK) == 0;
        const int recorded = entries();
        cr_assert(recorded == 1 || (recorded == 0 && !released), "call %d: %d recorded, released %d", n,
                  recorded, released);
        between += recorded == 1 && !released;
        remove_ledger();
        unlink(out);
    }
    cr_assert_gt(n, 40, "only %d calls", n);
    cr_assert_gt(between, 2, "never killed between the record and the release");
}

Test(ledger_command, refuses_an_overspend_after_a_kill)
{
    int killed = 1;
    make("1e-6");
    for (int n = 30; killed > 0 && entries() < 2; n += 10)
        killed = release_killed_at(n);
    if (killed < 0)
        cr_skip_test("processes may not be traced here");
    while (entries() < 2)
        cr_assert_eq(PBY_RUN(INPUT, "release", SPEC, "--ledger", ledger)->status, 0);
    PBY_REFUSED(1, "would overspend", INPUT, "release", SPEC, "--ledger", ledger);
}

/* No server is asked: the names are refused before, or port 1 refuses. */
Test(ledger_command, no_password_in_an_error)
{
    static const char *const names[] = {
        "postgresql://me:hun@ter2@127.0.0.1:1/d?ledger=x",
        "postgresql://me:hun/ter2@127.0.0.1:1/d?ledger=x",
        "postgresql://me:hun?ter2@127.0.0.1:1/d?ledger=x",
        "postgresql://me:hun#ter2@127.0.0.1:1/d?ledger=x",
        "postgresql://me:hunter2@127.0.0.1:1/d?ledger=x",
        "postgresql://me:hunter2@127.0.0.1:1/d",
        "postgresql://me:hunter2%zz@127.0.0.1:1/d?ledger=x",
        "postgresql:///d?password=hunter2&host=127.0.0.1&port=1&ledger=x",
        "Postgresql://me:hunter2@127.0.0.1:1/d?ledger=x",
        " postgres://me:hunter2@127.0.0.1:1/d?ledger=x",
        "postgresql:/me:hunter2@127.0.0.1:1/d?ledger=x",
        "/none/host=127.0.0.1 password=hunter2 dbname=d",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const *const calls[] = {
            PBY_ARGUMENTS("ledger", "show", names[i]),
            PBY_ARGUMENTS("ledger", "show", ledger, names[i]),
            PBY_ARGUMENTS("ledger", "init", names[i], "--epsilon", "1", "--delta", "0"),
            PBY_ARGUMENTS("release", SPEC, in, "--ledger", names[i], "-o", out),
            PBY_ARGUMENTS("release", SPEC, in, "--ledger", "a", "--ledger", names[i], "-o", out),
            PBY_ARGUMENTS("release", SPEC, names[i], "-o", out),
            PBY_ARGUMENTS("session", "open", names[i], SPEC, "--ledger", names[i]),
            PBY_ARGUMENTS("report", "rappor:f=1/2", "--ledger", names[i], "--user", "a"),
            PBY_ARGUMENTS("verify", names[i]),
            PBY_ARGUMENTS("loss", names[i]),
            PBY_ARGUMENTS("plan", "check", names[i]),
        };
        for (size_t j = 0; j < sizeof calls / sizeof *calls; j++) {
            const pby_run *r = pby_run_command(INPUT, calls[j]);
            cr_assert(r->status == 2 || r->status == 3, "%s, call %zu: %d", names[i], j, r->status);
            cr_assert(strstr(r->err, "hun") == NULL && strstr(r->err, "ter2") == NULL, "call %zu: %s", j,
                      r->err);
            cr_assert(strchr(r->err, '\n') == r->err + strlen(r->err) - 1, "one line: %s", r->err);
        }
    }
}
