/**
 * The events of a long text differ in their words, and perhaps in a number that counts up; the rest is the same, byte for byte. Of
 * such an event only the words are read: to parse all of it costs more than everything else that is done with it.
 */
import { isObject, type JsonObject } from '../../protocol/json.js'

export type DeltaFastParseRules = {
  /** The field that holds the words. */
  field: string
  /** An event that says nothing but words, whatever they are. */
  isPlain(event: JsonObject): boolean
  /** The same with other words. */
  withWords(event: JsonObject, words: string): JsonObject
}

/** Up to the number, from there to the words, and what follows them. */
type Shape = { head: string; middle: string; tail: string; event: JsonObject }

const COUNTER = '"sequence_number":'

/** `parse`, but for events that are like the last one of their kind. Makes the same of them. */
export function createRepeatedEventParser(
  parse: (data: string) => unknown,
  { field, isPlain, withWords }: DeltaFastParseRules,
): (data: string) => unknown {
  let shape: Shape | undefined
  return (data) => {
    const words = shape && wordsOf(shape, data)
    if (shape && words !== undefined) return withWords(shape.event, words)
    const event = parse(data)
    if (isObject(event) && isPlain(event)) shape = shapeOf(data, field, event) ?? shape
    return event
  }
}

/** Undefined: it is another event, or its words have to be decoded. */
function wordsOf({ head, middle, tail }: Shape, data: string): string | undefined {
  if (!data.startsWith(head) || !data.endsWith(tail)) return undefined
  let at = head.length
  if (middle !== '') {
    while (isDigit(data.charCodeAt(at))) at += 1
    if (at === head.length || !data.startsWith(middle, at)) return undefined
    at += middle.length
  }
  const end = data.length - tail.length
  if (end < at) return undefined
  const words = data.slice(at, end)
  return isLiteral(words) ? words : undefined
}

/** Undefined: it is not plain to see where the words are. */
function shapeOf(data: string, field: string, event: JsonObject): Shape | undefined {
  const key = `"${field}":"`
  const at = data.indexOf(key)
  // A quote inside of a text has a backslash: so this is a key, and there is only one.
  if (at < 0 || data.indexOf(key, at + 1) >= 0) return undefined
  const begin = at + key.length
  const end = data.indexOf('"', begin)
  if (end < 0 || !isLiteral(data.slice(begin, end))) return undefined
  const tail = data.slice(end)
  const number = data.indexOf(COUNTER)
  if (number < 0 || number > begin) return { head: data.slice(0, begin), middle: '', tail, event }
  let behind = number + COUNTER.length
  const head = data.slice(0, behind)
  while (isDigit(data.charCodeAt(behind))) behind += 1
  return behind === head.length ? undefined : { head, middle: data.slice(behind, begin), tail, event }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Stands between quotes as it is. */
function isLiteral(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 32 || code === 34 || code === 92) return false
  }
  return true
}

/** A chunk of the Chat Completions API with nothing in it but words. What else it says, it says again: once is enough. */
export const CHAT_DELTA_FAST_PARSE: DeltaFastParseRules = {
  field: 'content',
  isPlain(event) {
    const choices: unknown = event['choices']
    const [choice]: unknown[] = Array.isArray(choices) ? choices : []
    if (!isObject(choice) || !isObject(choice['delta'])) return false
    const { content, role: _, ...others } = choice['delta']
    return typeof content === 'string' && Object.keys(others).length === 0
  },
  withWords: ({ id, model }, content) => ({ id, model, choices: [{ delta: { content } }] }),
}

/** A delta of the Responses API, of whatever kind. */
export const RESPONSES_DELTA_FAST_PARSE: DeltaFastParseRules = {
  field: 'delta',
  isPlain: ({ delta }) => typeof delta === 'string',
  withWords: (event, delta) => ({ ...event, delta }),
}
