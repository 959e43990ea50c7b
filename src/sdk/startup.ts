/** `startup()`: an agent made ready before its prompt is known. */
import { KedgeError } from '../errors.js'
import type { StartupParams, WarmQuery } from '../protocol/query.js'
import { checkPromptArgument } from './check-query-arguments.js'
import { startAgentForQuery } from './start-query.js'

const DEFAULT_LIMIT = 60_000

/** Starts an agent before its first prompt is known, so that the prompt does not wait for it. */
export async function startup({
  options = {},
  initializeTimeoutMs = DEFAULT_LIMIT,
}: StartupParams = {}): Promise<WarmQuery> {
  const running = startAgentForQuery(options, null)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      running.close()
      reject(new KedgeError('query_closed', `The agent was not ready after ${initializeTimeoutMs} ms`))
    }, initializeTimeoutMs)
  })
  try {
    await Promise.race([running.initializationResult(), late])
  } catch (error) {
    running.close()
    throw error
  } finally {
    clearTimeout(timer)
  }
  let used = false
  let gone = false
  void running.closed.then(() => {
    gone = true
  })
  return {
    query(prompt) {
      if (gone && !used) throw new KedgeError('query_closed', 'This prewarmed query was closed; call startup() again.')
      if (used) throw new KedgeError('query_closed', 'This prewarmed query was already used; call startup() again.')
      checkPromptArgument(prompt)
      used = true
      if (prompt !== null) running.give(prompt)
      return running
    },
    close() {
      gone = true
      running.close()
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  }
}
