/** Finds the credential of a session: environment, then configuration files, then the user's helper command. */
import type { Clock } from '../../../platform/clock.js'
import type { Environment } from '../../../platform/environment.js'
import type { ApiKeySource } from '../../../protocol/messages.js'
import { type Credential, createMissingCredential, toSendableSecret, type UsableCredential } from './credential.js'
import type { KeyHelper } from './key-helper.js'
import { describeLogins, findStoredKey, type LoginLocations } from './stored.js'

export type CredentialOptions = LoginLocations & {
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
  /** The same as hosts are told it: of a key, and of a bearer token. */
  told(): { source: ApiKeySource; tokenSource: string }
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

  const source = () => immediate()?.source ?? (helperCommand() === undefined ? 'none' : 'apiKeyHelper')

  return {
    async current() {
      const known = immediate()
      if (known) return known
      const command = helperCommand()
      const answer = command === undefined ? undefined : await options.helper?.run(command)
      // Nobody says which of the two it is: it goes into both headers.
      if (answer?.ok) return { kind: 'api-key', secret: answer.secret, token: answer.secret, source: 'apiKeyHelper' }
      const found = [...fromEnvironment.problems, ...(answer ? [answer.reason] : [])]
      return createMissingCredential([...found, ...describeLogins(options, options.clock)])
    },
    source,
    told() {
      const found = source()
      const known = immediate()
      if (known?.kind === 'bearer') return { source: 'none', tokenSource: found }
      if (known?.token !== undefined) return { source: found, tokenSource: TOKEN }
      return { source: found, tokenSource: found === 'apiKeyHelper' ? found : 'none' }
    },
    forget() {
      stored = undefined
      options.helper?.forget()
    },
  }
}

const TOKEN = 'ANTHROPIC_AUTH_TOKEN'
const KEYS = ['ANTHROPIC_API_KEY', 'CLAUDE_API_KEY'] as const

/** As observed: a key and a token that are both set are both sent, each in the header of its kind. */
function readEnvironment(env: Environment): { credential: UsableCredential | null; problems: string[] } {
  const problems: string[] = []
  const read = (name: (typeof KEYS)[number] | typeof TOKEN): string | undefined => {
    const value = env[name]
    if (value === undefined || value.trim() === '') return undefined
    const secret = toSendableSecret(value)
    if (secret === undefined) problems.push(`${name} holds characters that no key has.`)
    return secret
  }
  const token = read(TOKEN)
  const named = KEYS[0]
  const key = read(named)
  if (key !== undefined) {
    return { credential: { kind: 'api-key', secret: key, source: named, ...(token && { token }) }, problems }
  }
  if (token !== undefined) return { credential: { kind: 'bearer', secret: token, source: TOKEN }, problems }
  const other = read(KEYS[1])
  return { credential: other === undefined ? null : { kind: 'api-key', secret: other, source: KEYS[1] }, problems }
}
