/** Asks an MCP registry: search, and one server by its name. Speaks `/v0.1/servers`, and `/v0/servers` of older ones. */

import { firstAbort } from '../../../platform/first-abort.js'
import { createStreamFetch } from '../../../platform/http/stream-fetch.js'
import { readNetworkSettings } from '../../../platform/network/network.js'
import { nodePlatform } from '../../../platform/node-platform.js'
import { isLocalhostName } from '../../../platform/web/web-address.js'
import { isObject, type JsonObject } from '../../../protocol/json.js'
import { messageOf } from '../../../protocol/thrown.js'

const VERSIONS = ['/v0.1', '/v0'] as const
const MOST_BYTES = 2_000_000
const PATIENCE_MS = 15_000
const MOST_RESULTS = 30

export type RegistryClient = {
  search(word: string): Promise<JsonObject[]>
  /** The newest version; undefined: there is none of that name. */
  find(name: string): Promise<JsonObject | undefined>
}

/** Throws if the address isn't one. */
export function createRegistryClient(address: string): RegistryClient {
  const base = checkedAddress(address)
  const web = readNetworkSettings(process.env, nodePlatform().files).then((network) =>
    createStreamFetch({ refuse: () => undefined, network }),
  )
  const list = async (query: Record<string, string>) => {
    for (const version of VERSIONS) {
      const url = new URL(`${base.pathname.replace(/\/$/, '')}${version}/servers?${new URLSearchParams(query)}`, base)
      const { status, text } = await get((await web).fetch, url)
      if (status === 404 && version !== VERSIONS.at(-1)) continue
      if (status !== 200)
        throw new Error(`${base.host} answered with HTTP ${status}. Check the address of the registry.`)
      return readServers(text, base.host)
    }
    return []
  }
  return {
    search: async (word) =>
      (await list({ search: word, limit: String(MOST_RESULTS), version: 'latest' })).slice(0, MOST_RESULTS),
    async find(name) {
      const found = await list({ search: name, limit: '100', version: 'latest' })
      return found.filter((server) => server['name'] === name).at(-1)
    },
  }
}

function checkedAddress(address: string): URL {
  if (!URL.canParse(address)) throw new Error(`${address} isn't the address of a registry. Write https://HOST.`)
  const url = new URL(address)
  const isPrivate = url.protocol === 'http:' && (isLocalhostName(url.hostname) || url.hostname === '127.0.0.1')
  if (url.protocol !== 'https:' && !isPrivate)
    throw new Error(`The address of a registry must begin with https://, got ${address}.`)
  return url
}

type Fetch = (url: URL, init: RequestInit) => Promise<Response>

async function get(fetch: Fetch, url: URL): Promise<{ status: number; text: string }> {
  const end = firstAbort([], PATIENCE_MS)
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' }, signal: end.signal })
    if (response.status >= 300 && response.status < 400)
      throw new Error(`${url.host} redirects to ${response.headers.get('location')}. Use that address if it is right.`)
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > MOST_BYTES) throw new Error(`The answer of ${url.host} is larger than 2 MB.`)
    }
    return { status: response.status, text }
  } catch (error) {
    if (end.signal.aborted)
      throw new Error(`${url.host} didn't answer within 15 s. Try again, or use another registry.`)
    if (error instanceof TypeError)
      throw new Error(
        `${url.host} can't be reached (${messageOf(error)}). Check the address, the network, and HTTPS_PROXY.`,
      )
    throw error
  } finally {
    end.release()
  }
}

/** A registry lists a server below `server`, older ones directly. */
function readServers(text: string, host: string): JsonObject[] {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw new Error(`The answer of ${host} isn't JSON. Check the address of the registry.`)
  }
  const listed = isObject(answer) ? answer['servers'] : undefined
  if (!Array.isArray(listed))
    throw new Error(`The answer of ${host} has no list of servers. Check the address of the registry.`)
  return listed.flatMap((entry: unknown) => {
    if (!isObject(entry)) return []
    const server = isObject(entry['server']) ? entry['server'] : entry
    return typeof server['name'] === 'string' ? [server] : []
  })
}
