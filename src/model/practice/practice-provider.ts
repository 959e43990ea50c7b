/** The offline stand-in as a provider: one model, no key, no address. What answers is loaded when it is first asked something. */
import type { ModelPort } from '../../engine/ports.js'
import { contextWindowOf, modelChoices } from '../model-facts.js'
import type { Provider, ProviderSetup } from '../provider.js'

/** The name of its one model. */
export const PRACTICE_MODEL = 'practice'

export function createPracticeProvider({ cwd, ledger }: Pick<ProviderSetup, 'cwd' | 'ledger'>): Provider {
  let loaded: Promise<ModelPort> | undefined
  return {
    name: 'practice',
    port: {
      async *stream(request, signal) {
        loaded ??= import('./practice.js').then(({ createPracticeModel }) => createPracticeModel({ cwd, ledger }))
        yield* (await loaded).stream(request, signal)
      },
    },
    models: {
      resolve: () => PRACTICE_MODEL,
      contextWindow: (model) => contextWindowOf(model),
      choices: (current) => modelChoices(current),
      small: () => undefined,
    },
    credentials: () => ({ source: 'practice', tokenSource: 'none' }),
    endpoint: () => ({ isOwn: false, isOfficial: false }),
    fixFor: async () => undefined,
  }
}
