import { fileURLToPath } from "node:url";

/** Where the files of a run go; git ignores it. */
export const OUTPUT_FOLDER = fileURLToPath(new URL("../../../out/bench", import.meta.url));
