/** The input of a tool, to be changed before it is allowed: a field for each part of it. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { messageOf } from '../../src/protocol/thrown.js'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { T } from '../texts.js'

type Props = { input: Record<string, unknown>; onDone(input: Record<string, unknown>): void; onCancel(): void }

export function ToolInputEditForm({ input, onDone, onCancel }: Props) {
  const values = useSignal(Object.fromEntries(Object.entries(input).map(([name, value]) => [name, written(value)])))
  const problem = useSignal('')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const submit = (event: Event) => {
    event.preventDefault()
    try {
      const edited = Object.entries(input).map(([name, before]) => [name, read(values.value[name] ?? '', before, name)])
      problem.value = ''
      onDone(Object.fromEntries(edited))
    } catch (error) {
      problem.value = messageOf(error)
    }
  }
  return (
    <form class="edit-input" ref={form} onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onCancel()}>
      {Object.entries(values.value).map(([name, value]) => (
        <label key={name}>
          {toDisplaySafeLine(name, 80)}
          <textarea
            rows={Math.min(14, Math.max(1, value.split('\n').length))}
            spellcheck={false}
            value={value}
            onInput={({ currentTarget }) => {
              values.value = { ...values.value, [name]: currentTarget.value }
            }}
          />
        </label>
      ))}
      {problem.value !== '' && (
        <p role="alert" class="bad">
          {problem.value}
        </p>
      )}
      <div class="buttons">
        <button type="submit" class="good">
          {T.allowEdited}
        </button>
        <button type="button" onClick={onCancel}>
          {T.cancel}
        </button>
      </div>
    </form>
  )
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function read(text: string, before: unknown, name: string): unknown {
  if (typeof before === 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(T.notJson(name))
  }
}
