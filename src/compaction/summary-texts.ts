/** What the model is told when a conversation is summed up, and how the summary begins. */

export const SUMMARISER = `You sum up a conversation between a user and an agent that works with tools, so that the agent can go on with the summary alone, as if nothing had been lost.`

export function summaryRequest(instructions: readonly string[]): string {
  return [
    'Sum up the conversation so far. The agent will go on with nothing but your summary, so leave out what is settled and irrelevant, and keep what is needed, exactly:',
    `- what the user asked for, in their own words where wording matters, and what they decided, corrected or forbade;
- the state of the work: what is done and checked, what is half done, what is next;
- files that matter, by path, with what was changed or found in them; names, commands, numbers, errors and fixes that would have to be found again;
- what was tried and did not work, and why;
- the last thing that was being done when the conversation stopped.`,
    ...(instructions.length > 0 ? ['Mind this above all:', ...instructions] : []),
    'Write the summary as plain text with short headings. Use no tools.',
  ].join('\n\n')
}

/** Before the summary, in the conversation that follows. */
export function asContinuation(summary: string): string {
  return `This conversation goes on from an earlier one that became too long. What happened so far:\n\n${summary}`
}

/** In the middle of a turn nobody says anything new. */
export const GO_ON = 'Go on with the work where it stood. Ask nothing that was answered before.'
