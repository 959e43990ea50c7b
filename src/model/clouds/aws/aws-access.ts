/** The three doors of AWS: the runtime of Bedrock with its frames, Mantle, and the vendor's platform there; the last two stream as the vendor does. */
import type { ModelFailure } from '../../../engine/ports.js'
import { ConfigurationError } from '../../../errors.js'
import type { FailedHttpResponse } from '../../client/failure.js'
import type { BodyPiece } from '../../client/model-api-adapter.js'
import { readServerEvents } from '../../client/read-sse.js'
import type { ModelRequestPlan } from '../../client/request-plan.js'
import { joinEndpointPath, nonBlankVariable } from '../../messages-api/client-environment.js'
import { splitLongContextSuffix } from '../../model-facts.js'
import type { CloudSetup } from '../../provider.js'
import { type CloudChoice, isSwitchedOn } from '../choose.js'
import { type CloudAccess, type CloudRequestShape, tokenCountBody, withoutVendorBetas } from '../cloud-api-adapter.js'
import { customCloudUrl, readEnumVariable, readRegionName } from '../cloud-environment.js'
import { isMantleModelId } from '../cloud-ids.js'
import { type AwsAuth, createAwsCredentials } from './aws-credentials.js'
import { classifyAwsFailure, isClockRefusal, isCredentialRefusal } from './aws-trouble.js'
import { readAwsEventFrames } from './frames.js'
import { createSigner, encodeStrictly, type Signer } from './signer.js'

const FRAMES = 'application/vnd.amazon.eventstream'
/** Bedrock takes what a request may answer off the quota before it starts, five times over: a large limit uses it up at once. */
const USUAL_MAX_TOKENS = 16_000
/** Signatures count for five minutes. */
const MOST_SKEW_MS = 240_000

type Kind = 'runtime' | 'mantle' | 'platform'

const SERVICE: Readonly<Record<Kind, string>> = {
  runtime: 'bedrock',
  mantle: 'bedrock-mantle',
  platform: 'aws-external-anthropic',
}

export type AwsAccess = CloudAccess & { baseUrl: URL; isOwn: boolean; source(): string; variable: string }

export function createAwsAccess(
  setup: CloudSetup,
  choice: CloudChoice,
  region: string,
  wireId: (model: string) => string,
): AwsAccess {
  const { env, platform } = setup
  const { clock } = platform
  const usual: Kind = choice.cloud === 'bedrock' ? 'runtime' : choice.cloud === 'mantle' ? 'mantle' : 'platform'
  const tier = readEnumVariable(env, 'ANTHROPIC_BEDROCK_SERVICE_TIER', ['default', 'flex', 'priority'])
  const takesAnything = isSwitchedOn(env, 'CLAUDE_CODE_DISABLE_BEDROCK_CONTENT_TYPE_GUARD')
  const workspace = usual === 'platform' ? readWorkspace(env) : undefined
  const own = readCustomAddresses(env)
  const credentials = createAwsCredentials(setup, {
    skip: isSwitchedOn(env, SKIP[usual]),
    key:
      usual === 'platform'
        ? { variable: 'ANTHROPIC_AWS_API_KEY', kind: 'x-api-key' }
        : { variable: 'AWS_BEARER_TOKEN_BEDROCK', kind: 'bearer' },
    region,
  })
  const small = smallRegion(setup)
  let skew = 0
  let last = { kind: '', message: '' }
  let isLate = false

  function kindOf(model: string): Kind {
    return usual === 'runtime' && choice.withMantle && isMantleModelId(model) ? 'mantle' : usual
  }
  function form(
    plan: ModelRequestPlan,
    streamed: boolean,
    auth: AwsAuth,
    signer: Signer | undefined,
  ): CloudRequestShape {
    const model = wireId(plan.model)
    const kind = kindOf(model)
    const place = (kind === 'runtime' && small(plan.model)) || region
    const base = own[kind] ?? new URL(addressOf(kind, place))
    const url = kind === 'runtime' ? runtimeUrl(base, model, streamed) : joinEndpointPath(base, '/v1/messages')
    return {
      url,
      head: kind === 'runtime' ? runtimeHead(plan) : headOf(model),
      isBinary: streamed && usual === 'runtime',
      saysStream: kind !== 'runtime',
      headers: {
        ...(kind === 'runtime'
          ? { 'anthropic-version': undefined, accept: streamed ? FRAMES : 'application/json' }
          : {}),
        ...(kind === 'runtime' && tier ? { 'x-amzn-bedrock-service-tier': tier } : {}),
        ...(workspace ? { 'anthropic-workspace-id': workspace } : {}),
        ...(auth.kind === 'bearer' ? { authorization: `Bearer ${auth.secret}` } : {}),
        ...(auth.kind === 'x-api-key' ? { 'x-api-key': auth.secret } : {}),
      },
      ...(signer
        ? {
            sign: (headers: Readonly<Record<string, string>>, body: readonly BodyPiece[], other = url) =>
              signer.sign({
                url: other,
                headers,
                body,
                service: SERVICE[kind],
                region: place,
                now: clock.now() + skew,
              }),
          }
        : {}),
      count: countForm(kind, base, model),
    }
  }

  return {
    baseUrl: own[usual] ?? new URL(addressOf(usual, region)),
    isOwn: own[usual] !== undefined,
    variable: ADDRESS[usual],
    source: credentials.source,
    ...(usual === 'platform' ? {} : { usualMaxTokens: USUAL_MAX_TOKENS }),
    async open(signal) {
      const auth = await credentials.current(signal)
      if (auth.kind === 'missing') return { ok: false, reason: auth.reason }
      const signer = auth.kind === 'keys' ? createSigner(auth.keys) : undefined
      return { ok: true, secrets: secretsOf(auth), form: (plan, streamed) => form(plan, streamed, auth, signer) }
    },
    adapt(plan) {
      const kind = kindOf(wireId(plan.model))
      // The platform is the vendor's own, betas included.
      if (kind === 'platform') return plan
      const known = withoutVendorBetas(plan)
      // The runtime lists no such field, and refuses fields that it does not list.
      return kind === 'runtime' ? { ...known, withoutMetadata: true } : known
    },
    events(contentType, chunks) {
      if (contentType === 'text/event-stream') return readServerEvents(usual === 'runtime' ? asText(chunks) : chunks)
      if (contentType === FRAMES) return readAwsEventFrames(chunks)
      return takesAnything && contentType !== 'application/json' ? readAwsEventFrames(chunks) : undefined
    },
    trouble(response) {
      const { trouble, kind, message } = classifyAwsFailure(response)
      last = { kind, message }
      isLate = noteClock(response, kind, message)
      return trouble
    },
    refused({ status }: ModelFailure) {
      if (isLate) return true
      return isCredentialRefusal(status, last.kind, last.message) && credentials.refused()
    },
  }

  /** True: the clock here was wrong, and is allowed for from now on. */
  function noteClock({ headers, now }: FailedHttpResponse, kind: string, message: string): boolean {
    if (!isClockRefusal(kind, message)) return false
    const theirs = Date.parse(headers['date'] ?? '')
    if (Number.isNaN(theirs) || Math.abs(theirs - (now + skew)) < MOST_SKEW_MS) return false
    skew = theirs - now
    return true
  }
}

const ADDRESS: Readonly<Record<Kind, string>> = {
  runtime: 'ANTHROPIC_BEDROCK_BASE_URL',
  mantle: 'ANTHROPIC_BEDROCK_MANTLE_BASE_URL',
  platform: 'ANTHROPIC_AWS_BASE_URL',
}
function readCustomAddresses(env: CloudSetup['env']): Record<Kind, URL | undefined> {
  return {
    runtime: customCloudUrl(env, ADDRESS.runtime),
    mantle: customCloudUrl(env, ADDRESS.mantle),
    platform: customCloudUrl(env, ADDRESS.platform),
  }
}

const SKIP: Readonly<Record<Kind, string>> = {
  runtime: 'CLAUDE_CODE_SKIP_BEDROCK_AUTH',
  mantle: 'CLAUDE_CODE_SKIP_MANTLE_AUTH',
  platform: 'CLAUDE_CODE_SKIP_ANTHROPIC_AWS_AUTH',
}

function addressOf(kind: Kind, region: string): string {
  if (kind === 'runtime') return `https://bedrock-runtime.${region}.amazonaws.com`
  return kind === 'mantle'
    ? `https://bedrock-mantle.${region}.api.aws/anthropic`
    : `https://aws-external-anthropic.${region}.api.aws`
}

function runtimeUrl(base: URL, model: string, streamed: boolean): URL {
  return joinEndpointPath(
    base,
    `/model/${encodeStrictly(model)}/${streamed ? 'invoke-with-response-stream' : 'invoke'}`,
  )
}

/** Bedrock counts for models alone, not for profiles; what a profile of one's own stands for is not known. */
function countForm(kind: Kind, base: URL, model: string): CloudRequestShape['count'] {
  if (kind === 'platform')
    return { url: joinEndpointPath(base, '/v1/messages/count_tokens'), body: tokenCountBody, field: 'input_tokens' }
  const bare = model.replace(/^(?:us|eu|apac|jp|au|global|us-gov)\.(?=anthropic\.)/, '')
  if (kind === 'mantle' || !bare.startsWith('anthropic.')) return undefined
  return {
    url: joinEndpointPath(base, `/model/${encodeStrictly(bare)}/count-tokens`),
    body: (written, { text }) => [JSON.stringify({ input: { invokeModel: { body: base64(text(written)) } } })],
    field: 'inputTokens',
  }
}

function base64(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** The model is in the address, and betas are no header. */
function runtimeHead({ betas }: ModelRequestPlan): string {
  const listed = betas.length > 0 ? `,"anthropic_beta":${JSON.stringify(betas)}` : ''
  return `{"anthropic_version":"bedrock-2023-05-31"${listed}`
}

function headOf(model: string): string {
  return `{"model":${JSON.stringify(model)}`
}

function readWorkspace(env: CloudSetup['env']): string {
  const workspace = nonBlankVariable(env, 'ANTHROPIC_AWS_WORKSPACE_ID')?.trim()
  const name = 'ANTHROPIC_AWS_WORKSPACE_ID'
  if (workspace === undefined)
    throw new ConfigurationError(name, `${name} must be set with CLAUDE_CODE_USE_ANTHROPIC_AWS.`)
  if (/^[\w-]+$/.test(workspace)) return workspace
  throw new ConfigurationError(name, `${name} is not the id of a workspace.`)
}

/** The small model may be in another region. */
function smallRegion({ env }: CloudSetup): (model: string) => string | undefined {
  const place = readRegionName(nonBlankVariable(env, 'ANTHROPIC_SMALL_FAST_MODEL_AWS_REGION'))
  const names = ['ANTHROPIC_DEFAULT_HAIKU_MODEL', 'ANTHROPIC_SMALL_FAST_MODEL'].map((name) =>
    nonBlankVariable(env, name)?.trim(),
  )
  return (model) => (names.some((name) => name && splitLongContextSuffix(name).id === model) ? place : undefined)
}

function secretsOf(auth: AwsAuth): string[] {
  if (auth.kind === 'keys') {
    const { accessKeyId, secretAccessKey, sessionToken } = auth.keys
    return [accessKeyId, secretAccessKey, ...(sessionToken === undefined ? [] : [sessionToken])]
  }
  return auth.kind === 'bearer' || auth.kind === 'x-api-key' ? [auth.secret] : []
}

/** A gateway may stream as the vendor does: then the bytes are text. */
async function* asText(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    yield decoder.decode(
      Uint8Array.from(chunk, (one) => one.charCodeAt(0)),
      { stream: true },
    )
  }
}
