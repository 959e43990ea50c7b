/** An MCP server asks for values, or wants a page to be visited. */
import { useSignal } from '@preact/signals'
import { clean, cleanLine, safeAddress } from '../safe/clean-text.js'
import { T } from '../texts.js'
import { sendAnswer } from './answering.js'
import type { CardProps } from './card-props.js'

type Value = string | number | boolean
type Field = {
  name: string
  title: string
  about: string
  type: string
  choices: string[]
  isRequired: boolean
  start: Value | undefined
}

const fields = (value: unknown): Map<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function fieldsOf(schema: Record<string, unknown> | undefined): Field[] {
  const required = schema?.['required']
  return [...fields(schema?.['properties'])].map(([name, given]) => {
    const field = fields(given)
    const choices = field.get('enum')
    const start = field.get('default')
    return {
      ...{
        name,
        title: text(field.get('title')) || name,
        about: text(field.get('description')),
        type: text(field.get('type')),
      },
      choices: Array.isArray(choices) ? choices.map(String) : [],
      isRequired: Array.isArray(required) && required.includes(name),
      start: typeof start === 'string' || typeof start === 'number' || typeof start === 'boolean' ? start : undefined,
    }
  })
}

export function ElicitationForm({ ask, guard }: CardProps) {
  const { message = '', url: address = '', requestedSchema, mode } = ask.elicitation ?? {}
  const all = fieldsOf(requestedSchema)
  const values = useSignal<Record<string, Value>>(
    Object.fromEntries(all.flatMap(({ name, start }) => (start === undefined ? [] : [[name, start]]))),
  )
  const url = safeAddress(address)
  const isOff = !guard.isReady.value || guard.isSending.value
  const set = (name: string, value: Value) => {
    values.value = { ...values.value, [name]: value }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const content = mode === 'url' ? {} : { content: values.value }
    guard.act(() => sendAnswer(ask, { kind: 'elicitation', action: 'accept', ...content }))
  }
  return (
    <form class="elicitation" onSubmit={submit}>
      <p>{clean(message)}</p>
      {mode === 'url' && url && (
        <p>
          <strong>{cleanLine(url.host)}</strong>{' '}
          <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
            {cleanLine(url.href, 1000)}
          </a>
        </p>
      )}
      {mode !== 'url' &&
        all.map((field) => (
          <label key={field.name}>
            {cleanLine(field.title, 100)} {field.about !== '' && <span class="quiet">{cleanLine(field.about)}</span>}
            <Input field={field} value={values.value[field.name]} set={(value) => set(field.name, value)} />
          </label>
        ))}
      <div class="buttons">
        <button type="submit" class="good" aria-disabled={isOff}>
          {mode === 'url' ? T.visited : T.sendAnswers}
        </button>
        <button
          type="button"
          aria-disabled={isOff}
          onClick={() => guard.act(() => sendAnswer(ask, { kind: 'elicitation', action: 'decline' }))}
        >
          {T.decline}
        </button>
      </div>
    </form>
  )
}

function Input({ field, value, set }: { field: Field; value: Value | undefined; set(value: Value): void }) {
  const { type, choices, isRequired } = field
  if (choices.length > 0)
    return (
      <select
        required={isRequired}
        value={String(value ?? '')}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      >
        <option value="" disabled />
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {cleanLine(choice)}
          </option>
        ))}
      </select>
    )
  if (type === 'boolean')
    return (
      <input type="checkbox" checked={value === true} onChange={({ currentTarget }) => set(currentTarget.checked)} />
    )
  const shown = String(value ?? '')
  if (type === 'number' || type === 'integer')
    return (
      <input
        type="number"
        required={isRequired}
        value={shown}
        onInput={({ currentTarget }) => set(Number(currentTarget.value))}
      />
    )
  return (
    <input type="text" required={isRequired} value={shown} onInput={({ currentTarget }) => set(currentTarget.value)} />
  )
}
