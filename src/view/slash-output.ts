/** What slash commands print, which stands in messages of the user. */

/** Returns what a slash command printed, undefined if the text isn't that. */
export function slashCommandOutputIn(text: string): string | undefined {
  return /^<local-command-(stdout|stderr)>([\s\S]*)<\/local-command-\1>$/.exec(text)?.[2]
}
