/** The proxies that the usual variables name, and which of them is on the way to an address. */
import { ConfigurationError } from '../../errors.js'
import { createNoProxyMatcher, isNeverProxied } from './no-proxy.js'

type Environment = Readonly<Record<string, string | undefined>>

export type ProxyServer = {
  /** Without user and password. */
  readonly url: URL
  /** For the header `proxy-authorization`. */
  readonly authorization?: string
  /** That names it: what people are told instead of its address, which may hold a password. */
  readonly variable: string
}

const FOR_ALL = ['all_proxy', 'ALL_PROXY']
const FOR_HTTP = ['http_proxy', 'HTTP_PROXY', ...FOR_ALL]
/** Proxies for plain requests are taken for encrypted ones as well: companies often name no other. */
const FOR_HTTPS = ['https_proxy', 'HTTPS_PROXY', ...FOR_HTTP]

/**
 * Returns a function that finds the proxy for an address. Throws a `ConfigurationError` where the variable for an
 * address can't be used; undefined: straight.
 */
export function createProxyFinder(env: Environment): (url: URL) => ProxyServer | undefined {
  if (!FOR_HTTPS.some((name) => isSet(env[name]))) return () => undefined
  const isLeftOut = createNoProxyMatcher(env['no_proxy'] || env['NO_PROXY'])
  const known = new Map<string, ProxyServer>()
  return (url) => {
    const variable = (url.protocol === 'https:' ? FOR_HTTPS : FOR_HTTP).find((name) => isSet(env[name]))
    if (variable === undefined || isNeverProxied(url) || isLeftOut(url)) return undefined
    const proxy = known.get(variable) ?? readProxy(variable, env[variable] ?? '')
    known.set(variable, proxy)
    return proxy
  }
}

/** What people are shown: nothing that could be a password. */
export function nameOfProxy({ url, variable }: ProxyServer): string {
  return `${url.host} (${variable})`
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== ''
}

/** The value itself is never repeated. */
function readProxy(variable: string, value: string): ProxyServer {
  const refuse = (why: string) =>
    new ConfigurationError(variable, `${variable} ${why} Correct or unset it, or leave hosts out with NO_PROXY.`)
  const text = value.trim()
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw refuse('must begin with http:// or https://.')
  if (!URL.canParse(text)) throw refuse('is not a URL.')
  const url = new URL(text)
  if (url.protocol.startsWith('socks')) throw refuse('names a SOCKS proxy; Kedge speaks to HTTP proxies only.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('must begin with http:// or https://.')
  const login = decoded(url)
  if (login === undefined) throw refuse('has a user or password that is not percent-encoded.')
  const address = new URL(`${url.protocol}//${url.host}/`)
  return {
    url: address,
    variable,
    ...(login === ':' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
  }
}

function decoded({ username, password }: URL): string | undefined {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  } catch {
    return undefined
  }
}
