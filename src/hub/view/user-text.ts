/** Text in messages of the user: what the user wrote, and what was put beside it for the model. */

/** Returns what a slash command printed, undefined if the text isn't that. */
export function commandOutputIn(text: string): string | undefined {
  return /^<local-command-(stdout|stderr)>([\s\S]*)<\/local-command-\1>$/.exec(text)?.[2]
}
