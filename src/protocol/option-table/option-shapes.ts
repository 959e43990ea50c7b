/** What each option may look like. A guard of the wrong shape would never be asked, so nothing starts with one. */
import { HOOK_EVENTS } from '../hooks.js'
import type { Options } from '../options.js'
import type { ValueSchema } from '../validate.js'

const text: ValueSchema = { type: 'string' }
const yesNo: ValueSchema = { type: 'boolean' }
const callback: ValueSchema = { type: 'function' }
const record: ValueSchema = { type: 'object' }
const texts: ValueSchema = { type: 'array', items: text }
const count: ValueSchema = { type: 'integer', minimum: 0 }
const amount: ValueSchema = { type: 'number', minimum: 0 }
const oneOf = (...names: string[]): ValueSchema => ({ enum: names })
const each = (item: ValueSchema): ValueSchema => ({ type: 'object', additionalProperties: item })

const matcher: ValueSchema = {
  type: 'object',
  properties: { matcher: text, hooks: { type: 'array', items: callback }, timeout: amount },
  required: ['hooks'],
}
const agent: ValueSchema = {
  type: 'object',
  properties: {
    description: text,
    prompt: text,
    model: text,
    tools: texts,
    disallowedTools: texts,
    skills: texts,
    maxTurns: count,
    maxTokens: count,
    maxBudgetUsd: amount,
    background: yesNo,
    initialPrompt: text,
  },
  required: ['description', 'prompt'],
}
const preset: ValueSchema = {
  type: 'object',
  properties: { type: oneOf('preset'), preset: oneOf('claude_code'), append: text },
  required: ['type', 'preset'],
}
const thinking: ValueSchema = {
  type: 'object',
  properties: {
    type: oneOf('adaptive', 'enabled', 'disabled'),
    budgetTokens: count,
    display: oneOf('summarized', 'omitted'),
  },
  required: ['type'],
}

/** What a check in option-checks.ts or the part that uses it says better is only looked at roughly here. */
export const OPTION_SHAPES: Record<keyof Options, ValueSchema> = {
  abortController: record,
  additionalDirectories: texts,
  agent: text,
  agentTeams: yesNo,
  agents: each(agent),
  allowDangerouslySkipPermissions: yesNo,
  askDetails: yesNo,
  untrusted: yesNo,
  allowedTools: texts,
  backgroundCeilingMs: {},
  betas: texts,
  canUseTool: callback,
  continue: yesNo,
  cwd: text,
  debug: yesNo,
  debugFile: text,
  disallowedTools: texts,
  effort: oneOf('low', 'medium', 'high', 'max'),
  enableFileCheckpointing: yesNo,
  env: record,
  executable: text,
  executableArgs: texts,
  extraArgs: record,
  fallbackModel: text,
  continueTurn: yesNo,
  forkSession: yesNo,
  forwardSubagentText: yesNo,
  gate: {},
  getMcpToken: callback,
  onMcpSignIn: callback,
  hooks: { type: 'object', properties: Object.fromEntries(HOOK_EVENTS.map((event) => [event, hookList()])) },
  includeHookEvents: yesNo,
  includeNotices: yesNo,
  reloadOnChange: yesNo,
  includePartialMessages: yesNo,
  batch: yesNo,
  includeToolOutput: yesNo,
  isolation: {},
  keepToolResults: count,
  loadTimeoutMs: amount,
  maxBudgetUsd: amount,
  maxThinkingTokens: count,
  maxTokens: {},
  maxToolCalls: {},
  maxTurns: count,
  mcpServers: each(record),
  mcpServersDelivery: {},
  mcpSignIns: yesNo,
  mcpWait: yesNo,
  model: text,
  onAsk: {},
  onElicitation: callback,
  onTurnEnd: {},
  onUserDialog: callback,
  outputFormat: record,
  pathToClaudeCodeExecutable: text,
  perTaskStopAffordance: {},
  permissionMode: text,
  permissionPromptToolName: text,
  permissionPrompts: {},
  parkAsks: yesNo,
  persistSession: yesNo,
  planModeInstructions: text,
  plugins: { type: 'array', items: { type: 'object', properties: { path: text } } },
  promptSuggestions: yesNo,
  resume: text,
  resumeDropsTurn: text,
  resumeSessionAt: text,
  sandbox: record,
  sessionId: text,
  sessionStore: record,
  sessionStoreFlush: {},
  settingSources: { type: 'array', items: oneOf('user', 'project', 'local') },
  settings: { type: ['string', 'object'] },
  skills: { anyOf: [texts, oneOf('all')] },
  spawnClaudeCodeProcess: callback,
  stderr: callback,
  strictMcpConfig: yesNo,
  summarize: callback,
  supportedDialogKinds: texts,
  systemPrompt: { anyOf: [text, texts, preset] },
  taskBudget: {},
  thinking,
  timeoutMs: amount,
  title: text,
  toolAliases: each(text),
  tools: { anyOf: [texts, preset] },
  meter: record,
  tracer: record,
  transport: {},
  workspace: {},
}

function hookList(): ValueSchema {
  return { type: 'array', items: matcher }
}
