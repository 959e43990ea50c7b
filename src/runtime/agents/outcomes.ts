/** What Task answers: the agent's own words, or honestly why there are none. */
import type { ToolOutcome } from '../../engine/ports.js'
import { turnUsage } from '../../model/usage.js'
import type { RunningAgent } from '../conversation.js'
import type { AgentEnd } from './agent-end.js'

export function completedOutcome(agent: RunningAgent, prompt: string, end: AgentEnd): ToolOutcome {
  const { text, usage, lastUsage } = end
  const content = [{ type: 'text' as const, text: text === '' ? 'The agent ended without a word.' : text }]
  return {
    ok: true,
    content: [...content, { type: 'text', text: footnote(agent, end) }],
    output: {
      status: 'completed',
      prompt,
      agentId: agent.id,
      content,
      totalDurationMs: usage.duration_ms,
      totalTokens: usage.total_tokens,
      totalToolUseCount: usage.tool_uses,
      usage: turnUsage(lastUsage ? [lastUsage] : []),
    },
  }
}

/** Its id, for asking it again, and what it took. */
function footnote({ id }: RunningAgent, { usage }: AgentEnd): string {
  const { total_tokens, tool_uses, duration_ms } = usage
  return `agentId: ${id} (pass it as resume to go on with this agent)\n<usage>total_tokens: ${total_tokens}\ntool_uses: ${tool_uses}\nduration_ms: ${duration_ms}</usage>`
}

/** A limit or a failure ended it; what it said until then may still be of use. */
export function notCompletedOutcome(agent: RunningAgent, end: AgentEnd): ToolOutcome {
  const said = end.text === '' ? '' : `\nThe last it said: ${end.text}`
  return { ok: false, error: `The agent did not finish: ${incompleteReason(end)}.${said}\n${footnote(agent, end)}` }
}

/** Lists tasks that the sub-agent left running, so its caller can stop them. */
export function withRunningTasks(outcome: ToolOutcome, texts: readonly string[]): ToolOutcome {
  if (texts.length === 0) return outcome
  if (!outcome.ok) return { ...outcome, error: [outcome.error, ...texts].join('\n') }
  const { content } = outcome
  const before = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return { ...outcome, content: [...before, ...texts.map((text) => ({ type: 'text' as const, text }))] }
}

/** In a few words. */
export function incompleteReason({ reason, failure }: AgentEnd): string {
  switch (reason) {
    case 'max_turns':
      return 'it reached its limit of turns'
    case 'budget_exhausted':
      return 'its budget, or that of the session, is spent'
    case 'aborted_streaming':
    case 'aborted_tools':
      return 'it was stopped'
    case 'interrupted_by_permission':
      return 'the user interrupted it'
    case 'hook_stopped':
    case 'stop_hook_prevented':
      return 'a hook stopped it'
    default:
      return failure?.text ?? reason.replaceAll('_', ' ')
  }
}

export function backgroundLaunchOutcome(about: {
  agent: RunningAgent
  description: string
  prompt: string
  outputFile: string
}): ToolOutcome {
  const { agent, description, prompt, outputFile } = about
  const text = `The agent works in the background. You are told when it is done; go on with other things, or end your turn.\nagentId: ${agent.id} (pass it as resume once it has ended)\noutput_file: ${outputFile}`
  return {
    ok: true,
    content: [{ type: 'text', text }],
    output: {
      isAsync: true,
      status: 'async_launched',
      agentId: agent.id,
      description,
      prompt,
      outputFile,
      canReadOutputFile: true,
    },
  }
}
