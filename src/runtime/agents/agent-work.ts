/** A sub-agent in the background, as the table of tasks sees it. */
import type { BackgroundEnd, BackgroundWork } from '../../engine/background-port.js'
import type { MessageParam } from '../../protocol/content.js'
import { cutMiddle } from '../../tools/bound-output.js'
import type { RunningAgent } from '../conversation.js'
import type { AgentEnd } from './agent-end.js'
import { incompleteReason } from './outcomes.js'

export type AgentWorkOptions = {
  agent: RunningAgent
  description: string
  toolUseId: string
  outputFile: string
  ended: Promise<AgentEnd>
  stop: AbortController
}

export function createAgentBackgroundWork({
  agent,
  description,
  toolUseId,
  outputFile,
  ended,
  stop,
}: AgentWorkOptions): BackgroundWork {
  const {
    history,
    shared: { platform },
  } = agent.conversation
  const finish = (end: AgentEnd): BackgroundEnd => {
    const toEnd = taskEnd(end, stop.signal.aborted)
    try {
      platform.files.appendSync(outputFile, `${toEnd.answer ?? toEnd.reason ?? ''}\n`)
    } catch {
      // The notice says the same; the file is for those who look.
    }
    return toEnd
  }
  return {
    type: 'local_agent',
    description,
    toolUseId,
    output: async (limit) => cutMiddle(joinAgentText(history.messages), limit),
    ended: ended.then(finish),
    stop: () => stop.abort('stopped'),
  }
}

function taskEnd(end: AgentEnd, wasStopped: boolean): BackgroundEnd {
  const { usage, text } = end
  if (end.reason === 'completed') return { status: 'completed', exitCode: null, answer: text, usage }
  const answer = text === '' ? {} : { answer: text }
  return { status: wasStopped ? 'stopped' : 'failed', exitCode: null, reason: incompleteReason(end), usage, ...answer }
}

/** All it has said so far. */
export function joinAgentText(messages: readonly MessageParam[]): string {
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => (typeof content === 'string' ? content : content.flatMap(textOrCall)))
    .join('\n')
}

function textOrCall(block: Exclude<MessageParam['content'], string>[number]): string[] {
  if (block.type === 'text') return [block.text]
  return block.type === 'tool_use' ? [`[${block.name}]`] : []
}
