/** Google's door to the models: the model is in the address, the version in the body, and the stream is the vendor's. */
import { ConfigurationError } from '../../../errors.js'
import { isObject } from '../../../protocol/json.js'
import { type ClassifiedFailure, classifyResponse, type FailedHttpResponse } from '../../client/failure.js'
import { parseJson } from '../../client/parse-json.js'
import { joinEndpointPath, nonBlankVariable } from '../../messages-api/client-environment.js'
import { toSendableSecret } from '../../messages-api/credentials/credential.js'
import type { CloudSetup } from '../../provider.js'
import { isSwitchedOn } from '../choose.js'
import { type CloudAccess, readVendorEvents, withoutVendorBetas } from '../cloud-api-adapter.js'
import { customCloudUrl, readRegionName } from '../cloud-environment.js'
import { listVertexRegionVariables } from '../cloud-ids.js'
import { createGoogleCredentials } from './google-credentials.js'

const VERSION = 'vertex-2023-10-16'

export type VertexAccess = CloudAccess & { baseUrl: URL; isOwn: boolean; source(): string; variable: string }

export function vertexRegion(env: CloudSetup['env']): { name: string; from: string } {
  const name = readRegionName(nonBlankVariable(env, 'CLOUD_ML_REGION'))
  return name === undefined ? { name: 'us-east5', from: 'the default' } : { name, from: 'CLOUD_ML_REGION' }
}

export function createVertexAccess(setup: CloudSetup, region: string, wireId: (model: string) => string): VertexAccess {
  const { env } = setup
  const variable = 'ANTHROPIC_VERTEX_BASE_URL'
  const own = customCloudUrl(env, variable)
  const skip = isSwitchedOn(env, 'CLAUDE_CODE_SKIP_VERTEX_AUTH')
  const named = ['GCLOUD_PROJECT', 'GOOGLE_CLOUD_PROJECT'].map((name) => nonBlankVariable(env, name)).find(Boolean)
  const other = nonBlankVariable(env, 'ANTHROPIC_VERTEX_PROJECT_ID')
  for (const project of [named, other]) checkProject(project)
  const credentials = createGoogleCredentials(setup, named === undefined && other === undefined)
  const gatewayToken = toSendableSecret(nonBlankVariable(env, 'ANTHROPIC_AUTH_TOKEN') ?? '')
  const placeOf = (model: string) =>
    listVertexRegionVariables(model)
      .map((name) => readRegionName(nonBlankVariable(env, name)))
      .find(Boolean) ?? region
  const hosts = (place: string) => own ?? new URL(`https://${hostOf(place)}/v1`)

  return {
    baseUrl: hosts(region),
    isOwn: own !== undefined,
    variable,
    source: () => (skip ? 'the gateway' : 'google'),
    async open(signal) {
      const found = skip ? undefined : await credentials.current(signal)
      if (found && 'reason' in found) return { ok: false, reason: found.reason }
      const project = named ?? found?.project ?? other
      if (project === undefined) {
        return { ok: false, reason: 'No project is named: set ANTHROPIC_VERTEX_PROJECT_ID or GOOGLE_CLOUD_PROJECT.' }
      }
      const secret = found?.token ?? gatewayToken
      return {
        ok: true,
        secrets: secret === undefined ? [] : [secret],
        form(plan, streamed) {
          const place = placeOf(plan.model)
          const id = wireId(plan.model)
          const model = encodeURIComponent(id).replaceAll('%40', '@')
          const models = `/projects/${encodeURIComponent(project)}/locations/${place}/publishers/anthropic/models`
          const at = `${models}/${model}`
          return {
            url: joinEndpointPath(hosts(place), `${at}:${streamed ? 'streamRawPredict' : 'rawPredict'}`),
            head: `{"anthropic_version":"${VERSION}"`,
            saysStream: true,
            headers: {
              'anthropic-version': undefined,
              ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
            },
            count: {
              url: joinEndpointPath(hosts(place), `${models}/count-tokens:rawPredict`),
              body: (written, { messages }) => messages(written, { model: id }),
              field: 'input_tokens',
            },
          }
        },
      }
    },
    adapt: withoutVendorBetas,
    events: readVendorEvents,
    trouble: googleTrouble,
    refused({ status }) {
      if (status !== 401 || skip) return false
      credentials.refused()
      return true
    },
  }
}

function hostOf(region: string): string {
  if (region === 'global') return 'aiplatform.googleapis.com'
  return region === 'us' || region === 'eu'
    ? `aiplatform.${region}.rep.googleapis.com`
    : `${region}-aiplatform.googleapis.com`
}

const STATUS: Readonly<Record<string, number>> = {
  RESOURCE_EXHAUSTED: 429,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAVAILABLE: 529,
  DEADLINE_EXCEEDED: 504,
  INTERNAL: 500,
}

/** Its own errors come in a list where the answer would have been streamed; those of the vendor as the vendor has them. */
function googleTrouble(response: FailedHttpResponse): ClassifiedFailure {
  const parsed = parseJson(response.body)
  const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed
  const error = isObject(first) && isObject(first['error']) ? first['error'] : undefined
  const name = error?.['status']
  const status = typeof name === 'string' ? STATUS[name] : undefined
  const trouble = classifyResponse({
    ...response,
    body: first === undefined ? response.body : JSON.stringify(first),
    ...(status === undefined ? {} : { status }),
  })
  // A quota by the minute, whatever it is called: waiting does help.
  if (status !== 429) return trouble
  const failure = { ...trouble.failure, kind: 'unknown' as const, code: 'rate_limited' }
  return { ...trouble, failure, retry: { ...trouble.retry, retriable: true, overloaded: !trouble.retry.retryAfterMs } }
}

function checkProject(project: string | undefined): void {
  if (project === undefined || /^[\w.:-]+$/.test(project.trim())) return
  throw new ConfigurationError(
    'ANTHROPIC_VERTEX_PROJECT_ID',
    'The project of Google Cloud has characters that no project has.',
  )
}
