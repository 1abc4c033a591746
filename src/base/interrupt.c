// interrupt.c - the one mutable global of the program: a signal handler has no other way to
// communicate.
#include "base/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

// An atomic and not a sig_atomic_t: the handler may run on another thread than the one that polls.
static atomic_bool requested;
_Static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "a signal handler may only use lock-free atomics");

static void on_signal(int number)
{
    if (atomic_exchange(&requested, true)) {
        signal(number, SIG_DFL);
        raise(number); // blocked here, so it kills on return from the handler
    }
}

void interrupt_install(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

bool interrupt_requested(void)
{
    return atomic_load_explicit(&requested, memory_order_relaxed);
}

bool interrupt_stop(void *unused)
{
    (void)unused;
    return interrupt_requested();
}
