/** The command that a run keeps: as it can be typed again, without secrets. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { commandOfRun, withoutSecrets } from "../dist/run/command-line.js";

const typed = (...words: string[]) => commandOfRun(["node", "cobre.js", ...words], {});

describe("the command of a run", () => {
  it("can be typed again", () => {
    assert.equal(
      typed("run", "my case", "--set", "a=it's"),
      "cobre run 'my case' --set 'a=it'\\''s'",
    );
    assert.equal(typed("run", "cases/x", "-n", "4"), "cobre run cases/x -n 4");
  });

  it("is that of the launcher for the ranks it starts", () => {
    const env = { COBRE_RUN_COMMAND: "cobre run x -n 4" };
    assert.equal(
      commandOfRun(["node", "cobre.js", "run", "x", "--output", "y"], env),
      "cobre run x -n 4",
    );
  });

  it("has no secrets", () => {
    const words = [
      "--token",
      "abc",
      "--api-key=def",
      "--set",
      "cloud.password=ghi",
      "tcp://me:jkl@host/x",
    ];
    const kept = withoutSecrets(words);
    assert.deepEqual(kept, [
      "--token",
      "…",
      "--api-key=…",
      "--set",
      "cloud.password=…",
      "tcp://…@host/x",
    ]);
    const harmless = ["run", "cases/tokens", "--output", "out", "--seed", "7"];
    assert.deepEqual(withoutSecrets(harmless), harmless);
  });
});
