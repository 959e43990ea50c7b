/**
 * The one table of CLI flags: what each is called, what it takes, which option of `query()` it carries, and what
 * `--help` says about it. Encoding options, decoding arguments, help and the compatibility docs all read it.
 */

import { DEBUG_FILTER, DEBUG_KINDS } from './debug-filter.js'
import { PERMISSION_MODES, UNSUPPORTED_MODES } from './permission-modes.js'

export type FlagKind = 'switch' | 'text' | 'number' | 'list' | 'repeat'

export type Flag = {
  name: string
  kind: FlagKind
  /** The option of `query()` it stands for. */
  option?: string
  short?: string
  aliases?: readonly string[]
  /** Allowed values, when there are few. */
  choices?: readonly string[]
  /** Values of the original that Kedge refuses by name. */
  unsupported?: readonly string[]
  /** What the value is called in `--help`. */
  value?: string
  /** It may stand without its value, and then counts as a switch. */
  optional?: boolean
  /** What a value looks like. A next word that does not is no value, where the flag may stand without one. */
  pattern?: RegExp
  help: string
  /** Shown in `--help`; flags that only hosts use are not. */
  forPeople?: boolean
}

export const FLAGS = [
  {
    name: 'print',
    short: 'p',
    kind: 'switch',
    forPeople: true,
    help: 'Answer one prompt and exit (the prompt is an argument or comes on stdin).',
  },
  {
    name: 'output-format',
    kind: 'text',
    choices: ['text', 'json', 'stream-json'],
    value: 'FORMAT',
    forPeople: true,
    help: 'text (default): the answer; json: one result object; stream-json: every message as a line.',
  },
  {
    name: 'input-format',
    kind: 'text',
    choices: ['text', 'stream-json'],
    value: 'FORMAT',
    forPeople: true,
    help: 'text (default) or stream-json: user messages and control requests as lines on stdin.',
  },
  { name: 'verbose', kind: 'switch', forPeople: true, help: 'Needed for `-p --output-format stream-json`.' },
  {
    name: 'max-thinking-tokens',
    kind: 'number',
    option: 'maxThinkingTokens',
    value: 'N',
    help: 'Thinking budget of each model request.',
  },
  {
    name: 'thinking',
    kind: 'text',
    option: 'thinking',
    choices: ['adaptive', 'enabled', 'disabled'],
    value: 'MODE',
    help: 'How the model thinks: adaptive, enabled or disabled.',
  },
  {
    name: 'thinking-display',
    kind: 'text',
    option: 'thinking',
    choices: ['summarized', 'omitted'],
    value: 'WHAT',
    help: 'What is told of the thinking: summarized or omitted.',
  },
  {
    name: 'effort',
    kind: 'text',
    option: 'effort',
    choices: ['low', 'medium', 'high', 'max'],
    value: 'LEVEL',
    forPeople: true,
    help: 'low, medium, high or max.',
  },
  {
    name: 'max-turns',
    kind: 'number',
    option: 'maxTurns',
    value: 'N',
    forPeople: true,
    help: 'Stop after N model requests in one turn.',
  },
  {
    name: 'max-budget-usd',
    kind: 'number',
    option: 'maxBudgetUsd',
    value: 'USD',
    forPeople: true,
    help: 'Stop when this much was spent.',
  },
  {
    name: 'model',
    kind: 'text',
    option: 'model',
    value: 'MODEL',
    forPeople: true,
    help: 'A model id, an alias (sonnet, opus, haiku), or practice for the offline stand-in.',
  },
  { name: 'agent', kind: 'text', option: 'agent', value: 'NAME', help: 'Run the main thread as this agent.' },
  { name: 'betas', kind: 'list', option: 'betas', value: 'NAMES', help: 'Beta headers for the API, comma separated.' },
  {
    name: 'json-schema',
    kind: 'text',
    option: 'outputFormat',
    value: 'JSON',
    help: 'Ask for an answer that matches this JSON Schema.',
  },
  {
    name: 'debug',
    kind: 'text',
    option: 'debug',
    value: 'FILTER',
    optional: true,
    pattern: DEBUG_FILTER,
    forPeople: true,
    help: `Write a timeline to stderr, secrets masked; all of it, or what you name: ${DEBUG_KINDS.join(',')}.`,
  },
  {
    name: 'debug-file',
    kind: 'text',
    option: 'debugFile',
    value: 'FILE',
    forPeople: true,
    help: 'Write that timeline to a file.',
  },
  { name: 'debug-to-stderr', kind: 'switch', help: 'The same as --debug.' },
  {
    name: 'permission-prompt-tool',
    kind: 'text',
    option: 'permissionPromptToolName',
    value: 'NAME',
    help: 'Who answers permission questions: stdio (the host), or an MCP tool.',
  },
  {
    name: 'continue',
    short: 'c',
    kind: 'switch',
    option: 'continue',
    forPeople: true,
    help: 'Go on with the latest session of this folder.',
  },
  {
    name: 'resume',
    short: 'r',
    kind: 'text',
    option: 'resume',
    value: 'SESSION',
    optional: true,
    forPeople: true,
    help: 'Go on with this session; without an id, choose one of the latest.',
  },
  {
    name: 'allowedTools',
    kind: 'list',
    option: 'allowedTools',
    aliases: ['allowed-tools'],
    value: 'RULES',
    forPeople: true,
    help: 'Calls that run without asking: "Read,Bash(git log:*)".',
  },
  {
    name: 'disallowedTools',
    kind: 'list',
    option: 'disallowedTools',
    aliases: ['disallowed-tools'],
    value: 'RULES',
    forPeople: true,
    help: 'Calls that never run; a bare name hides the tool.',
  },
  {
    name: 'tools',
    kind: 'list',
    option: 'tools',
    value: 'NAMES',
    forPeople: true,
    help: 'The built-in tools that exist: names, "default" for all, "" for none.',
  },
  {
    name: 'mcp-config',
    kind: 'text',
    option: 'mcpServers',
    value: 'JSON',
    help: 'MCP servers, as {"mcpServers":{…}} or the path of such a file.',
  },
  {
    name: 'setting-sources',
    kind: 'list',
    option: 'settingSources',
    value: 'SOURCES',
    help: 'Settings files to read: user, project, local.',
  },
  {
    name: 'trust',
    kind: 'switch',
    forPeople: true,
    help: 'Use what this folder brings: settings, hooks, MCP servers, CLAUDE.md. Only if you trust its files.',
  },
  { name: 'strict-mcp-config', kind: 'switch', option: 'strictMcpConfig', help: 'Only the servers of --mcp-config.' },
  {
    name: 'permission-mode',
    kind: 'text',
    option: 'permissionMode',
    choices: PERMISSION_MODES,
    unsupported: UNSUPPORTED_MODES,
    value: 'MODE',
    forPeople: true,
    help: 'default asks (and refuses where nobody is there), acceptEdits edits files here, plan only reads, dontAsk refuses in place of asking, delegate leads agents, bypassPermissions runs everything.',
  },
  {
    name: 'allow-dangerously-skip-permissions',
    kind: 'switch',
    option: 'allowDangerouslySkipPermissions',
    help: 'Allow switching to bypassPermissions.',
  },
  {
    name: 'dangerously-skip-permissions',
    kind: 'switch',
    forPeople: true,
    help: 'Run every tool without asking. Only inside a container or VM.',
  },
  {
    name: 'fallback-model',
    kind: 'text',
    option: 'fallbackModel',
    value: 'MODEL',
    forPeople: true,
    help: 'Used once when the model stays overloaded.',
  },
  {
    name: 'include-partial-messages',
    kind: 'switch',
    option: 'includePartialMessages',
    help: 'Also write stream_event lines.',
  },
  {
    name: 'add-dir',
    kind: 'repeat',
    option: 'additionalDirectories',
    value: 'DIR',
    forPeople: true,
    help: 'Another folder the tools may work in; repeatable.',
  },
  { name: 'plugin-dir', kind: 'repeat', option: 'plugins', value: 'DIR', help: 'A plugin to load; repeatable.' },
  { name: 'fork-session', kind: 'switch', option: 'forkSession', help: 'With --resume: continue in a new session.' },
  {
    name: 'resume-session-at',
    kind: 'text',
    option: 'resumeSessionAt',
    value: 'UUID',
    help: 'With --resume: forget everything after this message.',
  },
  { name: 'session-id', kind: 'text', option: 'sessionId', value: 'UUID', help: 'Id for the new session.' },
  { name: 'no-session-persistence', kind: 'switch', option: 'persistSession', help: 'Write nothing to disk.' },
  { name: 'session-mirror', kind: 'switch', option: 'sessionStore', help: 'Also write transcript_mirror lines.' },
  { name: 'resume-from-host', kind: 'switch', help: 'With --resume: the session comes as the first lines on stdin.' },
  { name: 'settings', kind: 'text', option: 'sandbox', value: 'JSON', help: 'Settings as JSON.' },
  { name: 'system-prompt', kind: 'text', value: 'TEXT', forPeople: true, help: 'Replace the system prompt.' },
  { name: 'append-system-prompt', kind: 'text', value: 'TEXT', forPeople: true, help: 'Add to the system prompt.' },
  { name: 'replay-user-messages', kind: 'switch', help: 'Write user messages back to stdout.' },
  { name: 'init', kind: 'switch', help: 'Run the Setup hooks (trigger init) first.' },
  { name: 'maintenance', kind: 'switch', help: 'Run the Setup hooks (trigger maintenance) first.' },
  {
    name: 'timeout',
    kind: 'number',
    option: 'timeoutMs',
    value: 'SECONDS',
    forPeople: true,
    help: 'Give up after this long.',
  },
  {
    name: 'agent-teams',
    kind: 'switch',
    option: 'agentTeams',
    help: 'The agent may lead a team of others that work beside it.',
  },
  {
    name: 'on-turn-end',
    kind: 'text',
    option: 'onTurnEnd',
    choices: ['wait', 'detach', 'cancel'],
    value: 'WHAT',
    help: 'What becomes of background work when a turn is over: wait (default), detach or cancel.',
  },
  {
    name: 'background-ceiling',
    kind: 'number',
    option: 'backgroundCeilingMs',
    value: 'SECONDS',
    help: 'Cancel background work this long after the last turn.',
  },
  {
    name: 'include-tool-output',
    kind: 'switch',
    option: 'includeToolOutput',
    help: 'Live output of commands in tool_progress lines.',
  },
  {
    name: 'include-hook-events',
    kind: 'switch',
    option: 'includeHookEvents',
    help: 'Also write hook_started, hook_progress and hook_response lines.',
  },
  {
    name: 'gate',
    kind: 'text',
    option: 'gate',
    choices: ['always'],
    value: 'WHEN',
    help: 'always: the host is asked for every call, whatever rules and mode say.',
  },
  {
    name: 'on-ask',
    kind: 'text',
    option: 'onAsk',
    choices: ['deny', 'fail'],
    value: 'WHAT',
    forPeople: true,
    help: 'When nobody can be asked for permission: deny (default) and go on, or fail with exit code 1.',
  },
  {
    name: 'max-tokens',
    kind: 'number',
    option: 'maxTokens',
    value: 'N',
    forPeople: true,
    help: 'Stop when requests and answers have used this many tokens.',
  },
  {
    name: 'max-tool-calls',
    kind: 'number',
    option: 'maxToolCalls',
    value: 'N',
    forPeople: true,
    help: 'Stop after this many calls of tools.',
  },
  {
    name: 'summarizer',
    kind: 'text',
    option: 'summarize',
    choices: ['host'],
    value: 'WHO',
    help: 'host: conversations that became too long are summed up by the host.',
  },
  {
    name: 'task-budget',
    kind: 'number',
    option: 'taskBudget',
    value: 'TOKENS',
    help: 'Tokens the model is told to get by with in one turn, for models that know such budgets.',
  },
  {
    name: 'keep-tool-results',
    kind: 'number',
    option: 'keepToolResults',
    value: 'N',
    help: 'Near the limit leave out results of old tool calls first, all but the last N.',
  },
  { name: 'help', short: 'h', kind: 'switch', forPeople: true, help: 'Show this.' },
  { name: 'version', short: 'v', kind: 'switch', forPeople: true, help: 'Show the version.' },
] as const satisfies readonly Flag[]

export type FlagName = (typeof FLAGS)[number]['name']
