/** Prompts that wait for their turn, as the log tells it. */
import type { LogItem } from '../../hub/log/entries.js'
import type { Prompt } from '../../hub/prompt-types.js'
import { contentText } from '../blocks/transcript-view.js'
import { toTerminalSafeLine } from '../screen/shown-text.js'

export class WaitingPrompts {
  /** Each with its line, which is shown again with every key. */
  #prompts: { prompt: Prompt; line: string }[] = []

  take(item: LogItem): void {
    if (item.kind !== 'prompt') return
    const change = item.data
    if (change.change === 'queued') this.#prompts.push({ prompt: change.prompt, line: lineOf(change.prompt) })
    else if (change.change === 'reordered') {
      const { order } = change
      this.#prompts.sort((a, b) => order.indexOf(a.prompt.id) - order.indexOf(b.prompt.id))
    } else this.#prompts = this.#prompts.filter(({ prompt }) => prompt.id !== change.id)
  }

  /** The one that would come last. */
  get last(): Prompt | undefined {
    return this.#prompts.at(-1)?.prompt
  }

  get lines(): string[] {
    return this.#prompts.map(({ line }) => line)
  }

  clear(): void {
    this.#prompts = []
  }
}

function lineOf({ content, when }: Prompt): string {
  return `${when === 'steer' ? 'now: ' : ''}${toTerminalSafeLine(contentText(content))}`
}
