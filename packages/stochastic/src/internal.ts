/** The inner door: what tests need beyond the public one. No published package opens it. */
export { symmetricSquareRoot } from "./correlation/square-root.js";
export { LAYER_DENSITY, LAYER_EDGE, TAIL_START } from "./random/ziggurat-tables.js";
