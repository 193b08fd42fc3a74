/**
 * What the shared-memory backend needs of an operating system, and all that differs between systems.
 * `load-system.ts` chooses one; a process has one, so calls through it cost what calls of a class cost.
 */

/** Memory of a region: two numbers by which every rank can open it. */
export interface RegionFile {
  /** The process that made it. */
  readonly pid: number;
  readonly handle: number;
  /** Only there in the process that made it. */
  readonly fd?: number;
}

/** One operating system, as the backend sees it. */
export interface SharedMemorySystem {
  /** What memory is made of here, for `cobre info`. */
  readonly description: string;
  /** The directory whose room is used. */
  readonly place: string;
  /** What to do when that directory is full. */
  readonly roomAdvice: string;
  freeBytes(): number;

  /** Where the segment of that name can be seen. */
  pathOf(name: string): string;
  /** Opens or makes a segment; the descriptor is closed on exec. Errors have the `code` of an errno. */
  openNamed(name: string, flags: number, mode: number): number;
  unlinkNamed(name: string): void;
  /** Reserves the pages of a file that is still empty, so that touching them later cannot fail. */
  reserve(fd: number, bytes: number): void;

  /** Makes a file for a region. */
  createRegion(): Required<RegionFile>;
  /** Opens the file that another process has made. */
  openRegion(file: RegionFile): number;
  /** To be called, by any rank, when nobody will open the file any more. */
  forgetRegion(file: RegionFile): void;
  /** The same for whatever the process `pid` has made and may have died before telling of it. */
  forgetRegionsOf(pid: number): void;

  /** Maps the first `bytes` of `fd` over the memory of `buffer`, in its place. */
  mapOver(buffer: ArrayBuffer, fd: number, bytes: number): void;
  /** Where an array's elements are. Addresses have 48 bits: a number holds them exactly. */
  addressOf(array: ArrayBufferView): number;

  /**
   * Locks one byte of the file for as long as this process has `fd` open: the kernel lets go of it
   * however the process ends. Returns whether the byte was free.
   */
  lockByte(fd: number, byte: number): boolean;
  /** Whether somebody else holds the lock on that byte. */
  isByteLocked(fd: number, byte: number): boolean;

  yieldProcessor(): void;
  /**
   * Sleeps while `words[word]`, which is at `address`, holds `expected`: until woken, or for
   * `milliseconds`. May return early; the caller looks at the word again.
   */
  sleepWhile(
    words: Int32Array,
    word: number,
    address: number,
    expected: number,
    milliseconds: number,
  ): void;
  /** Wakes everybody who sleeps on the word at `address`. */
  wake(address: number): void;

  /** Takes part in `barrierEverywhere`; returns whether this system has it. */
  registerForBarriers(): boolean;
  /** A full memory barrier in every registered process: none has a store or load in between. */
  barrierEverywhere(): void;

  /**
   * Copies `bytes` from another process's memory into this one's; throws where that is not allowed or
   * not offered. The addresses must be those of memory that neither process moves or frees meanwhile.
   */
  readFrom(pid: number, remote: number, local: number, bytes: number): void;
}
