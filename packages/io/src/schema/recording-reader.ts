import type { Day, Dialect, IssueCollector } from "@cobre/core";
import type { NumberRule } from "../json/number-rule.js";
import { ObjectReader } from "../json/object-reader.js";
import type { LaterFields } from "../later-fields.js";
import { Answers } from "./answers.js";
import { Visit } from "./shape.js";

/** Where a reading is recorded. */
export interface Recording {
  readonly answers: Answers;
  readonly visits: Map<string, Visit>;
  readonly issues: IssueCollector;
  readonly dialect: Dialect;
  /** For the entries of lists that are there only so that another one is not alone. */
  readonly decided: ReadonlyMap<string, string | boolean>;
}

/**
 * Records what the reader of a file asks for, and answers with values that it accepts. There is no file: the schema comes from the code
 * that reads files, and from nothing else.
 */
export class RecordingReader extends ObjectReader {
  private readonly recording: Recording;
  private readonly visit: Visit;

  constructor(recording: Recording, path = "") {
    super({}, { file: "" }, path, recording.issues, recording.dialect);
    this.recording = recording;
    this.visit = recording.visits.get(path) ?? new Visit();
    recording.visits.set(path, this.visit);
  }

  override of(): ObjectReader {
    return this;
  }

  override has(key: string): boolean {
    const question = `has ${this.inner(key)}`;
    this.visit.add(key, { kind: "any", question });
    return this.recording.answers.choose(question, [false, true]) === true;
  }

  override ignore(...keys: readonly string[]): void {
    for (const key of keys) this.visit.add(key, { kind: "any" });
  }

  override word(earlier: string, later: string): string {
    if (!this.isLater) return earlier;
    this.refuseEarlier({ [earlier]: later });
    return later;
  }

  override refuseEarlier(fields: Readonly<Record<string, string>>): void {
    if (!this.isLater) return;
    for (const key of Object.keys(fields)) this.visit.add(key, { kind: "nothing" });
  }

  override refuseLater(fields: LaterFields): void {
    for (const [key, field] of Object.entries(fields)) {
      if (this.isLater && ("was" in field || field.isRead === true)) continue;
      this.visit.add(key, { kind: "nothing" });
    }
  }

  override number(key: string, rule: NumberRule = {}): number {
    this.visit.add(key, { kind: "number", rule }, true);
    return numberWithin(rule);
  }

  override optionalNumber(key: string, rule: NumberRule = {}): number | undefined {
    this.visit.add(key, { kind: "number", rule });
    return numberWithin(rule);
  }

  override text(key: string): string {
    this.visit.add(key, { kind: "text" }, true);
    return "";
  }

  override onlyText(key: string, only: string): void {
    this.visit.add(key, { kind: "only text", only }, true);
  }

  override day(key: string): Day {
    this.visit.add(key, { kind: "day" }, true);
    return 0;
  }

  override boolean(key: string, otherwise: boolean): boolean {
    const question = this.inner(key);
    this.visit.add(key, { kind: "boolean", question, otherwise });
    return this.recording.answers.choose(question, [otherwise, !otherwise]) === true;
  }

  override choice<const T extends string>(
    key: string,
    choices: readonly T[],
    otherwise?: NoInfer<T>,
  ): T {
    const question = this.inner(key);
    const first = otherwise ?? (choices[0] as T);
    this.visit.add(key, { kind: "choice", question, otherwise }, otherwise === undefined);
    this.visit.choices.set(key, question);
    const others = choices.filter((choice) => choice !== first);
    return this.recording.answers.choose(question, [first, ...others]) as T;
  }

  override choiceOrObject<const T extends string>(
    key: string,
    choices: readonly T[],
  ): T | ObjectReader | undefined {
    const path = this.inner(key);
    this.visit.add(key, { kind: "choice or object", choices, path });
    return new RecordingReader(this.recording, path);
  }

  override variant<const T extends string>(
    choices: readonly [T, ...T[]],
  ): readonly [name: T, value: ObjectReader] {
    const question = `variant of ${this.path}`;
    this.visit.variant = question;
    const name = this.recording.answers.choose(question, choices) as T;
    return [name, this.object(name)];
  }

  override numbers(key: string): readonly number[] {
    this.visit.add(key, { kind: "numbers" }, true);
    return [0];
  }

  override matrix(key: string): readonly (readonly number[])[] {
    this.visit.add(key, { kind: "matrix" }, true);
    return [[0]];
  }

  override object(key: string): ObjectReader {
    return this.inside(key, true);
  }

  override optionalObject(key: string): ObjectReader | undefined {
    return this.inside(key, false);
  }

  override list(key: string, ifEmpty?: string): readonly ObjectReader[] {
    const entries = this.entriesOf(key, true);
    if (entries.length === 0 && ifEmpty !== undefined) this.report(key, "is empty", ifEmpty);
    return entries;
  }

  override optionalList(key: string): readonly ObjectReader[] | undefined {
    return this.entriesOf(key, false);
  }

  override raw(key: string): unknown {
    this.visit.add(key, { kind: "any" });
    return undefined;
  }

  override entries(): readonly (readonly [string, ObjectReader])[] {
    const path = this.inner("*");
    this.visit.entries = path;
    return [["*", new RecordingReader(this.recording, path)]];
  }

  override finish(): void {
    this.visit.isClosed = true;
  }

  private inside(key: string, isRequired: boolean): ObjectReader {
    const path = this.inner(key);
    this.visit.add(key, { kind: "object", path }, isRequired);
    return new RecordingReader(this.recording, path);
  }

  /** Two entries, of which the first is what entries usually are: a list may have to have one of these. */
  private entriesOf(key: string, isRequired: boolean): readonly ObjectReader[] {
    const { answers, decided } = this.recording;
    const path = `${this.inner(key)}[]`;
    const question = `entries of ${path}`;
    this.visit.add(key, { kind: "list", question, path }, isRequired);
    if (answers.choose(question, [true, false]) !== true) return [];
    const apart = { ...this.recording, answers: new Answers(decided), visits: new Map() };
    return [new RecordingReader(apart, path), new RecordingReader(this.recording, path)];
  }
}

function numberWithin({ min, above, max }: NumberRule): number {
  return max ?? min ?? (above === undefined ? 0 : above + 1);
}
