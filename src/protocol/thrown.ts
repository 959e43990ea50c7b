/** Readers of what a `catch` received: any value can be thrown. */

/** Returns the message of an error, or the text of whatever else was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** Returns the error itself; anything else that was thrown becomes the message of a new one. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
