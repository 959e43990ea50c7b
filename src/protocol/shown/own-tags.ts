/** The tags in which Kedge speaks to a model. In the words of anybody else they are made harmless, so that those don't pass for ours. */

const OWN_TAGS =
  'system-reminder|task-notification|teammate-message|tool_use_error|user-prompt-submit-hook|command-(?:name|message|args)|local-command-[a-z]+|bash-(?:input|stdout|stderr)'

const AHEAD = `(?=\\s*(?:/\\s*)?(?:${OWN_TAGS})\\b)`
const OPENING = new RegExp(`<${AHEAD}`, 'gi')
const EITHER = new RegExp(`(?:<|&lt;)${AHEAD}`, 'gi')

/** A text of a tool, file, server, agent or hook as it may stand in a request: `&lt;system-reminder>` begins no reminder. */
export function escapeOwnTags(text: string): string {
  return text.includes('<') ? text.replaceAll(OPENING, '&lt;') : text
}

/** Returns the start positions of Kedge's tags in a text, plain or as `escapeOwnTags` shows them. */
export function findOwnTags(text: string): { at: number; isShown: boolean }[] {
  return Array.from(text.matchAll(EITHER), ({ index, 0: begin }) => ({ at: index, isShown: begin !== '<' }))
}

/** What the program around the model tells it. */
export function reminderText(text: string): string {
  return `<system-reminder>\n${escapeOwnTags(text)}\n</system-reminder>`
}

/** Stands before what the user says during a turn. */
export const MID_TURN_PROMPT_PREFIX = 'The user says, while you work:'
