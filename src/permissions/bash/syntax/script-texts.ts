/** Texts in a command that some shell will run: `-c` strings, `eval`, traps, aliases, variables that hold commands. */
import { joinedText, optionTexts, scriptText } from '../programs/option-texts.js'
import type { ScriptText } from '../programs/program-knowledge.js'
import { knowledgeOf } from '../programs/program-table.js'
import { isShell } from '../programs/runs-its-input.js'
import type { ShellWord, SimpleCommand, Variable } from './syntax.js'

export function textsOf(program: string | undefined, command: SimpleCommand): ScriptText[] {
  const { words, assignments } = command
  const variables = [...assignments, ...exported(program, words)]
  return [...variables.flatMap(variableTexts), ...(program === undefined ? [] : programTexts(program, words))]
}

/** Variables whose value other programs, or the shell itself, run as a command. */
const RUN_VALUES =
  /^(?:PS[04]|PROMPT_COMMAND|.*PAGER|.*EDITOR|VISUAL|BROWSER|.*_COMMAND|.*ASKPASS|LESS(?:OPEN|CLOSE)|GIT_EXTERNAL_DIFF|GIT_SSH)$/
/** Variables that name a file the shell runs first, or what changes how it reads. */
const RUN_FILES =
  /^(?:BASH_ENV|ENV|SHELLOPTS|BASH_FUNC_.*|PERL5OPT|RUBYOPT|PYTHONSTARTUP|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/

function variableTexts({ name, value }: Variable): ScriptText[] {
  if (RUN_FILES.test(name)) return [undefined]
  if (!RUN_VALUES.test(name)) return []
  if (!value) return [undefined]
  // A prompt is a text in which substitutions run; the others are commands.
  return /^PS/.test(name) ? scriptText(value, `: "${value.value.replaceAll('"', '')}"`) : scriptText(value)
}

function exported(program: string | undefined, words: readonly ShellWord[]): Variable[] {
  if (!/^(?:export|declare|typeset|local|readonly|env|sudo)$/.test(program ?? '')) return []
  return words.slice(1).flatMap((word) => {
    const [name, ...rest] = word.value.split('=')
    return rest.length === 0 || !name ? [] : [{ name, value: { ...word, value: rest.join('=') } }]
  })
}

function programTexts(program: string, words: readonly ShellWord[]): ScriptText[] {
  const texts = knowledgeOf(program)?.runs?.texts
  if (texts) return texts(words)
  const rest = words.slice(1).filter((word, i) => !(i === 0 && word.value === '--'))
  switch (program) {
    case 'eval':
      return rest.length > 0 ? joinedText(rest) : []
    case 'watch':
      return joinedText(rest.filter((word) => !word.value.startsWith('-')))
    case 'trap':
      return rest[0] && !/^-[lpP]*$/.test(rest[0].value) ? joinedText(rest.slice(0, 1)) : []
    case 'alias':
      return rest.filter((w) => w.value.includes('=')).flatMap((w) => scriptText(w, afterEquals(w)))
    case 'env':
      return splitTexts(words)
    case 'compgen':
    case 'complete':
    case 'mapfile':
    case 'readarray':
      return optionTexts(words, /^-[a-zA-Z]*C$/, /^-[a-zA-Z]*C(.+)$/s)
    case 'hash':
      return optionTexts(words, /^-[a-zA-Z]*p$/, /^-[a-zA-Z]*p(.+)$/s)
    case 'enable':
      return words.some((word) => /^-[a-zA-Z]*f/.test(word.value)) ? [undefined] : []
    case 'socat':
      return rest.flatMap((word) =>
        /^(?:EXEC|SYSTEM):/i.test(word.value) ? scriptText(word, word.value.slice(word.value.indexOf(':') + 1)) : [],
      )
    default:
      return strings(program, words)
  }
}

/** Programs that take whole command lines as words: every word of theirs is read as one. */
const TAKES_LINES = new Set([
  'ssh',
  'tmux',
  'screen',
  'concurrently',
  'npm-run-all',
  'nodemon',
  'dbus-launch',
  'xterm',
  'sg',
  'at',
  'parallel',
])
const TAKES_OPTION = new Set([
  'su',
  'script',
  'flock',
  'runuser',
  'nix-shell',
  'nix',
  'busybox',
  'cargo',
  'hyperfine',
  'sg',
  'expect',
])

function strings(program: string, words: readonly ShellWord[]): ScriptText[] {
  if (TAKES_LINES.has(program))
    return words.slice(1).flatMap((word) => (/[\s;&|]/.test(word.value) ? scriptText(word) : []))
  if (!isShell(program) && !TAKES_OPTION.has(program)) return []
  return optionTexts(
    words,
    /^-[a-zA-Z]*c$|^--(?:command|session-command|run|shell)$|^-[a-zA-Z]*c[a-zA-Z]+$|^-Command$|^-s$/,
    /^--(?:command|session-command|run|shell)=(.*)$/s,
  )
}

/** `env -S text word …`: the text is cut into words, and the words after it are the rest of the same command. */
function splitTexts(words: readonly ShellWord[]): ScriptText[] {
  return words.flatMap((word, i) => {
    const [, text] = /^(?:-[a-zA-Z0-9]*S|--split-string(?:=|$))(.*)$/s.exec(word.value) ?? []
    if (text === undefined) return []
    const [first, ...rest] = text === '' ? words.slice(i + 1) : [{ ...word, value: text }, ...words.slice(i + 1)]
    return first ? joinedText([first, ...rest.map((other) => ({ ...other, value: other.source }))]) : []
  })
}

function afterEquals(word: ShellWord): string {
  return word.value.slice(word.value.indexOf('=') + 1)
}
