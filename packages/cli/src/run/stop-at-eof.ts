/**
 * Sends this process SIGTERM when its standard input ends. A program that starts a run with a pipe to its standard input then cannot
 * leave the run behind, even if it is killed.
 */
export function stopAtEndOfInput(): void {
  const stop = () => process.kill(process.pid, "SIGTERM");
  process.stdin.once("end", stop).once("error", stop).resume();
  // Waiting for input must not keep a finished run alive.
  if ("unref" in process.stdin) process.stdin.unref();
}
