/** The whole matrix of modes, kinds of call, rules and hook answers, as lines of a table. */
import { explainPermission } from '../../src/index.js'
import { world } from './permission-calls.js'

export const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'delegate', 'bypassPermissions'] as const
export const RULES = ['none', 'allow', 'ask', 'deny'] as const
const HOOKS = ['none', 'allow', 'ask', 'deny', 'crash'] as const

/** A call of each kind, and the rule that is meant for it. */
export const KINDS: Record<string, { tool: string; input: Record<string, unknown>; rule: string }> = {
  'read inside': { tool: 'Read', input: { file_path: '/repo/a' }, rule: 'Read(//repo/a)' },
  'read outside': { tool: 'Read', input: { file_path: '/srv/a' }, rule: 'Read(//srv/**)' },
  'search outside': { tool: 'Grep', input: { pattern: 'x', path: '/srv' }, rule: 'Read(//srv/**)' },
  'edit inside': { tool: 'Write', input: { file_path: '/repo/a', content: '' }, rule: 'Edit(/a)' },
  'edit outside': { tool: 'Write', input: { file_path: '/srv/a', content: '' }, rule: 'Edit(//srv/**)' },
  'edit protected': { tool: 'Write', input: { file_path: '/repo/.git/config', content: '' }, rule: 'Edit(.git/**)' },
  'read-only command': { tool: 'Bash', input: { command: 'ls' }, rule: 'Bash(ls)' },
  'edit command': { tool: 'Bash', input: { command: 'mkdir d' }, rule: 'Bash(mkdir:*)' },
  'other command': { tool: 'Bash', input: { command: 'make all' }, rule: 'Bash(make *)' },
  'critical removal': { tool: 'Bash', input: { command: 'rm -rf ~' }, rule: 'Bash(rm *)' },
  fetch: { tool: 'WebFetch', input: { url: 'https://example.com', prompt: 'x' }, rule: 'WebFetch(domain:example.com)' },
  'web search': { tool: 'WebSearch', input: { query: 'x' }, rule: 'WebSearch' },
  'MCP tool': { tool: 'mcp__s__t', input: {}, rule: 'mcp__s' },
  agent: { tool: 'Task', input: { subagent_type: 'x', prompt: 'x', description: 'x' }, rule: 'Task(x)' },
  'to-do list': { tool: 'TodoWrite', input: { todos: [] }, rule: 'TodoWrite' },
  question: { tool: 'AskUserQuestion', input: { questions: [] }, rule: 'AskUserQuestion' },
}

export async function matrix(): Promise<string[]> {
  const lines = [`mode | call | rule | ${HOOKS.map((hook) => `hook ${hook}`).join(' | ')}`]
  for (const mode of MODES) {
    for (const [kind, { tool, input, rule }] of Object.entries(KINDS)) {
      for (const behavior of RULES) {
        const rules = behavior === 'none' ? {} : { [behavior]: [rule] }
        const cells: string[] = []
        for (const hook of HOOKS) {
          const answer = await explainPermission({
            ...world,
            tool,
            input,
            mode,
            rules,
            ...(hook === 'none' ? {} : { hook }),
          })
          cells.push(answer.behavior)
        }
        lines.push([mode, kind, behavior, ...cells].join(' | '))
      }
    }
  }
  return lines
}
