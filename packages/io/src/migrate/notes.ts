/** Something of a case that Cobre 0.18 cannot say, or takes otherwise. */
export interface MigrationNote {
  /** The file of the old case. */
  readonly file: string;
  /** What, as in "training.stopping_rules". */
  readonly what: string;
  readonly problem: string;
}

/** What could not be translated, in the order in which it was met. */
export class MigrationNotes {
  readonly list: MigrationNote[] = [];

  add(file: string, what: string, problem: string): void {
    this.list.push({ file, what, problem });
  }
}
