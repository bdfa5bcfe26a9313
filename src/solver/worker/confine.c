/* confine.c - see confine.h. */
#include "solver/worker/confine.h"

#include "base/sanitized.h"
#include "solver/protocol.h"
#include "solver/worker/bytes.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef COVERAGE
void __gcov_dump(void);
#endif

_Noreturn void leave(int code) {
#ifdef COVERAGE
  static atomic_flag counted = ATOMIC_FLAG_INIT;
  while (atomic_flag_test_and_set(&counted))
    pause(); /* another thread writes it down and ends the process */
  __gcov_dump();
#endif
  _exit(code);
}

/* ---- memory, and whether anyone listens -------------------------------------------- */

enum { STATM = WORKER_NOTE + 1 }; /* /proc/self/statm: opened before nothing can be */

static size_t memory_limit; /* bytes; set once, before the watch starts */

/* 0: not known. */
static size_t resident(void) {
  char text[128], *rest;
  ssize_t n = pread(STATM, text, sizeof text - 1, 0);
  text[n > 0 ? n : 0] = 0;
  (void)strtoul(text, &rest, 10); /* addresses; what is in memory is next */
  return strtoul(rest, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

/* Ends the process when nobody listens or memory is used up, whatever
** libclingo is doing. */
static void *watch(void *unused) {
  (void)unused;
  for (;;) {
    struct pollfd hangup = {.fd = WORKER_IN, .events = 0};
    if (poll(&hangup, 1, 50) > 0)
      leave(0);
    if (resident() > memory_limit)
      out_of_memory();
  }
}

static void limit_memory(size_t mebibytes) {
  memory_limit = mebibytes << 20;
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#ifndef SANITIZED /* its shadow memory needs all addresses */
  rlim_t addresses = 2 * (rlim_t)memory_limit + ((rlim_t)1 << 30);
  setrlimit(RLIMIT_AS, &(struct rlimit){addresses, addresses});
#endif
  pthread_t thread;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1 << 18);
  pthread_create(&thread, &small, watch, NULL);
}

/* ---- descriptors --------------------------------------------------------------------- */

/* Whatever the host left open is none of our business. */
static void close_others(void) {
  int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (statm >= 0 && statm != STATM) {
    dup2(statm, STATM);
    close(statm);
  }
#ifdef SYS_close_range
  if (!syscall(SYS_close_range, STATM + 1, UINT32_MAX, 0))
    return;
#endif
  for (int i = STATM + 1; i < 65536; i++)
    close(i);
}

/* ---- system calls ---------------------------------------------------------------------- */

#if defined __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#if defined MACHINE && !defined SANITIZED && !defined COVERAGE

/* What computing, waiting and talking need; all else fails with EPERM. */
static const uint32_t allowed[] = {
    SYS_read,          SYS_pread64,      SYS_write,          SYS_writev,       SYS_ppoll,
    SYS_mmap,          SYS_munmap,       SYS_mremap,         SYS_mprotect,     SYS_madvise,
    SYS_brk,           SYS_futex,        SYS_sched_yield,    SYS_nanosleep,    SYS_clock_nanosleep,
    SYS_clock_gettime, SYS_gettimeofday, SYS_getrusage,      SYS_sysinfo,      SYS_getpid,
    SYS_gettid,        SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_restart_syscall,
    SYS_exit,          SYS_exit_group,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_poll
    SYS_poll,
#endif
};

enum { ALLOWED = sizeof allowed / sizeof *allowed };

static void forbid_calls(void) {
  struct sock_filter code[5 + ALLOWED + 2];
  unsigned short n = 0;
  code[n++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  code[n++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < ALLOWED; i++)
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i],
                                             (uint8_t)(ALLOWED - i), 0);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  static_assert(ALLOWED < 256, "jumps are short");
  struct sock_fprog program = {n, code};
  /* for all threads: the one that watches has begun */
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

#else

static void forbid_calls(void) {}

#endif

void confine(size_t mebibytes) {
  assert(mebibytes);
  signal(SIGINT, SIG_IGN); /* Ctrl-C is the library's to handle */
  signal(SIGPIPE, SIG_IGN);
  close_others();
  limit_memory(mebibytes);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  forbid_calls();
}
