/** What the GenAI conventions of OpenTelemetry call things; all their names are here. What they do not know is `kedge.*`. */
import type { Usage } from '../../protocol/content.js'
import type { AccountInfo } from '../../protocol/options.js'
import type { SpanAttributes } from './span-list.js'

export const OPERATION_ATTRIBUTE = 'gen_ai.operation.name'
export const PROVIDER_ATTRIBUTE = 'gen_ai.provider.name'
export const AGENT_ATTRIBUTE = 'gen_ai.agent.name'
export const TOOL_ATTRIBUTE = 'gen_ai.tool.name'
export const CALL_ATTRIBUTE = 'gen_ai.tool.call.id'
export const CONVERSATION_ATTRIBUTE = 'gen_ai.conversation.id'
export const REQUEST_MODEL_ATTRIBUTE = 'gen_ai.request.model'
export const RESPONSE_MODEL_ATTRIBUTE = 'gen_ai.response.model'
export const RESPONSE_ID_ATTRIBUTE = 'gen_ai.response.id'
export const FINISH_REASONS_ATTRIBUTE = 'gen_ai.response.finish_reasons'
export const FIRST_CHUNK_ATTRIBUTE = 'gen_ai.response.time_to_first_chunk'
export const INPUT_TOKENS_ATTRIBUTE = 'gen_ai.usage.input_tokens'
export const OUTPUT_TOKENS_ATTRIBUTE = 'gen_ai.usage.output_tokens'
export const CACHE_READ_ATTRIBUTE = 'gen_ai.usage.cache_read.input_tokens'

export type AttributeNames = typeof USUAL | typeof LATEST

/** Up to 1.41, which dashboards of today have. */
const USUAL = {
  isLatest: false,
  cacheWritten: 'gen_ai.usage.cache_creation.input_tokens',
  duration: 'gen_ai.client.operation.duration',
  tokens: 'gen_ai.client.token.usage',
} as const
/** Since they have a repository of their own. */
const LATEST = {
  isLatest: true,
  cacheWritten: 'gen_ai.usage.cache_write.input_tokens',
  duration: 'gen_ai.client.inference.duration',
  tokens: 'gen_ai.client.inference.usage',
  firstChunk: 'gen_ai.client.inference.time_to_first_chunk',
} as const

export function attributeNamesFor(env: Readonly<Record<string, string | undefined>>): AttributeNames {
  const asked = (env['OTEL_SEMCONV_STABILITY_OPT_IN'] ?? '').split(',').map((one) => one.trim())
  return asked.includes('gen_ai_latest_experimental') ? LATEST : USUAL
}

/** By the conventions, what was cached is part of the input. */
export function inputTokenAttributes(usage: Usage, { cacheWritten }: AttributeNames): SpanAttributes {
  const read = usage.cache_read_input_tokens ?? 0
  const written = usage.cache_creation_input_tokens ?? 0
  return {
    [INPUT_TOKENS_ATTRIBUTE]: usage.input_tokens + read + written,
    [CACHE_READ_ATTRIBUTE]: read,
    [cacheWritten]: written,
  }
}

/** Those the conventions have a name for; any other service has its own. */
const SERVICES: Readonly<Record<string, string>> = { gemini: 'gcp.gemini' }
const CLOUDS: Partial<Record<NonNullable<AccountInfo['apiProvider']>, string>> = {
  bedrock: 'aws.bedrock',
  mantle: 'aws.bedrock',
  vertex: 'gcp.vertex_ai',
  foundry: 'azure.ai.inference',
}

/** `model`: as it was asked for. */
export function telemetryProviderName(model: string, cloud: AccountInfo['apiProvider']): string {
  const slash = model.indexOf('/')
  const service = model.slice(0, Math.max(0, slash))
  if (service !== '' && !service.includes(':')) return SERVICES[service] ?? service
  return (cloud && CLOUDS[cloud]) ?? 'anthropic'
}

/** A name that a model wrote: only what can be one. */
export function toSafeNameAttribute(name: unknown): string {
  return typeof name === 'string' && /^[\w:.-]{1,128}$/.test(name) ? name : '_OTHER'
}
