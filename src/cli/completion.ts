/** `kedge completion SHELL`: a script that completes flags, their values and commands, made of the tables `--help` is made of. */
import { KNOWN_MODEL_IDS } from '../model/model-facts.js'
import { readCommandLine } from '../platform/command-line/read-command-line.js'
import { TOP_LEVEL_COMMANDS } from '../protocol/command-table/all-commands.js'
import { allFlagsOf, HELP_FLAG, lastWordOfCommand } from '../protocol/command-table/command-row.js'
import { COMPLETION_COMMAND } from '../protocol/command-table/setup-command-rows.js'
import type { Flag } from '../protocol/option-table/flag-row.js'
import { FLAGS } from '../protocol/option-table/flags.js'
import { print, printCommandText } from './terminal-output.js'

/** What is offered behind a command. */
type Subcommand = { name: string; help: string; words: readonly string[]; flags: readonly string[] }

const commands: readonly Subcommand[] = TOP_LEVEL_COMMANDS.map((command) => ({
  name: command.name,
  help: command.help,
  words: command.commands
    ? command.commands.map(lastWordOfCommand)
    : (command.arguments ?? []).flatMap(({ choices = [] }) => choices),
  flags: [...allFlagsOf(command), HELP_FLAG].map(({ name }) => `--${name}`),
}))
/** By the name of the shell. */
export const COMPLETION_SCRIPT_WRITERS: Record<string, (flags: readonly Flag[]) => string> = { bash, zsh, fish }

export async function completionCommand(args: readonly string[]): Promise<number> {
  const read = readCommandLine(COMPLETION_COMMAND, args)
  if ('text' in read) return printCommandText(read)
  print(COMPLETION_SCRIPT_WRITERS[read.words[0] ?? '']?.(FLAGS) ?? '')
  return 0
}

type Values = { kind: 'words'; words: readonly string[] } | { kind: 'folders' | 'files' | 'anything' }

/** What may stand after a flag; undefined: nothing does. */
function valuesOf({ name, kind, choices, value }: Flag): Values | undefined {
  if (kind === 'switch') return undefined
  if (name === 'model' || name === 'fallback-model') {
    return { kind: 'words', words: ['sonnet', 'opus', 'haiku', 'practice', ...KNOWN_MODEL_IDS] }
  }
  if (choices) return { kind: 'words', words: choices }
  if (value === 'DIR') return { kind: 'folders' }
  // What takes JSON takes the path of a file with it too.
  return { kind: value === 'FILE' || value === 'JSON' ? 'files' : 'anything' }
}

const spellings = ({ name, short, aliases = [] }: Flag) => [
  ...(short ? [`-${short}`] : []),
  ...[name, ...aliases].map((spelling) => `--${spelling}`),
]

function bash(flags: readonly Flag[]): string {
  const reply = (words: readonly string[]) => `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur"))`
  const ofCommand = commands.map(({ name, words, flags: own }) => {
    const all = `if [[ $cur == -* ]]; then ${reply(own)}; elif ((COMP_CWORD == 2)); then ${reply(words)}; fi`
    return `    ${name}) ${all}; return ;;`
  })
  const ofFlag = flags.flatMap((flag) => {
    const values = valuesOf(flag)
    if (!values) return []
    const offer = {
      words: () => reply(values.kind === 'words' ? values.words : []),
      folders: () => 'COMPREPLY=($(compgen -d -- "$cur"))',
      files: () => 'COMPREPLY=($(compgen -f -- "$cur"))',
      anything: () => ':',
    }[values.kind]()
    return [`    ${spellings(flag).join('|')}) ${offer}; return ;;`]
  })
  return `# Completion of kedge for bash: source <(kedge completion bash)
_kedge() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  if ((COMP_CWORD > 1)); then case "\${COMP_WORDS[1]}" in
${ofCommand.join('\n')}
  esac; fi
  # --flag=value comes as three words.
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "$prev" in
${ofFlag.join('\n')}
  esac
  if [[ $cur == -* ]]; then ${reply(flags.flatMap(spellings))}
  elif ((COMP_CWORD == 1)); then ${reply(commands.map(({ name }) => name))}; fi
}
complete -F _kedge kedge
`
}

function zsh(flags: readonly Flag[]): string {
  const text = (help: string) => help.replace(/[[\]:\\]/g, '\\$&').replaceAll("'", "'\\''")
  const specs = flags.flatMap((flag) => {
    const values = valuesOf(flag)
    const action = {
      words: () => `(${values?.kind === 'words' ? values.words.join(' ') : ''})`,
      folders: () => '_files -/',
      files: () => '_files',
      anything: () => ' ',
    }
    const optional = flag.optional ? ':' : ''
    const after = values ? `:${optional}${flag.value ?? 'value'}:${action[values.kind]()}` : ''
    const many = flag.kind === 'repeat' || flag.kind === 'list' ? '*' : ''
    const sign = (spelling: string) => (values && spelling.startsWith('--') ? '=' : '')
    return spellings(flag).map((spelling) => `    '${many}${spelling}${sign(spelling)}[${text(flag.help)}]${after}'`)
  })
  const described = commands.map(({ name, help }) => `    '${name}:${text(help)}'`)
  const ofCommand = commands.map(
    ({ name, words, flags: own }) => `    ${name}) compadd -- ${[...words, ...own].join(' ')}; return ;;`,
  )
  return `#compdef kedge
# Completion of kedge for zsh: kedge completion zsh > ~/.zfunc/_kedge
_kedge() {
  local -a commands=(
${described.join('\n')}
  )
  if ((CURRENT > 2)); then case "$words[2]" in
${ofCommand.join('\n')}
  esac; fi
  if ((CURRENT == 2)) && [[ "$words[2]" != -* ]]; then _describe command commands; return; fi
  _arguments \\
${specs.join(' \\\n')} \\
    '*:prompt: '
}
_kedge "$@"
`
}

function fish(flags: readonly Flag[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
  const lines = flags.map((flag) => {
    const values = valuesOf(flag)
    const more = {
      words: () => `-x -a ${quoted(values?.kind === 'words' ? values.words.join(' ') : '')}`,
      folders: () => "-x -a '(__fish_complete_directories)'",
      files: () => '-r -F',
      anything: () => '-x',
    }
    const names = [
      ...(flag.short ? [`-s ${flag.short}`] : []),
      ...[flag.name, ...(flag.aliases ?? [])].map((n) => `-l ${n}`),
    ]
    return `complete -c kedge ${names.join(' ')} ${values ? `${more[values.kind]()} ` : ''}-d ${quoted(flag.help)}`
  })
  const first = commands.map(
    ({ name, help }) => `complete -c kedge -n __fish_use_subcommand -a ${name} -d ${quoted(help)}`,
  )
  const after = commands.map(({ name, words, flags: own }) => {
    const offers = quoted([...words, ...own].join(' '))
    return `complete -c kedge -n '__fish_seen_subcommand_from ${name}' -a ${offers}`
  })
  return `# Completion of kedge for fish: kedge completion fish > ~/.config/fish/completions/kedge.fish
complete -c kedge -f
${[...first, ...after, ...lines].join('\n')}
`
}
