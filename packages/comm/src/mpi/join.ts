/**
 * How a process gets its first communicator, and what ranks must agree on before any other call.
 */
import { ARRAY_TYPES } from "../arrays.js";
import { InitializationFailed } from "../errors/backend-error.js";
import { addressOf } from "../ffi/address.js";
import { loadKoffi } from "../ffi/koffi.js";
import { scratchBytes } from "./allreduce.js";
import type { Handle } from "./bindings.js";
import type { CompleteMpiConfig } from "./config.js";
import type { Job } from "./group.js";
import { encodePlace, type Neighbourhood, PLACE_BYTES, surveyPlaces } from "./place.js";
import { PolledCall, polledCollectives } from "./polling.js";
import { MpiRuntime } from "./runtime.js";
import { Scratch } from "./scratch.js";

/**
 * The bytes before a rank's place: whether it compares calls, whether it reduces natively, whether
 * its library yields.
 */
const WISHES_BYTES = 3;

interface Joined {
  readonly job: Job;
  readonly comm: Handle;
  readonly neighbourhood: Neighbourhood;
  readonly polled: PolledCall;
}

/** Starts MPI and agrees with the other ranks on how to communicate. */
export async function joinJob(config: CompleteMpiConfig): Promise<Joined> {
  const runtime = await MpiRuntime.start(config.library);
  const koffi = await loadKoffi();
  const { mpi, constants } = runtime;
  const comm = runtime.makeCommunicator("MPI_Comm_dup", (out) => mpi.commDup(constants.world, out));
  const rank = runtime.read("MPI_Comm_rank", (out) => mpi.commRank(comm, out));
  const { size } = runtime;
  const polled = new PolledCall(koffi, mpi, constants);
  const polledCalls = polledCollectives(mpi, polled);

  const bytes = WISHES_BYTES + PLACE_BYTES;
  const mine = new Uint8Array(new ArrayBuffer(bytes));
  const yieldsItself = runtime.library.abi === "openmpi" && runtime.hasMpirun;
  mine.set([config.check, config.reduction === "native", yieldsItself].map(Number));
  mine.set(encodePlace(rank), WISHES_BYTES);
  const all = new Uint8Array(new ArrayBuffer(bytes * size));
  const type = constants.datatypes[ARRAY_TYPES.Uint8Array.code] as Handle;
  const code = polledCalls.allgather(mine, bytes, type, addressOf(koffi, all), bytes, type, comm);
  if (code !== 0) {
    const { text } = runtime.explain(code);
    throw new InitializationFailed(
      "mpi",
      `the ranks could not exchange their settings: MPI_Iallgather: ${text}.`,
    );
  }

  const places = new Uint8Array(PLACE_BYTES * size);
  let check = false;
  let allYield = true;
  for (let r = 0; r < size; r++) {
    const record = all.subarray(r * bytes, (r + 1) * bytes);
    check ||= record[0] === 1;
    allYield &&= record[2] === 1;
    if (record[1] !== mine[1]) throw differentReductions(rank, r, mine[1] as number);
    places.set(record.subarray(WISHES_BYTES), r * PLACE_BYTES);
  }
  const neighbourhood = surveyPlaces(places, size);
  const isPolled = neighbourhood.isCrowded && !allYield;
  runtime.scratch ??= new Scratch(koffi, scratchBytes(size));
  const job: Job = {
    koffi,
    runtime,
    calls: isPolled ? polledCalls : mpi.blocking,
    scratch: runtime.scratch,
    reduction: config.reduction,
    check,
    maxCount: config.maxCount,
  };
  return { job, comm, neighbourhood, polled };
}

function differentReductions(rank: number, other: number, isNative: number): InitializationFailed {
  const [mine, theirs] = isNative === 1 ? ["native", "ordered"] : ["ordered", "native"];
  return new InitializationFailed(
    "mpi",
    `rank ${rank} asks for ${mine} reductions, but rank ${other} for ${theirs} ones. Give all ranks the same setting (COBRE_MPI_REDUCTION, or reduction in the program).`,
  );
}
