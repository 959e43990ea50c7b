/** What pays for the sessions: the API key in the environment, or an endpoint from the client. Kedge has no login. */

import type {
  AuthAccount,
  AuthMethod,
  AuthStatusResponse,
  ProviderInfo,
  SetProviderRequest,
} from '@agentclientprotocol/sdk/unstable'
import { KedgeError } from '../errors.js'
import { CLOUD_SWITCH_PATTERN } from '../model/clouds/load-cloud-factory.js'
import type { AccountInfo } from '../protocol/options.js'
import type { AcpClientAbilities } from './acp-client.js'
import { readAccountFromEnvironment } from './stored-account.js'

export const MAIN_PROVIDER_ID = 'main'
const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'] as const
const API_KEY = 'api-key'

type Environment = Readonly<Record<string, string | undefined>>

export class ModelCredentials {
  readonly #env: Environment
  #provider: { baseUrl: string; headers: Record<string, string> } | undefined
  #isLoggedOut = false

  constructor(env: Environment) {
    this.#env = env
  }

  methods(client: AcpClientAbilities): AuthMethod[] {
    const key: AuthMethod = {
      id: API_KEY,
      name: 'API key',
      description: 'Set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN where the editor starts `kedge acp`.',
    }
    const check: AuthMethod = {
      type: 'terminal',
      id: 'doctor',
      name: 'Check the set-up',
      args: ['doctor'],
      env: {},
      description: 'Shows which credential is used, and what to do when there is none.',
    }
    return client.terminalLogin ? [key, check] : [key]
  }

  /** What agents are started with; undefined: the environment as it is. */
  get environment(): Record<string, string | undefined> | undefined {
    if (!this.#provider && !this.#isLoggedOut) return undefined
    const env: Record<string, string | undefined> = { ...this.#env }
    for (const key of KEYS) delete env[key]
    // A cloud would be asked instead of the editor's provider, and its login is a key as well.
    for (const name of Object.keys(env)) if (CLOUD_SWITCH_PATTERN.test(name)) delete env[name]
    if (!this.#provider) return env
    const { baseUrl, headers } = this.#provider
    env['ANTHROPIC_BASE_URL'] = baseUrl
    const others: string[] = []
    for (const [name, value] of Object.entries(headers)) {
      const bearer = name.toLowerCase() === 'authorization' ? /^Bearer (.+)$/i.exec(value)?.[1] : undefined
      if (name.toLowerCase() === 'x-api-key') env['ANTHROPIC_API_KEY'] = value
      else if (bearer !== undefined) env['ANTHROPIC_AUTH_TOKEN'] = bearer
      else others.push(`${name}: ${value}`)
    }
    if (others.length > 0) env['ANTHROPIC_CUSTOM_HEADERS'] = others.join('\n')
    return env
  }

  authenticate(method: string): void {
    if (method !== API_KEY)
      throw new KedgeError('invalid_option', `There is no auth method "${method}": use "${API_KEY}".`)
    this.#isLoggedOut = false
  }

  /** The key of the environment is not used any more, until `authenticate`. */
  logout(): void {
    this.#isLoggedOut = true
    this.#provider = undefined
  }

  /** While no agent runs that could say. */
  guess(): AuthStatusResponse {
    const account = readAccountFromEnvironment(this.environment ?? this.#env)
    // The client's provider can take its key in another header.
    return !account || (this.#provider && !hasCredential(account))
      ? { state: 'unknown', accounts: [] }
      : toAuthStatusResponse(account)
  }

  providers(): ProviderInfo[] {
    const current = this.#provider ? { apiType: 'anthropic', baseUrl: this.#provider.baseUrl } : null
    return [{ providerId: MAIN_PROVIDER_ID, supported: ['anthropic'], required: false, current }]
  }

  setProvider({ providerId, apiType, baseUrl, headers = {} }: SetProviderRequest): void {
    checkProvider(providerId)
    if (apiType !== 'anthropic')
      throw new KedgeError('invalid_option', `Endpoints of type "${apiType}" are not supported: use "anthropic".`)
    if (!/^https?:\/\//.test(baseUrl))
      throw new KedgeError('invalid_option', `baseUrl must be an http(s) address, not "${baseUrl}".`)
    for (const text of Object.entries(headers).flat())
      if (/[\r\n\0]/.test(text)) throw new KedgeError('invalid_option', "Headers can't contain line breaks.")
    this.#provider = { baseUrl, headers }
  }

  disableProvider(providerId: string): void {
    checkProvider(providerId)
    this.#provider = undefined
  }
}

function checkProvider(providerId: string): void {
  if (providerId !== MAIN_PROVIDER_ID)
    throw new KedgeError('invalid_option', `Unknown provider "${providerId}". The only one is "${MAIN_PROVIDER_ID}".`)
}

export function hasCredential({ apiKeySource, tokenSource }: AccountInfo): boolean {
  return (
    (apiKeySource !== undefined && apiKeySource !== 'none') || (tokenSource !== undefined && tokenSource !== 'none')
  )
}

export function toAuthStatusResponse(account: AccountInfo): AuthStatusResponse {
  if (account.apiKeySource === 'practice') return { state: 'not_required', accounts: [] }
  if (!hasCredential(account)) return { state: 'unauthenticated', accounts: [] }
  const { email, organization, subscriptionType, tokenSource, apiKeySource } = account
  const shown: AuthAccount = {
    label: subscriptionType ?? [tokenSource, apiKeySource].find((one) => one && one !== 'none') ?? 'API key',
    active: true,
    ...(email === undefined ? {} : { email }),
    ...(organization === undefined ? {} : { organization }),
  }
  return { state: 'authenticated', accounts: [shown] }
}
