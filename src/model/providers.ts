/** The providers there are, by name, and which of them answers for a model. */
import { createMessagesProvider } from './messages-api/messages-provider.js'
import { createPracticeProvider, PRACTICE } from './practice/practice-provider.js'
import type { Provider, ProviderName, ProviderSetup } from './provider.js'

export type ProviderFactory = (setup: ProviderSetup) => Provider

const PROVIDERS: Readonly<Record<ProviderName, ProviderFactory>> = {
  'messages-api': createMessagesProvider,
  practice: createPracticeProvider,
}

export interface Providers {
  /** The one that answers for a model or alias; undefined: for the default. */
  of(model: string | undefined): Provider
}

/** One session may use several: each request goes to the one that has its model. `known` can hold further ones. */
export function createProviders(
  setup: ProviderSetup,
  known: Readonly<Record<ProviderName, ProviderFactory>> = PROVIDERS,
): Providers {
  // Set up at once, whatever the model: a variable that means nothing is refused before anything runs.
  const usual = known['messages-api'](setup)
  let practice: Provider | undefined
  return {
    of(model) {
      if (model !== PRACTICE) return usual
      practice ??= known.practice(setup)
      return practice
    },
  }
}
