// A team of sub-agents from a table.
import { type AgentDefinition, type AgentMcpServerSpec, query } from '@anthropic-ai/claude-agent-sdk'

const servers: AgentMcpServerSpec[] = ['github', { docs: { type: 'sse', url: 'https://example.com/sse' } }]

export const team = {
  reviewer: {
    description: 'Reviews changes',
    prompt: 'You review code.',
    tools: ['Read', 'Grep'],
    model: 'sonnet',
    mcpServers: servers,
    maxTurns: 4,
  },
  runner: {
    description: 'Runs tests',
    prompt: 'You run tests.',
    model: 'inherit',
    disallowedTools: ['Write'],
    skills: ['test'],
  },
} satisfies Record<string, AgentDefinition>

export function define(
  name: string,
  prompt: string,
  extra: Partial<AgentDefinition> = {},
): Record<string, AgentDefinition> {
  return { [name]: { description: `Use for ${name}`, prompt, ...extra } }
}

export async function run(): Promise<Map<string, string[]>> {
  const said = new Map<string, string[]>()
  const agents: Record<string, AgentDefinition> = { ...team, ...define('writer', 'You write.', { model: 'haiku' }) }
  for await (const message of query({ prompt: 'Go', options: { agents, agent: 'reviewer' } })) {
    if (message.type !== 'assistant' || message.parent_tool_use_id === null) continue
    const lines = said.get(message.parent_tool_use_id) ?? []
    for (const block of message.message.content) if (block.type === 'text') lines.push(block.text)
    said.set(message.parent_tool_use_id, lines)
  }
  return said
}
