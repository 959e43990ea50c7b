/** The Messages API as a provider, set up by the variables its users have. */
import { ConfigurationError } from '../../errors.js'
import type { Environment } from '../../platform/environment.js'
import type { HttpClient } from '../../platform/http/http.js'
import { readSwitch } from '../../platform/switch.js'
import { createModelClient } from '../client/client.js'
import { contextWindowOf, modelChoices, resolveModel } from '../model-facts.js'
import { shareModelTrafficLimits } from '../policy/traffic.js'
import type { Cloud, Provider, ProviderEndpoint, ProviderSetup } from '../provider.js'
import { DEFAULT_BASE_URL, type ModelEnvironment, readModelEnvironment } from './client-environment.js'
import { createKeyHelper } from './credentials/key-helper.js'
import { createCredentialSource } from './credentials/resolve.js'
import { readUserSettings } from './credentials/user-settings.js'
import { createMessagesApiAdapter } from './messages-api-adapter.js'

const LONG_CONTEXT_BETA = 'context-1m-2025-08-07'

/**
 * Creates the provider that serves models through the Messages API. Throws a `ConfigurationError` for a variable that
 * means nothing.
 */
export function createMessagesProvider(setup: ProviderSetup): Provider {
  const { env, platform, ledger, sessionId } = setup
  const environment = readModelEnvironment(env)
  if (setup.cloud) {
    const cloud = setup.cloud(setup)
    if (setup.batch) throw batchesUnsupportedError(cloud.about.title)
    return createCloudProvider(setup, environment, cloud)
  }
  const { aliases, baseUrl } = environment
  const credentials = findCredentials(setup, environment)
  const resolve = (name: string | undefined) => resolveModel(name, aliases)
  const endpoint = describeEndpoint(baseUrl, setup.env)
  const wire = createMessagesApiAdapter({
    environment,
    sessionId,
    version: setup.version,
    credential: credentials.current,
    onCredentialRefused: credentials.forget,
    userId: `${setup.home}:${platform.identity.uid ?? ''}`,
    services: Object.keys(setup.services ?? {}),
  })
  const client = {
    ledger,
    resolve,
    limits: environment,
    settings: setup.settings,
    network: platform.network,
    ...(setup.batch ? { platform: { ...platform, http: batchHttp(setup) }, whole: true } : { platform }),
    traffic: shareModelTrafficLimits({
      clock: platform.clock,
      limits: setup.limits,
      service: 'anthropic',
      session: sessionId,
      where: baseUrl.origin,
    }),
    wire: () => wire,
  }
  return {
    name: 'messages-api',
    port: createModelClient(client),
    countTokens: async (request, signal) =>
      (await import('../client/count-tokens.js')).countTokens(client, request, signal),
    models: {
      resolve,
      contextWindow: windowOf(setup),
      choices: (current) => modelChoices(current, aliases),
      small(current) {
        const named = smallModel(env)
        return named === undefined && !current.startsWith('claude-') ? undefined : resolve(named ?? 'haiku')
      },
    },
    ...(setup.batch && { notices: () => [BATCHES] }),
    credentials: credentials.told,
    endpoint: () => endpoint,
    async fixFor(failure, model) {
      const proxy = platform.network.proxyFor(baseUrl)
      const { fixForFailure } = await import('./failure-fix.js')
      const keySource = credentials.source()
      return fixForFailure({
        ...failure,
        model,
        baseUrl,
        ownEndpoint: endpoint.isOwn,
        keySource,
        services: Object.keys(setup.services ?? {}),
        ...(proxy && { proxy }),
      })
    },
  }
}

const BATCHES = 'Answers come by batches, at half the price: each can take minutes, or hours, and a day at most.'

export function batchesUnsupportedError(title: string): ConfigurationError {
  return new ConfigurationError('batch', `batch: there are no batches of messages for ${title}; use the Messages API.`)
}

function batchHttp({ platform, configDir }: ProviderSetup): HttpClient {
  const { http, clock, files } = platform
  const ports = { http, clock, files, folder: `${configDir}/kedge-batches` }
  return {
    request: async (request) => (await import('./batch-http.js')).requestByBatch(request, ports),
    close: () => http.close(),
  }
}

/** The same models, spoken to in the way of a cloud. */
function createCloudProvider(setup: ProviderSetup, environment: ModelEnvironment, cloud: Cloud): Provider {
  const { platform, ledger, settings } = setup
  const { resolve, small, aliases } = cloud.models
  const isSaid = Boolean(setup.env['KEDGE_STREAM_IDLE_MS']?.trim())
  const limits = { ...environment, ...(cloud.idleMs && !isSaid ? { streamIdleMs: cloud.idleMs } : {}) }
  const client = {
    platform,
    ledger,
    resolve,
    limits,
    settings,
    network: platform.network,
    traffic: shareModelTrafficLimits({
      clock: platform.clock,
      limits: setup.limits,
      session: setup.sessionId,
      service: cloud.credentials().apiProvider ?? 'anthropic',
      where: cloud.endpoint().baseUrl.origin,
    }),
    wire: () => cloud.wire,
  }
  return {
    name: 'messages-api',
    port: createModelClient(client),
    countTokens: async (request, signal) =>
      (await import('../client/count-tokens.js')).countTokens(client, request, signal),
    models: {
      resolve,
      small,
      contextWindow: windowOf(setup),
      choices: (current) => modelChoices(current, aliases),
    },
    credentials: cloud.credentials,
    endpoint: cloud.endpoint,
    async fixFor(failure, model) {
      const own = cloud.fixFor(failure, model)
      if (own !== undefined) return own
      const { baseUrl, isOwn } = cloud.endpoint()
      const proxy = platform.network.proxyFor(baseUrl)
      const { fixForFailure } = await import('./failure-fix.js')
      return fixForFailure({
        ...failure,
        model,
        baseUrl,
        ownEndpoint: isOwn,
        keySource: 'none',
        ...(proxy && { proxy }),
      })
    },
  }
}

function windowOf({ settings }: ProviderSetup): (model: string) => number {
  return (model) => contextWindowOf(model, settings().betas?.includes(LONG_CONTEXT_BETA))
}

/** The model the environment names for everything. */
export function modelNamedByEnvironment(env: Environment): string | undefined {
  return env.ANTHROPIC_MODEL
}

/** The model the environment names for small questions. */
function smallModel(env: Environment): string | undefined {
  return env.ANTHROPIC_DEFAULT_HAIKU_MODEL?.trim() || env.ANTHROPIC_SMALL_FAST_MODEL?.trim() || undefined
}

function findCredentials({ env, home, configDir, cwd, platform, onAuthStatus }: ProviderSetup, at: ModelEnvironment) {
  const { files, clock, processes } = platform
  return createCredentialSource({
    env,
    home,
    configDir,
    files,
    clock,
    readUserSettings: () => readUserSettings(platform, configDir),
    helper: createKeyHelper({ processes, clock, env, cwd, ttlMs: at.apiKeyHelperTtlMs, onStatus: onAuthStatus }),
  })
}

function describeEndpoint(baseUrl: URL, env: Environment): ProviderEndpoint {
  const isOfficial = /(?:^|\.)anthropic\.com$/.test(baseUrl.hostname)
  const said = env['KEDGE_TOOL_REFERENCES']?.trim()
  return {
    baseUrl,
    isOwn: baseUrl.href !== new URL(DEFAULT_BASE_URL).href,
    isOfficial,
    takesReferences: said ? readSwitch(said) : isOfficial,
  }
}
