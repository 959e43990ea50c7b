/** What the model is told when a conversation is summed up, and how the summary begins. */

export const SUMMARIZER_PROMPT = `You summarize a conversation between a user and an agent that works with tools, so that the agent can continue from the summary alone.`

export function summaryRequestText(instructions: readonly string[]): string {
  return [
    'Stop here and call no tools. Write a summary of this conversation so far. The summary takes the place of the conversation, and the work continues from it alone, so keep exactly what the work still needs, and leave out what is settled:',
    `- what the user asked for, in their own words where wording matters, and what they decided, corrected, or forbade;
- the state of the work: what is done and checked, what is half done, what comes next;
- files that matter, by path, with what was changed or found in them; names, commands, numbers, errors, and fixes that would have to be found again;
- what was tried and did not work, and why;
- what was being done when the conversation stopped.`,
    ...(instructions.length > 0 ? ['Above all:', ...instructions] : []),
    'Answer with the summary only, as plain text with short headings.',
  ].join('\n\n')
}

/** Before the summary, in the conversation that follows. */
export function continuationText(summary: string): string {
  return `This conversation continues an earlier one that became too long. A summary of it:\n\n${summary}`
}

/** In the middle of a turn nobody says anything new. */
export const CONTINUE_WORK_TEXT = 'Continue the work from where it stood. Don’t ask again what was answered before.'
