/** An MCP server asks for values, or wants a page to be visited. */
import { useSignal } from '@preact/signals'
import { safeAddress, toDisplaySafeLine, toDisplaySafeText, toStringOrEmpty } from '../safe/clean-text.js'
import { T } from '../texts.js'
import { submitAnswer } from './answering.js'
import type { CardProps } from './card-props.js'

type Value = string | number | boolean | string[]
type Choice = { value: string; title: string }
type Field = {
  name: string
  title: string
  about: string
  type: string
  choices: Choice[]
  isRequired: boolean
  start: Value | undefined
}

const fields = (value: unknown): Map<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
function fieldsOf(schema: Record<string, unknown> | undefined): Field[] {
  const required = list(schema?.['required'])
  return [...fields(schema?.['properties'])].map(([name, given]) => {
    const field = fields(given)
    const type = toStringOrEmpty(field.get('type'))
    return {
      name,
      type,
      title: toStringOrEmpty(field.get('title')) || name,
      about: toStringOrEmpty(field.get('description')),
      choices: choicesOf(type === 'array' ? fields(field.get('items')) : field),
      isRequired: required.includes(name),
      start: startOf(type, field.get('default')),
    }
  })
}

/** Values with titles, or values alone: the protocol has had several ways to write them. */
function choicesOf(field: Map<string, unknown>): Choice[] {
  const titled = [...list(field.get('oneOf')), ...list(field.get('anyOf'))].map((one) => {
    const choice = fields(one)
    const value = String(choice.get('const'))
    return { value, title: toStringOrEmpty(choice.get('title')) || value }
  })
  if (titled.length > 0) return titled
  const names = list(field.get('enumNames'))
  return list(field.get('enum')).map((one, at) => ({
    value: String(one),
    title: toStringOrEmpty(names[at]) || String(one),
  }))
}

/** An unchecked box is `false`, not a missing value. */
function startOf(type: string, given: unknown): Value | undefined {
  if (type === 'array') return list(given).map(String)
  if (typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean') return given
  return type === 'boolean' ? false : undefined
}

export function ElicitationForm({ ask, guard }: CardProps) {
  const { message = '', url: address = '', requestedSchema, mode } = ask.elicitation ?? {}
  const all = fieldsOf(requestedSchema)
  const values = useSignal<Record<string, Value>>(
    Object.fromEntries(all.flatMap(({ name, start }) => (start === undefined ? [] : [[name, start]]))),
  )
  const url = safeAddress(address)
  const isOff = !guard.isReady.value || guard.isSending.value
  const set = (name: string, value: Value | undefined) => {
    const { [name]: _, ...others } = values.value
    values.value = value === undefined ? others : { ...others, [name]: value }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const content = mode === 'url' ? {} : { content: values.value }
    guard.act(() => submitAnswer(ask, { kind: 'elicitation', action: 'accept', ...content }))
  }
  return (
    <form class="elicitation" onSubmit={submit}>
      <p>{toDisplaySafeText(message)}</p>
      {mode === 'url' && url && (
        <p>
          <strong>{toDisplaySafeLine(url.host)}</strong>{' '}
          <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
            {toDisplaySafeLine(url.href, 1000)}
          </a>
        </p>
      )}
      {mode !== 'url' &&
        all.map((field) => {
          const { name } = field
          const given = { field, value: values.value[name], set: (value: Value | undefined) => set(name, value) }
          if (field.type === 'array') return <Several key={name} {...given} />
          return (
            <label key={name}>
              <Title field={field} />
              <Input {...given} />
            </label>
          )
        })}
      <div class="buttons">
        <button type="submit" class="good" aria-disabled={isOff}>
          {mode === 'url' ? T.visited : all.length === 0 ? T.accept : T.sendAnswers}
        </button>
        <button
          type="button"
          aria-disabled={isOff}
          onClick={() => guard.act(() => submitAnswer(ask, { kind: 'elicitation', action: 'decline' }))}
        >
          {T.decline}
        </button>
      </div>
    </form>
  )
}

type InputProps = { field: Field; value: Value | undefined; set(value: Value | undefined): void }

function Title({ field: { title, about } }: { field: Field }) {
  return (
    <>
      {toDisplaySafeLine(title, 100)} {about !== '' && <span class="quiet">{toDisplaySafeLine(about)}</span>}
    </>
  )
}

function Several({ field, value, set }: InputProps) {
  const chosen = Array.isArray(value) ? value : []
  return (
    <fieldset>
      <legend>
        <Title field={field} />
      </legend>
      {field.choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={({ currentTarget }) =>
              set([...chosen.filter((one) => one !== choice.value), ...(currentTarget.checked ? [choice.value] : [])])
            }
          />{' '}
          {toDisplaySafeLine(choice.title)}
        </label>
      ))}
    </fieldset>
  )
}

function Input({ field, value, set }: InputProps) {
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
          <option key={choice.value} value={choice.value}>
            {toDisplaySafeLine(choice.title)}
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
        step={type === 'integer' ? 1 : 'any'}
        required={isRequired}
        value={shown}
        onInput={({ currentTarget }) => set(currentTarget.value === '' ? undefined : Number(currentTarget.value))}
      />
    )
  return (
    <input
      type="text"
      required={isRequired}
      value={shown}
      onInput={({ currentTarget }) => set(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  )
}
