/**
 * A rank whose clock is fast, so that a test need not wait for the limits it tests. Joins without a limit of its own, at the place that the
 * first argument gives or that the launcher gives, then enters a barrier to which the others never come. Says how that ended.
 */
import { CommError, createCommunicator, isBackendError } from "@cobre/comm";

/** How much faster than time its clock is. */
const HURRY = 60;

const realNow = performance.now.bind(performance);

try {
  const place = process.argv[2];
  if (place !== undefined) hurry();
  const comm = await createCommunicator(place === undefined ? undefined : JSON.parse(place));
  if (comm.rank !== 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  hurry();
  comm.barrier();
} catch (error) {
  if (!(error instanceof CommError) && !isBackendError(error)) throw error;
  process.stdout.write(`${JSON.stringify(error.toJSON())}\n`);
}
// Ends the others, too.
process.exitCode = 1;

function hurry(): void {
  performance.now = () => HURRY * realNow();
}
