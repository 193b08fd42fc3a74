/** Joins a group as its arguments say, and reports in JSON whether that worked. */
import { isBackendError, isCommError } from "@cobre/comm";
import { ShmCommunicator, type ShmConfig } from "@cobre/comm/shm";

const config = JSON.parse(process.argv[2] as string) as ShmConfig;

try {
  const comm = await ShmCommunicator.join(config);
  const sum = new Int32Array(1);
  comm.allreduce(Int32Array.of(1), sum, "sum");
  console.log(JSON.stringify({ joined: sum[0] }));
  comm.close();
} catch (error) {
  if (!isBackendError(error) && !isCommError(error)) throw error;
  console.log(JSON.stringify({ error }));
}
