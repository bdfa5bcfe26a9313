/* main.c - lpmln-mpi: the program lpmln on several machines.
**
** Rank 0 is lpmln: it reads, asks, prints and writes.  The others serve it (lpmln_serve) until
** it says that that is all; then each says so, too, so that no message is left on the way.
** A rank that is killed ends all of them by mpirun.  Who waits sleeps: there may be more ranks
** than cores.  A signal is rank 0's to answer: the others end when it does. */
#include "base/memory.h"
#include "cli/options.h"
#include "cli/run.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A long message is several: MPI counts in int. */
enum { LAST, PART };
#define PIECE ((size_t)1 << 30)

typedef struct {
  MPI_Request request;
  char *bytes; /* owned, by the last piece of a message */
} Sending;

typedef struct {
  lpmln_ranks ranks;
  VEC(Sending) out;
  Text *in;       /* by rank: what came, up to its last piece */
  bool *complete; /* by rank: it is, and was given out */
  bool *ended;    /* by rank: it sent no bytes */
  unsigned idle;  /* looks in a row that found nothing */
} Cluster;

/* ---- messages ------------------------------------------------------------------------ */

/* The longer nothing comes, the less often it looks: up to 3.2 ms. */
static void doze(Cluster *c) {
  enum { SHORTEST = 100000, PATIENCE = 32, MOST = 5 };
  unsigned longer = c->idle / PATIENCE;
  nanosleep(&(struct timespec){.tv_nsec = SHORTEST << (longer < MOST ? longer : MOST)}, NULL);
  c->idle++;
}

/* Lets go of what is sent. */
static void go_on_sending(Cluster *c) {
  size_t kept = 0;
  for (size_t i = 0; i < c->out.n; i++) {
    int sent = 0;
    MPI_Test(&c->out.at[i].request, &sent, MPI_STATUS_IGNORE);
    if (sent)
      free(c->out.at[i].bytes);
    else
      c->out.at[kept++] = c->out.at[i];
  }
  c->out.n = kept;
}

static bool send_bytes(void *data, unsigned to, const char *bytes, size_t length) {
  Cluster *c = data;
  char *copy = memory_copy(bytes, length);
  assert(to < c->ranks.count && to != c->ranks.rank);
  go_on_sending(c);
  vec_reserve(&c->out, length / PIECE + 1);
  size_t at = 0;
  do {
    bool last = length - at <= PIECE;
    Sending *s = &c->out.at[c->out.n++];
    s->bytes = last ? copy : NULL;
    MPI_Isend(copy + at, (int)(last ? length - at : PIECE), MPI_BYTE, (int)to, last ? LAST : PART,
              MPI_COMM_WORLD, &s->request);
    at += PIECE;
  } while (at < length);
  return true;
}

/* A piece that is there. */
static const char *take_piece(Cluster *c, const MPI_Status *there, unsigned *from, size_t *length) {
  int size = 0;
  unsigned rank = (unsigned)there->MPI_SOURCE;
  Text *in = &c->in[rank];
  assert(rank < c->ranks.count);
  MPI_Get_count(there, MPI_BYTE, &size);
  in->n = c->complete[rank] ? 0 : in->n;
  vec_reserve(in, (size_t)size + 1);
  MPI_Recv(in->at + in->n, size, MPI_BYTE, (int)rank, there->MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  in->n += (size_t)size;
  c->complete[rank] = there->MPI_TAG == LAST;
  c->ended[rank] |= c->complete[rank] && !in->n;
  *from = rank, *length = in->n;
  return c->complete[rank] ? in->at : NULL;
}

static const char *receive_bytes(void *data, unsigned *from, size_t *length) {
  Cluster *c = data;
  int there = 0;
  MPI_Status status;
  go_on_sending(c);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (!there)
    doze(c);
  else
    c->idle = 0;
  return there ? take_piece(c, &status, from, length) : NULL;
}

/* That is all from here; then whatever comes, until all have ended. */
static void end(Cluster *c, unsigned first, unsigned count) {
  unsigned from;
  size_t length;
  for (unsigned rank = first; rank < count; rank++)
    (void)send_bytes(c, rank, "", 0);
  for (unsigned rank = first; rank < count; rank++)
    while (!c->ended[rank] || c->out.n)
      (void)receive_bytes(c, &from, &length);
}

/* ---- ranks ----------------------------------------------------------------------------- */

static const char *host(void) {
  static char name[MPI_MAX_PROCESSOR_NAME + 1];
  int length;
  return MPI_Get_processor_name(name, &length) == MPI_SUCCESS ? name : "an unknown host";
}

static void on_signal(int signal) { (void)signal; }

/* As many threads, and as much memory, as rank 0 has; what is wrong with options it says. */
static void take_options(Cluster *c, int argc, char **argv) {
  Settings settings;
  if (!freopen("/dev/null", "w", stdout))
    return;
  FILE *said = stderr;
  stderr = fopen("/dev/null", "w");
  if (options_parse(argc, argv, &settings) < 0) {
    c->ranks.threads = settings.library.threads;
    session_limit_memory(settings.library.memory_limit);
  }
  settings_free(&settings);
  if (stderr)
    fclose(stderr);
  stderr = said;
}

static int serve(Cluster *c, int argc, char **argv) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  take_options(c, argc, argv);
  lpmln_status status = lpmln_serve(&c->ranks);
  if (status != LPMLN_OK) {
    fprintf(stderr, "lpmln-mpi: rank %u on %s: %s\n", c->ranks.rank, c->ranks.host,
            status == LPMLN_LIMIT ? "memory is out" : "what it was sent is damaged");
    MPI_Abort(MPI_COMM_WORLD, (int)status);
  }
  end(c, 0, 1);
  return 0;
}

static int lead(Cluster *c, int argc, char **argv) {
  int code = run_guarded(argc, argv, &c->ranks);
  end(c, 1, c->ranks.count);
  return code;
}

static int work(Cluster *c, int argc, char **argv) {
  size_t n = c->ranks.count;
  c->in = memory_zero(n, sizeof *c->in);
  c->complete = memory_zero(n, sizeof *c->complete);
  c->ended = memory_zero(n, sizeof *c->ended);
  int code = c->ranks.rank ? serve(c, argc, argv) : lead(c, argc, argv);
  for (size_t i = 0; i < n; i++)
    vec_free(&c->in[i]);
  vec_free(&c->out);
  free(c->in);
  free(c->complete);
  free(c->ended);
  return code;
}

static void fail(const Cluster *c) {
  fprintf(stderr, "lpmln-mpi: rank %u on %s: memory is out\n", c->ranks.rank, c->ranks.host);
  MPI_Abort(MPI_COMM_WORLD, LPMLN_LIMIT);
}

int main(int argc, char **argv) {
  static int code; /* of a rank that may run out of memory */
  int rank, count, threads;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  assert(rank >= 0 && rank < count);
  Cluster c = {.ranks = {.rank = (unsigned)rank,
                         .count = (unsigned)count,
                         .host = host(),
                         .send = send_bytes,
                         .receive = receive_bytes}};
  MemoryGuard guard;
  c.ranks.data = &c;
  if (memory_guard(&guard))
    fail(&c);
  else
    code = work(&c, argc, argv);
  memory_unguard(&guard);
  MPI_Finalize();
  return code;
}
