/**
 * Stops this process as SIGTERM would when its standard input ends. Who starts a run and holds a pipe to it cannot leave it behind,
 * not even by being killed.
 */
export function stopAtEndOfInput(): void {
  const stop = () => process.kill(process.pid, "SIGTERM");
  process.stdin.once("end", stop).once("error", stop).resume();
  // Waiting for input must not keep a finished run alive.
  if ("unref" in process.stdin) process.stdin.unref();
}
