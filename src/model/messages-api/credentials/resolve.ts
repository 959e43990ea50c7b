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
      const command = known && isComplete(known) ? undefined : helperCommand()
      const answer = command === undefined ? undefined : await options.helper?.run(command)
      if (answer?.ok) return withHelped(known, answer.secret)
      if (known) return known
      const found = [...fromEnvironment.problems, ...(answer ? [answer.reason] : [])]
      return noCredential([...found, ...describeLogins(options, options.clock)])
    },
    source,
    told() {
      const known = immediate()
      const helped = helperCommand() === undefined ? 'none' : 'apiKeyHelper'
      if (known?.kind === 'bearer') return { source: helped, tokenSource: TOKEN }
      if (known?.source === 'config_file') return { source: known.source, tokenSource: 'none' }
      return { source: known?.source ?? helped, tokenSource: known?.token === undefined ? helped : TOKEN }
    },
    forget() {
      stored = undefined
      options.helper?.forget()
    },
  }
}

/** A helper has nothing to add to what files hold, or where both headers have something. */
function isComplete({ source, token }: UsableCredential): boolean {
  return source === 'config_file' || token !== undefined
}

/** As observed: what a helper prints goes into both headers, except where the environment has something for one. */
function withHelped(known: UsableCredential | null, helped: string): UsableCredential {
  if (known?.kind === 'api-key') return { ...known, token: helped }
  return { kind: 'api-key', secret: helped, token: known?.secret ?? helped, source: 'apiKeyHelper' }
}

const TOKEN = 'ANTHROPIC_AUTH_TOKEN'
const KEYS = ['ANTHROPIC_API_KEY', 'CLAUDE_API_KEY'] as const

/** As observed: a key and a token that are both set are both sent, each in the header of its kind. */
function readEnvironment(env: Environment): { credential: UsableCredential | null; problems: string[] } {
  const problems: string[] = []
  const read = (name: (typeof KEYS)[number] | typeof TOKEN): string | undefined => {
    const value = env[name]
    if (value === undefined || value.trim() === '') return undefined
    const secret = cleanSecret(value)
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
