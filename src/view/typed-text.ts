/** Text in messages of the user: what the user wrote, and what was put beside it for the model. */
import type { ContentBlockParam } from '../protocol/content.js'

/** Returns what the user wrote in it, images by their mark. */
export function userTextIn(content: string | readonly ContentBlockParam[]): string {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return blocks
    .flatMap((block) => (block.type === 'text' ? block.text : block.type === 'image' ? '[image]' : []))
    .filter((text) => !isTextAddedForModel(text))
    .join('\n')
}

/** Whether it was put beside what the user wrote, for the model to read. */
export function isTextAddedForModel(text: string): boolean {
  return /^\s*(?:<(?:system-reminder|command-name|command-message|local-command-|shell-command)|\[Request interrupted by user)/.test(
    text,
  )
}
