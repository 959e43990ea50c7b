/** Agrees with a server on a revision of the protocol: the newest both speak, whichever way the server is greeted in. */
import type { Clock } from '../platform/clock.js'
import { isObject, type JsonObject } from '../protocol/json.js'
import { cleanServerLine } from './clean-text.js'
import { McpError } from './mcp-error.js'
import type { Rpc } from './rpc.js'
import {
  isStatelessVersion,
  readServerIdentity,
  requestEnvelope,
  STATELESS_ERROR_CODES,
  STATELESS_VERSIONS,
} from './stateless/stateless-revision.js'

/** The newest revision that begins with `initialize`. */
export const PROTOCOL_VERSION = '2025-11-25'
const VERSIONS = [PROTOCOL_VERSION, '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']
/** A server that has not said by then which revisions it speaks is greeted the older way, too; some never answer. */
const DISCOVERY_MS = 10_000

export type GreetingOptions = {
  clock: Pick<Clock, 'atMost'>
  capabilities: JsonObject
  clientInfo: { name: string; version: string }
  timeoutMs: number
  /** It is asked first which revisions it speaks. Otherwise only those with `initialize` are spoken. */
  discovers: boolean
  logLevel?: string | undefined
}

/** What a server says of itself, in any revision. */
export type ServerGreeting = {
  version: string
  /** What every request carries, in a revision that keeps no connection. */
  envelope?: JsonObject
  capabilities: JsonObject
  serverInfo: JsonObject
  instructions: unknown
}

/** Rejects when there is no revision that both speak, or the server can't be reached. */
export async function greetServer(rpc: Rpc, options: GreetingOptions): Promise<ServerGreeting> {
  const greeting = options.discovers ? await discoverOrInitialize(rpc, options) : await initialize(rpc, options)
  rpc.agreed(greeting.version, greeting.envelope)
  if (!greeting.envelope) rpc.notify('notifications/initialized')
  return greeting
}

/** Takes the answer of a server to `initialize`, wherever it comes from. */
export function readInitializeAnswer(answer: JsonObject): ServerGreeting {
  const version = answer['protocolVersion']
  if (typeof version !== 'string' || !VERSIONS.includes(version)) throw unsupported([version])
  return readGreeting(version, answer, answer['serverInfo'])
}

async function discoverOrInitialize(rpc: Rpc, options: GreetingOptions): Promise<ServerGreeting> {
  const over = new AbortController()
  const discovered = discover(rpc, options, over.signal)
  try {
    const early = await options.clock.atMost(DISCOVERY_MS, discovered)
    if (early) return early.greeting ?? (await initialize(rpc, options))
    // One that starts slowly reads both when it is there; one that never answers the first may answer the second.
    const initialized = initialize(rpc, options)
    const asDiscovered = discovered.then(({ greeting }) => greeting ?? initialized)
    return await Promise.race([asDiscovered, initialized.catch(() => asDiscovered)])
  } finally {
    over.abort()
  }
}

async function initialize(rpc: Rpc, { capabilities, clientInfo, timeoutMs }: GreetingOptions): Promise<ServerGreeting> {
  const params = { protocolVersion: PROTOCOL_VERSION, capabilities, clientInfo }
  return readInitializeAnswer(await rpc.request('initialize', params, { timeoutMs }))
}

/** Without a greeting: the server knows none of these revisions. */
async function discover(
  rpc: Rpc,
  options: GreetingOptions,
  signal: AbortSignal,
): Promise<{ greeting?: ServerGreeting }> {
  let [version = ''] = STATELESS_VERSIONS
  for (let isSecond = false; ; isSecond = true) {
    const params = { _meta: requestEnvelope(version, options) }
    try {
      const answer = await rpc.request('server/discover', params, { timeoutMs: options.timeoutMs, signal })
      const theirs = Array.isArray(answer['supportedVersions']) ? answer['supportedVersions'] : []
      const agreed = STATELESS_VERSIONS.find((one) => theirs.includes(one))
      if (agreed === undefined) return {}
      const envelope = requestEnvelope(agreed, options)
      return {
        greeting: { ...readGreeting(agreed, answer, readServerIdentity(answer) ?? answer['serverInfo']), envelope },
      }
    } catch (problem) {
      const known = problem instanceof McpError ? problem : undefined
      const theirs = known && supportedOf(known)
      const agreed = STATELESS_VERSIONS.find((one) => theirs?.includes(one))
      if (agreed !== undefined && !isSecond) version = agreed
      else if (theirs?.some(isStatelessVersion)) throw unsupported(theirs)
      else if (known && isOlder(known)) return {}
      else throw problem
    }
  }
}

/** The server, or its transport, rejected a question that older servers don't know. */
function isOlder({ code }: McpError): boolean {
  return (
    code === 'mcp_refused' ||
    code === 'mcp_invalid_answer' ||
    code === 'mcp_closed' ||
    code === 'mcp_timeout' ||
    code === 'mcp_cancelled'
  )
}

/** The versions that a server names when it refuses one. */
function supportedOf({ refusal }: McpError): string[] | undefined {
  if (refusal?.code !== STATELESS_ERROR_CODES.unsupportedVersion || !isObject(refusal.data)) return undefined
  const { supported } = refusal.data
  return Array.isArray(supported) ? supported.filter((one): one is string => typeof one === 'string') : undefined
}

function readGreeting(version: string, answer: JsonObject, info: unknown): ServerGreeting {
  const { capabilities, instructions } = answer
  return {
    version,
    capabilities: isObject(capabilities) ? capabilities : {},
    serverInfo: isObject(info) ? info : {},
    instructions,
  }
}

function unsupported(theirs: readonly unknown[]): McpError {
  const named = theirs.map((one) => cleanServerLine(typeof one === 'string' ? one : JSON.stringify(one), 60))
  return new McpError(
    'mcp_unsupported_version',
    `The server speaks version ${named.slice(0, 10).join(', ')} of the protocol; this one speaks ${[...STATELESS_VERSIONS, ...VERSIONS].join(', ')}.`,
  )
}
