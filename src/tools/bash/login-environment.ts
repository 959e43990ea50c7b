/**
 * What a user's start files add to the environment (a longer PATH, mostly), taken once per session from a login shell.
 * Variables only: functions, aliases and options would make the shell read a command differently than it was judged.
 */

import type { Environment } from '../../platform/environment.js'
import { join } from '../../platform/paths.js'
import { isVariableOn } from '../../platform/switch.js'
import type { CallContext } from '../tool.js'
import { commandEnvironment } from './command-environment.js'

const LOGIN_FILES = ['.bash_profile', '.bash_login', '.profile']
/** Read by shells that are no login shells; login files usually read it too. */
const OTHER_FILE = '.bashrc'
const TIME_LIMIT_MS = 5_000
const MAX_BYTES = 4 * 1024 * 1024
/** The start files may print something too; what counts comes after the marker. */
const SCRIPT = `\\builtin \\printf '\\0%s\\0' "$1"; \\exec \\env -0`
/** Variables of the shell itself, and those that change how a shell reads commands. */
const NOT_TAKEN =
  /^(?:_|PWD|OLDPWD|SHLVL|PS\d|IFS|ENV|CDPATH|TMOUT|SHELLOPTS|GLOBIGNORE|EXECIGNORE|POSIXLY_CORRECT)$|^BASH|^KEDGE_/

/** The session's own environment completed; as it was when there is nothing to take, or taking it fails. */
export async function loginEnvironment(shell: string, { env, platform }: CallContext): Promise<Environment> {
  const home = env['HOME']
  if (!home || !isVariableOn(env['KEDGE_SHELL_PROFILE'], true)) return env
  try {
    const exists = async (name: string) => (await platform.files.stat(join(home, name))) !== undefined
    const isLogin = (await Promise.all(LOGIN_FILES.map(exists))).includes(true)
    if (!isLogin && !(await exists(OTHER_FILE))) return env
    const marker = platform.identity.hex(24)
    const { stdout } = await platform.processes.run({
      command: shell,
      args: [...(isLogin ? ['-l'] : []), '-i', '-c', SCRIPT, 'bash', marker],
      cwd: home,
      env: commandEnvironment(env, home),
      timeoutMs: TIME_LIMIT_MS,
      maxBytes: MAX_BYTES,
    })
    const [, taken] = stdout.split(`\0${marker}\0`)
    return taken === undefined ? env : complete(env, taken.split('\0'))
  } catch {
    return env
  }
}

function complete(env: Environment, entries: readonly string[]): Environment {
  const added: Record<string, string> = {}
  for (const entry of entries) {
    const [, name = '', value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(entry) ?? []
    if (name === 'PATH') added[name] = joinPaths(env['PATH'], value)
    else if (name !== '' && env[name] === undefined && !NOT_TAKEN.test(name)) added[name] = value
  }
  return { ...env, ...added }
}

/** A folder relative to wherever the shell stands isn't a place to look for programs. */
function joinPaths(own: string | undefined, more: string): string {
  const entries = own ? own.split(':') : []
  for (const entry of more.split(':')) if (entry.startsWith('/') && !entries.includes(entry)) entries.push(entry)
  return entries.join(':')
}
