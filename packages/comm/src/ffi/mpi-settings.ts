/**
 * What MPI libraries read when they are loaded or initialised, and what it has to be inside a
 * JavaScript engine. A variable that is set already is left as it is.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  // UCX would take SIGSEGV for itself; V8 needs it for WebAssembly.
  UCX_ERROR_SIGNALS: "SIGILL,SIGBUS,SIGFPE",
  // Its hooks into the C library's memory functions let about one process in a hundred crash in V8.
  UCX_MEM_EVENTS: "no",
  // Hooks into memory mapping, for memory of accelerators that no array of ours is in.
  UCX_MEMTYPE_CACHE: "no",
  // Level Zero crashes at load time without it on machines with an Intel GPU.
  ZES_ENABLE_SYSMAN: "1",
  // The drivers of True Scale and Omni-Path would print stack traces of signals that V8 handles.
  IPATH_NO_BACKTRACE: "1",
  HFI_NO_BACKTRACE: "1",
};

/** Sets what an MPI library must find in the environment before it is loaded. */
export function setForLoading(env: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(SETTINGS)) env[name] ??= value;
}
