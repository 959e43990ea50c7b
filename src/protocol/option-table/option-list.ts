/**
 * Every option there is, for docs and the tests that keep them true. Nothing that runs loads it: its first use is that the
 * compiler asks here for an option that has no row and says nowhere how it reaches the agent.
 */
import type { Options } from '../options.js'
import type { SupportedSince } from './flag-row.js'
import { FLAGS } from './flags.js'
import { OPTION_ROWS, REFUSED_OPTIONS } from './option-rows.js'

/**
 * How it reaches the agent: with the first request, in its environment, as words of the command line, or together with another
 * option. `host`: it does not, the host does what it says.
 */
type Way = 'initialize' | 'environment' | 'words' | 'host' | `with ${keyof Options}`

type FlaggedOption = Extract<(typeof OPTION_ROWS)[number], readonly [unknown, string, ...unknown[]]>[0]

/** Options without a flag of their own. */
export const UNFLAGGED_OPTIONS = {
  abortController: { way: 'host' },
  agents: { way: 'initialize' },
  canUseTool: { way: 'with permissionPromptToolName' },
  cwd: { way: 'environment' },
  enableFileCheckpointing: { way: 'environment' },
  env: { way: 'environment' },
  executable: { way: 'host' },
  executableArgs: { way: 'host' },
  extraArgs: { way: 'words' },
  forwardSubagentText: { way: 'initialize', since: 'newer' },
  hooks: { way: 'initialize' },
  isolation: { way: 'host', since: 'kedge' },
  loadTimeoutMs: { way: 'host', since: 'newer' },
  onElicitation: { way: 'host', since: 'newer' },
  onUserDialog: { way: 'host', since: 'newer' },
  pathToClaudeCodeExecutable: { way: 'host' },
  permissionPrompts: { way: 'with permissionPromptToolName', since: 'newer' },
  perTaskStopAffordance: { way: 'initialize', since: 'newer' },
  planModeInstructions: { way: 'initialize', since: 'newer' },
  promptSuggestions: { way: 'initialize', since: '0.2.50' },
  sandbox: { way: 'with settings' },
  sessionStoreFlush: { way: 'host', since: 'newer' },
  skills: { way: 'initialize', since: 'newer' },
  spawnClaudeCodeProcess: { way: 'host' },
  stderr: { way: 'host' },
  supportedDialogKinds: { way: 'initialize', since: 'newer' },
  systemPrompt: { way: 'initialize' },
  title: { way: 'initialize', since: 'newer' },
  toolAliases: { way: 'initialize', since: 'newer' },
  meter: { way: 'host', since: 'kedge' },
  tracer: { way: 'host', since: 'kedge' },
  transport: { way: 'host', since: 'kedge' },
  workspace: { way: 'host', since: 'kedge' },
} as const satisfies Record<Exclude<keyof Options, FlaggedOption>, { way: Way; since?: SupportedSince }>

/** Options that are younger than the flag they now have. */
const YOUNGER: Partial<Record<string, SupportedSince>> = {
  settings: 'newer',
  mcpServersDelivery: 'newer',
} satisfies Partial<Record<FlaggedOption, SupportedSince>>

type DocumentedName = { name: string; state: 'works' | 'differs' | 'refused'; note: string }

/** The names that the pages on compatibility have rows for, by heading. State and note are what a row begins with. */
export function listDocumentedOptionNames(): Record<'Options' | 'Further options' | 'Flags', DocumentedName[]> {
  const options = [...listOptionVersions()].map(([name, since]) => ({
    name,
    since,
    state: 'works' as const,
    note: noteOf(since),
  }))
  const isOld = ({ since }: { since: SupportedSince }) => since === '0.2.25' || since === '0.2.50'
  const refused = Object.keys(REFUSED_OPTIONS).map((name) => ({
    name,
    state: 'refused' as const,
    note: `${noteOf('newer')} Throws at once (\`unsupported_option\`).`,
  }))
  return {
    Options: options.filter(isOld),
    'Further options': [...options.filter((option) => !isOld(option)), ...refused],
    Flags: FLAGS.map(({ name, since, idle, refused }) => {
      const state = refused === undefined ? (idle === undefined ? 'works' : 'differs') : 'refused'
      return { name: `--${name}`, state, note: noteOf(since) }
    }),
  }
}

export function listOptionVersions(): Map<string, SupportedSince> {
  const flags = new Map(FLAGS.map(({ name, since }) => [name, since]))
  const options = new Map<string, SupportedSince>()
  for (const [option, flag] of OPTION_ROWS) {
    // If an option has two flags, the first is the older one.
    if (flag !== null && !options.has(option)) options.set(option, YOUNGER[option] ?? flags.get(flag) ?? '0.2.25')
  }
  const unflagged: Record<string, { way: Way; since?: SupportedSince }> = UNFLAGGED_OPTIONS
  for (const [option, { since = '0.2.25' }] of Object.entries(unflagged)) options.set(option, since)
  return options
}

function noteOf(since: SupportedSince = '0.2.25'): string {
  if (since === 'kedge') return 'Ours.'
  return since === 'newer' ? 'Of newer releases.' : ''
}
