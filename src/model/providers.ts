/** The providers there are, and which of them answers for a model. */
import { readModelEnvironment } from './messages-api/client-environment.js'
import { batchesUnsupportedError, createMessagesProvider } from './messages-api/messages-provider.js'
import { createServiceProvider } from './openai/openai-provider.js'
import { findServiceOfModel, type Service } from './openai/service.js'
import { createPracticeProvider, PRACTICE_MODEL } from './practice/practice-provider.js'
import type { Provider, ProviderSetup } from './provider.js'

export type ProviderFactories = {
  'messages-api'(setup: ProviderSetup): Provider
  practice(setup: ProviderSetup): Provider
}

const PROVIDERS: ProviderFactories = { 'messages-api': createMessagesProvider, practice: createPracticeProvider }

export interface Providers {
  /** The one that answers for a model or alias; undefined: for the default. */
  of(model: string | undefined): Provider
}

/** One session may use several: each request goes to the one that has its model. `known` can hold further ones. */
export function createProviders(setup: ProviderSetup, known: ProviderFactories = PROVIDERS): Providers {
  // Set up at once, whatever the model: a variable that means nothing is refused before anything runs.
  const usual = known['messages-api'](setup)
  let practice: Provider | undefined
  const services = new Map<string, Provider>()

  const serviceProvider = (service: Service) =>
    createServiceProvider(setup, service, readModelEnvironment(setup.env), usual.models)

  function serviceFor(model: string): Provider | undefined {
    const { env } = setup
    const service = model.includes('/') ? findServiceOfModel(model, env, setup.services) : undefined
    const isOwn = service && Object.hasOwn(setup.services ?? {}, service.name)
    if (!service || !(isOwn || (setup.isChosen?.(service.name) ?? true))) return undefined
    if (setup.batch) throw batchesUnsupportedError(service.name)
    const provider = services.get(service.name) ?? serviceProvider(service)
    services.set(service.name, provider)
    return provider
  }

  return {
    of(model) {
      if (model === PRACTICE_MODEL) {
        if (setup.batch) throw batchesUnsupportedError('the practice model')
        practice ??= known.practice(setup)
        return practice
      }
      // The alias of the environment may stand for a model of a service.
      const name = model === undefined || model.includes('/') ? model : usual.models.resolve(model)
      return serviceFor(name ?? usual.models.resolve(undefined)) ?? usual
    },
  }
}
