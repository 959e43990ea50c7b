/** Prompts that wait: seen, put in another order, edited, removed; and those that are not with the server yet. */
import { useSignal } from '@preact/signals'
import { askForText } from '../parts/dialogs.js'
import { Icon } from '../parts/icons.js'
import { toDisplaySafeLine, toDisplaySafeText } from '../safe/clean-text.js'
import { usePageScope, useRegionLabel } from '../state/page-scope.js'
import type { Prompt } from '../state/server-types.js'
import type { SessionSignals } from '../state/session-signals.js'
import { T } from '../texts.js'

export function waitingPromptText({ content }: Pick<Prompt, 'content'>): string {
  if (typeof content === 'string') return content
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [`[${block.type}]`])).join('\n')
}

export function WaitingPromptList({ id, conversation }: { id: string; conversation: SessionSignals }) {
  const scope = usePageScope()
  const { client } = scope
  const label = useRegionLabel(id, T.waitingPrompts)
  const isBusy = useSignal(false)
  const waiting = conversation.waiting.value
  const leaving = scope.outbox.value.filter(
    (one) =>
      one.session === id && !waiting.some((prompt) => prompt.id === one.id) && (one.problem || conversation.seq > 0),
  )
  if (waiting.length === 0 && leaving.length === 0) return null
  const act = async (work: () => Promise<unknown>) => {
    if (isBusy.value) return
    isBusy.value = true
    try {
      await work()
    } catch (error) {
      scope.fail(error)
    } finally {
      isBusy.value = false
    }
  }
  const remove = (prompt: Prompt) => client.removePrompt(id, prompt.id)
  const move = (at: number, to: number) => {
    const order = waiting.map((prompt) => prompt.id)
    order.splice(to, 0, ...order.splice(at, 1))
    return client.reorder(id, order)
  }
  const edit = async (prompt: Prompt) => {
    const text = await askForText(scope, { title: T.edit, label: T.prompt, value: waitingPromptText(prompt) })
    if (text === undefined || text.trim() === '' || text === waitingPromptText(prompt)) return
    await remove(prompt)
    const own = (await client.send(id, { content: text, when: prompt.when })).id
    // Into the place of the one it replaces, if that still matters.
    const order = waiting.map((one) => (one.id === prompt.id ? own : one.id))
    if (order.length > 1) await client.reorder(id, order).catch(() => {})
  }
  return (
    <section class="waiting-prompts" aria-label={label}>
      <ol>
        {waiting.map((prompt, at) => (
          <li key={prompt.id}>
            <span class="tag">{T.timings[prompt.when]}</span>
            <span class="grow words">{toDisplaySafeLine(waitingPromptText(prompt), 200)}</span>
            <button
              type="button"
              class="plain"
              aria-label={T.moveUp}
              disabled={at === 0}
              onClick={() => act(() => move(at, at - 1))}
            >
              <Icon name="up" />
            </button>
            <button
              type="button"
              class="plain"
              aria-label={T.moveDown}
              disabled={at === waiting.length - 1}
              onClick={() => act(() => move(at, at + 1))}
            >
              <Icon name="down" />
            </button>
            <button type="button" class="plain" aria-label={T.edit} onClick={() => act(() => edit(prompt))}>
              <Icon name="edit" />
            </button>
            <button type="button" class="plain" aria-label={T.remove} onClick={() => act(() => remove(prompt))}>
              <Icon name="close" />
            </button>
          </li>
        ))}
        {leaving.map(({ id: prompt, content, problem }) => (
          <li key={prompt} class={problem ? 'bad' : ''}>
            <span class="tag">{problem ? T.notSent : T.sending}</span>
            <span class="grow words">
              {toDisplaySafeText(waitingPromptText({ content }))} {problem && <em>{problem.message}</em>}
            </span>
            <button type="button" class="plain" aria-label={T.remove} onClick={() => client.outbox.drop(prompt)}>
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
