/** The first words with a server: which version of the protocol, who it is, what it can do, and the lists of that. */

import { isObject, type JsonObject } from '../protocol/json.js'
import { cleanInstructions, cleanServerLine } from './clean-text.js'
import { type GreetingOptions, greetServer, readInitializeAnswer } from './greet-server.js'
import { type AskForList, type ListedKind, type ListKind, listOffer } from './lists/list-offer.js'
import type { Rpc } from './rpc.js'

export { PROTOCOL_VERSION } from './greet-server.js'

/** What a host said beforehand about one of its own servers, so that nobody has to ask. */
export type PresuppliedServerManifest = { initializeResult?: object; toolsListResult?: object }

export type ServerFacts = {
  serverInfo: { name: string; version: string }
  /** The revision of the protocol that is spoken. */
  version: string
  capabilities: JsonObject
  /** How the server wants to be used, in its own words; empty if it says nothing. */
  instructions: string
  hasResources: boolean
}

export type HandshakeOptions = GreetingOptions & {
  manifest: PresuppliedServerManifest | undefined
  /** Lists that are known from before and need not be asked for. */
  isFresh(kind: ListKind): boolean
}

/** Initializes an MCP server and lists what it offers. Rejects when the server can't be used. */
export async function initializeMcpServer(
  rpc: Rpc,
  options: HandshakeOptions,
): Promise<{ facts: ServerFacts; lists: ListedKind[] }> {
  const { timeoutMs, manifest } = options
  await rpc.start()
  const told = manifest?.initializeResult
  const greeting = told ? readInitializeAnswer({ ...told }) : await greetServer(rpc, options)
  if (told) rpc.agreed(greeting.version)
  const { capabilities, serverInfo: info, version, instructions } = greeting
  // With 2026-07-28, each request carries the level. A server that doesn't take it sends what it likes.
  if (!greeting.envelope && isObject(capabilities['logging']) && options.logLevel !== undefined)
    void rpc.request('logging/setLevel', { level: options.logLevel }, { timeoutMs }).catch(() => {})
  const lists = await listOffer(capabilities, listsOf(rpc, timeoutMs), manifest?.toolsListResult, options.isFresh)
  return {
    facts: {
      serverInfo: { name: cleanServerLine(info['name']), version: cleanServerLine(info['version']) },
      version,
      capabilities,
      instructions: cleanInstructions(instructions),
      hasResources: isObject(capabilities['resources']),
    },
    lists,
  }
}

/** Asks a server for pages of its lists. */
export function listsOf(rpc: Rpc, timeoutMs: number): AskForList {
  return (method) => (params) => rpc.request(method, params, { timeoutMs })
}
