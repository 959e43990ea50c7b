/**
 * Tokens of Microsoft Entra, in the four ways there are without a browser: a secret or a federated token of an application, the
 * identity of the machine, and the Azure command line.
 */
import { withFirstAbort } from '../../../platform/first-abort.js'
import { isObject, type JsonObject } from '../../../protocol/json.js'
import { parseJson } from '../../client/parse-json.js'
import { nonBlankVariable } from '../../messages-api/client-environment.js'
import { toSendableSecret } from '../../messages-api/credentials/credential.js'
import type { CloudSetup } from '../../provider.js'
import type { BearerToken, CredentialSearchOutcome } from '../cached-credential.js'

const RESOURCE = 'https://ai.azure.com'
const AUTHORITY = 'https://login.microsoftonline.com'
const IMDS = 'http://169.254.169.254/metadata/identity/oauth2/token'
const TIMEOUT_MS = 10_000
/** Elsewhere than on such a machine nobody answers there, ever. */
const IMDS_MS = 1_000
const AZ_MS = 30_000
const LONGEST = 65_536

type Way = { name: string; find(): Promise<BearerToken | string> }

export async function findEntraToken(
  setup: CloudSetup,
  signal: AbortSignal,
): Promise<CredentialSearchOutcome<BearerToken>> {
  const reasons: string[] = []
  for (const { name, find } of waysOf(setup, signal)) {
    const found = await find().catch(() => 'no answer')
    if (typeof found !== 'string') return found
    reasons.push(`${name}: ${found}`)
    if (signal.aborted) break
  }
  return { reason: ['Microsoft Entra gave no token.', ...reasons].join('\n') }
}

/** What the environment names comes first, and alone. */
function waysOf(setup: CloudSetup, signal: AbortSignal): Way[] {
  const { env } = setup
  const client = nonBlankVariable(env, 'AZURE_CLIENT_ID')
  const tenant = nonBlankVariable(env, 'AZURE_TENANT_ID')
  const secret = nonBlankVariable(env, 'AZURE_CLIENT_SECRET')
  const file = nonBlankVariable(env, 'AZURE_FEDERATED_TOKEN_FILE')
  if (client && tenant && secret)
    return [
      { name: 'AZURE_CLIENT_SECRET', find: () => grant(setup, signal, tenant, client, { client_secret: secret }) },
    ]
  if (client && tenant && file) {
    const find = async () => {
      const assertion = setup.platform.files.readTextSync(file).trim()
      const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
      return grant(setup, signal, tenant, client, { client_assertion_type: type, client_assertion: assertion })
    }
    return [{ name: 'AZURE_FEDERATED_TOKEN_FILE', find }]
  }
  const identity = nonBlankVariable(env, 'IDENTITY_ENDPOINT')
  if (identity) return [{ name: 'IDENTITY_ENDPOINT', find: () => appService(setup, signal, identity, client) }]
  return [
    { name: 'az account get-access-token', find: () => azureCommand(setup, signal) },
    { name: 'the identity of this machine', find: () => machineIdentity(setup, signal, client) },
  ]
}

async function grant(
  setup: CloudSetup,
  signal: AbortSignal,
  tenant: string,
  client: string,
  proof: Record<string, string>,
): Promise<BearerToken | string> {
  const authority = nonBlankVariable(setup.env, 'AZURE_AUTHORITY_HOST') ?? AUTHORITY
  const url = new URL(`${authority.replace(/\/$/, '')}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`)
  const fields = { grant_type: 'client_credentials', client_id: client, scope: `${RESOURCE}/.default`, ...proof }
  const body = new URLSearchParams(fields).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return readToken(setup, await ask(setup, signal, { url, headers, body }), Object.keys(proof).at(-1) ?? '')
}

async function appService(
  setup: CloudSetup,
  signal: AbortSignal,
  identity: string,
  client: string | undefined,
): Promise<BearerToken | string> {
  const url = new URL(identity)
  url.searchParams.set('api-version', '2019-08-01')
  url.searchParams.set('resource', RESOURCE)
  if (client) url.searchParams.set('client_id', client)
  const headers = { 'x-identity-header': nonBlankVariable(setup.env, 'IDENTITY_HEADER') ?? '', metadata: 'true' }
  return readToken(setup, await ask(setup, signal, { url, headers }), 'managed identity')
}

async function machineIdentity(
  setup: CloudSetup,
  signal: AbortSignal,
  client: string | undefined,
): Promise<BearerToken | string> {
  const url = new URL(IMDS)
  url.searchParams.set('api-version', '2018-02-01')
  url.searchParams.set('resource', RESOURCE)
  if (client) url.searchParams.set('client_id', client)
  const late = new AbortController()
  const cancel = setup.platform.clock.after(IMDS_MS, () => late.abort())
  const asked = { url, headers: { metadata: 'true' } }
  try {
    const answer = await withFirstAbort([signal, late.signal], undefined, (either) => ask(setup, either, asked))
    return readToken(setup, answer, 'managed identity')
  } catch {
    return 'there is none'
  } finally {
    cancel()
  }
}

async function azureCommand({ platform, env, cwd }: CloudSetup, signal: AbortSignal): Promise<BearerToken | string> {
  const args = ['account', 'get-access-token', '--resource', RESOURCE, '--output', 'json']
  const run = { command: 'az', args, env, cwd, signal, timeoutMs: AZ_MS, maxBytes: LONGEST }
  const result = await platform.processes.run(run).catch(() => undefined)
  if (!result) return 'az is not installed'
  if (result.exitCode !== 0) return 'it failed; `az login` logs in'
  const answer = parseJson(result.stdout)
  if (!isObject(answer)) return 'it printed no token'
  const token = typeof answer['accessToken'] === 'string' ? toSendableSecret(answer['accessToken']) : undefined
  const seconds = Number(answer['expires_on'])
  return token === undefined
    ? 'it printed no token'
    : { token, from: 'az', ...(seconds > 0 ? { expiresAt: seconds * 1000 } : {}) }
}

type Asked = { url: URL; headers: Record<string, string>; body?: string }
type Told = { status: number; value: JsonObject }

async function ask({ platform }: CloudSetup, signal: AbortSignal, { url, headers, body }: Asked): Promise<Told> {
  const response = await platform.http.request({
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers,
    signal,
    timeoutMs: TIMEOUT_MS,
    network: platform.network,
    ...(body === undefined ? {} : { body: [body] }),
  })
  let told = ''
  for await (const chunk of response.body) {
    told += chunk
    if (told.length > LONGEST) break
  }
  const value = parseJson(told)
  return { status: response.status, value: isObject(value) ? value : {} }
}

/** Only what the error is called is told: the rest repeats what was sent. */
function readToken({ platform }: CloudSetup, { status, value }: Told, from: string): BearerToken | string {
  const token = typeof value['access_token'] === 'string' ? toSendableSecret(value['access_token']) : undefined
  if (token === undefined) {
    const error = typeof value['error'] === 'string' && /^\w+$/.test(value['error']) ? ` ${value['error']}` : ''
    return `status ${status}${error}`
  }
  const lasts = Number(value['expires_in'])
  const end = Number(value['expires_on'])
  const expiresAt = lasts > 0 ? platform.clock.now() + lasts * 1000 : end > 0 ? end * 1000 : undefined
  return { token, from, ...(expiresAt === undefined ? {} : { expiresAt }) }
}
