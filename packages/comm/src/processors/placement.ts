/** Which processors each rank of a machine gets. */
import type { ProcessorSet } from "./processor-set.js";
import type { Core, MemoryNode, Topology } from "./topology.js";

/**
 * Divides the processors among `ranks` ranks: each gets some that no other has. Returns `undefined`
 * if there are fewer processors than ranks, or only one rank.
 *
 * Ranks get whole cores while there are enough, with all their hyper-threads: two ranks on one core
 * would slow each other down. A rank does not get parts of two memory nodes: while there are enough
 * ranks, each has one node, and otherwise whole nodes. Neighbours in rank are neighbours in place.
 */
export function divide({ nodes }: Topology, ranks: number): ProcessorSet[] | undefined {
  const cores = nodes.flatMap((node) => node.cores);
  const processors = cores.flat();
  if (ranks < 2 || ranks > processors.length) return undefined;
  if (ranks < nodes.length) return portions(nodes.map(processorsOf), ranks);
  const hasCoreEach = ranks <= cores.length;
  const units = nodes.map((node) =>
    hasCoreEach ? node.cores : processorsOf(node).map((processor): Core => [processor]),
  );
  const shares = shareOut(
    units.map((unit) => unit.length),
    ranks,
  );
  return units.flatMap((unit, i) => portions(unit, shares[i] as number));
}

function processorsOf({ cores }: MemoryNode): ProcessorSet {
  return cores.flat();
}

/** Divides a list of units into `count` portions of about equal length, in order. */
function portions(units: readonly ProcessorSet[], count: number): ProcessorSet[] {
  const border = (i: number) => Math.floor((units.length * i) / count);
  return Array.from({ length: count }, (_, i) =>
    units
      .slice(border(i), border(i + 1))
      .flat()
      .sort((a, b) => a - b),
  );
}

/**
 * How many ranks each node gets. One rank after the other goes to the node where a rank then has
 * the most units, or of several such nodes to the one with the fewest ranks.
 */
function shareOut(units: readonly number[], ranks: number): number[] {
  const shares = units.map(() => 0);
  const room = (i: number) => (units[i] as number) / ((shares[i] as number) + 1);
  const isBetter = (i: number, than: number) =>
    room(i) > room(than) ||
    (room(i) === room(than) && (shares[i] as number) < (shares[than] as number));
  for (let rank = 0; rank < ranks; rank++) {
    const best = units.reduce((found, _, i) => (isBetter(i, found) ? i : found), 0);
    shares[best] = (shares[best] as number) + 1;
  }
  return shares;
}
