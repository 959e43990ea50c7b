/**
 * Revision 2026-07-28 of the protocol, which knows no connection: each request says who asks, in which revision, and what
 * the client can do. Names of the wire stand here once.
 */
import { isObject, type JsonObject } from '../../protocol/json.js'

/** In the order in which they are wanted. Revisions from here on have no `initialize`. */
export const STATELESS_VERSIONS: readonly string[] = ['2026-07-28']
const FIRST_STATELESS = '2026-07-28'

const PREFIX = 'io.modelcontextprotocol/'
const VERSION_KEY = `${PREFIX}protocolVersion`
const CLIENT_KEY = `${PREFIX}clientInfo`
const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`
const SERVER_KEY = `${PREFIX}serverInfo`
const LOG_LEVEL_KEY = `${PREFIX}logLevel`
/** Calls can become tasks. */
const TASKS_EXTENSION = `${PREFIX}tasks`

/** JSON-RPC codes that this revision gives a meaning. */
export const STATELESS_ERROR_CODES = { headerMismatch: -32_020, unsupportedVersion: -32_022 } as const

export type StatelessClient = {
  capabilities: JsonObject
  clientInfo: { name: string; version: string }
  /** From which level on the server may send log messages; undefined: none. */
  logLevel?: string | undefined
}

export const isStatelessVersion = (version: string): boolean => version >= FIRST_STATELESS

/** Returns what every request carries in `_meta`. */
export function requestEnvelope(version: string, { capabilities, clientInfo, logLevel }: StatelessClient): JsonObject {
  const others = isObject(capabilities['extensions']) ? capabilities['extensions'] : {}
  return {
    [VERSION_KEY]: version,
    [CLIENT_KEY]: clientInfo,
    [CAPABILITIES_KEY]: { ...capabilities, extensions: { ...others, [TASKS_EXTENSION]: {} } },
    ...(logLevel === undefined ? {} : { [LOG_LEVEL_KEY]: logLevel }),
  }
}

/** Returns who a server says it is, in an answer; undefined if it doesn't. It's a name to show, never a reason to trust. */
export function readServerIdentity(answer: JsonObject): JsonObject | undefined {
  const meta = answer['_meta']
  const info = isObject(meta) ? meta[SERVER_KEY] : undefined
  return isObject(info) ? info : undefined
}
