/**
 * Sets of processors, as sorted arrays of their numbers. A processor is what the kernel schedules
 * on: a core, or a hyper-thread of one.
 */
export type ProcessorSet = readonly number[];

/**
 * Reads a list as the kernel and `taskset` write it, such as `0-3,8`. Returns `undefined` if the
 * text is not such a list or names no processor.
 */
export function parseProcessors(text: string): ProcessorSet | undefined {
  const found = new Set<number>();
  for (const part of text.trim().split(",")) {
    const [, first = "", last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part.trim()) ?? [];
    if (first === "" || Number(last) < Number(first)) return undefined;
    for (let p = Number(first); p <= Number(last); p++) found.add(p);
  }
  return [...found].sort((a, b) => a - b);
}

/** The shortest such list: `0-3,8`. */
export function formatProcessors(processors: ProcessorSet): string {
  const parts: string[] = [];
  for (let i = 0; i < processors.length; ) {
    const first = processors[i] as number;
    let last = first;
    while (processors[++i] === last + 1) last++;
    parts.push(last === first ? `${first}` : `${first}-${last}`);
  }
  return parts.join(",");
}

/** The processors of `set` that are not in `other`. */
export function without(set: ProcessorSet, other: ProcessorSet): ProcessorSet {
  return set.filter((processor) => !other.includes(processor));
}

export function areEqual(a: ProcessorSet, b: ProcessorSet): boolean {
  return a.length === b.length && a.every((processor, i) => processor === b[i]);
}

/**
 * Whether every rank can have a processor to itself, where rank r may use the processors
 * `allowed[r]`.
 *
 * To count them is not enough: two ranks that are bound to the same processor have one for both,
 * however many the others may use. This assigns processors one rank after the other; a rank that
 * finds all of its own taken asks their holders to take another one.
 */
export function hasProcessorEach(allowed: readonly ProcessorSet[]): boolean {
  const [first = []] = allowed;
  if (allowed.every((set) => areEqual(set, first))) return allowed.length <= first.length;
  const holders = new Map<number, number>();
  const find = (rank: number, asked: Set<number>): boolean => {
    for (const processor of allowed[rank] as ProcessorSet) {
      if (asked.has(processor)) continue;
      asked.add(processor);
      const holder = holders.get(processor);
      if (holder !== undefined && !find(holder, asked)) continue;
      holders.set(processor, rank);
      return true;
    }
    return false;
  };
  return allowed.every((_, rank) => find(rank, new Set()));
}
