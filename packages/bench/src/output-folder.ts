import { fileURLToPath } from "node:url";

/** Where everything goes that a run makes; git does not look there. */
export const OUTPUT_FOLDER = fileURLToPath(new URL("../../../out/bench", import.meta.url));
