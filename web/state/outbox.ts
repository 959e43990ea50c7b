/** Prompts on their way, as the page shows them. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Attachment, Client, OutgoingPrompt, PromptTiming } from './server-types.js'

export function createOutboxSignal({ outbox }: Pick<Client, 'outbox'>): ReadonlySignal<readonly OutgoingPrompt[]> {
  const prompts = signal<readonly OutgoingPrompt[]>(outbox.value)
  outbox.subscribe((value) => {
    prompts.value = value
  })
  return prompts
}

export type PromptDraft = { content: string; when: PromptTiming; attachments: readonly Attachment[] }

/** A prompt of attachments alone isn't empty for the server. */
export function sendPrompt(
  { outbox }: Pick<Client, 'outbox'>,
  session: string,
  { content, when, attachments }: PromptDraft,
): void {
  outbox.send(session, { content: content || ' ', when, ...(attachments.length > 0 ? { attachments } : {}) })
}
