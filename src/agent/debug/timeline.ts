/**
 * `--debug`: a readable timeline of a session. Messages, tool calls and control requests are seen on the channel, API requests
 * on the HTTP client, hooks and servers report themselves. Loaded only when it is asked for.
 */
import type { HttpClient, HttpResponse } from '../../platform/http/http.js'
import type { Platform } from '../../platform/platform.js'
import type { DebugKind } from '../../protocol/debug-filter.js'
import { isObject } from '../../protocol/json.js'
import type { ConfigurationSourceSettings, ToolSettings } from '../../protocol/option-table/start-settings.js'
import { messageOf } from '../../protocol/thrown.js'
import type { DebugSettings, SessionLocation } from '../../runtime/configuration.js'
import { type Channel, type MalformedLine, watchChannel } from '../../transport/channel.js'
import { collectMaskableVariables, createSecretMask } from '../../transport/secret-mask.js'
import { createTimelineDescriber } from './describe.js'
import { abbreviateCount, createMaskedExcerpts, formatSeconds } from './timeline-text.js'

type AgentChannel = Channel<object | MalformedLine, object>
type Write = (kind: DebugKind, text: string) => void

/** Both pass everything through as it is. */
export function recordDebugTimeline(
  channel: AgentChannel,
  settings: SessionLocation &
    Pick<ToolSettings, 'mcpServers'> &
    Pick<ConfigurationSourceSettings, 'settingsFlag'> & { debug: DebugSettings },
  platform: Platform,
  stderr: (text: string) => void,
): { channel: AgentChannel; platform: Platform; note: Write } {
  const maskable = [settings.env, ...collectMaskableVariables([settings.mcpServers, settings.settingsFlag])]
  let current = createSecretMask(...maskable)
  const mask = (text: string) => current(text)
  const write = createWriter(settings, platform, mask, stderr)
  const describe = createTimelineDescriber(write, createMaskedExcerpts(mask), platform.clock)
  const watched = watchChannel(channel, (direction, message) => {
    // Servers that the host brings later have secrets as well.
    if (
      'request' in message &&
      isObject(message.request) &&
      /^(?:initialize|mcp_set_servers)$/.test(String(message.request['subtype']))
    ) {
      maskable.push(...collectMaskableVariables(message.request))
      current = createSecretMask(...maskable)
    }
    // Not by its class: this part is a file of its own, with a class of its own.
    if ('lineNumber' in message && 'problem' in message) {
      write('control', `${direction} malformed  line ${message.lineNumber}: ${message.problem}`)
    } else describe(direction, message)
  })
  return { channel: watched, platform: { ...platform, http: watchHttp(platform, write) }, note: write }
}

function createWriter(
  { debug }: { debug: DebugSettings },
  platform: Platform,
  mask: (text: string) => string,
  stderr: (text: string) => void,
): Write {
  const started = platform.clock.monotonic()
  return (kind, text) => {
    if (!debug.kinds.has(kind)) return
    const { clock } = platform
    const since = `[kedge ${formatSeconds(clock.monotonic() - started)}]`
    const head = debug.stamped ? `${new Date(clock.now()).toISOString()} [DEBUG] ${since}` : since
    const line = `${head} ${mask(text)}\n`
    if (debug.file === undefined) return stderr(line)
    try {
      platform.files.appendSync(debug.file, line)
    } catch {
      // A timeline that can't be written must not stop the work it describes.
    }
  }
}

function watchHttp({ http, clock }: Platform, write: Write): HttpClient {
  let count = 0
  return {
    close: () => http.close(),
    async request(request) {
      count += 1
      const name = `api #${count}`
      const { method, url, body = [] } = request
      const bytes = body.reduce((sum, piece) => sum + piece.length, 0)
      const [first] = body
      const model = typeof first === 'string' ? /"model":"([^"]{1,100})"/.exec(first)?.[1] : undefined
      const size = bytes === 0 ? '' : `, ${abbreviateCount(bytes)} characters`
      write('api', `⇒ ${name}     ${method} ${url.host}${url.pathname}${model ? ` ${model}` : ''}${size}`)
      const started = clock.monotonic()
      const since = () => `${formatSeconds(clock.monotonic() - started)} s`
      try {
        const response = await http.request(request)
        const id = response.headers['request-id']
        write('api', `⇐ ${name}     ${response.status} after ${since()}${id ? `, request ${id.slice(0, 80)}` : ''}`)
        return watchBody(response, (used) => write('api', `⇐ ${name}     ended after ${since()}${used}`))
      } catch (error) {
        const why = messageOf(error)
        write('api', `⇐ ${name}     failed after ${since()}: ${why}`)
        throw error
      }
    },
  }
}

/** Tokens are read off the text as it passes: the last numbers named are the final ones. */
function watchBody(response: HttpResponse, ended: (used: string) => void): HttpResponse {
  const last = new Map<string, string>()
  let stop = ''
  const body = (async function* () {
    try {
      for await (const chunk of response.body) {
        for (const [, name = '', value = ''] of chunk.matchAll(/"((?:input|output|cache_read_input)_tokens)":(\d+)/g))
          last.set(name, value)
        stop = /"stop_reason":"(\w+)"/.exec(chunk)?.[1] ?? stop
        yield chunk
      }
    } finally {
      const cached = Number(last.get('cache_read_input_tokens') ?? 0)
      const parts = [
        ...(last.has('input_tokens') ? [`${abbreviateCount(Number(last.get('input_tokens')))} tokens in`] : []),
        ...(cached > 0 ? [`${abbreviateCount(cached)} cached`] : []),
        ...(last.has('output_tokens') ? [`${abbreviateCount(Number(last.get('output_tokens')))} out`] : []),
        ...(stop ? [stop] : []),
      ]
      ended(parts.length > 0 ? `, ${parts.join(', ')}` : '')
    }
  })()
  return { ...response, discard: () => response.discard(), body }
}
