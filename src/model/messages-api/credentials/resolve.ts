/** Finds the credential of a session: environment, then configuration files, then the user's helper command. */
import type { Clock } from '../../../platform/clock.js'
import type { ApiKeySource } from '../../../protocol/messages.js'
import type { Environment } from '../client-environment.js'
import { type Credential, cleanSecret, noCredential, type UsableCredential } from './credential.js'
import type { KeyHelper } from './key-helper.js'
import { describeLogins, findStoredKey, type StoredPlaces } from './stored.js'

export type CredentialOptions = StoredPlaces & {
  env: Environment
  clock: Pick<Clock, 'now'>
  /** The user's own settings only: a project must not be able to name a command that prints keys. */
  readUserSettings?(): { apiKeyHelper?: unknown } | undefined
  helper?: KeyHelper
}

export interface CredentialSource {
  current(): Promise<Credential>
  /** Where `current()` will look first, without running anything. */
  source(): ApiKeySource
  /** The API refused the credential: don't serve a kept one again. */
  forget(): void
}

/** Files are read when first needed, and only when the environment has nothing. */
export function createCredentialSource(options: CredentialOptions): CredentialSource {
  const fromEnvironment = readEnvironment(options.env)
  let stored: UsableCredential | null | undefined

  function immediate(): UsableCredential | null {
    if (fromEnvironment.credential) return fromEnvironment.credential
    if (stored === undefined) {
      const secret = findStoredKey(options)
      stored = secret === undefined ? null : { kind: 'api-key', secret, source: 'config_file' }
    }
    return stored
  }
  function helperCommand(): string | undefined {
    const command = options.helper ? options.readUserSettings?.()?.apiKeyHelper : undefined
    return typeof command === 'string' && command.trim() !== '' ? command : undefined
  }

  return {
    async current() {
      const known = immediate()
      if (known) return known
      const command = helperCommand()
      const answer = command === undefined ? undefined : await options.helper?.run(command)
      if (answer?.ok) return { kind: 'api-key', secret: answer.secret, source: 'apiKeyHelper' }
      const found = [...fromEnvironment.problems, ...(answer ? [answer.reason] : [])]
      return noCredential([...found, ...describeLogins(options, options.clock)])
    },
    source() {
      return immediate()?.source ?? (helperCommand() === undefined ? 'none' : 'apiKeyHelper')
    },
    forget() {
      stored = undefined
      options.helper?.forget()
    },
  }
}

const VARIABLES = [
  { name: 'ANTHROPIC_API_KEY', kind: 'api-key' },
  { name: 'ANTHROPIC_AUTH_TOKEN', kind: 'bearer' },
  { name: 'CLAUDE_API_KEY', kind: 'api-key' },
] as const

function readEnvironment(env: Environment): { credential: UsableCredential | null; problems: string[] } {
  const problems: string[] = []
  for (const { name, kind } of VARIABLES) {
    const value = env[name]
    if (value === undefined || value.trim() === '') continue
    const secret = cleanSecret(value)
    if (secret !== undefined) return { credential: { kind, secret, source: name }, problems }
    problems.push(`${name} holds characters that no key has.`)
  }
  return { credential: null, problems }
}
