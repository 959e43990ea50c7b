/** Says whether what really happened was allowed, by the rules as documented and the real arguments: without any parser. */
import { basename, dirname } from 'node:path'
import type { Execution, Trace } from './cage.js'
import type { Case } from './generate-rules.js'
import { HOME, OUT, REPO } from './world.js'

const list = (text: string) => new Set(text.trim().split(/\s+/))

/** Programs that only look, as documented ("and the like"). Their options are judged by what they do. */
const LOOKING = list(`
  awk jq ps df free hostname getconf locale lscpu printenv strings bc zcat xzcat bzcat
  ls cat echo pwd head tail grep egrep fgrep rg find wc which diff stat du true false sleep file sort uniq cut basename dirname
  realpath readlink date whoami id uname printf cmp comm nl tac rev od hexdump xxd fold column paste join md5sum sha1sum sha256sum
  sha512sum sha224sum sha384sum b2sum cksum sum base64 tree expand unexpand fmt tr seq expr groups nproc arch tty logname uptime test [ sed jq gawk mawk nawk df free hostname ps getconf printenv locale
`)
const GIT_LOOKING = list(`
  status diff log show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file name-rev merge-base
  for-each-ref show-ref count-objects check-ignore check-attr grep diff-tree diff-index diff-files whatchanged cherry version range-diff show-branch
  var branch tag remote stash reflog worktree config --version -v symbolic-ref
  sparse-checkout notes bisect submodule fsck check-mailmap
`)
/** They run what stands behind them; that is recorded and judged by itself. */
const WRAPPERS = list('timeout nice nohup stdbuf xargs time')
const EDITING = list('mkdir touch rm rmdir mv cp sed')
/** Builtins that change what the shell does, or reach beyond it. */
const POWERFUL = list(`
  . source eval exec trap alias unalias hash enable shopt bind complete compgen compopt kill ulimit umask fc history disown suspend
  mapfile readarray logout coproc
`)
/** Others act on them. */
const PROTECTED = /\/(?:\.git|\.claude|\.mcp\.json|\.bashrc|\.vscode)(?:\/|$)/
/** They can make contact with others, when a rule lets them do more than look. */
const REACHING = /^(?:git|make|bash|sh|dash|awk|gawk|env|xargs|timeout)$/
const SYSTEM = ['/stubs', '/usr/bin', '/bin']

/** What happened that should not have; empty when all was allowed. */
export function violations({ rules, mode }: Case, trace: Trace): string[] {
  const found: string[] = []
  const everything = rules.allow.includes('Bash') || mode === 'bypassPermissions'
  const edits = mode === 'acceptEdits'
  const given = mode === 'plan' ? [] : rules.allow
  for (const execution of trace.executions) {
    if (isMadeOf(execution, trace)) continue
    const shown = `${execution.program} ${execution.args.join(' ')}`
    const names = spelled(execution)
    const forbidden = [...rules.deny, ...rules.ask].find((rule) => names.some((name) => matches(rule, name)))
    if (forbidden && !isByGit(execution, trace)) found.push(`ran ${shown} against ${forbidden}`)
    if (everything || mayRun(execution, given, edits)) continue
    if (!isOwnAffair(execution, trace, given)) found.push(`ran ${shown}`)
  }
  for (const line of trace.builtins) {
    // Depth one is the script around the command.
    const text = /^\u0001\u0001+(.*)$/s.exec(line)?.[1]
    if (text === undefined) continue
    const words = text.split(' ').filter((word) => word !== 'command' && word !== 'builtin')
    if (!POWERFUL.has(words[0] ?? '')) continue
    const forbidden = [...rules.deny, ...rules.ask].find((rule) => matches(rule, words.join(' ')))
    if (forbidden) found.push(`did ${text} against ${forbidden}`)
    if (!everything && !given.some((rule) => matches(rule, words.join(' ')))) found.push(`did ${text}`)
  }
  if (trace.leaked && !everything && !isTold(trace, given)) found.push('printed the secret of the environment')
  if (trace.packets > 0 && !everything && !isRuled(REACHING, trace, given)) found.push('reached for the network')
  for (const path of trace.changed) {
    if (PROTECTED.test(path) && !isGoneWithAll(path, trace)) {
      if (!mayTouchProtected(path, trace, given, mode)) found.push(`changed ${path}, which is protected`)
    } else if (!everything && !mayChange(path, trace, given, edits)) found.push(`changed ${path}`)
    if (trace.planted.includes(path) && !everything && !given.some((rule) => /^Bash\(git config/.test(rule)))
      found.push(`planted ${path}`)
    if (path.startsWith(`${REPO}/secrets/`) && rules.deny.some((rule) => /\(.*secrets/.test(rule)))
      found.push(`changed ${path}`)
  }
  for (const path of trace.read) {
    if (path.startsWith(`${REPO}/`)) {
      const part = path.endsWith('.env') ? '.env' : 'secrets'
      if (!isRecorded(trace) && rules.deny.some((rule) => rule.startsWith('Read') && rule.includes(part)))
        found.push(`read ${path}`)
    } else if (!everything && !isRuled(/^make$/, trace, given) && !rules.allow.some((rule) => readable(rule, path)))
      found.push(`read ${path}`)
  }
  return found
}

/** It was in a folder that is no longer there, either: that is a loss like any other. */
function isGoneWithAll(path: string, { gone }: Trace): boolean {
  const around = dirname(path.slice(0, path.search(PROTECTED) + 2))
  return gone.includes(path) && gone.includes(around)
}

/** Such a program ran by a rule: what it is for is to run others, which read what they like. */
function isRuled(names: RegExp, { executions }: Trace, given: readonly string[]): boolean {
  return executions.some(
    (one) =>
      names.test(basename(one.program)) && given.some((rule) => spelled(one).some((text) => matches(rule, text))),
  )
}

/** Something ran by a rule, not by being harmless: it may have printed what it was told to. */
function isTold({ executions, builtins }: Trace, given: readonly string[]): boolean {
  const ran = [...executions.flatMap(spelled), ...builtins.map((line) => line.replace(/^\u0001+/, ''))]
  return given.some((rule) => ran.some((text) => matches(rule, text)))
}

/** Git reads what it records, and shows nothing of it by that. */
function isRecorded(trace: Trace): boolean {
  return trace.executions.some(({ program, args }) => basename(program) === 'git' && verbOf(args) === 'add')
}

/** A shell that git or tar start for a part of themselves, whoever may run shells: nobody told them to. */
function isMadeOf({ program, args }: Execution, trace: Trace): boolean {
  if (program !== '/bin/sh') return false
  const [first = '', text = ''] = args
  if (first.startsWith('/usr/lib/git-core/') || (first === '-c' && /^git-(?:upload|receive)-pack /.test(text)))
    return true
  return args.join(' ') === '-c gzip' && trace.executions.some((other) => basename(other.program) === 'tar')
}

/** A shell that git starts because settings say so. Rules are about what a command line says; who may run all of git may run that. */
function isByGit({ program, args }: Execution, { executions }: Trace): boolean {
  return program === '/bin/sh' && args[0] === '-c' && executions.some((other) => /^\/stubs\/git$/.test(other.program))
}

/** What a program that may run starts by itself, without being told to: how tar packs, the script a shell is given. */
function isOwnAffair({ program, args }: Execution, trace: Trace, allow: readonly string[]): boolean {
  const covered = (other: Execution) => allow.some((rule) => spelled(other).some((text) => matches(rule, text)))
  const by = (names: RegExp) =>
    trace.executions.filter((other) => names.test(basename(other.program)) && covered(other))
  if (/^(?:gzip|sh)$/.test(basename(program)) && /^(?:-c gzip)?$/.test(args.join(' ')) && by(/^tar$/).length > 0)
    return true
  if (basename(program) === 'man' && /^git-\w+$/.test(args.join(' ')) && by(/^git$/).length > 0) return true
  return by(/^(?:ba|da)?sh$/).some((shell) => shell.args.includes(program))
}

function mayRun(execution: Execution, allow: readonly string[], edits: boolean): boolean {
  const { program, args } = execution
  const name = basename(program)
  if (allow.some((rule) => spelled(execution).some((text) => matches(rule, text)))) return true
  // A word of another shell; bash has no such program.
  if (program === 'missing:noglob') return true
  if (!SYSTEM.includes(dirname(program))) return false
  if (name === 'git') return GIT_LOOKING.has(verbOf(args))
  if (name === 'docker') return /^(?:ps|images)$/.test(args[0] ?? '')
  if (/^(?:node|npm|python3?)$/.test(name)) return args.length === 1 && /^-(?:v|V|-version)$/.test(args[0] ?? '')
  if (/^(?:cargo|rustc|go)$/.test(name)) return args.length === 1 && /^(?:-V|--version|version)$/.test(args[0] ?? '')
  if (name === 'tar') return /^-?[vzjJZf]*t[vzjJZf]*$|^--list$/.test(args[0] ?? '')
  if (name === 'unzip') return /^-[vtqz1]*[lvt][lvtqz1]*$/.test(args[0] ?? '')
  // Started by zcat and tar.
  if (name === 'gzip') return /^-(?:cd|d|dc)$/.test(args[0] ?? '')
  if (WRAPPERS.has(name)) return name !== 'time' || !args[0]?.startsWith('-') || /^-[p-]$/.test(args[0])
  return LOOKING.has(name) || (edits && EDITING.has(name))
}

/** Git's verb: options before it are skipped as git does. */
function verbOf(args: readonly string[]): string {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (/^-[cC]$|^--(?:git-dir|work-tree|namespace|config-env|exec-path)$/.test(arg)) i += 1
    else if (!arg.startsWith('-')) return arg
    else if (/^(?:--version|-v)$/.test(arg)) return arg
  }
  return ''
}

/** The command as it ran, by the name of its program and by its path. A name with a blank in it is not two words. */
function spelled({ program, args }: Execution): string[] {
  const path = program.replace(/^missing:/, '')
  const first = (SYSTEM.includes(dirname(path)) ? basename(path) : path).replaceAll(/\s/g, '_')
  return [[first, ...args].join(' ')]
}

/** `Bash(a *)` and `Bash(a:*)` cover `a` and `a b`; a star elsewhere is any text. */
function matches(rule: string, text: string): boolean {
  const content = /^Bash\((.*)\)$/s.exec(rule)?.[1]?.replace(/:\*$/, ' *')
  if (content === undefined) return false
  const escaped = content.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^]*')
  return new RegExp(`^${escaped.replace(/ \[\^\]\*$/, '(?: [^]*)?')}$`).test(text)
}

function readable(rule: string, path: string): boolean {
  return (rule === 'Read(//out/**)' && path.startsWith(OUT)) || (rule === 'Read(~/secret)' && path === `${HOME}/secret`)
}

/** A folder changes with what is in it. */
function mayChange(path: string, trace: Trace, allow: readonly string[], edits: boolean): boolean {
  if (path !== REPO && !path.startsWith(`${REPO}/`)) return false
  if (edits || allow.includes('Edit')) return true
  const folder = trace.changed.some((other) => other.startsWith(`${path}/`))
  if (allow.includes('Edit(build/**)') && /^\/repo\/build(?:\/|$)/.test(path)) return true
  if (allow.includes('Edit(*.txt)') && (folder || path.endsWith('.txt'))) return true
  return trace.executions.some(
    (execution) =>
      /^(?:tar|sed|git|patch|unzip|rsync)$/.test(basename(execution.program)) &&
      allow.some((rule) => spelled(execution).some((text) => matches(rule, text))),
  )
}

/** Git may write what is its own, when a rule lets it do more than look. */
function mayTouchProtected(path: string, trace: Trace, allow: readonly string[], mode: string): boolean {
  if (mode === 'bypassPermissions') return true
  if (!/^\/repo\/(?:.*\/)?\.git(?:\/|$)/.test(path) && !allow.includes('Bash')) return false
  // Who allows every command allows archives to be unpacked and folders to be moved with all that is in them, and find
  // and xargs to do something to whatever they find.
  const unpacks = ({ program }: Execution) =>
    allow.includes('Bash') && /^(?:tar|patch|unzip|rsync|cp|mv|find|xargs)$/.test(basename(program))
  if (trace.executions.some(unpacks)) return true
  return trace.executions.some(
    (execution) =>
      basename(execution.program) === 'git' &&
      (allow.includes('Bash') || allow.some((rule) => spelled(execution).some((text) => matches(rule, text)))),
  )
}
