/**
 * MPI in this process: loaded and initialised once, finalized once. MPI allows no more than that.
 *
 * How it ends. `close()` of a communicator never waits for others, but `MPI_Finalize` does, so it is
 * called when the process exits with code 0, by all ranks. A process that ends by an exception or
 * with another code calls `MPI_Abort`, which ends the job: nobody waits for a rank that will not
 * come. What kills a process outright, its launcher notices.
 */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { inspect } from "node:util";
import { ARRAY_TYPES } from "../arrays.js";
import { InitializationFailed, InvalidConfiguration } from "../errors/backend-error.js";
import type { MpiLibrary } from "../ffi/mpi-library.js";
import { type Ending, type Leaving, remember } from "../group/farewell.js";
import type { Environment } from "../select/backend.js";
import {
  bindMpi,
  type ErrorCode,
  type Handle,
  handleCell,
  type MpiBindings,
  type MpiConstants,
  resolveConstants,
} from "./bindings.js";
import { launchContradiction, launchDoubt } from "./launch-truth.js";
import { findAndLoad, prepareEnvironment } from "./load.js";
import type { Scratch } from "./scratch.js";

/** Longer than MPI_MAX_ERROR_STRING of any ABI. */
const ERROR_BYTES = 1024;

/** Launchers forward a rank's output, but may drop what they have not read when the job is aborted. */
const LAST_WORDS_MS = 100;

/** What an MPI function's error code means, in the library's words. */
export interface MpiError {
  readonly errorClass: number;
  readonly text: string;
}

/** Somebody who has to know before MPI is finalized. */
export interface Farewell {
  /** The process exits cleanly; the last chance to meet the others. */
  beforeFinalize(): void;
}

/** The library as it was asked for, and what became of it. */
let running: { asked: string | undefined; runtime: Promise<MpiRuntime> } | undefined;

export class MpiRuntime implements Leaving {
  readonly library: MpiLibrary;
  readonly mpi: MpiBindings;
  readonly constants: MpiConstants;
  readonly size: number;
  /**
   * Whether Open MPI's own mpirun has started the ranks: it counts the cores and has its ranks yield where these are too few. Slurm tells
   * Open MPI nothing of the kind, and it spins.
   */
  readonly hasMpirun: boolean;
  readonly farewells = new Set<Farewell>();
  /** One for all communicators: only one of them folds at a time. */
  scratch: Scratch | undefined;
  /** Whether MPI can be called. */
  isLive = true;
  /** Whether an MPI function has failed: what the library would do next is then anybody's guess. */
  hasFailed = false;
  private readonly isOurs: boolean;
  private readonly cell: { array: Int32Array; read(): Handle };
  private readonly number = new Int32Array(1);

  /** Starts MPI, or gives the one that runs in this process already. */
  static async start(library: string | undefined): Promise<MpiRuntime> {
    const starting = running ?? { asked: library, runtime: MpiRuntime.initialize(library) };
    running = starting;
    // What could not be loaded may be loaded later, from elsewhere.
    starting.runtime.catch(() => {
      if (running === starting) running = undefined;
    });
    const runtime = await starting.runtime;
    if (library === undefined || library === starting.asked || library === runtime.library.file) {
      return runtime;
    }
    throw new InvalidConfiguration(
      "mpi",
      "library",
      library,
      `this process uses ${runtime.library.file} already, and can have one MPI only.`,
    );
  }

  private static async initialize(name: string | undefined): Promise<MpiRuntime> {
    // As the launcher has made it: libraries add variables of their own, also without a launcher.
    const env = { ...process.env };
    prepareEnvironment(process.env);
    const library = await findAndLoad(name, env);
    const doubt = launchDoubt(library, env);
    if (doubt !== undefined) tell(doubt);
    const runtime = new MpiRuntime(library, env);
    const contradiction = launchContradiction(runtime.size, library, env);
    if (contradiction === undefined) {
      remember(runtime);
      return runtime;
    }
    runtime.finalize();
    throw contradiction;
  }

  private constructor(library: MpiLibrary, env: Environment) {
    this.library = library;
    this.hasMpirun = env.OMPI_COMM_WORLD_SIZE !== undefined;
    this.mpi = bindMpi(library);
    this.constants = resolveConstants(library);
    this.cell = handleCell(library);
    const { initialized, finalized, initThread, commSetErrhandler } = this.mpi;
    if (this.flag(finalized)) {
      throw new InitializationFailed(
        "mpi",
        "MPI was finalized in this process before, and cannot be started again. Keep one communicator for as long as the process needs any.",
      );
    }
    this.isOurs = !this.flag(initialized);
    if (this.isOurs) {
      const { threadLevel } = this.constants;
      this.demand("MPI_Init_thread", initThread(null, null, threadLevel, this.number));
    }
    for (const comm of [this.constants.world, this.constants.self]) {
      const code = commSetErrhandler(comm, this.constants.errorsReturn);
      this.demand("MPI_Comm_set_errhandler", code);
    }
    this.checkSanity();
    this.size = this.read("MPI_Comm_size", (out) => this.mpi.commSize(this.constants.world, out));
  }

  /** Wrong constants would make the first collective corrupt memory: a known type of each size first. */
  private checkSanity(): void {
    for (const { name, code, bytesPerElement } of Object.values(ARRAY_TYPES)) {
      const type = this.constants.datatypes[code] as Handle;
      const bytes = this.read("MPI_Type_size", (out) => this.mpi.typeSize(type, out));
      if (bytes === bytesPerElement) continue;
      throw new InitializationFailed(
        "mpi",
        `${this.library.file} (${this.library.version}) was taken for one with the ABI "${this.library.abi}", but by its constants a ${name} has elements of ${bytes} bytes. Use another library (COBRE_MPI_LIBRARY).`,
      );
    }
  }

  /** The number that an MPI function writes. */
  read(name: string, call: (out: Int32Array) => ErrorCode): number {
    this.demand(name, call(this.number));
    return this.number[0] as number;
  }

  /**
   * A communicator that an MPI function makes; errors on it are returned, like everywhere. `refuse`
   * throws what the caller has to say about an error.
   */
  makeCommunicator(
    name: string,
    call: (out: Int32Array) => ErrorCode,
    refuse: (code: ErrorCode) => never = (code) => this.refuse(name, code),
  ): Handle {
    const outcome = call(this.cell.array);
    if (outcome !== 0) refuse(outcome);
    const made = this.cell.read();
    const code = this.mpi.commSetErrhandler(made, this.constants.errorsReturn);
    this.demand("MPI_Comm_set_errhandler", code);
    return made;
  }

  explain(code: ErrorCode): MpiError {
    const text = Buffer.alloc(ERROR_BYTES);
    const length = new Int32Array(1);
    const known = this.mpi.errorString(code, text, length) === 0;
    const errorClass = this.mpi.errorClass(code, this.number) === 0 ? this.number[0] : code;
    const words = known ? text.toString("utf8", 0, length[0]) : "unknown error";
    return { errorClass: errorClass as number, text: words.replace(/\s+/g, " ").trim() };
  }

  /** The clean end: everybody comes here, so nobody waits in vain. */
  close(): void {
    if (this.isOver()) return;
    for (const farewell of this.farewells) farewell.beforeFinalize();
    if (this.hasFailed && this.size > 1) {
      this.abort(1, "an MPI function had failed");
    } else {
      this.finalize();
    }
  }

  /** The other end: whoever waits for this rank is ended with it. */
  abandon(reason: string, ending: Ending): void {
    // Alone there is nobody to end, and Node.js tells the story better.
    if (this.isOver() || this.size === 1) return;
    // MPI_Abort does not return: what Node.js would print afterwards is printed now.
    if ("error" in ending) tell(`Uncaught ${inspect(ending.error)}`);
    this.abort(ending.exitCode, reason);
  }

  private abort(code: number, reason: string): void {
    const rank = this.read("MPI_Comm_rank", (out) => this.mpi.commRank(this.constants.world, out));
    tell(`cobre: rank ${rank} ends the MPI job: ${reason}.`);
    this.isLive = false;
    announceEnd(code);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_WORDS_MS);
    this.mpi.abort(this.constants.world, code);
  }

  /** Whoever has started MPI in this process also ends it: if that was not us, perhaps before our end. */
  private isOver(): boolean {
    if (!this.isOurs && this.flag(this.mpi.finalized)) this.isLive = false;
    return !this.isLive;
  }

  private finalize(): void {
    this.isLive = false;
    if (this.isOurs) this.mpi.finalize();
  }

  private flag(call: (flag: Int32Array) => ErrorCode): boolean {
    call(this.number);
    return this.number[0] !== 0;
  }

  private demand(name: string, code: ErrorCode): void {
    if (code !== 0) this.refuse(name, code);
  }

  private refuse(name: string, code: ErrorCode): never {
    const { errorClass, text } = this.explain(code);
    throw new InitializationFailed(
      "mpi",
      `${name} of ${this.library.file} failed with error class ${errorClass}: ${text}. (docs/mpi.md tells what containers need.)`,
    );
  }
}

/**
 * Tells our own launcher, if it was that: what MPI_Abort ends, it ends so thoroughly that nobody sees
 * which rank was first, and with which code.
 */
function announceEnd(code: number): void {
  const { COBRE_LAUNCH_CONTROL: control, COBRE_LAUNCH_RANK: rank } = process.env;
  if (control === undefined) return;
  try {
    // Without a reader it fails instead of waiting for one.
    const fd = openSync(control, constants.O_WRONLY | constants.O_NONBLOCK);
    writeSync(fd, `exiting ${rank} ${code}\n`);
    closeSync(fd);
  } catch {
    // the launcher is gone
  }
}

/** At once: the process may not live to see its streams flushed. */
export function tell(text: string): void {
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // nobody listens
  }
}
