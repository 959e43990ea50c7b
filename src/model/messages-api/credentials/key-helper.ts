/** `apiKeyHelper`: the user's own command that prints a key. Run with a limit, its answer kept for a while. */
import type { Clock } from '../../../platform/clock.js'
import type { ProcessRunner } from '../../../platform/processes/processes.js'
import { printableText } from '../../../platform/visible-text.js'
import { redactSecrets } from '../../client/failure.js'
import { toSendableSecret } from './credential.js'

export const HELPER_TIMEOUT_MS = 10_000

/** What a host is told around a run (`auth_status`). Never the key. */
export type KeyHelperStatus = { isAuthenticating: boolean; output: string[]; error?: string }

export type KeyHelperOptions = {
  processes: ProcessRunner
  clock: Pick<Clock, 'monotonic'>
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  ttlMs: number
  /** Ends a run that is under way. */
  signal?: AbortSignal
  onStatus?(status: KeyHelperStatus): void
}

export type KeyHelperResult = { ok: true; secret: string } | { ok: false; reason: string }

export interface KeyHelper {
  /** Never throws. Callers that come while a run is under way share it. */
  run(command: string): Promise<KeyHelperResult>
  /** The key was refused: ask the command again next time. */
  forget(): void
}

export function createKeyHelper(options: KeyHelperOptions): KeyHelper {
  let kept: { command: string; answer: Promise<KeyHelperResult>; until: number } | undefined

  return {
    run(command) {
      if (kept?.command === command && options.clock.monotonic() < kept.until) return kept.answer
      options.onStatus?.({ isAuthenticating: true, output: [] })
      const entry = { command, answer: ask(command, options), until: Number.POSITIVE_INFINITY }
      kept = entry
      void entry.answer.then((answer) => {
        // Only keys are kept; a failure is tried again the next time it matters.
        entry.until = answer.ok ? options.clock.monotonic() + options.ttlMs : 0
        options.onStatus?.({ isAuthenticating: false, output: [], ...(!answer.ok && { error: answer.reason }) })
      })
      return entry.answer
    },
    forget() {
      kept = undefined
    },
  }
}

/** A helper under `set -x`, or a client that shows its request, says what it was to keep to itself. */
async function withoutKeys(line: string, stdout: string, env: KeyHelperOptions['env']): Promise<string> {
  const { withoutSecrets } = await import('../../../platform/secret-shapes.js')
  const given = Object.entries(env).flatMap(([name, value]) => (SECRET_NAME.test(name) && value ? [value] : []))
  // The longest first: a part of one would leave the rest of it there.
  const words = [...given, ...stdout.split(/\s+/)].sort((a, b) => b.length - a.length)
  return printableText(withoutSecrets(redactSecrets(line, words), '[redacted]'), 200)
}

const SECRET_NAME = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH/i

async function ask(command: string, options: KeyHelperOptions): Promise<KeyHelperResult> {
  const failed = (reason: string): KeyHelperResult => ({ ok: false, reason: `apiKeyHelper ${reason}` })
  try {
    const result = await options.processes.run({
      // The setting is a shell command line by definition, written by the user.
      command: 'bash',
      args: ['-c', command],
      cwd: options.cwd,
      env: options.env,
      timeoutMs: HELPER_TIMEOUT_MS,
      maxBytes: 65_536,
      ...(options.signal && { signal: options.signal }),
    })
    if (result.timedOut) return failed(`did not answer within ${HELPER_TIMEOUT_MS / 1000} s.`)
    if (result.exitCode !== 0) {
      // Its stdout may hold a key all the same; only what it said on stderr is repeated, and no key in that either.
      const complaint = await withoutKeys(result.stderr.trim().split('\n').at(-1) ?? '', result.stdout, options.env)
      const end = result.exitCode === null ? 'was killed' : `ended with exit code ${result.exitCode}`
      return failed(complaint === '' ? `${end}.` : `${end}: ${complaint}`)
    }
    const secret = toSendableSecret(result.stdout)
    return secret === undefined ? failed('printed no usable key.') : { ok: true, secret }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'error'
    return failed(`could not be started (${code}).`)
  }
}
