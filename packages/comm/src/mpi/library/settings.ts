/**
 * Variables that MPI libraries read when they are loaded or initialised, with values that work
 * inside a JavaScript engine. A variable that is already set keeps its value.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  // UCX would take over SIGSEGV, which V8 needs for WebAssembly.
  UCX_ERROR_SIGNALS: "SIGILL,SIGBUS,SIGFPE",
  // UCX hooks the C library's memory functions. That made about one process in a hundred crash in
  // V8.
  UCX_MEM_EVENTS: "no",
  // UCX hooks memory mapping to track accelerator memory. None of our arrays is in such memory.
  UCX_MEMTYPE_CACHE: "no",
  // Without it, Level Zero crashes at load time on machines with an Intel GPU.
  ZES_ENABLE_SYSMAN: "1",
  // The drivers of True Scale and Omni-Path would print stack traces for signals that V8 handles.
  IPATH_NO_BACKTRACE: "1",
  HFI_NO_BACKTRACE: "1",
};

/** Sets the variables that an MPI library needs before it is loaded. */
export function setForLoading(env: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(SETTINGS)) env[name] ??= value;
}
