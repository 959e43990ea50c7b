/** Checks whether there is a key, where it comes from, and whether the endpoint answers. Keys are never shown. */

import { classifyHttpError, classifyResponse, redactSecrets } from '../../model/client/failure.js'
import { loadCloudFactory } from '../../model/clouds/load-cloud-factory.js'
import {
  DEFAULT_BASE_URL,
  joinEndpointPath,
  type ModelEnvironment,
  readModelEnvironment,
} from '../../model/messages-api/client-environment.js'
import type { Credential } from '../../model/messages-api/credentials/credential.js'
import { createKeyHelper } from '../../model/messages-api/credentials/key-helper.js'
import { createCredentialSource } from '../../model/messages-api/credentials/resolve.js'
import { readUserSettings } from '../../model/messages-api/credentials/user-settings.js'
import { hasCredentialHeader, requestHeaders, secretsToRedact } from '../../model/messages-api/headers.js'
import { resolveModel } from '../../model/model-facts.js'
import type { Cloud } from '../../model/provider.js'
import { withFirstAbort } from '../../platform/first-abort.js'
import { HttpError } from '../../platform/http/http.js'
import { type NetworkSettings, readNetworkSettings } from '../../platform/network/network.js'
import { nameOfProxy } from '../../platform/network/proxies.js'
import type { Platform } from '../../platform/platform.js'
import { VERSION } from '../../platform/version.js'
import { MISSING_KEY_HELP } from '../../protocol/shown/fix-words.js'
import { messageOf } from '../../protocol/thrown.js'
import { checkCloud, probeCloud } from './cloud-check.js'
import { createFindingFactory, type DoctorFinding, failureFixForShell } from './finding.js'

type Machine = {
  env: NodeJS.ProcessEnv
  home: string
  configDir: string
  cwd: string
  offline: boolean
  servers?: readonly URL[]
}

const TIMEOUT_MS = 10_000
const SET_KEY = 'set ANTHROPIC_API_KEY, or try Kedge without a key: kedge --model practice'
const NO_KEY = 'no API key yet. Try Kedge without one: kedge --model practice. For a real model, set ANTHROPIC_API_KEY.'

export async function checkModelEndpoint(machine: Machine, platform: Platform): Promise<DoctorFinding[]> {
  const { env } = machine
  let environment: ModelEnvironment
  let network: NetworkSettings
  let cloud: Cloud | undefined
  try {
    environment = readModelEnvironment(env)
    network = await readNetworkSettings(env, platform.files)
    cloud = await findCloud(machine, { ...platform, network })
    network.proxyFor(cloud?.endpoint().baseUrl ?? environment.baseUrl)
  } catch (error) {
    return [createFindingFactory('environment').fail(messageOf(error), 'correct or unset that variable')]
  }
  if (cloud) {
    const { baseUrl } = cloud.endpoint()
    return [
      ...(await checkCloud(cloud)),
      ...checkProxy(env, network, [baseUrl, ...(machine.servers ?? [])]),
      machine.offline ? notAsked(baseUrl) : await probeCloud(cloud, network, platform),
    ]
  }
  const credential = await findCredential(machine, environment, platform)
  return [
    ...checkKey(credential, environment),
    ...checkProxy(env, network, [environment.baseUrl, ...(machine.servers ?? [])]),
    ...(await checkAddress(machine, environment, credential, network, platform)),
  ]
}

/** Without a key, nobody needs the default endpoint: another model may be all that is used. */
async function checkAddress(
  { offline }: Machine,
  environment: ModelEnvironment,
  credential: Credential,
  network: NetworkSettings,
  platform: Platform,
): Promise<DoctorFinding[]> {
  const { baseUrl, customHeaders } = environment
  const isDefault = baseUrl.href === new URL(DEFAULT_BASE_URL).href
  if (isDefault && credential.kind === 'none' && !hasCredentialHeader(customHeaders)) return []
  return [offline ? notAsked(baseUrl) : await askEndpoint(environment, credential, network, platform)]
}

function notAsked({ host }: URL): DoctorFinding {
  return createFindingFactory('endpoint').ok(`${host} not checked (--offline)`)
}

async function findCloud({ env, home, configDir, cwd }: Machine, platform: Platform): Promise<Cloud | undefined> {
  const make = await loadCloudFactory(env)
  return make?.({ env, home, configDir, cwd, platform, sessionId: '', version: VERSION, onAuthStatus: () => {} })
}

function findCredential(machine: Machine, environment: ModelEnvironment, platform: Platform): Promise<Credential> {
  const { env, home, configDir, cwd } = machine
  const { files, clock, processes } = platform
  return createCredentialSource({
    env,
    home,
    configDir,
    files,
    clock,
    readUserSettings: () => readUserSettings(platform, configDir),
    helper: createKeyHelper({ processes, clock, env, cwd, ttlMs: environment.apiKeyHelperTtlMs }),
  }).current()
}

function checkKey(credential: Credential, { baseUrl, customHeaders }: ModelEnvironment): DoctorFinding[] {
  const { ok, note, warn, fail } = createFindingFactory('key')
  if (credential.kind === 'none') {
    if (hasCredentialHeader(customHeaders)) return [ok('in ANTHROPIC_CUSTOM_HEADERS')]
    const found = credential.explanation.split('\n').filter((line) => line !== MISSING_KEY_HELP)
    return found.length === 0 ? [note(NO_KEY)] : [fail(`none that can be used: ${found.join(' ')}`, SET_KEY)]
  }
  const { secret, source, kind } = credential
  // Enough to see that it was cut off when it was copied; nothing of the key itself.
  const about = `${kind === 'bearer' ? 'bearer token' : 'key'} of ${source}, ${secret.length} characters`
  const isOurs = baseUrl.host === new URL(DEFAULT_BASE_URL).host
  if (/^["'].*["']$/.test(secret)) return [warn(`${about}, with quotes around it`, `remove the quotes from ${source}`)]
  if (isOurs && kind === 'api-key' && !secret.startsWith('sk-ant-')) {
    return [
      warn(`${about}; it doesn't start with sk-ant-`, 'copy it again: https://console.anthropic.com/settings/keys'),
    ]
  }
  return [ok(about)]
}

/** Which way each host goes, where there is more than one. */
function checkProxy(env: NodeJS.ProcessEnv, network: NetworkSettings, addresses: readonly URL[]): DoctorFinding[] {
  const { ok, fail } = createFindingFactory('proxy')
  if (!Object.keys(env).some((name) => /^(?:https?|all)_proxy$/i.test(name) && env[name]?.trim())) return []
  return [...new Map(addresses.map((url) => [url.host, url])).values()].map((url) => {
    try {
      const proxy = network.proxyFor(url)
      return ok(`${url.host}: ${proxy ? `through ${nameOfProxy(proxy)}` : 'direct'}`)
    } catch (error) {
      return fail(`${url.host}: ${messageOf(error)}`)
    }
  })
}

async function askEndpoint(
  environment: ModelEnvironment,
  credential: Credential,
  network: NetworkSettings,
  { http, clock }: Platform,
): Promise<DoctorFinding> {
  const { ok, warn, fail } = createFindingFactory('endpoint')
  const { baseUrl, customHeaders } = environment
  const usable = credential.kind === 'none' ? null : credential
  const proxy = network.proxyFor(baseUrl)
  const facts = {
    model: resolveModel(undefined, environment.aliases),
    baseUrl,
    ownEndpoint: baseUrl.href !== new URL(DEFAULT_BASE_URL).href,
    keySource: usable?.source ?? ('none' as const),
    ...(proxy && { proxy }),
  }
  const started = clock.monotonic()
  try {
    const request = {
      method: 'GET' as const,
      url: joinEndpointPath(baseUrl, '/v1/models?limit=1'),
      headers: requestHeaders(VERSION, usable, [], environment),
      timeoutMs: TIMEOUT_MS,
      network,
    }
    const response = await withFirstAbort([], TIMEOUT_MS, (signal) => http.request({ ...request, signal }))
    const { status, headers } = response
    response.discard()
    const took = `${Math.round(clock.monotonic() - started)} ms`
    if (status < 400) return ok(`${baseUrl.origin} answers in ${took}`)
    if (status === 401 || status === 403) {
      if (!usable && !hasCredentialHeader(customHeaders))
        return ok(`${baseUrl.origin} answers in ${took}, and needs a key`)
      const { failure } = classifyResponse({ status, headers, body: '', model: facts.model, now: clock.now() })
      return fail(
        `${baseUrl.origin} rejected the key (${status})`,
        failureFixForShell({ ...facts, code: failure.code }),
      )
    }
    // Gateways need not list their models.
    if (status === 404 || status === 405) return ok(`${baseUrl.origin} answers in ${took}; it doesn't list its models`)
    return warn(
      `${baseUrl.origin} answered with status ${status}`,
      failureFixForShell({ ...facts, code: 'server_error' }),
    )
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    if (error.code === 'aborted')
      return fail(`${baseUrl.origin}: no answer`, failureFixForShell({ ...facts, code: 'timeout' }))
    const { failure } = classifyHttpError(error)
    const text = redactSecrets(failure.text.replace(/^API Error: /, ''), secretsToRedact(usable, customHeaders))
    return fail(text, failureFixForShell({ ...facts, ...failure }))
  }
}
