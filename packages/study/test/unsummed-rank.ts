/** A rank of a run that fails after training: what was solved cannot be summed. Prints what it tells about the policy. */
import { createCommunicator } from "@cobre/comm";
import { runStudy, type StudyEvent } from "@cobre/study";
import { loadExample, sized } from "./example-run.js";

const [name = "", output = ""] = process.argv.slice(2);
const good = await loadExample(name, sized(3, 2));
// No validation lets it through: no array is that long.
const training = { ...good.config.training, retryMaxAttempts: Number.MAX_SAFE_INTEGER };
const source = { ...good, config: { ...good.config, training } };
using comm = await createCommunicator();
const onEvent = (event: StudyEvent) => {
  if (event.type === "policy_kept") console.log(event.path);
};
try {
  await runStudy(comm, source, { output, onEvent });
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
}
