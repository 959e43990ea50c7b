/** A service that speaks one of OpenAI's APIs, as a provider. What speaks is loaded when it is first asked something. */

import type { Wire } from '../client/api-wire.js'
import type { ClientLimits } from '../client/client.js'
import { createModelClient } from '../client/client.js'
import { joinTraffic } from '../policy/traffic.js'
import type { ModelKnowledge, Provider, ProviderSetup } from '../provider.js'
import type { Service } from './service.js'
import { serviceModelFacts } from './service-models.js'

const SMALL_WINDOW = 32_768

export function createServiceProvider(
  setup: ProviderSetup,
  service: Service,
  limits: ClientLimits & { maxOutputTokens: number | null },
  /** Aliases may stand for models of a service. */
  { resolve, choices }: Pick<ModelKnowledge, 'resolve' | 'choices'>,
): Provider {
  const { platform, env, version, sessionId, ledger } = setup
  const { identity, network } = platform
  let loaded: Promise<(model: string) => Wire> | undefined
  const wires = () => {
    loaded ??= import('./openai-wire.js').then(({ createServiceWires }) =>
      createServiceWires({
        ...{ service, env, version, sessionId, maxOutputTokens: limits.maxOutputTokens },
        newId: () => `call_${identity.hex(24)}`,
      }),
    )
    return loaded
  }
  if (service.keyVariable !== undefined) setup.onKeyVariable?.(service.keyVariable)
  const facts = (model: string) => serviceModelFacts(service, model)
  const source = service.keyVariable !== undefined && env[service.keyVariable]?.trim() ? service.keyVariable : 'none'
  const client = {
    ...{ platform, ledger, limits, network, settings: setup.settings },
    traffic: joinTraffic({
      ...{ clock: platform.clock, limits: setup.limits, service: service.name, session: sessionId },
      where: service.baseUrl.origin,
    }),
    wire: async (model: string) => (await wires())(model),
    resolve,
  }
  return {
    name: 'openai',
    port: createModelClient(client),
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
            ? [`${model} reads ${contextWindow} tokens only: long work is summarised often.`]
            : []),
      ]
    },
    async fixFor(failure, model) {
      const { serviceFix } = await import('./service-fix.js')
      return serviceFix(failure, model, service)
    },
  }
}
