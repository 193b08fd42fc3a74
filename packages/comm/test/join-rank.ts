/** Joins a group as its argument says, and reports in JSON whether that worked. */
import { createCommunicator, isBackendError, isCommError } from "@cobre/comm";

const kind = JSON.parse(process.argv[2] as string) as Parameters<typeof createCommunicator>[0];

try {
  const comm = await createCommunicator(kind);
  const sum = new Int32Array(1);
  comm.allreduce(Int32Array.of(1), sum, "sum");
  // Long enough for the way along the ring.
  const ones = new Float64Array(20_000).fill(1);
  const sums = new Float64Array(20_000);
  comm.allreduce(ones, sums, "sum");
  if (sums.some((value) => value !== comm.size)) throw new Error("wrong sum");
  console.log(JSON.stringify({ joined: sum[0] }));
  comm.close();
} catch (error) {
  if (!isBackendError(error) && !isCommError(error)) throw error;
  console.log(JSON.stringify({ error }));
}
