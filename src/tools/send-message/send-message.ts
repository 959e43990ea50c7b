/** SendMessage: writes to members of the team. Who gets it arrives as a port. */
import { describeIssues } from '../describe-issues.js'
import { type CallContext, defineTool, type Tool } from '../tool.js'
import { missingFields, type SendMessageInput, sendMessageInputSchema } from './input.js'
import type { SendMessageOutput } from './output.js'
import { sendMessagePrompt } from './prompt.js'

export interface SendMessagePort {
  /** The context says who writes. */
  send(
    input: SendMessageInput,
    context: CallContext,
  ): Promise<{ ok: true; output: SendMessageOutput } | { ok: false; error: string }>
}

export function createSendMessageTool(port: SendMessagePort): Tool<SendMessageInput> {
  return defineTool<SendMessageInput>({
    name: 'SendMessage',
    description: sendMessagePrompt,
    inputSchema: sendMessageInputSchema,
    isReadOnly: () => false,
    facts: () => ({ kind: 'none' }),
    check: async (input) => {
      const missing = missingFields(input)
      return missing.length === 0 ? undefined : describeIssues('SendMessage', missing.map(toIssue)).error
    },
    async execute(input, context) {
      const result = await port.send(input, context)
      if (!result.ok) return result
      const { output } = result
      return { ok: true, content: [{ type: 'text', text: JSON.stringify(output, null, 2) }], output }
    },
  })
}

function toIssue(field: string) {
  const expected = field === 'approve' ? 'boolean' : 'string'
  const message = `Invalid input: expected ${expected}, received undefined`
  return { code: 'invalid_type' as const, expected, received: 'undefined', path: [field], message }
}
