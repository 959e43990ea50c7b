/** What a row of the escape tables is made of. */
import { existsSync, readFileSync } from 'node:fs'
import type { SandboxSettings } from '../../src/protocol/options.js'
import type { SandboxRequest } from '../../src/sandbox/sandbox-request.js'
import { type Outcome, SECRET, type Stage } from './stage.js'

export type Escape = {
  name: string
  /**
   * For bash, in the project. Targets are in variables, see stage.ts. It does no harm when it succeeds, also as root: the
   * sandbox may be broken when this runs.
   */
  script: string
  /** Run afterwards, in the same way: some attempts only prepare the ground. */
  next?: string
  /** Did it get out? By default: it printed `ESCAPED`. */
  escaped?: (stage: Stage, outcome: Outcome) => boolean | Promise<boolean>
  /** It `works` outside the sandbox; or why that is not tried. Without this an attempt may fail for any reason. */
  control: 'works' | 'works for root' | { untried: string }
  /** There is no safe way to run it, which must be said. */
  refused?: RegExp
  prepare?: (stage: Stage) => void | Promise<void>
  cleanUp?: (stage: Stage) => void
  request?: (stage: Stage) => Partial<SandboxRequest>
  settings?: SandboxSettings
  needs?: readonly Need[]
  /** Opened by whoever starts the command, and handed on as descriptor 23. */
  descriptor?: (stage: Stage) => string
  /** Standard input and output are a terminal. */
  terminal?: boolean
}

export type Need = 'perl' | 'git' | 'script' | 'setpriv' | 'ipv6' | 'started as root'

export const HARM = { untried: 'would change the machine' }
export const VARIES = { untried: 'not every machine has it' }

/** Numbers of system calls, for Perl's `syscall`. */
export const CALL = {
  x64: {
    mmap: 9,
    read: 0,
    clone: 56,
    unshare: 272,
    ptrace: 101,
    mount: 165,
    setns: 308,
    addKey: 248,
    perf: 298,
    nameToHandle: 303,
    openByHandle: 304,
    bpf: 321,
    userfaultfd: 323,
  },
  arm64: {
    mmap: 222,
    read: 63,
    clone: 220,
    unshare: 97,
    ptrace: 117,
    mount: 40,
    setns: 268,
    addKey: 217,
    perf: 241,
    nameToHandle: 264,
    openByHandle: 265,
    bpf: 280,
    userfaultfd: 282,
  },
}[process.arch === 'x64' ? 'x64' : 'arm64']

export const perl = (program: string) => `perl -e '${program}'`
export const callSucceeds = (call: string) => perl(`print "ESCAPED\\n" if ${call} >= 0`)

export const planted = (stage: Stage) => existsSync(stage.at('outside/planted'))
export const changed = (stage: Stage) => contentOf(stage.at('outside/file')) !== 'original'
export const toldSecret = (_: Stage, outcome: Outcome) => outcome.stdout.includes(SECRET)
export const exists = (path: string) => (stage: Stage) => existsSync(stage.at(path))
export const contains = (path: string, text: string) => (stage: Stage) => contentOf(stage.at(path)).includes(text)

export const visited = (kind: Parameters<Stage['visits']>[0]) => async (stage: Stage) => {
  // What was sent may not have arrived yet.
  for (let turn = 0; turn < 20 && stage.visits(kind) === 0; turn++) await new Promise((r) => setTimeout(r, 5))
  return stage.visits(kind) > 0
}

export function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
