// Types derived from the unions, as frameworks do.
import type {
  HookEvent,
  HookInput,
  McpServerConfig,
  McpServerConfigForProcessTransport,
  McpStdioServerConfig,
  Query,
  query,
  SDKMessage,
  ThinkingConfig,
} from '@anthropic-ai/claude-agent-sdk'

export type ResultMessage = Extract<SDKMessage, { type: 'result' }>
export type SuccessMessage = Extract<SDKMessage, { type: 'result'; subtype: 'success' }>
export type InitMessage = Extract<SDKMessage, { type: 'system'; subtype: 'init' }>
export type InputOf<Event extends HookEvent> = Extract<HookInput, { hook_event_name: Event }>
export type Handlers = { [Event in HookEvent]?: (input: InputOf<Event>) => void }
export type Prompt = Parameters<typeof query>[0]['prompt']
export type Models = Awaited<ReturnType<Query['supportedModels']>>
export type Yielded<T> = T extends AsyncGenerator<infer Item, unknown, unknown> ? Item : never

export const handlers: Handlers = {
  PreToolUse: (input) => console.log(input.tool_name, input.tool_use_id),
  SessionStart: (input) => console.log(input.source),
}

export function isType<Type extends SDKMessage['type']>(
  message: SDKMessage,
  type: Type,
): message is Extract<SDKMessage, { type: Type }> {
  return message.type === type
}

export function sessionOf(message: Yielded<Query>): string | undefined {
  if (isType(message, 'system') && message.subtype === 'init') return message.session_id
  return isType(message, 'result') ? message.session_id : undefined
}

export function answer(message: SuccessMessage): string {
  return message.result
}

export function isStdio(config: McpServerConfig | McpServerConfigForProcessTransport): config is McpStdioServerConfig {
  return config.type === undefined || config.type === 'stdio'
}

export function budget(thinking: ThinkingConfig | undefined): number {
  if (thinking?.type === 'enabled') return thinking.budgetTokens ?? 1024
  return thinking?.type === 'adaptive' ? Number.POSITIVE_INFINITY : 0
}

export function promptText(prompt: Prompt): string {
  return typeof prompt === 'string' ? prompt : '(stream)'
}

export function names(models: Models): string[] {
  return models.flatMap((model) => [model.value, ...(model.supportedEffortLevels ?? [])])
}
