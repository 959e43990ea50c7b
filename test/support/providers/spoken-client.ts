/** A session's model as the agent makes it, for what a user would set; waits take no time and are remembered. */
import type { EngineRequest, ModelEvent, ModelOutcome } from '../../../src/engine/ports.js'
import { loadCloudFactory } from '../../../src/model/clouds/load-cloud-factory.js'
import { createLedger } from '../../../src/model/ledger.js'
import type { CredentialHelperStatus, ModelRequestSettings, ProviderSetup } from '../../../src/model/provider.js'
import { createProviders } from '../../../src/model/providers.js'
import type { Clock } from '../../../src/platform/clock.js'
import { nodePlatform } from '../../../src/platform/node-platform.js'
import { collect, instantClock, outcomeOf, request } from '../client.js'

export type SpokenClientOptions = {
  env: Record<string, string | undefined>
  settings?: ModelRequestSettings
  home?: string
  configDir?: string
  now?: () => number
  modelOverrides?: Record<string, string>
}

export async function spokenClient(options: SpokenClientOptions) {
  const { env, settings = {}, home = '/nonexistent', configDir = '/nonexistent', now } = options
  const clock: Clock & { waits: number[] } = { ...instantClock(), ...(now ? { now } : {}) }
  const platform = { ...nodePlatform(), clock }
  const ledger = createLedger()
  const statuses: CredentialHelperStatus[] = []
  const setup: ProviderSetup = {
    env,
    cwd: process.cwd(),
    home,
    configDir,
    sessionId: 'session-1',
    platform,
    version: '1.2.3',
    ledger,
    settings: () => settings,
    onAuthStatus: (status: CredentialHelperStatus) => void statuses.push(status),
    cloud: await loadCloudFactory(env),
    modelOverrides: options.modelOverrides,
  }
  const provider = createProviders(setup).of(undefined)
  async function ask(
    overrides: Partial<EngineRequest> = {},
    signal = new AbortController().signal,
  ): Promise<{ events: ModelEvent[]; outcome: ModelOutcome }> {
    const events = await collect(provider.port.stream(request({ model: 'sonnet', ...overrides }), signal))
    return { events, outcome: outcomeOf(events) }
  }
  const close = async () => {
    platform.http.close()
    await platform.processes.close()
  }
  return { provider, ask, ledger, waits: clock.waits, statuses, close, [Symbol.asyncDispose]: close }
}
