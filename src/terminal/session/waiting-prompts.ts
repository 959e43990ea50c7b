/** Prompts that wait for their turn, as the log tells it. */
import type { LogItem } from '../../hub/entries.js'
import type { Prompt } from '../../hub/prompt-types.js'
import { contentText } from '../blocks/transcript-view.js'
import { shownLine } from '../screen/shown-text.js'

export class WaitingPrompts {
  #prompts: Prompt[] = []

  take(item: LogItem): void {
    if (item.kind !== 'prompt') return
    const change = item.data
    if (change.change === 'queued') this.#prompts.push(change.prompt)
    else if (change.change === 'reordered') {
      const { order } = change
      this.#prompts.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    } else this.#prompts = this.#prompts.filter(({ id }) => id !== change.id)
  }

  /** The one that would come last. */
  get last(): Prompt | undefined {
    return this.#prompts.at(-1)
  }

  get lines(): string[] {
    return this.#prompts.map(
      ({ content, when }) => `${when === 'steer' ? 'now: ' : ''}${shownLine(contentText(content))}`,
    )
  }

  clear(): void {
    this.#prompts = []
  }
}
