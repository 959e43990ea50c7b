/** Calls and requests as other protocols have them: a name, an input, an output, and an answer. */
import { isObject, textOrEmpty } from '../../protocol/json.js'
import type { Ask, AskAnswer, PromptItem, RequestItem, ToolItem } from '../public-client.js'

type CallOutput = NonNullable<ToolItem['result']>['content']

/** A tool call that a request is about. A request of an MCP server is one of its own. */
export type ToolCallOfRequest = { toolCallId: string; toolName: string; input: unknown }

/** The tool that asks the user, who answers in the page. */
export const isUserQuestionTool = (name: string): boolean => name === 'AskUserQuestion'

/** The name of the call that stands for the form of an MCP server. */
export const MCP_FORM_CALL_NAME = 'McpElicitation'

/** Returns the output as text, or as blocks if there are others among them. */
export function outputAsTextOrBlocks({ content }: { content: CallOutput }): CallOutput {
  if (typeof content === 'string') return content
  const texts = content.flatMap((block) => (block.type === 'text' ? block.text : []))
  return texts.length === content.length ? texts.join('\n') : content
}

export function toolCallOfRequest({ id, kind, tool, elicitation }: Ask): ToolCallOfRequest {
  if (tool) return { toolCallId: tool.useId, toolName: tool.name, input: tool.input }
  return { toolCallId: id, toolName: kind === 'elicitation' ? MCP_FORM_CALL_NAME : kind, input: elicitation ?? {} }
}

/** Whether the agent may do what it asked for. */
export function isApproved(closed: NonNullable<RequestItem['closed']>): boolean {
  if (!('answer' in closed)) return false
  const { answer } = closed
  if (answer.kind === 'elicitation') return answer.action === 'accept'
  return answer.kind === 'allow' || answer.kind === 'approve' || answer.kind === 'answers'
}

/** Returns what the user said with an answer; undefined: nothing. */
export function userWordsOfAnswer(closed: NonNullable<RequestItem['closed']>): string | undefined {
  if (!('answer' in closed)) return closed.withdrawn
  const { answer } = closed
  return answer.kind === 'deny' ? answer.message : answer.kind === 'revise' ? answer.comments : undefined
}

/** Returns the answer for an approval or denial. */
export function approvalAnswer(ask: Ask, isAllowed: boolean, words = ''): AskAnswer {
  const message = words.trim() === '' ? {} : { message: words }
  if (ask.kind === 'plan') {
    if (isAllowed) return { kind: 'approve' }
    return words.trim() === '' ? { kind: 'deny' } : { kind: 'revise', comments: words }
  }
  if (ask.kind === 'elicitation') return { kind: 'elicitation', action: isAllowed ? 'accept' : 'decline' }
  return isAllowed && ask.kind === 'permission' ? { kind: 'allow' } : { kind: 'deny', ...message }
}

/** Returns the answer that a page gives as the call's output; undefined if it's none. */
export function answerOfPageOutput(ask: Ask, output: unknown): AskAnswer | undefined {
  if (!isObject(output)) return undefined
  if (ask.kind === 'elicitation') {
    const { action, content } = output
    if (action !== 'accept' && action !== 'decline' && action !== 'cancel') return undefined
    // The server checks it against the form.
    const fields = isObject(content) ? { content: content as NonNullable<ElicitationContent> } : {}
    return { kind: 'elicitation', action, ...fields }
  }
  if (ask.kind !== 'question') return undefined
  const answers = isObject(output['answers']) ? output['answers'] : output
  const chosen = Object.entries(answers).flatMap(([question, answer]): [string, string | string[]][] => {
    if (typeof answer === 'string') return [[question, answer]]
    return Array.isArray(answer) ? [[question, answer.map(String)]] : []
  })
  return chosen.length === 0 ? undefined : { kind: 'answers', answers: Object.fromEntries(chosen) }
}

type ElicitationContent = Extract<AskAnswer, { kind: 'elicitation' }>['content']

/** Returns the text of a prompt, with a mark for each file. */
export function promptText({ content }: Pick<PromptItem, 'content'>): string {
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'text' ? textOrEmpty(block.text) : `[${block.type}]`)).join('\n')
}
