/** A hook that is a POST request: what is sent, where it may go, and what comes back. */
import { type HttpClient, HttpError } from '../platform/http/http.js'
import { coversAddress } from '../platform/network/address-pattern.js'
import type { NetworkSettings } from '../platform/network/network.js'
import type { HookInput } from '../protocol/hooks.js'
import type { HttpHookLimits, SettingsHook } from './settings-hook.js'

export type HttpHook = Extract<SettingsHook, { type: 'http' }>

export type HttpHookPorts = {
  http: Pick<HttpClient, 'request'>
  network: NetworkSettings
  /** The session's environment, without Kedge's own secrets. */
  environment: Readonly<Record<string, string | undefined>>
  limits: HttpHookLimits
}

/** Characters of an answer, as much as the texts of an answer could ever use. */
const MAX_ANSWER = 1024 * 1024
/** The hook's own limit ends it earlier. */
const TIMEOUT_MS = 2_147_483_000
/** What frames the request, or would send it elsewhere. */
const FIXED_HEADERS = /^(?:content-length|transfer-encoding|connection|host|content-type)$/i

/** Posts the event and returns the response body. Rejects with what went wrong, in words without secrets. */
export async function postHookEvent(
  hook: HttpHook,
  input: HookInput,
  ports: HttpHookPorts,
  signal: AbortSignal,
): Promise<string> {
  const url = new URL(hook.url)
  if (ports.limits.urls?.some((pattern) => coversAddress(pattern, url.href)) === false)
    throw new Error('allowedHttpHookUrls of the settings does not cover its address')
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...headersOf(hook, ports) }
  const { http, network } = ports
  try {
    const request = { method: 'POST' as const, url, headers, body: [JSON.stringify(input)], signal }
    const { status, body, discard } = await http.request({ ...request, timeoutMs: TIMEOUT_MS, network })
    if (status < 200 || status > 299) {
      discard()
      // Another host would get the event, and perhaps the headers, without having been named.
      throw new Error(
        status >= 300 && status < 400
          ? `its server redirects (HTTP ${status}), which Kedge doesn't follow`
          : `its server answered HTTP ${status}`,
      )
    }
    let text = ''
    for await (const chunk of body) {
      text += chunk
      if (text.length > MAX_ANSWER) {
        discard()
        throw new Error('its answer is longer than 1 MB')
      }
    }
    return text
  } catch (error) {
    throw error instanceof HttpError ? new Error(`its server can't be reached: ${error.message}`) : error
  }
}

function headersOf({ headers = {}, allowedEnvVars = [] }: HttpHook, ports: HttpHookPorts): Record<string, string> {
  const { environment, limits } = ports
  const isAllowed = (name: string) => allowedEnvVars.includes(name) && (limits.variables?.includes(name) ?? true)
  const fill = (text: string) =>
    text.replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (_whole, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? ''
      return isAllowed(name) && Object.hasOwn(environment, name) ? (environment[name] ?? '') : ''
    })
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !FIXED_HEADERS.test(name))
      .map(([name, value]) => [name.toLowerCase(), headerValue(name, fill(value))]),
  )
}

function headerValue(name: string, value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these end a header, or are refused by servers.
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name) || /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value))
    throw new Error(`its header ${JSON.stringify(name)} isn't valid`)
  return value
}
