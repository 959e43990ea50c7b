/** Services of other vendors that are set up: is there a key, does the address answer, and what can be said of its models? */

import { listServiceModels } from '../../model/openai/list-service-models.js'
import { type ConfiguredServices, type Service, servicesInUse } from '../../model/openai/service.js'
import { withFirstAbort } from '../../platform/first-abort.js'
import { readNetworkSettings } from '../../platform/network/network.js'
import type { Platform } from '../../platform/platform.js'
import { VERSION } from '../../platform/version.js'
import { messageOf } from '../../protocol/thrown.js'
import { createFindingFactory, type DoctorFinding } from './finding.js'

const TIMEOUT_MS = 5000

type Machine = {
  env: NodeJS.ProcessEnv
  /** The setting `modelProviders`. */
  own: ConfiguredServices | undefined
  model: string | undefined
  offline: boolean
}

export async function checkModelServices(
  { env, own, model, offline }: Machine,
  platform: Platform,
): Promise<DoctorFinding[]> {
  let services: Service[]
  try {
    services = servicesInUse(env, own, model === undefined ? [] : [model])
  } catch (error) {
    return [createFindingFactory('service').fail(messageOf(error), 'correct that setting or variable')]
  }
  if (services.length === 0) return []
  const network = await readNetworkSettings(env, platform.files).catch(() => undefined)
  return Promise.all(services.map((service) => check(service, env)))

  async function check(service: Service, variables: NodeJS.ProcessEnv): Promise<DoctorFinding> {
    const { ok, warn, fail } = createFindingFactory('service')
    const { name, keyVariable, baseUrl, isLocal, headers } = service
    const hasKey = keyVariable !== undefined && Boolean(variables[keyVariable]?.trim())
    const key = hasKey ? `, key of ${keyVariable}` : ''
    if (!hasKey && !isLocal && Object.keys(headers).length === 0) {
      const where = keyVariable ?? `the variable that modelProviders.${name}.apiKeyEnv names`
      return fail(`${name}: no key for ${baseUrl.origin}`, `set ${where}`)
    }
    if (offline) return ok(`${name}: ${baseUrl.origin} not checked (--offline)${key}`)
    const options = { platform, env: variables, version: VERSION, network }
    const list = await withFirstAbort([], TIMEOUT_MS, (signal) => listServiceModels(service, { ...options, signal }))
    if (list.ok) return ok(`${name}: ${baseUrl.origin} has ${list.models.length} models${key}`)
    if (list.status === 401 || list.status === 403)
      return fail(`${name}: ${list.problem}${key}`, `set ${keyVariable ?? 'its variable'} to a valid key of ${name}`)
    // Not every server lists what it has.
    if (list.status !== null && list.status < 500) return ok(`${name}: ${list.problem}${key}`)
    return warn(`${name}: ${list.problem}`, isLocal ? `start ${name}, or correct its address` : undefined)
  }
}
