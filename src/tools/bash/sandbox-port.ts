/** The sandbox as Bash needs it. What it is and what it may do is decided elsewhere. */

import type { Environment } from '../../platform/environment.js'
import type { BashInput } from './bash-shapes.js'

export type SandboxPlacement =
  | { where: 'inside' }
  /**
   * `asked`: the call wants it. `excluded`: the user wants it for such commands. `broken`: there is no sandbox that works. The
   * first and the last need a yes that was given for this very call.
   */
  | { where: 'outside'; why: 'asked' | 'excluded' | 'broken' }
  /** It must not run at all. */
  | { where: 'nowhere'; error: string }

export type ShellStart = {
  command: string
  args: readonly string[]
  cwd: string
  env: Environment
  /** The command line the shell is started for. */
  line: string
}

export type SandboxedStart = Pick<ShellStart, 'command' | 'args' | 'env'> & {
  ok: true
  /** To be called when nothing of the command runs any more, or it was not started. Says what of it was undone. */
  finish(): Promise<string[]>
  /** What to make of the output of a command that failed, when the sandbox may be why. */
  explain(output: string): string[]
}

/** One for the session, from its start on. */
export interface BashSandbox {
  /** Finds out whether it works, once. Only then `placeOf` knows. */
  prepare(): Promise<void>
  /** The same for the same call, whenever it is asked. */
  placeOf(input: Pick<BashInput, 'command' | 'dangerouslyDisableSandbox'>): SandboxPlacement
  wrap(start: ShellStart): Promise<SandboxedStart | { ok: false; error: string }>
  /** For the model. */
  readonly rules: {
    /** Hosts that can be reached; undefined: there is no network. */
    hosts: readonly string[] | undefined
    /** Folders commands may write to beside the working directories. */
    writable: readonly string[]
    /** Commands that run outside. */
    excluded: readonly string[]
    /** A call may ask to run outside. */
    mayLeave: boolean
  }
}
