/* intruder.c - a libclingo that someone has taken over: loaded into lpmln-worker before the
** real one, it tries what a thief would try and writes down how each attempt ended.
**
** The report is mapped before the worker confines itself, when every attempt still may
** succeed (the first column); the second column is from inside a question. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char *report; /* a page */
static size_t used;

static void note(const char *what, long result) {
  used += (size_t)snprintf(report + used, 4096 - used, "%s %d\n", what, result < 0 ? errno : 0);
}

static void attempt(void) {
  const char *file = getenv("INTRUDER_FILE");
  int other = open(file, O_RDONLY);
  note("open", other);
  note("create", open(getenv("INTRUDER_NEW"), O_WRONLY | O_CREAT, 0600));
  note("proc", open("/proc/self/mem", O_RDWR));
  note("look", access(file, F_OK) ? -1 : 0);
  note("rename", rename(file, file));
  note("network", socket(AF_INET, SOCK_STREAM, 0));
  note("local", socket(AF_UNIX, SOCK_STREAM, 0));
  note("kill", kill(getppid(), 0));
  note("limit", (long)syscall(SYS_prlimit64, 0, 7, NULL, NULL));
  pid_t child = (pid_t)syscall(SYS_fork);
  if (!child)
    _exit(0);
  note("fork", child);
  char byte;
  note("inherited", read(9, &byte, 0));
}

__attribute__((constructor)) static void begin(void) {
  if (strcmp(program_invocation_short_name, "lpmln-worker") != 0)
    return;
  int file = open(getenv("INTRUDER_REPORT"), O_RDWR);
  report = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (report == MAP_FAILED)
    abort();
  attempt();
  used += (size_t)snprintf(report + used, 4096 - used, "--\n");
}

/* The first that the worker asks of libclingo. */
bool clingo_control_new(const void *arguments, size_t n, void *logger, void *data, unsigned limit,
                        void **control);
bool clingo_control_new(const void *arguments, size_t n, void *logger, void *data, unsigned limit,
                        void **control) {
  (void)arguments, (void)n, (void)logger, (void)data, (void)limit, (void)control;
  attempt();
  char *no[] = {NULL};
  note("exec", execve("/bin/true", no, no));
  used += (size_t)snprintf(report + used, 4096 - used, "end\n");
  _exit(0);
}
