/** Encodes options as command-line arguments, in the order hosts have always sent them. */
import { ConfigurationError } from '../errors.js'
import { HOOK_EVENTS } from './hooks.js'
import type { McpSdkServerConfig, McpServerConfig, McpServerConfigForProcessTransport } from './mcp-servers.js'
import type { Options } from './options.js'
import { refuseMode, UNSUPPORTED_MODES } from './permission-modes.js'

export function toArgv(options: Options): string[] {
  const argv = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json']
  const push = (flag: string, value: unknown) => {
    if (value !== undefined && value !== null) argv.push(flag, String(value))
  }
  const switchOn = (flag: string, on: unknown) => {
    if (on) argv.push(flag)
  }

  argv.push(...thinkingFlags(options))
  push('--effort', options.effort)
  push('--max-turns', options.maxTurns === 0 ? undefined : options.maxTurns)
  push('--max-budget-usd', options.maxBudgetUsd)
  push('--model', options.model)
  push('--agent', options.agent)
  push('--betas', options.betas?.length ? options.betas.join(',') : undefined)
  push('--json-schema', options.outputFormat ? JSON.stringify(options.outputFormat.schema) : undefined)
  if (options.debugFile) push('--debug-file', options.debugFile)
  else switchOn('--debug', options.debug)
  if (options.canUseTool) argv.push('--permission-prompt-tool', 'stdio')
  else push('--permission-prompt-tool', options.permissionPromptToolName)
  switchOn('--continue', options.continue)
  push('--resume', options.resume)
  push('--allowedTools', options.allowedTools?.length ? options.allowedTools.join(',') : undefined)
  push('--disallowedTools', options.disallowedTools?.length ? options.disallowedTools.join(',') : undefined)
  if (options.tools) push('--tools', Array.isArray(options.tools) ? options.tools.join(',') : 'default')
  if (options.mcpServers && Object.keys(options.mcpServers).length > 0) {
    push('--mcp-config', JSON.stringify({ mcpServers: withoutInstances(options.mcpServers) }))
  }
  push('--setting-sources', (options.settingSources ?? []).join(','))
  switchOn('--strict-mcp-config', options.strictMcpConfig)
  push('--permission-mode', options.permissionMode ?? 'default')
  switchOn('--allow-dangerously-skip-permissions', options.allowDangerouslySkipPermissions)
  push('--fallback-model', options.fallbackModel)
  switchOn('--include-partial-messages', options.includePartialMessages)
  for (const directory of options.additionalDirectories ?? []) push('--add-dir', directory)
  for (const plugin of options.plugins ?? []) push('--plugin-dir', plugin.path)
  switchOn('--fork-session', options.forkSession)
  push('--resume-session-at', options.resumeSessionAt)
  push('--session-id', options.sessionId)
  switchOn('--no-session-persistence', options.persistSession === false)
  switchOn('--session-mirror', options.sessionStore)
  argv.push(...ownFlags(options), ...extraFlags(options))
  return argv
}

/** Options that can't mean anything, found before anything starts. The texts are part of the contract. */
export function checkOptions(options: Options): void {
  const newer = NEWER_OPTIONS.find((name) => name in options && Reflect.get(options, name) !== undefined)
  if (newer)
    throw new ConfigurationError(
      newer,
      `The option ${newer} is not supported by this version of Kedge.`,
      'unsupported_option',
    )
  if (options.canUseTool && options.permissionPromptToolName) {
    throw new ConfigurationError(
      'canUseTool',
      'canUseTool callback cannot be used with permissionPromptToolName. Please use one or the other.',
    )
  }
  const mode: string | undefined = options.permissionMode
  if (UNSUPPORTED_MODES.some((name) => name === mode))
    throw new ConfigurationError('permissionMode', refuseMode(mode), 'unsupported_option')
  if (options.fallbackModel && options.model && options.fallbackModel === options.model) {
    throw new ConfigurationError(
      'fallbackModel',
      'Fallback model cannot be the same as the main model. Please specify a different model for fallbackModel option.',
    )
  }
  for (const plugin of options.plugins ?? []) {
    if (plugin.type !== 'local') {
      const type: string = plugin.type
      throw new ConfigurationError('plugins', `Unsupported plugin type: ${type}`)
    }
  }
  // A guard registered under a misspelt name would never be asked.
  const unknown = Object.keys(options.hooks ?? {}).find((event) => !HOOK_EVENTS.some((known) => known === event))
  if (unknown !== undefined) {
    throw new ConfigurationError('hooks', `hooks: there is no event '${unknown}'. Known: ${HOOK_EVENTS.join(', ')}.`)
  }
  checkInstances(options.mcpServers)
  checkStore(options)
  const budget: unknown = options.taskBudget === undefined ? 1 : options.taskBudget?.total
  if (!(Number.isSafeInteger(budget) && Number(budget) > 0)) {
    throw new ConfigurationError('taskBudget', 'taskBudget must be { total } with a whole number of tokens above 0.')
  }
  const gate: string | undefined = options.gate
  if (gate !== undefined && gate !== 'always') {
    throw new ConfigurationError('gate', `gate must be 'always', not '${gate}'.`)
  }
  if (gate !== undefined && !options.canUseTool) {
    throw new ConfigurationError('gate', "gate: 'always' needs canUseTool: there is nobody to ask otherwise.")
  }
  const onAsk: string | undefined = options.onAsk
  if (onAsk !== undefined && onAsk !== 'deny' && onAsk !== 'fail') {
    throw new ConfigurationError('onAsk', `onAsk must be 'deny' or 'fail', not '${onAsk}'.`)
  }
  for (const name of ['maxTokens', 'maxToolCalls'] as const) {
    const limit: unknown = options[name]
    if (limit !== undefined && !(Number.isSafeInteger(limit) && Number(limit) > 0)) {
      throw new ConfigurationError(name, `${name} must be a whole number above 0.`)
    }
  }
  const turnEnd: string | undefined = options.onTurnEnd
  if (turnEnd !== undefined && !['wait', 'detach', 'cancel'].includes(turnEnd)) {
    throw new ConfigurationError('onTurnEnd', `onTurnEnd must be 'wait', 'detach' or 'cancel', not '${turnEnd}'.`)
  }
  const ceiling: unknown = options.backgroundCeilingMs
  if (ceiling !== undefined && !(typeof ceiling === 'number' && Number.isFinite(ceiling) && ceiling >= 0)) {
    throw new ConfigurationError('backgroundCeilingMs', 'backgroundCeilingMs must be a number of milliseconds.')
  }
  const isolation: string | undefined = options.isolation
  if (isolation !== undefined && isolation !== 'in-process' && isolation !== 'process') {
    throw new ConfigurationError('isolation', `isolation must be 'in-process' or 'process', not '${isolation}'.`)
  }
}

/** An in-process server is a live object; its name alone leads nowhere. */
export function checkInstances(servers: Options['mcpServers'] = {}): void {
  for (const [name, config] of Object.entries(servers)) {
    if (config?.type !== 'sdk' || typeof config.instance?.connect === 'function') continue
    const text = `mcpServers.${name}: a server of type sdk needs an \`instance\`, as createSdkMcpServer() makes it.`
    throw new ConfigurationError('mcpServers', text)
  }
}

function checkStore({ sessionStore, sessionStoreFlush, enableFileCheckpointing }: Options): void {
  if (sessionStore === undefined) return
  const missing = (['append', 'load'] as const).find((name) => typeof sessionStore[name] !== 'function')
  if (missing) throw new ConfigurationError('sessionStore', `sessionStore needs a method ${missing}().`)
  const flush: string | undefined = sessionStoreFlush
  if (flush !== undefined && flush !== 'batched' && flush !== 'eager')
    throw new ConfigurationError('sessionStoreFlush', `sessionStoreFlush must be 'batched' or 'eager', not '${flush}'.`)
  if (enableFileCheckpointing) {
    throw new ConfigurationError(
      'enableFileCheckpointing',
      'enableFileCheckpointing is not yet supported with sessionStore: the copies of files are only on this disk.',
    )
  }
}

/** Options of newer releases, of the original and ours: callers in plain JavaScript must not believe they took effect. */
const NEWER_OPTIONS = [
  ...[
    'skills',
    'managedSettings',
    'toolAliases',
    'toolConfig',
    'planModeInstructions',
    'permissionPrompts',
    'onUserDialog',
    'supportedDialogKinds',
    'perTaskStopAffordance',
    'agentProgressSummaries',
    'verbatimPrompts',
    'pluginDelivery',
    'projectConfigRoot',
    'resumeDropsTurn',
    'title',
  ],
]

function thinkingFlags({ thinking, maxThinkingTokens }: Options): string[] {
  if (thinking?.type === 'disabled') return ['--thinking', 'disabled']
  if (thinking) {
    const budget = thinking.type === 'enabled' ? thinking.budgetTokens : undefined
    const mode = budget === undefined ? ['--thinking', 'adaptive'] : ['--max-thinking-tokens', String(budget)]
    return thinking.display === undefined ? mode : [...mode, '--thinking-display', thinking.display]
  }
  if (maxThinkingTokens === undefined) return []
  return maxThinkingTokens === 0 ? ['--thinking', 'disabled'] : ['--max-thinking-tokens', String(maxThinkingTokens)]
}

/** Flags only Kedge's agent knows; absent unless asked for, so other agents never see them. */
function ownFlags({
  timeoutMs,
  agentTeams,
  includeToolOutput,
  includeHookEvents,
  gate,
  onAsk,
  maxTokens,
  maxToolCalls,
  summarize,
  keepToolResults,
  taskBudget,
  onTurnEnd,
  backgroundCeilingMs,
}: Options): string[] {
  return [
    ...(includeHookEvents ? ['--include-hook-events'] : []),
    ...(gate === undefined ? [] : ['--gate', gate]),
    ...(onAsk === undefined ? [] : ['--on-ask', onAsk]),
    ...(maxTokens === undefined ? [] : ['--max-tokens', String(maxTokens)]),
    ...(maxToolCalls === undefined ? [] : ['--max-tool-calls', String(maxToolCalls)]),
    ...(summarize ? ['--summarizer', 'host'] : []),
    ...(keepToolResults === undefined ? [] : ['--keep-tool-results', String(keepToolResults)]),
    ...(taskBudget === undefined ? [] : ['--task-budget', String(taskBudget.total)]),
    ...(timeoutMs === undefined ? [] : ['--timeout', String(timeoutMs / 1000)]),
    ...(agentTeams ? ['--agent-teams'] : []),
    ...(onTurnEnd === undefined ? [] : ['--on-turn-end', onTurnEnd]),
    ...(backgroundCeilingMs === undefined ? [] : ['--background-ceiling', String(backgroundCeilingMs / 1000)]),
    ...(includeToolOutput ? ['--include-tool-output'] : []),
  ]
}

/** `extraArgs` as given; settings from everywhere share one last `--settings`. */
function extraFlags({ extraArgs = {}, settings, sandbox }: Options): string[] {
  const argv: string[] = []
  let further: string | undefined
  for (const [name, value] of Object.entries(extraArgs)) {
    if (name === 'settings' && (sandbox || settings !== undefined) && value !== null) further = value
    else argv.push(`--${name}`, ...(value === null ? [] : [value]))
  }
  // The path of a file, with nothing to put beside it.
  if (typeof settings === 'string' && !sandbox && further === undefined) argv.push('--settings', settings)
  else if (settings !== undefined || sandbox) {
    const own = typeof settings === 'string' ? parseObject(settings, 'settings') : settings
    const all = { ...parseObject(further, 'extraArgs.settings'), ...own, ...(sandbox ? { sandbox } : {}) }
    argv.push('--settings', JSON.stringify(all))
  }
  return argv
}

function parseObject(json: string | undefined, option: string): object {
  if (json === undefined) return {}
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Falls through to the error below.
  }
  const name = option.split('.')[0] ?? option
  throw new ConfigurationError(name, `${option} must be a JSON object when there are other settings to put beside it.`)
}

/** It is known by the name it has in this query, whatever it calls itself. */
function withoutInstance(name: string, { timeout, sampling }: McpSdkServerConfig): McpSdkServerConfig {
  return { type: 'sdk', name, ...(timeout === undefined ? {} : { timeout }), ...(sampling ? { sampling } : {}) }
}

export function withoutInstances(
  servers: Record<string, McpServerConfig>,
): Record<string, McpServerConfigForProcessTransport> {
  return Object.fromEntries(
    Object.entries(servers).map(([name, config]) => [
      name,
      config.type === 'sdk' ? withoutInstance(name, config) : config,
    ]),
  )
}
