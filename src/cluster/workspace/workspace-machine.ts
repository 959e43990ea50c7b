/** What a machine has for the files of sessions: a folder in which each has its place, secrets, limits. */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KedgeError } from '../../errors.js'
import { withoutSecrets } from '../../platform/secret-shapes.js'
import { oneLine } from '../../platform/visible-text.js'
import { messageOf } from '../../protocol/thrown.js'
import { runProgram } from './run-program.js'
import type { SnapshotIndex, WorkspaceSession } from './session-workspace.js'

export type WorkspaceLimits = {
  /** Larger files are left out. Default: 50 MB. */
  fileBytes: number
  /** The largest are left out until the rest is within it. Default: 1 GB. */
  allBytes: number
  /** Default: 10 minutes. */
  setupMs: number
}

export type WorkspaceMachine = {
  /** The name by which sessions that are tied to a machine call it. */
  name: string
  /** Kedge's folder for workspaces. If it is the same on all machines, so are the paths that a session sees. */
  root: string
  index: SnapshotIndex
  /** The worker's environment. Only `PATH`, `HOME`, and what git needs to connect are taken from it. */
  environment: Readonly<Record<string, string | undefined>>
  /** What a name stands for; undefined: this tenant has no such secret. */
  secret(name: string, tenant: string): string | undefined
  limits: WorkspaceLimits
}

export const DEFAULT_WORKSPACE_LIMITS: WorkspaceLimits = { fileBytes: 50e6, allBytes: 1e9, setupMs: 600_000 }

/** Any text as a name that every file system, git and object storage take; two texts never have the same. */
export function storableName(text: string): string {
  return text.replace(/[^a-z0-9_-]/gu, (one) =>
    [...Buffer.from(one)].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join(''),
  )
}

/** The place of one session on this machine: `files` is what it sees, what is beside it is ours. */
export class SessionFolder {
  readonly path: string
  readonly files: string
  readonly #mark: string

  constructor(
    { root }: Pick<WorkspaceMachine, 'root'>,
    { tenant, session }: Pick<WorkspaceSession, 'tenant' | 'session'>,
  ) {
    this.path = join(root, storableName(tenant), 'sessions', storableName(session))
    this.files = join(this.path, 'files')
    this.#mark = join(this.path, 'whole.json')
  }

  /** Undefined: there are no files here, or not all of them. */
  async mark(): Promise<CompleteFolderMark | undefined> {
    try {
      const mark: CompleteFolderMark = JSON.parse(await readFile(this.#mark, 'utf8'))
      return mark
    } catch {
      return undefined
    }
  }

  async setMark(mark: CompleteFolderMark): Promise<void> {
    const next = `${this.#mark}.${randomUUID()}`
    await writeFile(next, JSON.stringify(mark))
    await rename(next, this.#mark)
  }

  /** An empty folder in which files can be put together. What earlier attempts have left is removed. */
  async stage(): Promise<string> {
    await mkdir(this.path, { recursive: true, mode: 0o700 })
    for (const name of await readdir(this.path)) {
      if (name !== 'files') await forceRemoveFolder(join(this.path, name))
    }
    const stage = join(this.path, `stage-${randomUUID()}`)
    await mkdir(join(stage, 'files'), { recursive: true })
    return stage
  }

  /** Those of the stage take the place of those that were there. */
  async unveil(stage: string): Promise<void> {
    const old = join(this.path, `old-${randomUUID()}`)
    await rename(this.files, old).catch(() => undefined)
    await rename(join(stage, 'files'), this.files)
    await forceRemoveFolder(old)
  }

  /** The mark goes first: what is left of files that are half removed is not taken for them. */
  async remove(): Promise<void> {
    await rm(this.#mark, { force: true })
    await forceRemoveFolder(this.path)
  }
}

/** On files that are whole. `more` is what their kind has to know of them. */
export type CompleteFolderMark = { holder: string; more: Record<string, unknown> }

/** A command may have taken the right to change a folder away. */
export async function forceRemoveFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 })
}

export function tenantSecret(machine: WorkspaceMachine, name: string, tenant: string): string {
  const value = machine.secret(name, tenant)
  if (value) return value
  throw new KedgeError('workspace_unreachable', `This machine has no secret ${name} for tenant ${tenant}.`)
}

const PASSED_ON =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TEMP|TMP|LANG|LC_\w+|XDG_\w+|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|(?:https?|all|no)_proxy|SYSTEMROOT)$/i

/** Returns the environment for commands of a session, without what only the worker should have. */
export function environmentWithoutSecrets(environment: WorkspaceMachine['environment']): Record<string, string> {
  const entries = Object.entries(environment).filter(([name]) => PASSED_ON.test(name))
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** Rebuilds what isn't saved. A failure doesn't stop the session, which might be able to repair it. */
export async function runWorkspaceSetupCommands(
  { environment, limits }: WorkspaceMachine,
  cwd: string,
  setup: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const [command, ...args] = setup ?? []
  if (command === undefined) return []
  const shown = oneLine([command, ...args].join(' '), 200)
  try {
    const env = environmentWithoutSecrets(environment)
    const ran = await runProgram({ command, args, cwd, env, signal, timeoutMs: limits.setupMs })
    if (ran.code === 0) return [`The setup command was run here: ${shown}`]
    const said = oneLine(withoutSecrets(`${ran.out.toString('utf8').slice(-2000)} ${ran.err}`, '…').slice(-600), 500)
    return [`The setup command FAILED here (exit ${ran.code ?? 'by a signal'}): ${shown} said: ${said}`]
  } catch (error) {
    signal?.throwIfAborted()
    return [`The setup command could not be run here: ${shown}: ${messageOf(error)}`]
  }
}
