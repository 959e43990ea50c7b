/** What the sandbox is asked, what it needs of its surroundings, and what it answers. */

import type { Environment } from '../platform/environment.js'
import type { ProcessRunner } from '../platform/processes/processes.js'
import type { SandboxSettings } from '../protocol/options.js'
import type { PathPattern } from './files/pattern-search.js'
import type { WriteProtection } from './files/protected-names.js'

export type SandboxMachineFacts = {
  /** As `process.platform` and `process.arch` say it. */
  os: string
  architecture: string
  /** `PATH` in it says where bubblewrap is looked for. */
  env: Environment
  home: string | undefined
  /**
   * The session's folder for temporary files of commands, and of nobody else: who writes there from outside may be led
   * elsewhere by a link. If it is not in /tmp, it stands in for /tmp too.
   */
  temporary: string
  /** An existing folder where the sandbox makes one of its own. */
  privateParent: string
  processes: Pick<ProcessRunner, 'run'>
  /** Loads the optional `@anthropic-ai/sandbox-runtime`; absent where it is not installed. */
  loadRuntime?: () => Promise<unknown>
  /** For the commands that try the sandbox out; 5 s if not said. */
  probeTimeoutMs?: number
}

export type SandboxRequest = {
  command: string
  args: readonly string[]
  cwd: string
  env: Environment
  /** Working directories: what the command may write to. Relative paths in settings start at the first. */
  directories: readonly string[]
  /** What is protected inside `directories`, and in the home folder where that is writable. */
  protection?: { project: WriteProtection; home: WriteProtection }
  /** Absolute; not to be changed though inside `directories`: our own program, what we start, settings. */
  protectedPaths?: readonly string[]
  /** Absolute; not to be read: credentials, what rules deny. */
  hiddenPaths?: readonly string[]
  /** The files that are there when the command starts: not to be read, or not to be changed. */
  hiddenPatterns?: readonly PathPattern[]
  protectedPatterns?: readonly PathPattern[]
  /** Absolute; to be read although in a folder the sandbox has its own of, such as /tmp. */
  shownPaths?: readonly string[]
  /** The user wants commands to have their tokens. */
  keepSecrets?: boolean
}

export type SandboxedCommand = {
  ok: true
  command: string
  args: readonly string[]
  env: Environment
  /** What the settings ask for and does not apply here. */
  notes: readonly string[]
  /** To be called when nothing of the command runs any more, or it was not started. Says what it did that was undone. */
  finish(): Promise<string[]>
}

/** Fail closed: the command does not run. `error` says why and what to do about it. */
export type SandboxRefusal = {
  ok: false
  error: string
  /** The user left it open to run commands outside the sandbox, so they may be asked. A yes of before does not count. */
  mayAsk: boolean
}

export type SandboxProbeResult = { ok: true; version: string } | { ok: false; error: string }

export interface Sandbox {
  /** Is the engine there, and does it hold? Found out once. Programs in `directories` are passed by. */
  probe(directories: readonly string[], settings: SandboxSettings | undefined): Promise<SandboxProbeResult>
  wrap(request: SandboxRequest, settings: SandboxSettings | undefined): Promise<SandboxedCommand | SandboxRefusal>
  close(): Promise<void>
}

/** What an engine answers; whether a refusal may be asked about is a matter of settings. */
export type SandboxFailure = { ok: false; error: string }

export interface SandboxEngine {
  probe(directories: readonly string[], settings: SandboxSettings): Promise<SandboxProbeResult>
  /** Only after a probe that went well. */
  wrap(request: SandboxRequest, settings: SandboxSettings): Promise<SandboxedCommand | SandboxFailure>
  close(): Promise<void>
}
