// A terminal that asks before tools run and remembers "always".
import { createInterface } from 'node:readline/promises'
import { type CanUseTool, type PermissionResult, type PermissionUpdate, query } from '@anthropic-ai/claude-agent-sdk'

type PermissionContext = Parameters<CanUseTool>[2]

const answers = new Map<string, PermissionResult>()

function describe(toolName: string, input: Record<string, unknown>, context: PermissionContext): string {
  const where = context.blockedPath ? ` (${context.blockedPath})` : ''
  const who = context.agentID ? `[${context.agentID}] ` : ''
  return `${who}${toolName} ${JSON.stringify(input)}${where}: ${context.decisionReason ?? 'no reason'} #${context.toolUseID}`
}

export const ask: CanUseTool = async (toolName, input, { signal, suggestions, ...rest }) => {
  const known = answers.get(toolName)
  if (known) return known
  if (signal.aborted) return { behavior: 'deny', message: 'too late', interrupt: true }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${describe(toolName, input, { signal, ...rest })}\n[y/a/n] `, { signal })
  terminal.close()
  if (answer === 'a') return { behavior: 'allow', updatedInput: input, updatedPermissions: suggestions }
  if (answer === 'y') return { behavior: 'allow', updatedInput: { ...input, description: 'approved' } }
  return { behavior: 'deny', message: 'The user said no.' }
}

export function sessionOnly(suggestions: PermissionUpdate[] = []): PermissionUpdate[] {
  return suggestions.map((suggestion) => ({ ...suggestion, destination: 'session' }))
}

export async function guarded(prompt: string): Promise<void> {
  const readOnly = new Set(['Read', 'Glob', 'Grep'])
  for await (const message of query({
    prompt,
    options: {
      permissionMode: 'default',
      allowedTools: ['Read'],
      disallowedTools: ['WebFetch'],
      canUseTool: async (name, input, options) => {
        if (readOnly.has(name)) return { behavior: 'allow', updatedInput: input, toolUseID: options.toolUseID }
        if (name === 'Bash' && typeof input.command === 'string' && input.command.startsWith('git ')) {
          return { behavior: 'allow', updatedInput: input, updatedPermissions: sessionOnly(options.suggestions) }
        }
        return ask(name, input, options)
      },
    },
  })) {
    if (message.type === 'result' && message.permission_denials.length > 0) {
      for (const denial of message.permission_denials)
        console.log(denial.tool_name, denial.tool_use_id, denial.tool_input)
    }
  }
}
