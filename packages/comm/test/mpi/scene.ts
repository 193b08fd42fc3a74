/** A rank of a test of the mpi backend: plays the scene that its argument names and prints what it saw. */
import { type CommArray, CommError, createCommunicator, isBackendError } from "@cobre/comm";
import { MpiCommunicator } from "@cobre/comm/mpi";
import koffi from "koffi";
import { ARRAY_TYPES } from "#internal";

function print(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** What `action` throws, as JSON. */
function thrown(action: () => void): Record<string, unknown> {
  try {
    action();
    return { kind: "nothing" };
  } catch (error) {
    return error instanceof CommError ? error.toJSON() : { kind: String(error) };
  }
}

const SCENES: Readonly<Record<string, () => Promise<void>>> = {
  /** Joins, and says where it is. */
  async join() {
    using comm = await createCommunicator();
    comm.barrier();
    print({ backend: comm.backend, rank: comm.rank, size: comm.size });
  },

  /** The checks are taken away, so that the library sees a root that is none. */
  async "bad root"() {
    using comm = await MpiCommunicator.join();
    Object.assign(comm, { checks: { broadcast: () => ARRAY_TYPES.Float64Array } });
    print({
      error: thrown(() => comm.broadcast(new Float64Array(1), 99)),
      next: thrown(() => comm.barrier()),
    });
    // The library has failed: the end of this process is the end of the job.
  },

  /** What still runs after MPI has been finalized. */
  async "after finalize"() {
    const comm = await MpiCommunicator.join();
    comm.barrier();
    process.on("exit", () => print({ error: thrown(() => comm.barrier()) }));
  },

  /** Two communicators in one process are two groups, in one MPI. */
  async twice() {
    using first = await MpiCommunicator.join();
    using second = await MpiCommunicator.join();
    const sums = [first, second].map((comm) => {
      const sum = new Int32Array(1);
      comm.allreduce(Int32Array.of(1), sum, "sum");
      return sum[0];
    });
    print({ sums });
  },

  /** The program has started MPI itself, and ends it itself, before the communicator is done with. */
  "mpi of the program": () => useForeignMpi(0),
  "mpi of the program, which fails": () => useForeignMpi(3),

  /** Ranks that want to reduce in different ways. */
  async "different reductions"() {
    const isFirst = process.env.COBRE_LAUNCH_RANK === "0";
    try {
      using comm = await MpiCommunicator.join({ reduction: isFirst ? "native" : "ordered" });
      print({ size: comm.size });
    } catch (error) {
      if (isBackendError(error)) print({ error: error.toJSON() });
    }
  },

  /** The library's own reduction, of all types. */
  native: () => reduceNatively(undefined),

  /** The same, where an int can count so little that vectors are cut, or go by other functions. */
  "native in pieces": () => reduceNatively(300),

  /** Arrays over memory that workers of this process could share, coming again and again. */
  async "shared arrays"() {
    using comm = await createCommunicator();
    const { rank, size } = comm;
    const send = new Float64Array(new SharedArrayBuffer(8));
    const recv = new Float64Array(new SharedArrayBuffer(8 * size));
    const counts = new Array<number>(size).fill(1);
    const displs = counts.map((_, r) => r);
    for (let i = 0; i < 5; i++) {
      send[0] = 10 * i + rank;
      comm.allgatherv(send, recv, counts, displs);
      const wrong = recv.findIndex((value, r) => value !== 10 * i + r);
      if (wrong !== -1) print({ wrong: `${recv[wrong]} in round ${i}` });
      comm.broadcast(send, 0);
      if (send[0] !== 10 * i) print({ wrong: `${send[0]} by broadcast ${i}` });
    }
    print({ done: true });
  },

  /** Regions of which the ranks expect different sizes. */
  async "different regions"() {
    using comm = await createCommunicator();
    const count = comm.rank === 0 ? 1 : 1_000_000;
    print({ error: thrown(() => comm.createSharedRegion(Float64Array, count)) });
  },

  /** One process cannot have two MPIs. */
  async "another library"() {
    using comm = await MpiCommunicator.join();
    comm.barrier();
    using again = await MpiCommunicator.join({ library: process.env.COBRE_MPI_LIBRARY });
    again.barrier();
    try {
      await MpiCommunicator.join({ library: "libelsewhere.so.1" });
    } catch (error) {
      if (isBackendError(error)) print({ error: error.toJSON() });
    }
  },

  /** Many communicators, one after the other. */
  async "many joins"() {
    const sum = new Int32Array(1);
    for (let i = 0; i < 200; i++) {
      using comm = await MpiCommunicator.join();
      comm.allreduce(Int32Array.of(i), sum, "sum");
      if (sum[0] !== i * comm.size) print({ wrong: `${sum[0]} in round ${i}` });
    }
    print({ megabytes: Math.round(process.memoryUsage().external / 2 ** 20) });
  },

  /** An allgatherv whose displacements and total are beyond what an int can hold. */
  async huge() {
    using comm = await createCommunicator();
    const piece = 1.1 * 2 ** 30;
    const counts = [piece | 0, (piece | 0) + 12345];
    const displs = [0, counts[0] as number];
    const total = (counts[0] as number) + (counts[1] as number);
    const send = new Uint8Array(counts[comm.rank] as number);
    for (let i = 0; i < send.length; i += 4096) send[i] = valueAt(comm.rank, i);
    send[send.length - 1] = 200 + comm.rank;
    const recv = new Uint8Array(total);
    comm.allgatherv(send, recv, counts, displs);
    let wrong = 0;
    for (const r of [0, 1]) {
      const displ = displs[r] as number;
      const count = counts[r] as number;
      for (let i = 0; i < count - 1; i += 4096) if (recv[displ + i] !== valueAt(r, i)) wrong++;
      if (recv[displ + count - 1] !== 200 + r) wrong++;
    }
    print({ total, wrong });
  },

  /** Many meetings of more ranks than a machine has cores. */
  crowd: meetOften,

  /** The same where nobody has told Open MPI that it is crowded, as under srun. */
  async "crowd of strangers"() {
    delete process.env.OMPI_COMM_WORLD_SIZE;
    await meetOften();
  },
};

async function meetOften(): Promise<void> {
  using comm = await createCommunicator();
  const sum = new Float64Array(1);
  for (let i = 0; i < 300; i++) {
    comm.barrier();
    comm.allreduce(Float64Array.of(i), sum, "sum");
    if (sum[0] !== i * comm.size) print({ wrong: `${sum[0]} in round ${i}` });
  }
  print({ done: true });
}

async function useForeignMpi(exitCode: number): Promise<void> {
  // Who loads MPI into Node.js has to see to this: docs/mpi.md.
  Object.assign(process.env, { UCX_ERROR_SIGNALS: "SIGBUS", UCX_MEM_EVENTS: "no" });
  const mpi = koffi.load(process.env.COBRE_MPI_LIBRARY as string, { lazy: true, global: true });
  mpi.func("int MPI_Init(void *argc, void *argv)")(null, null);
  const finalize = mpi.func("int MPI_Finalize()");
  process.on("exit", () => finalize());
  using comm = await MpiCommunicator.join();
  const sum = new Int32Array(1);
  comm.allreduce(Int32Array.of(1), sum, "sum");
  print({ sum: sum[0] });
  process.exitCode = exitCode;
}

/** Reduces by `MPI_Allreduce`, and prints what is not as it should be. */
async function reduceNatively(maxCount: number | undefined): Promise<void> {
  const config = { reduction: "native", maxCount } as const; // maxCount is no public option
  using comm = await MpiCommunicator.join(config);
  for (const { name, constructorFunction } of Object.values(ARRAY_TYPES)) {
    const element = (value: number) => (name.startsWith("Big") ? BigInt(value) : value);
    const fill = (array: CommArray, value: number) =>
      (array as Float64Array).fill(element(value) as number);
    for (const [op, expected] of [
      ["sum", (comm.size * (comm.size + 1)) / 2],
      ["min", 1],
      ["max", comm.size],
    ] as const) {
      const send = fill(new constructorFunction(1000), comm.rank + 1);
      const recv = new constructorFunction(1000);
      comm.allreduce(send, recv, op);
      const wrong = Array.prototype.findIndex.call(recv, (value) => value !== element(expected));
      if (wrong !== -1) print({ wrong: `${name} ${op}: ${recv[wrong]}` });
    }
  }
  print({ done: true });
}

function valueAt(rank: number, i: number): number {
  return (rank + 1) ^ ((i >>> 12) & 127);
}

await SCENES[process.argv[2] as string]?.();
