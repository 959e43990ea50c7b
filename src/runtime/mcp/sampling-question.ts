/** What an MCP server asks of the session's model, read into a model request. */
import type { ToolDefinition } from '../../engine/ports.js'
import { RpcRefusal } from '../../mcp/rpc.js'
import type { ContentBlock, ContentBlockParam, ImageMediaType, MessageParam } from '../../protocol/content.js'
import { isObject, type JsonObject } from '../../protocol/json.js'

const INVALID = -32_602
const MAX_TOKENS = 64_000
/** As much as the API takes. */
const MAX_IMAGE = 5 * 1024 * 1024
const IMAGE_TYPES: readonly ImageMediaType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const MAX_TOOLS = 128
/** Maximum size of all definitions together, as characters of JSON. */
const MAX_TOOLS_SIZE = 256 * 1024
/** As the APIs of models take them. */
const NAME = /^[\w-]{1,64}$/

export type SamplingQuestion = {
  messages: MessageParam[]
  system: string[]
  maxTokens: number
  stopSequences: string[]
  tools: ToolDefinition[]
  /** Absent: the model decides. */
  toolChoice?: 'any' | 'none'
}

const invalid = (text: string) => new RpcRefusal(INVALID, text)

/** Throws the refusal of an invalid question. The server's preferences, temperature and context are left aside. */
export function readSamplingQuestion(params: JsonObject): SamplingQuestion {
  const { messages, systemPrompt, maxTokens, stopSequences } = params
  if (typeof maxTokens !== 'number' || !(maxTokens >= 1)) throw invalid('`maxTokens` must be a number above zero.')
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('There are no `messages`.')
  const read = messages.map(readMessage)
  if (read[0]?.role !== 'user') throw invalid('The first message must be one of the user.')
  const stops = Array.isArray(stopSequences) ? stopSequences : []
  return {
    messages: read,
    system: typeof systemPrompt === 'string' ? [systemPrompt] : [],
    maxTokens: Math.min(Math.floor(maxTokens), MAX_TOKENS),
    stopSequences: stops.filter((one): one is string => typeof one === 'string' && one !== ''),
    tools: readTools(params['tools']),
    ...readToolChoice(params['toolChoice']),
  }
}

/** Returns calls of the model as the server gets them. They are calls of its own tools: only the server runs them. */
export function toolUsesOf(content: readonly ContentBlock[]): JsonObject[] {
  return content.flatMap((block) => {
    if (block.type !== 'tool_use') return []
    const { type, id, name, input } = block
    return { type, id, name, input }
  })
}

function readTools(tools: unknown): ToolDefinition[] {
  if (tools === undefined) return []
  if (!Array.isArray(tools) || tools.length > MAX_TOOLS) throw invalid(`\`tools\` must be at most ${MAX_TOOLS} tools.`)
  if (JSON.stringify(tools).length > MAX_TOOLS_SIZE) throw invalid('The definitions in `tools` are too large.')
  const read = tools.map((tool): ToolDefinition => {
    const { name, description, inputSchema } = isObject(tool) ? tool : {}
    if (typeof name !== 'string' || !NAME.test(name)) throw invalid('A tool in `tools` has no usable name.')
    if (!isObject(inputSchema) || inputSchema['type'] !== 'object')
      throw invalid(`The tool ${name} in \`tools\` has no \`inputSchema\` of an object.`)
    return { name, description: typeof description === 'string' ? description : '', input_schema: inputSchema }
  })
  if (new Set(read.map(({ name }) => name)).size < read.length) throw invalid('Two tools in `tools` have one name.')
  return read
}

function readToolChoice(choice: unknown): Pick<SamplingQuestion, 'toolChoice'> {
  if (choice === undefined) return {}
  const mode = isObject(choice) ? (choice['mode'] ?? 'auto') : undefined
  if (mode === 'auto') return {}
  if (mode === 'required') return { toolChoice: 'any' }
  if (mode === 'none') return { toolChoice: 'none' }
  throw invalid('`toolChoice.mode` must be `auto`, `required` or `none`.')
}

function readMessage(message: unknown): MessageParam {
  const { role, content } = isObject(message) ? message : {}
  if (role !== 'user' && role !== 'assistant') throw invalid('A message is of `user` or `assistant`.')
  return { role, content: (Array.isArray(content) ? content : [content]).map((block) => readBlock(block, role)) }
}

function readBlock(block: unknown, role: MessageParam['role']): ContentBlockParam {
  const read = isObject(block) ? block : {}
  const known = readShown(read)
  if (known) return known
  const { type, id, name, input, toolUseId, content, isError } = read
  if (role === 'assistant' && type === 'tool_use' && isId(id) && typeof name === 'string' && NAME.test(name))
    return { type, id, name, input: isObject(input) ? input : {} }
  if (role === 'user' && type === 'tool_result' && isId(toolUseId)) {
    const shown = (Array.isArray(content) ? content : []).map((one) => readShown(isObject(one) ? one : {}))
    const blocks = shown.flatMap((one) => one ?? [])
    if (blocks.length < shown.length) throw invalid('Content of a result must be text, or an image.')
    return { type, tool_use_id: toolUseId, content: blocks, ...(isError === true ? { is_error: true } : {}) }
  }
  throw invalid('Content must be text, an image that the model can take, a call of a tool, or its result.')
}

function readShown({ type, text, data, mimeType }: JsonObject) {
  if (type === 'text' && typeof text === 'string') return { type, text } as const
  const media_type = IMAGE_TYPES.find((known) => known === mimeType)
  if (type !== 'image' || typeof data !== 'string' || data.length > MAX_IMAGE || !media_type) return undefined
  return { type, source: { type: 'base64', data, media_type } } as const
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}
