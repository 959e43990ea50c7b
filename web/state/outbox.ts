/** Prompts on their way: tried until the server has them, under one id, so that none is lost and none comes twice. */
import { signal } from '@preact/signals'
import { messageOf } from '../../src/protocol/thrown.js'
import { newId, post, ServerProblem } from '../wire/server-api.js'
import type { PromptTiming } from '../wire/wire-types.js'
import { store, stored, storedKeys } from './stored.js'

export type Attachment = { name: string; mediaType: string; data: string }
export type OutgoingPrompt = {
  id: string
  session: string
  content: string
  when: PromptTiming
  attachments: Attachment[]
  problem?: string
}

export const outbox = signal<readonly OutgoingPrompt[]>([])

const AGAIN_MS = 1000

export function resendStoredPrompts(): void {
  for (const key of storedKeys('out:')) {
    const prompt = stored<OutgoingPrompt>(key)
    if (prompt) void deliver(prompt)
  }
}

export function sendPrompt(session: string, content: string, when: PromptTiming, attachments: Attachment[]): void {
  const prompt = { id: newId(), session, content, when, attachments }
  store(`out:${prompt.id}`, prompt)
  void deliver(prompt)
}

export function dropOutgoingPrompt(id: string): void {
  store(`out:${id}`, undefined)
  outbox.value = outbox.value.filter((one) => one.id !== id)
}

async function deliver(prompt: OutgoingPrompt): Promise<void> {
  const { id, session, content, when, attachments } = prompt
  outbox.value = [...outbox.value.filter((one) => one.id !== id), prompt]
  for (;;) {
    try {
      const files = attachments.length > 0 ? { attachments } : {}
      await post(`/sessions/${session}/prompts`, { id, content: content || ' ', when, ...files })
      dropOutgoingPrompt(id)
      return
    } catch (error) {
      const isPassing = error instanceof ServerProblem && (error.status === 0 || error.status >= 500)
      if (!isPassing) {
        // The message can't be sent as it is: the user sees why, and gets the text back.
        store(`out:${id}`, undefined)
        const problem = messageOf(error)
        outbox.value = outbox.value.map((one) => (one.id === id ? { ...one, problem } : one))
        return
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      if (!outbox.value.some((one) => one.id === id)) return
    }
  }
}
