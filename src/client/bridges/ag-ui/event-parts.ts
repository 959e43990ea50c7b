/** Events and their fields that are made of one item, or of a view, alone. */
import type { Ask, RequestItem, ToolItem, TurnItem, ViewSnapshot } from '../../public-client.js'
import { outputAsTextOrBlocks, toolCallOfRequest } from '../call-content.js'
import type { AgUiContentPart, AgUiInterrupt, AgUiState, AgUiUsage } from './ag-ui-events.js'

type BlocksOfResult = Extract<NonNullable<ToolItem['result']>['content'], readonly unknown[]>

/** Returns the content of a call's result. */
export function contentOfResult(item: ToolItem): string | AgUiContentPart[] {
  if (!item.result) return item.reason ?? 'The turn ended before this call did.'
  const output = outputAsTextOrBlocks(item.result)
  return typeof output === 'string' ? output : output.map(contentPart)
}

function contentPart(block: BlocksOfResult[number]): AgUiContentPart {
  if (block.type === 'text') return { type: 'text', text: block.text }
  if (block.type !== 'image') return { type: 'text', text: JSON.stringify(block) }
  const { source } = block
  if (source.type === 'base64')
    return { type: 'image', source: { type: 'data', value: source.data, mimeType: source.media_type } }
  if (source.type === 'url') return { type: 'image', source: { type: 'url', value: source.url } }
  return { type: 'text', text: '[image]' }
}

export function agUiStateOf({ facts, requests, tasks, todos }: ViewSnapshot): AgUiState {
  const { status, title = null, mode = null, model = null, costUsd } = facts
  return { status, title, mode, model, costUsd, requests, tasks, todos }
}

/** Returns the request as an interrupt: the answer is the `payload` of a resume entry. */
export function interruptOf({ ask }: RequestItem, subagentRunId: string | undefined): AgUiInterrupt {
  const { id, kind, why, suggestions, preview, asker } = ask
  const { toolCallId, toolName } = toolCallOfRequest(ask)
  const isApproval = kind === 'permission' || kind === 'plan'
  return {
    id,
    reason: isApproval ? 'tool_call' : 'input_required',
    message: isApproval ? `Allow ${toolName}? ${why.text}`.trim() : (ask.elicitation?.message ?? firstQuestion(ask)),
    ...(ask.tool ? { toolCallId } : {}),
    ...(subagentRunId === undefined ? {} : { subagentRunId }),
    responseSchema: isApproval ? APPROVAL : kind === 'question' ? ANSWERS : formSchema(ask),
    metadata: { kedge: { kind, why, suggestions, ...(preview ? { preview } : {}), ...(asker ? { asker } : {}) } },
  }
}

const APPROVAL = {
  type: 'object',
  properties: {
    approved: { type: 'boolean' },
    editedArgs: { type: 'object', description: 'Another input for the call.' },
    message: { type: 'string', description: 'What the model reads with a denial.' },
  },
  required: ['approved'],
}

const ANSWERS = {
  type: 'object',
  properties: {
    answers: {
      type: 'object',
      description: 'The answer to each question, by its text.',
      additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    },
  },
  required: ['answers'],
}

function formSchema({ elicitation }: Ask): Record<string, unknown> {
  const content = elicitation?.requestedSchema ?? { type: 'object' }
  const action = { enum: ['accept', 'decline', 'cancel'] }
  return { type: 'object', properties: { action, content }, required: ['action'] }
}

function firstQuestion({ tool, why }: Ask): string {
  const { questions } = tool?.input ?? {}
  const [first] = Array.isArray(questions) ? questions : []
  return typeof first?.question === 'string' ? first.question : why.text
}

/** Returns the tokens of a turn, by model. In this protocol the input has cached tokens in it. */
export function agUiUsageOf({ result }: TurnItem): AgUiUsage[] {
  return Object.entries(result.modelUsage).map(([model, usage]) => {
    const { inputTokens, outputTokens, cacheReadInputTokens: read, cacheCreationInputTokens: written } = usage
    const all = inputTokens + read + written
    return { model, inputTokens: all, outputTokens, cachedInputTokens: read, cacheWriteInputTokens: written }
  })
}
