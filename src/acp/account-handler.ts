/** Payment for one client's sessions: API keys, sign-in, and other providers. */
import type { AgentContext, AuthStatusResponse, SetProviderRequest } from '@agentclientprotocol/sdk/unstable'
import { methods } from '@agentclientprotocol/sdk/unstable'
import type { LocalAgents } from '../hub/sessions.js'
import type { AccountInfo } from '../protocol/options.js'
import { type ModelCredentials, toAuthStatusResponse } from './credentials.js'
import { createAuthRequiredError } from './request-errors.js'
import type { AcpSession } from './sessions/acp-session.js'

export type AcpAccountPorts = {
  /** Undefined: sessions run on other machines, whose credentials are not known here. */
  agents: LocalAgents | undefined
  context: AgentContext
  credentials: ModelCredentials
  /** What new sessions begin with. */
  model: string | undefined
  env: Readonly<Record<string, string | undefined>>
  sessions(): Iterable<AcpSession>
  /** Its options count from now on, or from its next prompt. */
  apply(session: AcpSession): Promise<void>
}

export class AcpAccountHandler {
  readonly #ports: AcpAccountPorts
  /** As the last agent knew it. */
  known: AccountInfo | undefined
  #wantsStatus = false

  constructor(ports: AcpAccountPorts) {
    this.#ports = ports
  }

  async authenticate(method: string): Promise<Record<string, never>> {
    const { credentials } = this.#ports
    credentials.authenticate(method)
    await this.#renew()
    if ((await this.authStatus()).state === 'unauthenticated') throw createAuthRequiredError()
    return {}
  }

  async logout(): Promise<Record<string, never>> {
    this.#ports.credentials.logout()
    await this.#renew()
    return {}
  }

  /** Returns the status, and notifies the client of every later change. */
  async askAuthStatus(): Promise<AuthStatusResponse> {
    this.#wantsStatus = true
    return this.authStatus()
  }

  async authStatus(): Promise<AuthStatusResponse> {
    const { agents } = this.#ports
    if (!agents) return { state: 'unknown', accounts: [] }
    const [session] = this.#ports.sessions()
    if (!session) {
      if (this.#ports.model === 'practice') return toAuthStatusResponse({ apiKeySource: 'practice' })
      return this.known ? toAuthStatusResponse(this.known) : this.#ports.credentials.guess()
    }
    const agent = await agents.agent(session.id)
    return toAuthStatusResponse(await agent.accountInfo())
  }

  providers() {
    return { providers: this.#ports.credentials.providers() }
  }

  async setProvider(request: SetProviderRequest): Promise<Record<string, never>> {
    this.#ports.credentials.setProvider(request)
    await this.#renew()
    return {}
  }

  async disableProvider({ providerId }: { providerId: string }): Promise<Record<string, never>> {
    this.#ports.credentials.disableProvider(providerId)
    await this.#renew()
    return {}
  }

  /** The next prompt of every session goes by the new credential. */
  async #renew(): Promise<void> {
    const { credentials } = this.#ports
    this.known = undefined
    for (const session of this.#ports.sessions()) {
      session.use({ ...session.options, env: credentials.environment ?? this.#ports.env }, {})
      await this.#ports.apply(session)
    }
    if (!this.#wantsStatus) return
    await this.#ports.context.notify(methods.client.auth.statusUpdate, await this.authStatus()).catch(() => {})
  }
}
