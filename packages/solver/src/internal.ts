/** The inner door: what tests need beyond the public one. No published package opens it. */
export { loadClpSolver } from "./clp/solver.js";
export { Arena } from "./highs/native/arena.js";
export { highsCandidates } from "./highs/native/candidates.js";
export { checkedVersion, HighsLibraryError } from "./highs/native/open.js";
export { HighsProgram } from "./highs/program.js";
export { loadHighsNativeSolver } from "./highs/solver.js";
export { loadWasmHighs } from "./highs/wasm.js";
export { type AttemptResult, RetryingProgram } from "./retrying-program.js";
export { fingerprintWith } from "./small/choice.js";
export { isDualFeasible } from "./small/dual-values.js";
export { Kernel } from "./small/kernel.js";
export { gapOf } from "./small/primal-values.js";
export { SmallProgram } from "./small/small-program.js";
export { SparseRows } from "./small/sparse-rows.js";
export { WorkingProgram } from "./small/working-program.js";
