/** What `query()` itself is called with. Callers in plain JavaScript may give anything. */
import { ConfigurationError } from '../errors.js'
import { isObject } from '../protocol/json.js'
import { describeValue } from '../protocol/validate.js'

export function checkQueryArguments(call: unknown): void {
  if (!isObject(call)) throw new ConfigurationError('prompt', 'query() takes an object: query({ prompt, options }).')
  const options = call.options ?? {}
  const needsNone = isObject(options) && options.continueTurn === true
  if (call.prompt !== undefined || !needsNone) checkPromptArgument(call.prompt)
  if (!isObject(options))
    throw new ConfigurationError('options', `options must be an object, got ${describeValue(options)}.`)
}

/** `null`: it comes later, with `send()`. Forgetting it must not look like that. */
export function checkPromptArgument(prompt: unknown): void {
  if (prompt === null || typeof prompt === 'string') return
  if (typeof prompt === 'object' && (Symbol.asyncIterator in prompt || Symbol.iterator in prompt)) return
  const got = describeValue(prompt)
  throw new ConfigurationError('prompt', `prompt must be a string or an async iterable of user messages, got ${got}.`)
}
