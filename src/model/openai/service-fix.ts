/** What a person can do about a failure of such a service. Loaded when one has failed. */
import type { ModelFailure } from '../../engine/ports.js'
import { nameAtService, type Service } from './service.js'

export function adviseOnServiceFailure(
  { code, reason = '' }: ModelFailure,
  model: string,
  service: Service,
): string | undefined {
  const { name, keyVariable, baseUrl, isLocal } = service
  const key = keyVariable ?? `the variable named in modelProviders.${name}.apiKeyEnv`
  switch (code) {
    case 'not_authenticated':
      return `Set ${key} to a key of ${name}.`
    case 'invalid_api_key':
      return `${baseUrl.host} refused the key in ${key}: check that it is whole and not revoked.`
    case 'permission_denied':
      return `The key in ${key} may not do this at ${baseUrl.host}: take another model or another key.`
    case 'model_not_found':
      return isLocal
        ? `Load ${nameAtService(service, model)} into the server at ${baseUrl.host}, or choose a model that it has.`
        : `Choose a model that ${name} has: it does not know ${nameAtService(service, model)}.`
    case 'billing':
      return `The account of ${key} has no credit left at ${name}, or reached its limit.`
    case 'connection_failed':
      return isLocal && reason === 'ECONNREFUSED'
        ? `Start ${name}: nothing listens at ${baseUrl.origin}. Another address goes into modelProviders.${name}.baseUrl.`
        : `${baseUrl.host} can't be reached: check the network, or modelProviders.${name}.baseUrl.`
    case 'timeout':
      return `${baseUrl.host} did not answer in time: try again, or raise API_TIMEOUT_MS.`
    case 'rate_limited':
    case 'overloaded':
      return `${name} has too much to do, or this key asks too often: wait, or name a model to fall back to.`
    case 'prompt_too_long':
      return `Set contextWindow of ${model} in modelProviders.${name}.models, so that the conversation is summarized in time.`
    default:
      return undefined
  }
}
