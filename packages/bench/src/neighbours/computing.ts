/**
 * A program that computes and never waits: the neighbour. It ends when its parent closes its stdin
 * or is gone.
 */
const parent = process.ppid;
process.stdin.on("end", () => process.exit()).resume();

let x = 0.5;
function compute(): void {
  const end = performance.now() + 50;
  while (performance.now() < end) for (let i = 0; i < 10_000; i++) x = 3.9 * x * (1 - x);
  if (process.ppid !== parent || x < 0) process.exit();
  setImmediate(compute);
}
compute();
