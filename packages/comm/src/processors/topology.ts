/** How the processors of this machine belong together, as Linux tells it in /sys. */
import { readFileSync } from "node:fs";
import { type ProcessorSet, parseProcessors } from "./processor-set.js";

/** A core: its processors, which are its hyper-threads. */
export type Core = ProcessorSet;

/** A memory node: the cores that have the same memory near. */
export interface MemoryNode {
  readonly cores: readonly Core[];
}

/** The processors that may be used, by memory node and core. */
export interface Topology {
  readonly nodes: readonly MemoryNode[];
}

/** Reads a file below /sys/devices/system; `undefined` if there is none. */
export type ReadSystemFile = (path: string) => string | undefined;

export const readSystemFile: ReadSystemFile = (path) => {
  try {
    return readFileSync(`/sys/devices/system/${path}`, "latin1");
  } catch {
    return undefined;
  }
};

/**
 * The topology of the processors in `allowed`, in the order of their numbers. What the machine does
 * not tell is taken to be simple: one node, and a core for each processor.
 */
export function readTopology(allowed: ProcessorSet, read: ReadSystemFile): Topology {
  const nodeOf = readNodes(read);
  const byNode = new Map<number, Map<number, number[]>>();
  for (const processor of allowed) {
    const node = nodeOf.get(processor) ?? 0;
    const cores = byNode.get(node) ?? new Map<number, number[]>();
    byNode.set(node, cores);
    const core = Math.min(processor, ...siblingsOf(processor, read));
    cores.set(core, [...(cores.get(core) ?? []), processor]);
  }
  const nodes = [...byNode].sort(([a], [b]) => a - b);
  return { nodes: nodes.map(([, cores]) => ({ cores: [...cores.values()] })) };
}

/** The node of each processor. */
function readNodes(read: ReadSystemFile): Map<number, number> {
  const nodeOf = new Map<number, number>();
  for (const node of parseProcessors(read("node/online") ?? "") ?? []) {
    // A node may have memory and no processors: its list is then empty.
    const processors = parseProcessors(read(`node/node${node}/cpulist`) ?? "") ?? [];
    for (const processor of processors) nodeOf.set(processor, node);
  }
  return nodeOf;
}

/** The hyper-threads of a processor's core. Newer kernels have a second name for the file. */
function siblingsOf(processor: number, read: ReadSystemFile): ProcessorSet {
  const folder = `cpu/cpu${processor}/topology`;
  const list = read(`${folder}/core_cpus_list`) ?? read(`${folder}/thread_siblings_list`);
  return parseProcessors(list ?? "") ?? [];
}
