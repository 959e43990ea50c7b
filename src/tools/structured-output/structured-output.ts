/** StructuredOutput: the answer as data, checked against the schema of the host. */
import { defineTool, type Tool } from '../tool.js'

const structuredOutputPrompt = `Hands in the final answer as data. Call it once, when the work is done, with an input that matches its schema exactly: it is what the user's program reads. After that, end with a short text.`

/** When the model ends without having called it. */
export const STRUCTURED_OUTPUT_MISSING_TEXT =
  'The answer has to be handed in with the StructuredOutput tool, and that has not happened yet. Call it now, with an input that matches its schema.'

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
