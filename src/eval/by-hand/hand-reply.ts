/** An answer as a person writes it: lines of text, and for every tool call a line `> Name {"its": "input"}`. */
import { isObject } from '../../protocol/json.js'
import { messageOf } from '../../protocol/thrown.js'
import type { Answer, ToolCall } from '../../testing/turn.js'

/**
 * Reads an answer that a person wrote by hand. Throws if a call's input isn't JSON. A reply that is a JSON object is
 * taken as an answer of `kedge/testing`.
 */
export function parseHandReply(text: string): Answer {
  if (text.trimStart().startsWith('{')) {
    const value: unknown = JSON.parse(text)
    // Any answer: the one who writes it is the model.
    if (isObject(value)) return value as Answer
  }
  const words: string[] = []
  const tools: ToolCall[] = []
  for (const line of text.split('\n')) {
    const [, name, input = ''] = /^> ?([A-Za-z_][\w-]*) *(.*)$/.exec(line) ?? []
    if (name === undefined) words.push(line)
    else tools.push({ name, input: readInput(name, input) })
  }
  const said = words.join('\n').trim()
  return { ...(said === '' && tools.length > 0 ? {} : { text: said || ' ' }), ...(tools.length > 0 ? { tools } : {}) }
}

function readInput(name: string, input: string): unknown {
  try {
    return JSON.parse(input === '' ? '{}' : input)
  } catch (error) {
    throw new Error(`The input of ${name} isn't valid JSON: ${messageOf(error)}`)
  }
}
