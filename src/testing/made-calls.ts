/** The calls of a run at a glance: what was called, with what, and what came of it. */

/** A call the model made, and what came of it. */
export type MadeCall = {
  /** The id of the call. */
  id: string
  /** The tool. */
  name: string
  /** What it was called with. */
  input: unknown
  /** The call of the agent that made it; null for the main thread. */
  parent: string | null
  /** What the model read; empty while there is no result. */
  text: string
  /** Whether it failed. */
  isError: boolean
}

type Line = { type: string; parent_tool_use_id?: string | null; message?: { content?: unknown } }

/**
 * ```ts
 * const run = await collect(query({ prompt, options }))
 * assert.deepEqual(callsOf(run.messages).map(({ name }) => name), ['Read', 'Edit'])
 * ```
 */
export function callsOf(messages: readonly object[]): MadeCall[] {
  const calls = new Map<string, MadeCall>()
  for (const message of messages) {
    // Messages of any agent: what is not there is passed over.
    const { type, parent_tool_use_id: parent = null, message: said } = message as Line
    for (const block of Array.isArray(said?.content) ? said.content : []) {
      if (type === 'assistant' && block.type === 'tool_use') {
        calls.set(block.id, { id: block.id, name: block.name, input: block.input, parent, text: '', isError: false })
      }
      const call = type === 'user' && block.type === 'tool_result' ? calls.get(block.tool_use_id) : undefined
      if (!call) continue
      call.text = textOf(block.content)
      call.isError = block.is_error === true
    }
  }
  return [...calls.values()]
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  return content.map((block) => (typeof block?.text === 'string' ? block.text : '')).join('')
}
