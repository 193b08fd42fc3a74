/** Where the numbers of cuts lie. */
export interface CutMemory {
  /** Room for this many numbers. Ranks that share memory all call it, with the same number, and get the same room. */
  allocate(length: number): Float64Array;
  /** Whether this rank writes the numbers. The others that share the room only read them. */
  readonly isWriter: boolean;
}

/** Memory of this process alone. */
export const OWN_MEMORY: CutMemory = {
  allocate: (length) => new Float64Array(length),
  isWriter: true,
};
