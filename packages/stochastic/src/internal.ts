/** The inner door: what tests need beyond the public one. */
export { symmetricSquareRoot } from "./correlation/square-root.js";
export { LAYER_DENSITY, LAYER_EDGE, TAIL_START } from "./random/ziggurat-tables.js";
