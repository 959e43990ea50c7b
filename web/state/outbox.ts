/** Prompts on their way, as the page shows them. */
import { signal } from '@preact/signals'
import type { OutgoingPrompt } from '../../src/client/outbox.js'
import { server } from './server.js'
import type { Attachment, PromptTiming } from './server-types.js'

export const outbox = signal<readonly OutgoingPrompt[]>(server.outbox.value)
server.outbox.subscribe((value) => {
  outbox.value = value
})

/** A prompt of attachments alone isn't empty for the server. */
export function sendPrompt(
  session: string,
  content: string,
  when: PromptTiming,
  attachments: readonly Attachment[],
): void {
  server.outbox.send(session, { content: content || ' ', when, ...(attachments.length > 0 ? { attachments } : {}) })
}
