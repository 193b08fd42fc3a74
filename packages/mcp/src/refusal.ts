/** Something that was asked for and is not done: why, and what to do instead. Its words are for the client. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** What the client can do next. */
  readonly next: string;

  constructor(problem: string, next: string) {
    super(problem);
    this.next = next;
  }
}
