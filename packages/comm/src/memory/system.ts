/**
 * What shm, and the shared regions of mpi, need from an operating system. Everything that differs
 * between systems is here. `load-system.ts` chooses one. A process has only one, so a call costs no
 * more than a call of a class method.
 */

/** The memory of a region: two numbers with which every rank can open it. */
export interface RegionFile {
  /** The process that made it. */
  readonly pid: number;
  readonly handle: number;
  /** Only set in the process that made it. */
  readonly fd?: number;
}

/** A part of a file, in bytes. */
export interface FilePart {
  readonly offset: number;
  readonly bytes: number;
}

/** One operating system, as the backends see it. */
export interface SharedMemorySystem {
  /** What kind of memory this is, for `cobre info`. */
  readonly description: string;
  /** The directory that holds the memory. */
  readonly place: string;
  /** What to do when that directory is full. */
  readonly roomAdvice: string;
  freeBytes(): number;

  /** The path of the segment with that name, for messages. */
  pathOf(name: string): string;
  /**
   * Opens or makes a segment. The descriptor is closed on exec. Errors have an errno name as
   * `code`.
   */
  openNamed(name: string, flags: number, mode: number): number;
  /** Removes the name. One that is gone already is no error: somebody may have cleaned up. */
  unlinkNamed(name: string): void;
  /**
   * Reserves the pages of a part of a file, so that later accesses to it cannot fail. They are put
   * on the memory node of the caller. Nobody may have written to the part before.
   */
  reserve(fd: number, part: FilePart): void;

  /** Makes a file for a region. */
  createRegion(): Required<RegionFile>;
  /** Opens a file that another process has made. */
  openRegion(file: RegionFile): number;
  /** Removes the file. Any rank may call it once no rank will open the file again. */
  forgetRegion(file: RegionFile): void;
  /**
   * Does the same for all region files of process `pid`, which may have died before it told of
   * them.
   */
  forgetRegionsOf(pid: number): void;

  /** Maps the first `bytes` bytes of `fd` over the memory of `buffer`. */
  mapOver(buffer: ArrayBuffer, fd: number, bytes: number): void;
  /** The address of an array's elements. Addresses have 48 bits, so a number holds them exactly. */
  addressOf(array: ArrayBufferView): number;

  /**
   * Locks one byte of the file for as long as this process has `fd` open. The kernel releases the
   * lock however the process ends. Returns whether the byte was free.
   */
  lockByte(fd: number, byte: number): boolean;
  /** Whether another open file holds the lock on that byte. */
  isByteLocked(fd: number, byte: number): boolean;

  yieldProcessor(): void;
  /**
   * Sleeps while `words[word]`, which is at `address`, holds `expected`: until woken, or for
   * `milliseconds`. May return early; the caller checks the word again.
   */
  sleepWhile(
    words: Int32Array,
    word: number,
    address: number,
    expected: number,
    milliseconds: number,
  ): void;
  /** Wakes all who sleep on the word at `address`. */
  wake(address: number): void;

  /** Registers this process for `barrierEverywhere`. Returns whether this system supports it. */
  registerForBarriers(): boolean;
  /** Executes a full memory barrier in every registered process before it returns. */
  barrierEverywhere(): void;

  /**
   * Copies `bytes` bytes from another process's memory into this process's. Throws where that is
   * not allowed or not supported. Neither process may move or free the memory meanwhile.
   */
  readFrom(pid: number, remote: number, local: number, bytes: number): void;
}
