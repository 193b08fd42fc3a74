/** Trainings of the tutorial problem that are listened to. */
import { afterEach, beforeEach, mock } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { type SddpEvent, type TrainOptions, train } from "@cobre/sddp";
import { caseNamed, changed } from "../cases.js";

type EventOf<T extends SddpEvent["type"]> = Extract<SddpEvent, { type: T }>;

/** What was told, in its order. */
export class Events {
  readonly all: SddpEvent[] = [];
  readonly listen = (event: SddpEvent) => {
    this.all.push(event);
  };

  of<T extends SddpEvent["type"]>(type: T): EventOf<T>[] {
    return this.all.filter((event): event is EventOf<T> => event.type === type);
  }

  get types(): readonly string[] {
    return this.all.map(({ type }) => type);
  }
}

export async function trainAndListen(source: Case, options: TrainOptions = {}) {
  using comm = new LocalCommunicator();
  const events = new Events();
  const result = await train(comm, source, { ...options, onEvent: events.listen });
  return { ...result, events };
}

export const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/**
 * In the tests of a suite, the clock goes on by 1 ms whenever it is read. It has gone for a long time already, as that of a program that
 * trains twice.
 */
export function clockOfTests(): void {
  beforeEach(() => {
    let now = 1_000_000;
    mock.method(performance, "now", () => now++);
  });
  afterEach(() => mock.restoreAll());
}

/** The tutorial problem with 2 iterations of 3 passes. */
export const tutorial = async (iterations = 2) =>
  changed(await caseNamed("sddp-tutorial"), { iterations, forwardPasses: 3 });
