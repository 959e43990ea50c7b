/** StructuredOutput: the answer as data, checked against the schema of the host. */
import { defineTool, type Tool } from '../tool.js'
import { structuredOutputPrompt } from './prompt.js'

export interface StructuredOutputPort {
  /** What is wrong with it; nothing: it is taken. */
  handIn(value: Record<string, unknown>): readonly string[]
}

export function createStructuredOutputTool(port: StructuredOutputPort): Tool<Record<string, unknown>> {
  return defineTool<Record<string, unknown>>({
    name: 'StructuredOutput',
    description: structuredOutputPrompt,
    // The host's, which is not known before the session has begun.
    inputSchema: { type: 'object' },
    isReadOnly: () => false,
    facts: () => ({ kind: 'none' }),
    async execute(input) {
      const problems = port.handIn(input)
      if (problems.length > 0) {
        return { ok: false, error: `Output does not match required schema: ${problems.join(', ')}` }
      }
      const content = 'Structured output provided successfully'
      return { ok: true, content, output: content }
    },
  })
}
