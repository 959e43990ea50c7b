/** What this machine has to have: Node, a shell, ripgrep, a sandbox that holds, folders that can be written, room on the disk. */
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { docsPageLocation } from '../../platform/command-line/docs-page-location.js'
import { dirname, join } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import { findRipgrep } from '../../platform/processes/ripgrep.js'
import type { SandboxSettings } from '../../protocol/options.js'
import { messageOf } from '../../protocol/thrown.js'
import { findTrustedProgram } from '../../sandbox/find-program.js'
import { createFindingFactory, type DoctorFinding } from './finding.js'

const OLDEST_NODE = 20
const MB = 1024 * 1024
const LITTLE_ROOM = 200 * MB
const NO_ROOM = 5 * MB

export function checkNode(version = process.version): DoctorFinding {
  const { ok, fail } = createFindingFactory('node')
  const major = Number(/^v(\d+)/.exec(version)?.[1])
  if (major >= OLDEST_NODE) return ok(version)
  return fail(`${version} is too old`, `install Node ${OLDEST_NODE} or newer: https://nodejs.org`)
}

export async function checkShell(env: NodeJS.ProcessEnv): Promise<DoctorFinding> {
  const { ok, fail } = createFindingFactory('shell')
  const { found } = await findTrustedProgram('bash', env.PATH, [])
  return found ? ok(found) : fail("there is no bash in PATH, so the Bash tool can't run commands", 'install bash')
}

export async function checkRipgrep(env: NodeJS.ProcessEnv, { processes }: Platform): Promise<DoctorFinding> {
  const { ok, warn } = createFindingFactory('ripgrep')
  const fix = 'npm install without --omit=optional, or install ripgrep and set USE_BUILTIN_RIPGREP=0'
  const program = findRipgrep(env)
  if (!program) return warn('not found: Grep and Glob use the slower built-in engine', fix)
  try {
    const { stdout, exitCode } = await processes.run({ command: program, args: ['--version'], cwd: '/', env })
    if (exitCode === 0) return ok(`${stdout.split('\n')[0]} (${program})`)
    return warn(`${program} ended with ${exitCode}: Grep and Glob use the slower built-in engine`, fix)
  } catch (error) {
    return warn(`${program} doesn't start: ${messageOf(error)}`, fix)
  }
}

/** Bubblewrap is really started, with walls around it that are tried. */
export async function checkSandbox(
  wanted: SandboxSettings | undefined,
  { env, home, cwd }: { env: NodeJS.ProcessEnv; home: string; cwd: string },
  { identity, processes }: Platform,
): Promise<DoctorFinding> {
  const { ok, warn, fail } = createFindingFactory('sandbox')
  const bad = wanted?.enabled ? fail : warn
  const { openSandbox } = await import('../../sandbox/open-sandbox.js')
  try {
    const sandbox = await openSandbox({ os: identity.os, env, home, parent: tmpdir(), processes })
    try {
      const probe = await sandbox.probe([cwd], { ...wanted, enabled: true })
      if (probe.ok) return ok(`${probe.version} works${wanted?.enabled ? '' : '; it is off (setting sandbox.enabled)'}`)
      const [first = '', ...more] = probe.error.split('\n')
      const use = wanted?.enabled ? '' : ' (needed only if you turn the sandbox on)'
      return bad(`${first}${use}`, more.join(' ').trim() || `see ${docsPageLocation('sandbox')}`)
    } finally {
      await sandbox.close()
    }
  } catch (error) {
    return bad(`can't be set up: ${messageOf(error)}`, `see ${docsPageLocation('sandbox')}`)
  }
}

export type MachineFolders = { configDir: string; cacheBase: string | undefined; temporary: string }

export function checkFolders({ configDir, cacheBase, temporary }: MachineFolders): DoctorFinding[] {
  const config = createFindingFactory('home')
  const cache = createFindingFactory('cache')
  const temp = createFindingFactory('temporary')
  const projects = join(configDir, 'projects')
  const inConfig = tryToWrite(projects)
  const inCache = cacheBase === undefined ? 'there is no home folder' : tryToWrite(join(cacheBase, 'kedge'))
  const inTemporary = tryToWrite(temporary)
  return [
    inConfig === undefined
      ? config.ok(`sessions are saved in ${projects}`)
      : config.warn(
          `sessions can't be saved: ${inConfig}`,
          `make ${configDir} writable, or set CLAUDE_CONFIG_DIR to a folder you can write to`,
        ),
    inCache === undefined
      ? cache.ok(`compiled code is saved in ${cacheBase}/kedge`)
      : cache.warn(
          `starts are slower, because compiled code can't be saved: ${inCache}`,
          'set XDG_CACHE_HOME to a folder you can write to',
        ),
    inTemporary === undefined
      ? temp.ok(temporary)
      : temp.fail(`temporary files can't be written: ${inTemporary}`, 'set TMPDIR to a folder you can write to'),
  ]
}

/** In the nearest folder that exists, since nothing is to be left behind. Returns why not. */
function tryToWrite(folder: string): string | undefined {
  let place = folder
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  const file = join(place, `.kedge-doctor-${randomUUID()}`)
  try {
    writeFileSync(file, 'x', { flag: 'wx', mode: 0o600 })
    return undefined
  } catch (error) {
    return messageOf(error).replace(/, open .*/, ` in ${place}`)
  } finally {
    try {
      rmSync(file, { force: true })
    } catch {
      // What stands there is no folder: nothing was written.
    }
  }
}

export async function checkDisk(folder: string): Promise<DoctorFinding> {
  const { ok, warn, fail } = createFindingFactory('disk')
  for (let place = folder; ; place = dirname(place)) {
    try {
      const { bavail, bsize } = await statfs(place)
      const free = bavail * bsize
      const text = `${Math.floor(free / MB)} MB free for ${folder}`
      const fix = 'free some space, or set CLAUDE_CONFIG_DIR to a folder on another disk'
      if (free < NO_ROOM) return fail(text, fix)
      return free < LITTLE_ROOM ? warn(text, fix) : ok(text)
    } catch (error) {
      if (dirname(place) === place) return warn(`unknown: ${messageOf(error)}`)
    }
  }
}
