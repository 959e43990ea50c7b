/** For tests: a conversation with the practice model, with tools that answer what the test says. */
import type { EngineRequest, ModelEvent } from '../../engine/ports.js'
import type { AssistantMessage, MessageParam, ToolUseBlock } from '../../protocol/content.js'
import { createPracticeModel } from './practice.js'
import type { PracticeToolOutcome } from './read-request.js'

export const PRACTICE_TEST_TOOLS = ['Bash', 'Glob', 'Grep', 'Read', 'Edit', 'Write', 'TodoWrite', 'AskUserQuestion']

export type PracticeTestCall = { name: string; input: unknown }
export type PlayedTurn = { calls: PracticeTestCall[]; said: string[]; messages: MessageParam[] }

export function createTestRequest(
  messages: readonly MessageParam[],
  tools: readonly string[] = PRACTICE_TEST_TOOLS,
): EngineRequest {
  return {
    model: 'practice',
    system: ['Be good.'],
    tools: tools.map((name) => ({ name, description: '', input_schema: {} })),
    messages,
    partial: false,
  }
}

export async function collectPracticeEvents(
  request: EngineRequest,
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of createPracticeModel({ cwd: '/project' }).stream(request, signal)) events.push(event)
  return events
}

/** One user turn to its end, as the engine would run it. Throws when it does not end. */
export async function playPracticeTurn(
  prompt: string,
  answer: (call: PracticeTestCall, index: number) => PracticeToolOutcome,
  { tools = PRACTICE_TEST_TOOLS, before = [] as MessageParam[] } = {},
): Promise<PlayedTurn> {
  const messages: MessageParam[] = [...before, { role: 'user', content: [{ type: 'text', text: prompt }] }]
  const calls: PracticeTestCall[] = []
  const said: string[] = []
  while (calls.length < 500) {
    const message = await nextMessage(messages, tools)
    messages.push({ role: 'assistant', content: message.content })
    for (const block of message.content) if (block.type === 'text') said.push(block.text)
    const use = message.content.find((block): block is ToolUseBlock => block.type === 'tool_use')
    if (!use) return { calls, said, messages }
    const outcome = answer({ name: use.name, input: use.input }, calls.length)
    calls.push({ name: use.name, input: use.input })
    const result = {
      type: 'tool_result' as const,
      tool_use_id: use.id,
      content: outcome.text,
      is_error: outcome.isError,
    }
    messages.push({ role: 'user', content: [result] })
  }
  throw new Error('The conversation does not end')
}

async function nextMessage(messages: readonly MessageParam[], tools: readonly string[]): Promise<AssistantMessage> {
  const last = (await collectPracticeEvents(createTestRequest(messages, tools))).at(-1)
  if (last?.type !== 'end' || !last.outcome.ok) throw new Error('The model did not answer')
  return last.outcome.message
}
