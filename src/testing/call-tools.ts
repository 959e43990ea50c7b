/** Runs tools the way an agent would, without a model: real permissions, real files and processes, one call per turn. */
import type { ToolResultContent } from '../protocol/content.js'
import type { SDKMessage } from '../protocol/messages.js'
import type { Options } from '../protocol/options.js'
import { query } from '../sdk/start-query.js'
import { collect, type Run } from './collect-messages.js'
import { testOptions } from './query-options.js'
import { startModelServer } from './server.js'
import type { ModelHandler, Step } from './turn.js'

/** `input` may depend on what the calls before gave: `(results) => ({ task_id: … })`. */
export type ToolToCall = {
  /** The tool. */
  name: string
  /** What to call it with. */
  input: object | ((results: readonly CalledTool[]) => object)
}

/** A call that was made, and what came of it. */
export type CalledTool = {
  /** The tool. */
  name: string
  /** What the model reads, as text. */
  text: string
  /** What the model reads, as it is sent. */
  content: string | ToolResultContent[]
  /** Whether the call failed. */
  isError: boolean
  /** `tool_use_result`: the structured result for hosts. */
  output: unknown
}

/**
 * Calls the tools one after another in one session, and ends it. Everything that would be asked is allowed, unless
 * `options` has a `canUseTool` of its own.
 *
 * ```ts
 * const { results } = await callTools([{ name: 'Bash', input: { command: 'echo hi' } }])
 * assert.equal(results[0]?.text, 'hi')
 * ```
 */
export async function callTools(
  calls: readonly ToolToCall[],
  options: Options = {},
): Promise<{ results: CalledTool[]; run: Run<SDKMessage> }> {
  const results: CalledTool[] = []
  const toCall =
    ({ name, input }: ToolToCall, index: number): ModelHandler =>
    () => ({
      tools: [{ id: `toolu_call_${index}`, name, input: typeof input === 'function' ? input(results) : input }],
    })
  const steps: Step[] = [...calls.map(toCall), 'Done.']
  // Work that ends later is told to the model too; there is nothing to say to that.
  await using server = await startModelServer((request) => {
    // Tools ask the model too, WebFetch about a page for one; these requests offer none of the session's tools.
    const isMain = request.tools.some((name) => name !== 'web_search')
    const step = isMain ? (steps.shift() ?? 'Noted.') : 'Noted.'
    return typeof step === 'function' ? step(request) : step
  })
  const canUseTool: Options['canUseTool'] = async (_name, input) => ({ behavior: 'allow', updatedInput: input })
  await using prepared = testOptions(server, { canUseTool, ...options })
  const messages = query({ prompt: 'Call the tools.', options: prepared })
  const run = await collect(watch(messages, calls, results))
  if (results.length < calls.length) {
    const why = run.error ?? run.result?.terminal_reason
    throw new Error(`${results.length} of ${calls.length} tools were called: ${why}`)
  }
  return { results, run }
}

async function* watch(
  messages: AsyncIterable<SDKMessage>,
  calls: readonly ToolToCall[],
  results: CalledTool[],
): AsyncGenerator<SDKMessage> {
  for await (const message of messages) {
    const content = message.type === 'user' ? message.message.content : []
    for (const block of typeof content === 'string' ? [] : content) {
      if (block.type !== 'tool_result' || message.type !== 'user') continue
      const name = calls[results.length]?.name ?? ''
      const given = block.content ?? ''
      results.push({
        name,
        text: textOf(given),
        content: given,
        isError: block.is_error === true,
        output: message.tool_use_result,
      })
    }
    yield message
  }
}

function textOf(content: string | ToolResultContent[]): string {
  if (typeof content === 'string') return content
  return content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n')
}
