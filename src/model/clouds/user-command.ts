/** Commands of the user's own settings that log in to a cloud or print its credentials. */

import { readUserSettings } from '../messages-api/credentials/user-settings.js'
import type { CloudSetup } from '../provider.js'

export type CredentialCommandName = 'awsAuthRefresh' | 'awsCredentialExport' | 'gcpAuthRefresh'

export type CredentialCommandResult = { ok: true; stdout: string } | { ok: false; reason: string }

/** Somebody may have to confirm it in a browser. */
const LOGIN_MS = 180_000
const EXPORT_MS = 30_000
const MOST_LINES = 200

/**
 * Returns the user's own command for a cloud's credentials. Undefined: the settings name none. A project's never
 * count.
 */
export function findCredentialCommand(
  { platform, configDir }: CloudSetup,
  name: CredentialCommandName,
): string | undefined {
  const command = readUserSettings(platform, configDir)?.[name]
  return typeof command === 'string' && command.trim() !== '' ? command : undefined
}

/** What a login prints is shown as it comes: it may be the address to open. What an export prints is a secret, and is not. */
export async function runCredentialCommand(
  setup: CloudSetup,
  name: CredentialCommandName,
  command: string,
  signal: AbortSignal,
): Promise<CredentialCommandResult> {
  const isLogin = name !== 'awsCredentialExport'
  const output: string[] = []
  const decoder = new TextDecoder()
  const tell = (isAuthenticating: boolean, error?: string) =>
    setup.onAuthStatus({ isAuthenticating, output: [...output], ...(error === undefined ? {} : { error }) })
  const ended = (reason: string): CredentialCommandResult => {
    tell(false, `${name} ${reason}`)
    return { ok: false, reason: `${name} ${reason}` }
  }
  tell(true)
  try {
    const limit = isLogin ? LOGIN_MS : EXPORT_MS
    const result = await setup.platform.processes.run({
      // The setting is a shell command line by definition, written by the user.
      command: 'bash',
      args: ['-c', command],
      cwd: setup.cwd,
      env: setup.env,
      timeoutMs: limit,
      signal,
      maxBytes: 65_536,
      ...(isLogin
        ? { merge: true, onOutput: (chunk: Uint8Array) => show(decoder.decode(chunk, { stream: true })) }
        : {}),
    })
    if (result.aborted) return ended('was interrupted.')
    if (result.timedOut) return ended(`took longer than ${limit / 1000} s.`)
    if (result.exitCode !== 0) return ended(`ended with exit code ${result.exitCode ?? 'none: it was killed'}.`)
    tell(false)
    return { ok: true, stdout: result.stdout }
  } catch {
    return ended('could not be started.')
  }

  function show(text: string): void {
    output.push(...text.split(/\r?\n/).filter((line) => line.trim() !== ''))
    output.splice(0, output.length - MOST_LINES)
    tell(true)
  }
}
