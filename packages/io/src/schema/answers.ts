/** An answer where the format of a file has alternatives: a choice, true or false, or whether a list has entries. */
export type Answer = string | boolean;

/** The answers of one reading; what is not decided gets the first alternative. */
export class Answers {
  /** The alternatives of each question that was asked. */
  readonly asked = new Map<string, readonly Answer[]>();
  /** The answer to each question that was asked. */
  readonly given = new Map<string, Answer>();
  private readonly decided: ReadonlyMap<string, Answer>;

  constructor(decided: ReadonlyMap<string, Answer>) {
    this.decided = decided;
  }

  choose(question: string, alternatives: readonly [Answer, ...Answer[]]): Answer {
    const answer = this.decided.get(question) ?? alternatives[0];
    this.asked.set(question, alternatives);
    this.given.set(question, answer);
    return answer;
  }
}
