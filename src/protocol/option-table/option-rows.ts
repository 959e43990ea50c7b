/**
 * The half of the option table that hosts load: option, flag, what the flag takes, and where it is not simply the value, how it
 * is sent and checked. The order of the rows is the order of the command line, which programs that start agents themselves
 * rely on. What an agent makes of a flag, and the words about it, are in the other half: flags.ts and the files it joins.
 */
import {
  encodeAllowedTools,
  encodeBackgroundCeiling,
  encodeMcpSignIns,
  encodeOutputSchema,
  encodePermissionMode,
  encodePermissionPrompt,
  encodeThinking,
  encodeThinkingBudget,
  encodeThinkingDisplay,
  encodeTools,
  toSeconds,
} from './encode-values.js'
import { joinSettingsAndSandbox, toExtraArgsArgv } from './join-settings.js'
import {
  checkAbortOption,
  checkBackgroundCeiling,
  checkBatchOption,
  checkChoice,
  checkContinueTurnOption,
  checkDialogsOption,
  checkFallbackOption,
  checkGateOption,
  checkHooksOption,
  checkPermissionModeOption,
  checkPermissionPromptOptions,
  checkPerTaskStopOption,
  checkPluginsOption,
  checkResumeDropsTurnOption,
  checkSessionStoreOption,
  checkSystemPromptOption,
  checkTaskBudget,
  checkWholeNumber,
} from './option-checks.js'
import type { OptionRow } from './option-row.js'
import { checkMcpServersOption, encodeMcpServers, serversForInitialize } from './sdk-servers.js'

export const OPTION_ROWS = [
  ['maxThinkingTokens', 'max-thinking-tokens', 'number', { encode: encodeThinkingBudget }],
  ['thinking', 'thinking', 'text', { encode: encodeThinking }],
  ['thinking', 'thinking-display', 'text', { encode: encodeThinkingDisplay }],
  ['effort', 'effort', 'text'],
  ['maxTurns', 'max-turns', 'number', { encode: ({ maxTurns }) => (maxTurns === 0 ? undefined : maxTurns) }],
  ['maxBudgetUsd', 'max-budget-usd', 'number'],
  ['model', 'model', 'text'],
  ['agent', 'agent', 'text'],
  ['betas', 'betas', 'list'],
  ['outputFormat', 'json-schema', 'text', { encode: encodeOutputSchema }],
  ['debugFile', 'debug-file', 'text', { encode: ({ debugFile }) => debugFile || undefined }],
  ['debug', 'debug', 'text', { encode: ({ debug, debugFile }) => (debug && !debugFile ? true : undefined) }],
  [
    'permissionPromptToolName',
    'permission-prompt-tool',
    'text',
    { encode: encodePermissionPrompt, check: checkPermissionPromptOptions },
  ],
  ['continue', 'continue', 'switch'],
  ['resume', 'resume', 'text'],
  ['allowedTools', 'allowedTools', 'list', { encode: encodeAllowedTools }],
  ['disallowedTools', 'disallowedTools', 'list'],
  ['tools', 'tools', 'list', { encode: encodeTools }],
  ['mcpServers', 'mcp-config', 'repeat', { secret: true, encode: encodeMcpServers, check: checkMcpServersOption }],
  [
    'mcpServersDelivery',
    'await-initialize',
    'switch',
    {
      encode: (options) => serversForInitialize(options) !== undefined,
      // Values of the option, not of the flag.
      check: (options, option) => checkChoice(options, option, ['argv', 'initialize']),
    },
  ],
  // Always sent: without it an agent reads them all.
  ['settingSources', 'setting-sources', 'list', { encode: ({ settingSources }) => (settingSources ?? []).join(',') }],
  ['strictMcpConfig', 'strict-mcp-config', 'switch'],
  ['permissionMode', 'permission-mode', 'text', { encode: encodePermissionMode, check: checkPermissionModeOption }],
  ['allowDangerouslySkipPermissions', 'allow-dangerously-skip-permissions', 'switch'],
  ['fallbackModel', 'fallback-model', 'text', { check: checkFallbackOption }],
  ['includePartialMessages', 'include-partial-messages', 'switch'],
  ['additionalDirectories', 'add-dir', 'repeat'],
  [
    'plugins',
    'plugin-dir',
    'repeat',
    { encode: ({ plugins }) => plugins?.map(({ path }) => path), check: checkPluginsOption },
  ],
  ['forkSession', 'fork-session', 'switch'],
  ['resumeSessionAt', 'resume-session-at', 'text'],
  ['resumeDropsTurn', 'resume-drops-turn', 'text', { check: checkResumeDropsTurnOption }],
  ['sessionId', 'session-id', 'text'],
  ['persistSession', 'no-session-persistence', 'switch', { encode: ({ persistSession }) => persistSession === false }],
  ['sessionStore', 'session-mirror', 'switch', { check: checkSessionStoreOption }],

  // Flags only Kedge's agent knows; absent unless asked for, so other agents never see them.
  ['includeHookEvents', 'include-hook-events', 'switch'],
  ['continueTurn', 'continue-turn', 'switch', { check: checkContinueTurnOption }],
  ['parkAsks', 'park-asks', 'switch'],
  ['gate', 'gate', 'text', { choices: ['always'], check: checkGateOption }],
  ['askDetails', 'ask-details', 'switch'],
  ['untrusted', 'untrusted', 'switch'],
  ['onAsk', 'on-ask', 'text', { choices: ['deny', 'fail'], check: checkChoice }],
  ['maxTokens', 'max-tokens', 'number', { check: checkWholeNumber }],
  ['maxToolCalls', 'max-tool-calls', 'number', { check: checkWholeNumber }],
  ['batch', 'batch', 'switch', { check: checkBatchOption }],
  ['summarize', 'summarizer', 'text', { encode: ({ summarize }) => summarize && 'host' }],
  ['getMcpToken', 'mcp-tokens', 'text', { encode: ({ getMcpToken }) => getMcpToken && 'host' }],
  ['onMcpSignIn', 'mcp-sign-in-requests', 'text', { encode: ({ onMcpSignIn }) => onMcpSignIn && 'host' }],
  ['mcpSignIns', 'mcp-sign-ins', 'text', { encode: encodeMcpSignIns }],
  ['keepToolResults', 'keep-tool-results', 'number'],
  ['taskBudget', 'task-budget', 'number', { encode: ({ taskBudget }) => taskBudget?.total, check: checkTaskBudget }],
  ['timeoutMs', 'timeout', 'number', { encode: ({ timeoutMs }) => toSeconds(timeoutMs) }],
  ['agentTeams', 'agent-teams', 'switch'],
  ['onTurnEnd', 'on-turn-end', 'text', { choices: ['wait', 'detach', 'cancel'], check: checkChoice }],
  [
    'backgroundCeilingMs',
    'background-ceiling',
    'number',
    { encode: encodeBackgroundCeiling, check: checkBackgroundCeiling },
  ],
  ['includeToolOutput', 'include-tool-output', 'switch'],
  ['includeNotices', 'include-notices', 'switch'],
  ['reloadOnChange', 'reload-on-change', 'switch'],
  ['mcpWait', 'no-mcp-wait', 'switch', { encode: ({ mcpWait }) => mcpWait === false }],

  // Last, as hosts have always sent them.
  ['extraArgs', null, 'words', { secret: true, encode: toExtraArgsArgv }],
  ['settings', 'settings', 'text', { secret: true, encode: joinSettingsAndSandbox }],

  // Not on the command line, but checked.
  ['abortController', null, 'none', { check: checkAbortOption }],
  ['hooks', null, 'none', { check: checkHooksOption }],
  ['isolation', null, 'none', { choices: ['in-process', 'process'], check: checkChoice }],
  ['perTaskStopAffordance', null, 'none', { check: checkPerTaskStopOption }],
  ['permissionPrompts', null, 'none', { choices: ['host', 'none'], check: checkChoice }],
  ['supportedDialogKinds', null, 'none', { check: checkDialogsOption }],
  ['systemPrompt', null, 'none', { check: checkSystemPromptOption }],
] as const satisfies readonly OptionRow[]

/**
 * Options of newer releases of the original: callers in plain JavaScript must not believe they took effect. With each the
 * value, if there is one, that asks for nothing and is therefore kept.
 */
export const REFUSED_OPTIONS: Readonly<Record<string, { unless?: unknown }>> = {
  managedSettings: { unless: {} },
  toolConfig: { unless: {} },
  agentProgressSummaries: { unless: false },
  verbatimPrompts: { unless: false },
  pluginDelivery: { unless: 'argv' },
  projectConfigRoot: {},
}
