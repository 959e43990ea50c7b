/** Prompts that wait for their turn, each as a line. */
import type { Prompt } from '../../protocol/session-log/prompt-types.js'
import { userTextIn } from '../../view/typed-text.js'
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'

/** Shown again with every key. */
const lines = new WeakMap<Prompt, string>()

export function waitingPromptLines(prompts: readonly Prompt[]): string[] {
  return prompts.map((prompt) => {
    const known = lines.get(prompt)
    if (known !== undefined) return known
    const { content, when } = prompt
    const line = `${when === 'steer' ? 'now: ' : ''}${toTerminalSafeLine(userTextIn(content))}`
    lines.set(prompt, line)
    return line
  })
}
