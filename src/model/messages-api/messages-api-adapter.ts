/** The Messages API as its vendor and its gateways speak it. */

import { classifyResponse, notLoggedInFailure } from '../client/failure.js'
import type { ModelApiAdapter, PlannedRequest } from '../client/model-api-adapter.js'
import { readServerEvents } from '../client/read-sse.js'
import { planRequest } from '../client/request-plan.js'
import { createBodyWriter, type MessagesBodyOptions } from './body.js'
import { DEFAULT_BASE_URL, joinEndpointPath, type ModelEnvironment } from './client-environment.js'
import type { Credential } from './credentials/credential.js'
import { apiUserId, hasCredentialHeader, requestHeaders, secretsToRedact } from './headers.js'
import { createRefusedFeatures } from './refusals.js'

export type MessagesApiAdapterConfig = {
  environment: ModelEnvironment
  credential(): Credential | Promise<Credential>
  /** The API refused it. */
  onCredentialRefused?(): void
  /** Ours, for the user agent. */
  version: string
  /** Any text that stays the same for a user; only a hash of it is sent. */
  userId: string
  sessionId: string
  /** Names of the setting `modelProviders`. */
  services?: readonly string[]
}

export function createMessagesApiAdapter(config: MessagesApiAdapterConfig): ModelApiAdapter {
  const { environment } = config
  // What variables say of abilities is for the names of clouds, of which nothing is known.
  const { customHeaders, abilities: _, ...limits } = environment
  const url = joinEndpointPath(environment.baseUrl, '/v1/messages?beta=true')
  const userId = apiUserId(config.userId, config.sessionId)
  const refusals = createRefusedFeatures()
  const without: MessagesBodyOptions = {}
  let writer = createBodyWriter(without)
  return {
    async open(_signal, model) {
      const credential = await config.credential()
      const usable = credential.kind === 'none' ? null : credential
      const secrets = secretsToRedact(usable, customHeaders)
      if (credential.kind === 'none' && !hasCredentialHeader(customHeaders)) {
        const misspelled = model === undefined ? undefined : await explainModel(model, config)
        return { ok: false, failure: misspelled ?? notLoggedInFailure(credential.explanation), secrets }
      }
      const write = ({ request, plan, streamed }: PlannedRequest) => ({
        url,
        headers: requestHeaders(config.version, usable, plan.betas, environment),
        body: writer.write(request, plan, userId, streamed),
      })
      return {
        ok: true,
        secrets,
        write,
        count(asked, bodies) {
          const { headers, body } = write(asked)
          const place = joinEndpointPath(environment.baseUrl, '/v1/messages/count_tokens?beta=true')
          return { written: { url: place, headers, body: bodies.messages(body) }, field: 'input_tokens' }
        },
      }
    },
    plan: (model, settings) => refusals.without(planRequest(model, settings, limits)),
    events: (contentType, chunks) => (contentType === 'text/event-stream' ? readServerEvents(chunks) : undefined),
    message: (answer) => answer,
    trouble: classifyResponse,
    learn(refusal, sent, messages) {
      const learned = refusals.learn(refusal, sent, messages)
      if (learned === 'signed thinking') without.withoutThinking = true
      if (learned === 'tool references') without.withoutReferences = true
      if (learned === 'signed thinking' || learned === 'tool references') writer = createBodyWriter(without)
      return learned !== undefined
    },
    credentialRefused({ status }) {
      if (status === 401) config.onCredentialRefused?.()
      return false
    },
  }
}

/** A misspelled name is the nearer cause: with a key, such as that of another service, it would be refused as well. */
async function explainModel(model: string, { environment, services }: MessagesApiAdapterConfig) {
  const { unknownModelFailure } = await import('./unknown-model.js')
  return unknownModelFailure({ model, services, ownEndpoint: environment.baseUrl.href !== DEFAULT_BASE_URL_HREF })
}

const DEFAULT_BASE_URL_HREF = new URL(DEFAULT_BASE_URL).href
