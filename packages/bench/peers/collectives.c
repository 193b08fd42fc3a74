/*
 * Times the collectives of whichever MPI this is compiled against.
 *
 * Every argument is one cell to measure, `op:bytes:calls:warmup:batches`; rank 0 answers each with
 * one line, `op bytes t t t …`: microseconds per call, one figure per batch. The method, and why it
 * is this one, stands in the README of the package; src/rank.ts and collectives.py follow it too.
 *
 * The argument `start:T` asks for a barrier and the line `start 0 t`: how many milliseconds after T
 * (milliseconds since 1970) it was over.
 *
 * As a library it has `time_batch_on`, which times one batch in a process that has started MPI and
 * has arrays of its own: src/layer/rank.ts.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, size;

typedef struct {
    char op[32];
    size_t bytes;
    int calls, warmup, batches;
} Cell;

/* What the calls of one cell work on; `length` is in doubles, per rank. */
typedef struct {
    double *send, *recv;
    int length;
    int *counts, *displs;
} Buffers;

static void stop(const char *problem, const char *where)
{
    fprintf(stderr, "rank %d: %s: %s\n", rank, problem, where);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static double microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

/* ---- the operations: each makes `calls` calls in a row ---- */

static void barrier(const Buffers *b, int calls)
{
    (void)b;
    for (int i = 0; i < calls; i++) MPI_Barrier(MPI_COMM_WORLD);
}

static void allreduce(const Buffers *b, int calls)
{
    for (int i = 0; i < calls; i++)
        MPI_Allreduce(b->send, b->recv, b->length, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void allgatherv(const Buffers *b, int calls)
{
    for (int i = 0; i < calls; i++)
        MPI_Allgatherv(b->send, b->length, MPI_DOUBLE, b->recv, b->counts, b->displs, MPI_DOUBLE,
                       MPI_COMM_WORLD);
}

static void broadcast(const Buffers *b, int calls)
{
    for (int i = 0; i < calls; i++) MPI_Bcast(b->recv, b->length, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void broadcast_rotating(const Buffers *b, int calls)
{
    for (int i = 0; i < calls; i++)
        MPI_Bcast(b->recv, b->length, MPI_DOUBLE, i % size, MPI_COMM_WORLD);
}

/* ---- one known result per operation, so that nobody times nonsense ---- */

/* Element i of what rank r contributes: small whole numbers, whose sums are exact. */
static double contribution(int r, int i)
{
    return (r + 1) * (1.0 + i % 7);
}

static double sum_of_all(int i, int length)
{
    (void)length;
    return size * (size + 1) / 2 * (1.0 + i % 7);
}

static double pieces_of_all(int i, int length)
{
    return contribution(i / length, i % length);
}

static double piece_of_rank_0(int i, int length)
{
    (void)length;
    return contribution(0, i);
}

typedef struct {
    const char *name;
    void (*run)(const Buffers *, int calls);
    double (*result)(int i, int length); /* what recv[i] must then be */
} Operation;

static const Operation operations[] = {
    {"barrier", barrier, NULL},
    {"allreduce", allreduce, sum_of_all},
    {"allgatherv", allgatherv, pieces_of_all},
    {"broadcast", broadcast, piece_of_rank_0},
    {"broadcast-rotating", broadcast_rotating, piece_of_rank_0},
};

static const Operation *find_operation(const char *name)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, name) == 0) return &operations[i];
    stop("no such operation", name);
    return NULL;
}

/* Writing every element also touches every page before the clock runs. */
static void fill(const Buffers *b, const Operation *operation)
{
    for (int i = 0; i < b->length; i++) b->send[i] = contribution(rank, i);
    for (int i = 0; i < b->length * size; i++) b->recv[i] = -1;
    if (operation->result == piece_of_rank_0 && rank == 0)
        memcpy(b->recv, b->send, b->length * sizeof(double));
}

static void check(const Buffers *b, const Operation *operation)
{
    if (!operation->result) return;
    int produced = operation->result == pieces_of_all ? b->length * size : b->length;
    for (int i = 0; i < produced; i++)
        if (b->recv[i] != operation->result(i, b->length)) stop("wrong result", operation->name);
}

/* ---- measuring ---- */

static Buffers allocate(size_t bytes)
{
    Buffers b = {.length = bytes / sizeof(double)};
    b.send = malloc(bytes + 1); /* + 1: malloc(0) may be NULL */
    b.recv = malloc(bytes * size + 1);
    b.counts = malloc(size * sizeof(int));
    b.displs = malloc(size * sizeof(int));
    if (!b.send || !b.recv || !b.counts || !b.displs) stop("out of memory", "buffers");
    for (int r = 0; r < size; r++) {
        b.counts[r] = b.length;
        b.displs[r] = r * b.length;
    }
    return b;
}

static void release(Buffers *b)
{
    free(b->send);
    free(b->recv);
    free(b->counts);
    free(b->displs);
}

/* Microseconds per call. */
static double time_batch(const Operation *operation, const Buffers *b, int calls)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start = microseconds();
    operation->run(b, calls);
    MPI_Barrier(MPI_COMM_WORLD);
    return (microseconds() - start) / calls;
}

double time_batch_on(const char *op, double *send, double *recv, int length, int *counts,
                     int *displs, int calls)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Buffers b = {.send = send, .recv = recv, .length = length, .counts = counts, .displs = displs};
    return time_batch(find_operation(op), &b, calls);
}

static void measure(const Cell *cell)
{
    const Operation *operation = find_operation(cell->op);
    Buffers b = allocate(cell->bytes);
    fill(&b, operation);
    operation->run(&b, 1);
    check(&b, operation);
    for (int i = 0; i < cell->warmup; i++) operation->run(&b, cell->calls);

    if (rank == 0) printf("%s %zu", cell->op, cell->bytes);
    for (int i = 0; i < cell->batches; i++) {
        double time = time_batch(operation, &b, cell->calls);
        if (rank == 0) printf(" %.4f", time);
    }
    if (rank == 0) {
        printf("\n");
        fflush(stdout);
    }
    check(&b, operation);
    release(&b);
}

static void tell_start(double started_at)
{
    MPI_Barrier(MPI_COMM_WORLD);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (rank == 0) printf("start 0 %.4f\n", now.tv_sec * 1e3 + now.tv_nsec * 1e-6 - started_at);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < argc; i++) {
        Cell cell;
        double started_at;
        if (sscanf(argv[i], "start:%lf", &started_at) == 1) {
            tell_start(started_at);
            continue;
        }
        if (sscanf(argv[i], "%31[^:]:%zu:%d:%d:%d", cell.op, &cell.bytes, &cell.calls, &cell.warmup,
                   &cell.batches) != 5)
            stop("not op:bytes:calls:warmup:batches", argv[i]);
        measure(&cell);
    }
    MPI_Finalize();
    return 0;
}
