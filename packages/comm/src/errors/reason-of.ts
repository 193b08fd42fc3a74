/** The text of whatever was thrown, to put into another message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
