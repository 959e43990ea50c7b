/** OpenAI's two APIs as a wire: who pays, what is sent, what comes back. Loaded when a model of such a service is first asked. */

import { notLoggedInFailure } from '../client/failure.js'
import type {
  ModelApiAdapter,
  PlannedRequest,
  TokenCountBodyBuilder,
  WrittenRequest,
} from '../client/model-api-adapter.js'
import { parseJson } from '../client/parse-json.js'
import { readServerEvents } from '../client/read-sse.js'
import type { ModelRequestPlan } from '../client/request-plan.js'
import { toSendableSecret } from '../messages-api/credentials/credential.js'
import type { ModelRequestSettings } from '../provider.js'
import type { ServiceBodyWriter } from './body-options.js'
import { createChatBodyWriter } from './chat-body.js'
import { createChatStreamReader, messageOfCompletion, STREAM_END } from './chat-events.js'
import { createMissingAbilityTracker } from './compat.js'
import { CHAT_DELTA_FAST_PARSE, createRepeatedEventParser, RESPONSES_DELTA_FAST_PARSE } from './repeated-events.js'
import { createResponsesBodyWriter } from './responses-body.js'
import { createResponsesStreamReader, messageOfResponse, type ServiceStreamReader } from './responses-events.js'
import { createSentToolNames } from './sent-names.js'
import { nameAtService, type Service } from './service.js'
import { serviceFailure } from './service-failure.js'
import { type ServiceModelFacts, serviceModelFacts } from './service-models.js'

export type ServiceApiAdapterConfig = {
  service: Service
  env: Readonly<Record<string, string | undefined>>
  /** Ours, for the user agent. */
  version: string
  sessionId: string
  maxOutputTokens: number | null
  newId(): string
}

/** A wire is for one answer: it knows which model is asked. What it learns, it shares with the others of the service. */
export function createServiceApiAdapters(config: ServiceApiAdapterConfig): (model: string) => ModelApiAdapter {
  const { service, env } = config
  const compat = createMissingAbilityTracker(service)
  const names = createSentToolNames()
  const bodies = new Map<string, ServiceBodyWriter>()
  const isChat = service.api === 'chat'
  const url = new URL(`${service.baseUrl.href.replace(/\/$/, '')}${isChat ? '/chat/completions' : '/responses'}`)

  return (model) => {
    const facts = serviceModelFacts(service, model)
    const keptFor = { service: service.name, model }
    const reading = { names, keptFor }
    const bodyOf = (): ServiceBodyWriter => {
      const known = bodies.get(model)
      if (known) return known
      const options = { facts, compat, names, keptFor, sessionId: config.sessionId }
      const body = isChat ? createChatBodyWriter(options) : createResponsesBodyWriter(options)
      bodies.set(model, body)
      return body
    }
    return {
      async open() {
        const secret = keyOf(service, env)
        const secrets = [...(secret === undefined ? [] : [secret]), ...Object.values(service.headers)]
        if (secret === undefined && !service.isLocal && !carriesKey(service))
          return { ok: false, failure: notLoggedInFailure(missingKey(service)), secrets }
        const write = ({ request, plan, streamed }: PlannedRequest) => ({
          url,
          headers: headersOf(config, secret),
          body: bodyOf().write(request, plan, streamed),
        })
        return {
          ok: true,
          secrets,
          write,
          // Only OpenAI itself is known to count.
          ...(service.name === 'openai' &&
            !isChat && {
              count: (asked: PlannedRequest, bodies: TokenCountBodyBuilder) => countOf(write(asked), bodies),
            }),
        }
      },
      plan: (name, settings) => planFor(nameAtService(service, name), settings, facts, config.maxOutputTokens),
      events(contentType, chunks) {
        if (contentType !== 'text/event-stream') return undefined
        const reader = isChat ? createChatStreamReader(reading, config.newId) : createResponsesStreamReader(reading)
        const parse = isChat
          ? createRepeatedEventParser(parseChat, CHAT_DELTA_FAST_PARSE)
          : createRepeatedEventParser(parseJson, RESPONSES_DELTA_FAST_PARSE)
        return read(readServerEvents(chunks, parse), reader)
      },
      message: (answer) =>
        isChat ? messageOfCompletion(answer, reading, config.newId) : messageOfResponse(answer, reading),
      trouble: serviceFailure,
      learn(refusal) {
        if (!compat.learn(refusal)) return false
        // What was written of the history may hold what is not taken.
        bodies.clear()
        return true
      },
    }
  }
}

const COUNTED = ['model', 'input', 'instructions', 'tools', 'reasoning', 'text', 'tool_choice']

/** As the Responses API counts what a model would read. */
function countOf({ url, headers, body }: WrittenRequest, { some }: TokenCountBodyBuilder) {
  return {
    written: { url: new URL(`${url.href}/input_tokens`), headers, body: some(body, COUNTED) },
    field: 'input_tokens',
  }
}

function parseChat(data: string): unknown {
  return data.trim() === '[DONE]' ? STREAM_END : parseJson(data)
}

async function* read(
  batches: AsyncIterable<readonly unknown[]>,
  reader: ServiceStreamReader,
): AsyncGenerator<unknown[]> {
  for await (const batch of batches) {
    for (const event of batch) reader.push(event)
    yield reader.take()
  }
  reader.end()
  yield reader.take()
}

/** More than is asked for, because thinking counts as output here. */
const ROOM_TO_THINK = 8192

function planFor(
  model: string,
  settings: ModelRequestSettings,
  facts: ServiceModelFacts,
  maxOutputTokens: number | null,
): ModelRequestPlan {
  const { maxTokens, thinking, effort } = settings
  const wanted = maxTokens === undefined ? undefined : maxTokens + (facts.reasoning ? ROOM_TO_THINK : 0)
  return {
    model,
    maxTokens: Math.min(wanted ?? maxOutputTokens ?? facts.outputLimit, facts.outputLimit),
    thinking: facts.reasoning && thinking?.type !== 'disabled' ? { type: 'adaptive' } : null,
    effort: effort ?? null,
    fast: false,
    taskBudget: null,
    betas: [],
    longContext: false,
  }
}

function headersOf({ service, version }: ServiceApiAdapterConfig, secret: string | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': `kedge/${version}`,
    ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
    ...service.headers,
  }
}

function keyOf({ keyVariable }: Service, env: ServiceApiAdapterConfig['env']): string | undefined {
  const value = keyVariable === undefined ? undefined : env[keyVariable]
  return value === undefined || value.trim() === '' ? undefined : toSendableSecret(value)
}

function carriesKey({ headers }: Service): boolean {
  return Object.keys(headers).some((name) => /^(?:authorization|api-key|x-api-key)$/i.test(name))
}

function missingKey({ name, keyVariable }: Service): string {
  return keyVariable === undefined
    ? `modelProviders.${name}.apiKeyEnv (user settings) isn't set.`
    : `${keyVariable} isn't set.`
}
