/** What a field or a column means, for editors and for docs/case-format.md. */
export interface Meaning {
  readonly text: string;
  /** If the name does not tell it. */
  readonly unit?: string;
  /** What holds without the field, if the reader does not tell it. */
  readonly otherwise?: string;
}

/** The meanings in a file: by path (`hydros[].reservoir.min_storage_hm3`), or by name for all fields that are called so. */
export type FileMeanings = Readonly<Record<string, string | Meaning>>;
