/** A service that speaks one of OpenAI's APIs, as a provider. What speaks is loaded when it is first asked something. */

import type { ClientLimits } from '../client/client.js'
import { createModelClient } from '../client/client.js'
import type { ModelApiAdapter } from '../client/model-api-adapter.js'
import { splitLongContextSuffix } from '../model-facts.js'
import { shareModelTrafficLimits } from '../policy/traffic.js'
import type { ModelKnowledge, Provider, ProviderSetup } from '../provider.js'
import type { Service } from './service.js'
import { serviceModelFacts } from './service-models.js'

const SMALL_WINDOW = 32_768
const WINDOWS_MS = 5000

export function createServiceProvider(
  setup: ProviderSetup,
  service: Service,
  limits: ClientLimits & { maxOutputTokens: number | null },
  /** Aliases may stand for models of a service. */
  { resolve, choices }: Pick<ModelKnowledge, 'resolve' | 'choices'>,
): Provider {
  const { platform, env, version, sessionId, ledger } = setup
  const { identity, network } = platform
  let loaded: Promise<(model: string) => ModelApiAdapter> | undefined
  const wires = () => {
    loaded ??= import('./service-api-adapter.js').then(({ createServiceApiAdapters }) =>
      createServiceApiAdapters({
        service,
        env,
        version,
        sessionId,
        maxOutputTokens: limits.maxOutputTokens,
        newId: () => `call_${identity.hex(24)}`,
      }),
    )
    return loaded
  }
  if (service.keyVariable !== undefined) setup.onKeyVariable?.(service.keyVariable)
  /** What the service itself says its models can read, by model. */
  let told: ReadonlyMap<string, number> | undefined
  const facts = (model: string) => {
    const known = serviceModelFacts(service, model)
    const window = known.isGuess ? told?.get(splitLongContextSuffix(model).id) : undefined
    return window === undefined ? known : { ...known, contextWindow: window, isGuess: false }
  }
  /** Once, beside the first request and without holding it up: a guess is good enough until the conversation is long. */
  const askWindows = async () => {
    told = new Map()
    const { listServiceModels } = await import('./list-service-models.js')
    const controller = new AbortController()
    const cancel = platform.clock.after(WINDOWS_MS, () => controller.abort())
    const { signal } = controller
    const list = await listServiceModels(service, { platform, env, version, network, signal }).finally(cancel)
    if (list.ok)
      told = new Map(list.models.flatMap(({ id, contextWindow: size }) => (size === null ? [] : [[id, size]])))
  }
  const source = service.keyVariable !== undefined && env[service.keyVariable]?.trim() ? service.keyVariable : 'none'
  const client = {
    platform,
    ledger,
    limits,
    network,
    settings: setup.settings,
    traffic: shareModelTrafficLimits({
      clock: platform.clock,
      limits: setup.limits,
      service: service.name,
      session: sessionId,
      where: service.baseUrl.origin,
    }),
    wire: async (model: string) => (await wires())(model),
    resolve,
  }
  const port = createModelClient(client)
  return {
    name: 'openai',
    port: {
      stream(request, signal) {
        if (!told && serviceModelFacts(service, resolve(request.model)).isGuess) void askWindows()
        return port.stream(request, signal)
      },
    },
    countTokens: async (request, signal) =>
      (await import('../client/count-tokens.js')).countTokens(client, request, signal),
    models: {
      resolve,
      contextWindow: (model) => facts(model).contextWindow,
      choices,
      small: () => undefined,
    },
    credentials: () => ({ source: 'none', tokenSource: source }),
    endpoint: () => ({ baseUrl: service.baseUrl, isOwn: true, isOfficial: false }),
    notices(model) {
      const { images, tools, contextWindow, isGuess } = facts(model)
      const at = `modelProviders.${service.name}.models`
      return [
        ...(tools ? [] : [`${model} can not call tools: it can only answer from what it is told.`]),
        ...(images ? [] : [`${model} can not see: images are left out, and it is told so.`]),
        ...(isGuess
          ? [
              `How much ${model} can read is not known: ${contextWindow} tokens are assumed. Set contextWindow in ${at}.`,
            ]
          : contextWindow < SMALL_WINDOW
            ? [`${model} reads ${contextWindow} tokens only: long work is summarized often.`]
            : []),
      ]
    },
    async fixFor(failure, model) {
      const { adviseOnServiceFailure } = await import('./service-fix.js')
      return adviseOnServiceFailure(failure, model, service)
    },
  }
}
