/** What a person can do about a failure of such a service. Loaded when one has failed. */
import type { ModelFailure } from '../../engine/ports.js'
import { FIX_WORDS as W } from '../../protocol/shown/fix-words.js'
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
      return `${keyVariable === undefined ? `Name the variable with the key of ${name} in modelProviders.${name}.apiKeyEnv (user settings).` : `Set ${keyVariable} to a key of ${name}.`} To try Kedge without a key, ${W.practice.library}.`
    case 'invalid_api_key':
      return `${baseUrl.host} rejected the key in ${key}. Check that the key is complete and not revoked.`
    case 'permission_denied':
      return `The key in ${key} isn't allowed to do this at ${baseUrl.host}. Use another model or another key.`
    case 'model_not_found':
      return isLocal
        ? `Load ${nameAtService(service, model)} into the server at ${baseUrl.host}. To use a model that it has, ${W.anotherModel.library}.`
        : `${name} doesn't have the model ${nameAtService(service, model)}. To use one that it has, ${W.anotherModel.library}.`
    case 'billing':
      return `The account of ${key} has no credit left at ${name}, or reached its limit. Add credit, or raise the limit.`
    case 'connection_failed':
      return isLocal && reason === 'ECONNREFUSED'
        ? `Nothing listens at ${baseUrl.origin}. Start ${name}, or set its address in modelProviders.${name}.baseUrl.`
        : `${baseUrl.host} can't be reached. Check the network, or modelProviders.${name}.baseUrl.`
    case 'timeout':
      return `${baseUrl.host} didn't answer in time. Try again, or raise API_TIMEOUT_MS.`
    case 'rate_limited':
    case 'overloaded':
      return `${name} is overloaded, or this key sent too many requests. Wait a minute. To use a second model at such times, ${W.fallback.library}.`
    case 'prompt_too_long':
      return `Set contextWindow of ${model} in modelProviders.${name}.models, so Kedge summarizes the conversation in time.`
    default:
      return undefined
  }
}
