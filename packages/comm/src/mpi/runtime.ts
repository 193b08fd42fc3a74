/**
 * MPI in this process. It is loaded, initialised and finalized once; MPI allows no more.
 *
 * How it ends: closing a communicator never waits for others, but `MPI_Finalize` does. So all ranks
 * call it when they exit with code 0. A process that ends with an exception or another exit code
 * calls `MPI_Abort`, which ends the job, so that no rank waits for one that will not come. If a
 * process is killed, the launcher notices.
 */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { inspect } from "node:util";
import { ARRAY_TYPES } from "../arrays.js";
import { InitializationFailed, InvalidConfiguration } from "../errors/backend-error.js";
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
import type { MpiLibrary } from "./library/library.js";
import { findAndLoad, prepareEnvironment } from "./library/load.js";
import type { Scratch } from "./scratch.js";

/** Longer than MPI_MAX_ERROR_STRING of any ABI. */
const ERROR_BYTES = 1024;

/**
 * How long to wait before an abort. Launchers forward a rank's output, but may drop what they have
 * not read when the job is aborted.
 */
const LAST_WORDS_MS = 100;

/** The meaning of an MPI error code, in the library's words. */
export interface MpiError {
  readonly errorClass: number;
  readonly text: string;
}

/** Something to do before MPI is finalized. */
export interface Farewell {
  /** The process exits cleanly. This is the last chance to meet the others. */
  beforeFinalize(): void;
}

/** The library that was requested, and the runtime that uses it. */
let running: { asked: string | undefined; runtime: Promise<MpiRuntime> } | undefined;

export class MpiRuntime implements Leaving {
  readonly library: MpiLibrary;
  readonly mpi: MpiBindings;
  readonly constants: MpiConstants;
  readonly size: number;
  /**
   * Whether Open MPI's own mpirun started the ranks. It counts the cores and makes its ranks yield
   * where there are too few. Under Slurm, Open MPI does not know the number of cores, so it spins.
   */
  readonly hasMpirun: boolean;
  readonly farewells = new Set<Farewell>();
  /** Shared by all communicators: only one of them folds at a time. */
  scratch: Scratch | undefined;
  /** Whether MPI can be called. */
  isLive = true;
  /** Whether an MPI function has failed. The library can then no longer be relied on. */
  hasFailed = false;
  private readonly isOurs: boolean;
  private readonly cell: { array: Int32Array; read(): Handle };
  private readonly number = new Int32Array(1);

  /** Starts MPI, or returns the runtime that this process already has. */
  static async start(library: string | undefined): Promise<MpiRuntime> {
    const starting = running ?? { asked: library, runtime: MpiRuntime.initialize(library) };
    running = starting;
    // After a failure, another library may be tried.
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
      `this process already uses ${runtime.library.file}, and a process can use only one MPI.`,
    );
  }

  private static async initialize(name: string | undefined): Promise<MpiRuntime> {
    // As the launcher left it: MPI libraries add variables of their own, even without a launcher.
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
        "MPI has already been finalized in this process and cannot be started again. Keep one communicator open for as long as the process needs any.",
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

  /**
   * Wrong constants would make the first collective corrupt memory, so check the size of every
   * type.
   */
  private checkSanity(): void {
    for (const { name, code, bytesPerElement } of Object.values(ARRAY_TYPES)) {
      const type = this.constants.datatypes[code] as Handle;
      const bytes = this.read("MPI_Type_size", (out) => this.mpi.typeSize(type, out));
      if (bytes === bytesPerElement) continue;
      throw new InitializationFailed(
        "mpi",
        `${this.library.file} (${this.library.version}) seems to have the ABI "${this.library.abi}", but with that ABI's constants the elements of a ${name} have ${bytes} bytes. Use another library (COBRE_MPI_LIBRARY).`,
      );
    }
  }

  /** Calls an MPI function that writes a number, and returns the number. */
  read(name: string, call: (out: Int32Array) => ErrorCode): number {
    this.demand(name, call(this.number));
    return this.number[0] as number;
  }

  /**
   * Calls an MPI function that makes a communicator. Errors on that communicator are returned, as
   * everywhere. `refuse` throws the caller's error if the function fails.
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

  /** The clean end. Every rank comes here, so none waits in vain. */
  close(): void {
    if (this.isOver()) return;
    for (const farewell of this.farewells) farewell.beforeFinalize();
    if (this.hasFailed && this.size > 1) {
      this.abort(1, "an MPI function had failed");
    } else {
      this.finalize();
    }
  }

  /** The other end: all ranks of the job are ended with this one. */
  abandon(reason: string, ending: Ending): void {
    // A single rank has no others to end, and Node.js reports the error better.
    if (this.isOver() || this.size === 1) return;
    // MPI_Abort does not return, so print now what Node.js would print afterwards.
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

  /**
   * Whoever started MPI in this process also finalizes it. If that was not us, it may have happened
   * already.
   */
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
      `${name} of ${this.library.file} failed with error class ${errorClass}: ${text}. (See docs/mpi.md for what containers need.)`,
    );
  }
}

/**
 * Tells our own launcher, if there is one. MPI_Abort ends all ranks at once, so the launcher could
 * not see which rank was first and with which code.
 */
function announceEnd(code: number): void {
  const { COBRE_LAUNCH_CONTROL: control, COBRE_LAUNCH_RANK: rank } = process.env;
  if (control === undefined) return;
  try {
    // Without a reader, this fails instead of waiting for one.
    const fd = openSync(control, constants.O_WRONLY | constants.O_NONBLOCK);
    writeSync(fd, `exiting ${rank} ${code}\n`);
    closeSync(fd);
  } catch {
    // The launcher is gone.
  }
}

/** Writes to stderr at once: the process may end before its streams are flushed. */
export function tell(text: string): void {
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // There is no reader.
  }
}
