/** System prompts in parts, and the mark between those that stay the same and those that do not. */

/** A separate part or line of a prompt. Kedge caches the whole prompt, so it removes this marker, and no model reads it. */
export const SYSTEM_PROMPT_DYNAMIC_BOUNDARY = '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__'

export function joinSystemPrompt(prompt: string | readonly string[]): string {
  const parts = typeof prompt === 'string' ? [prompt] : prompt
  return parts
    .filter((part) => !isMark(part))
    .map(withoutMarks)
    .join('\n\n')
}

function withoutMarks(text: string): string {
  if (!text.includes(SYSTEM_PROMPT_DYNAMIC_BOUNDARY)) return text
  return text
    .split('\n')
    .filter((line) => !isMark(line))
    .join('\n')
}

function isMark(text: string): boolean {
  return text.trim() === SYSTEM_PROMPT_DYNAMIC_BOUNDARY
}
