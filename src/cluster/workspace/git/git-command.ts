/**
 * Git for internal use. Regardless of a session's files and settings, it starts no hook, watcher, or filter, signs
 * nothing, asks for no password, and cleans up nothing automatically. Settings of a session's repository aren't read:
 * it works in separate repositories beside it.
 */
import { KedgeError } from '../../../errors.js'
import { withoutSecrets } from '../../../platform/secret-shapes.js'
import { oneLine } from '../../../platform/visible-text.js'
import { type ProgramResult, runProgram } from '../run-program.js'
import type { GitSpec } from '../session-workspace.js'
import { environmentWithoutSecrets, tenantSecret, type WorkspaceMachine } from '../workspace-machine.js'

const ALWAYS: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.autocrlf', 'false'],
  ['core.quotePath', 'false'],
  // Names that only other systems stumble over are saved and restored as they are.
  ['core.protectNTFS', 'false'],
  ['core.protectHFS', 'false'],
  ['commit.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.writeCommitGraph', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['submodule.recurse', 'false'],
  ['protocol.ext.allow', 'never'],
  ['safe.directory', '*'],
]

/** What reaches a server is the operator's to say: his settings, helpers and keys count there, and only there. */
const REACHING = /^(?:SSH_AUTH_SOCK|GIT_SSH|GIT_SSH_COMMAND|GIT_CONFIG_GLOBAL|GIT_SSL_\w+)$/

const LOCAL_MS = 300_000
const REMOTE_MS = 900_000

export type GitCall = {
  cwd: string
  /** One of Kedge's repositories, or one that is only read. */
  gitDir: string
  files?: string
  index?: string
  /** Objects of the session's own repository. */
  borrow?: string
  input?: string | Buffer
  signal?: AbortSignal | undefined
}

export class GitProgram {
  readonly #local: Record<string, string>
  readonly #remote: Record<string, string>

  constructor(machine: WorkspaceMachine, { remote, credentials }: GitSpec, tenant: string) {
    const plain = environmentWithoutSecrets(machine.environment)
    const quiet = { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' }
    const blind = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' }
    this.#local = { ...plain, ...quiet, ...blind, ...settings([]), ...AUTHOR, GIT_ALLOW_PROTOCOL: 'file' }
    const reaching = Object.entries(machine.environment).filter(([name]) => REACHING.test(name))
    const header = credentials && {
      text: `${credentials.user ?? 'x-access-token'}:${tenantSecret(machine, credentials.password, tenant)}`,
    }
    const own: [string, string][] = header
      ? [[`http.${remote}.extraHeader`, `Authorization: Basic ${Buffer.from(header.text).toString('base64')}`]]
      : []
    this.#remote = {
      ...plain,
      ...Object.fromEntries(reaching.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
      ...quiet,
      ...settings(own),
      // No user is there to type anything.
      GIT_ASKPASS: 'true',
      SSH_ASKPASS: 'true',
      GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
    }
    if (!this.#remote['GIT_SSH_COMMAND'] && !this.#remote['GIT_SSH'])
      this.#remote['GIT_SSH_COMMAND'] = 'ssh -oBatchMode=yes'
  }

  /** Rejects when it fails. */
  async local(args: readonly string[], call: GitCall): Promise<string> {
    return (await this.localBytes(args, call)).toString('utf8')
  }

  async localBytes(args: readonly string[], call: GitCall): Promise<Buffer> {
    const { code, out, err } = await this.tryLocal(args, call)
    if (code !== 0) throw new Error(`git ${args[0]}: ${oneLine(withoutSecrets(err, '…'), 500)}`)
    return out
  }

  tryLocal(args: readonly string[], call: GitCall): Promise<ProgramResult> {
    return this.#run(args, call, this.#local, LOCAL_MS)
  }

  /** Rejects with `workspace_unreachable`. */
  async remote(args: readonly string[], call: GitCall): Promise<string> {
    const { code, out, err } = await this.tryRemote(args, call)
    if (code !== 0) throw createUnreachableRemoteError(args[0] ?? '', err)
    return out.toString('utf8')
  }

  tryRemote(args: readonly string[], call: GitCall): Promise<ProgramResult> {
    return this.#run(args, call, this.#remote, REMOTE_MS)
  }

  async #run(
    args: readonly string[],
    call: GitCall,
    env: Readonly<Record<string, string>>,
    timeoutMs: number,
  ): Promise<ProgramResult> {
    const { cwd, gitDir, files, index, borrow, input, signal } = call
    const places = {
      GIT_DIR: gitDir,
      ...(files === undefined ? {} : { GIT_WORK_TREE: files }),
      ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
      ...(borrow === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: borrow }),
    }
    try {
      return await runProgram({
        command: 'git',
        args,
        cwd,
        env: { ...env, ...places },
        signal,
        timeoutMs,
        ...(input === undefined ? {} : { input }),
      })
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOENT') throw error
      throw new KedgeError(
        'workspace_unreachable',
        'Sessions with a git repository need the program git on each machine.',
      )
    }
  }
}

export function createUnreachableRemoteError(what: string, err: string): KedgeError {
  const said = oneLine(withoutSecrets(err, '…'), 500)
  return new KedgeError('workspace_unreachable', `The repository of the session did not take part in ${what}: ${said}`)
}

const AUTHOR = {
  GIT_AUTHOR_NAME: 'Kedge',
  GIT_AUTHOR_EMAIL: 'kedge@localhost',
  GIT_COMMITTER_NAME: 'Kedge',
  GIT_COMMITTER_EMAIL: 'kedge@localhost',
}

function settings(own: readonly (readonly [string, string])[]): Record<string, string> {
  const all = [...ALWAYS, ...own]
  const numbered = all.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return { ...Object.fromEntries(numbered), GIT_CONFIG_COUNT: String(all.length) }
}
