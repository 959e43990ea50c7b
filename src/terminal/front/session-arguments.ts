/** The command line of a conversation: which session, how its agent is to be, how the terminal is used. */

import { HELP_FLAG } from '../../protocol/command-table/command-row.js'
import { ATTACH_COMMAND } from '../../protocol/command-table/server-command-rows.js'
import type { FlagValues } from '../../protocol/option-table/parse-argv.js'
import { createFlagReader, flagsBySpelling, parseArgv } from '../../protocol/option-table/parse-argv.js'
import type { Options, SettingSource } from '../../protocol/options.js'
import { isPermissionMode } from '../../protocol/permission-modes.js'
import { mergeMcpConfigTexts } from './mcp-configs.js'

export type TerminalArguments = {
  /** For its agent. */
  settings: Options
  /** Sent at once. */
  prompt: string
  session: { kind: 'new'; id?: string } | { kind: 'continue' } | { kind: 'resume'; id: string | undefined }
  isFork: boolean
  isPlain: boolean
  isServed: boolean
  attach?: { target: string; token: string | undefined }
}

/** Which are read here; all others go to the agent as they are. */
const OWN = new Set(['continue', 'resume', 'fork-session', 'session-id', 'plain', 'serve', 'print', 'verbose', 'ide'])
const READ = new Set([
  ...[
    'model',
    'permission-mode',
    'dangerously-skip-permissions',
    'add-dir',
    'allowedTools',
    'disallowedTools',
    'tools',
  ],
  ...['setting-sources', 'system-prompt', 'append-system-prompt', 'plugin-dir', 'betas'],
])
/** With these flags, the user wants a printed answer, or help. */
const NOT_OURS = ['print', 'help', 'version', 'input-format', 'output-format']

/** Undefined: it is for the command that prints. */
export function readTerminalArguments(argv: readonly string[]): TerminalArguments | undefined {
  if (argv[0] === 'attach') return attachArguments(argv.slice(1))
  const parsed = parseArgv(argv)
  if (!parsed.ok) return undefined
  const { values } = parsed
  if (NOT_OURS.some((name) => values.switches.has(name) || values.text.has(name))) return undefined
  const [word = '', ...more] = values.rest
  // A single word is more likely a command that there is not.
  if (more.length === 0 && /^[a-z][\w-]*$/i.test(word)) return undefined
  const id = values.text.get('session-id')
  return {
    settings: settingsOf(values),
    prompt: values.rest.join(' '),
    session: values.switches.has('continue')
      ? { kind: 'continue' }
      : values.switches.has('resume') || values.text.has('resume')
        ? { kind: 'resume', id: values.text.get('resume') || undefined }
        : { kind: 'new', ...(id === undefined ? {} : { id }) },
    isFork: values.switches.has('fork-session'),
    isPlain: values.switches.has('plain'),
    isServed: values.switches.has('serve'),
  }
}

/** Undefined: the command that prints says what is wrong, or shows the help. */
function attachArguments(args: readonly string[]): TerminalArguments | undefined {
  // Not by `readCommandLine`, whose help would be loaded before the prompt is there.
  const parsed = parseArgv(args, flagsBySpelling([...ATTACH_COMMAND.flags, HELP_FLAG]))
  if (!parsed.ok) return undefined
  const { switches, text, rest } = parsed.values
  if (switches.has('help') || rest.length > 1) return undefined
  return {
    settings: {},
    prompt: '',
    session: { kind: 'new' },
    isFork: false,
    isPlain: switches.has('plain'),
    isServed: false,
    attach: { target: rest[0] ?? '', token: text.get('token') },
  }
}

function settingsOf(values: FlagValues): Options {
  const flags = createFlagReader(values)
  const { text, switches, repeated } = values
  const mode = switches.has('dangerously-skip-permissions') ? 'bypassPermissions' : text.get('permission-mode')
  const sources = flags.list('setting-sources') as SettingSource[] | undefined // the agent checks them
  const settings: Options = {
    settingSources: sources ?? ['user', 'project', 'local'],
    ...systemPrompt(text.get('system-prompt'), text.get('append-system-prompt')),
    ...(text.has('model') ? { model: text.get('model') } : {}),
    ...(mode !== undefined && isPermissionMode(mode) ? { permissionMode: mode } : {}),
    ...(mode === 'bypassPermissions' ? { allowDangerouslySkipPermissions: true } : {}),
    ...(repeated.has('add-dir') ? { additionalDirectories: [...(repeated.get('add-dir') ?? [])] } : {}),
    ...(text.has('allowedTools') ? { allowedTools: flags.list('allowedTools') ?? [] } : {}),
    ...(text.has('disallowedTools') ? { disallowedTools: flags.list('disallowedTools') ?? [] } : {}),
    ...(text.has('tools') ? { tools: flags.list('tools') ?? [] } : {}),
    ...(text.has('betas') ? { betas: (flags.list('betas') ?? []) as NonNullable<Options['betas']> } : {}), // the agent checks them
    ...(repeated.has('plugin-dir')
      ? { plugins: (repeated.get('plugin-dir') ?? []).map((path) => ({ type: 'local' as const, path })) }
      : {}),
  }
  const others: [string, string | null][] = [
    ...[...text].filter(([name]) => !OWN.has(name) && !READ.has(name)),
    ...[...switches].filter((name) => !OWN.has(name) && !READ.has(name)).map((name): [string, null] => [name, null]),
  ]
  const configs = repeated.get('mcp-config') ?? []
  if (configs.length > 0) others.push(['mcp-config', mergeMcpConfigTexts(configs, process.cwd())])
  return others.length === 0 ? settings : { ...settings, extraArgs: Object.fromEntries(others) }
}

function systemPrompt(own: string | undefined, append: string | undefined): Pick<Options, 'systemPrompt'> {
  if (own !== undefined) return { systemPrompt: own }
  return append === undefined ? {} : { systemPrompt: { type: 'preset', preset: 'claude_code', append } }
}
