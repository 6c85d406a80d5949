/*
 * The suite's own main. Criterion runs each test in a process of its own, and these are searched for
 * leaks as they end; the process that starts them is Criterion's alone, and under threads it now and
 * then loses a message, which is not a fault of the code under test.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#else
static void __lsan_disable(void)
{
}
#endif

/* The number of a standard stream that is closed would go to a socket of Criterion's, and a test that lends
 * itself another standard input would close that. */
static void open_streams(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    close(fd);
}

/* Seen from outside: Criterion finds main by its name in each process that it starts. */
__attribute__((visibility("default"))) int main(int argc, char **argv)
{
    __lsan_disable();
    open_streams();
    struct criterion_test_set *tests = criterion_initialize();
    int failed = 0;
    if (criterion_handle_args(argc, argv, true))
        failed = !criterion_run_all_tests(tests);
    criterion_finalize(tests);
    return failed;
}
