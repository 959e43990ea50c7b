/**
 * What the frame of an MCP App and the page say to each other (MCP Apps, 2026-01-26): JSON-RPC by `postMessage`. Everything
 * that comes from the frame is a stranger's.
 */
import { messageOf } from '../../src/protocol/thrown.js'

type Fields = Record<string, unknown>

export type AppHost = {
  /** The arguments and the result of the call that the app shows. */
  readonly input: Fields
  readonly result: Fields
  readonly theme: 'light' | 'dark'
  callTool(tool: string, args: Fields): Promise<Fields>
  /** Ask the user; false: the user doesn't want it. */
  openLink(url: string): Promise<boolean>
  sendPrompt(text: string): Promise<boolean>
  resize(height: number): void
}

const PROTOCOL_VERSION = '2026-01-26'
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const BUSY = -32000
/** Requests of one frame that wait for an answer. */
const MOST_OPEN = 20
const LONGEST_TEXT = 20_000

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

class AppRequestError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Returns what takes the frame's messages. `send` posts one to it. */
export function createAppMessages(host: AppHost, send: (message: Fields) => void): (message: unknown) => void {
  let open = 0
  const notify = (method: string, params: Fields) => send({ jsonrpc: '2.0', method, params })
  const hear = (method: string, params: Fields) => {
    if (method === 'ui/notifications/initialized') {
      notify('ui/notifications/tool-input', { arguments: host.input })
      notify('ui/notifications/tool-result', host.result)
    } else if (method === 'ui/notifications/size-changed' && typeof params['height'] === 'number')
      host.resize(params['height'])
  }
  return (message) => {
    if (!isFields(message) || message['jsonrpc'] !== '2.0') return
    const { id, method } = message
    const params = isFields(message['params']) ? message['params'] : {}
    if (typeof method !== 'string') return
    if (typeof id !== 'string' && typeof id !== 'number') return hear(method, params)
    const fail = (error: unknown) => {
      const code = error instanceof AppRequestError ? error.code : BUSY
      send({ jsonrpc: '2.0', id, error: { code, message: messageOf(error) } })
    }
    if (open >= MOST_OPEN) return fail(new AppRequestError(BUSY, 'Too many requests are open.'))
    open += 1
    answer(method, params, host)
      .then((result) => send({ jsonrpc: '2.0', id, result }), fail)
      .finally(() => {
        open -= 1
      })
  }
}

async function answer(method: string, params: Fields, host: AppHost): Promise<Fields> {
  switch (method) {
    case 'ping':
      return {}
    case 'ui/initialize':
      return {
        protocolVersion: PROTOCOL_VERSION,
        hostInfo: { name: 'kedge', version: '1' },
        hostCapabilities: { openLinks: {}, serverTools: {}, message: { text: {} } },
        hostContext: { theme: host.theme, displayMode: 'inline', availableDisplayModes: ['inline'], platform: 'web' },
      }
    case 'tools/call': {
      const { name, arguments: args = {} } = params
      if (typeof name !== 'string' || !isFields(args))
        throw new AppRequestError(INVALID_PARAMS, 'tools/call needs a name.')
      return host.callTool(name, args)
    }
    case 'ui/open-link': {
      const { url } = params
      if (typeof url !== 'string' || !/^https?:\/\/[^\s]{1,2000}$/i.test(url))
        throw new AppRequestError(INVALID_PARAMS, 'ui/open-link needs an http or https address.')
      return (await host.openLink(url)) ? {} : { isError: true }
    }
    case 'ui/message': {
      const text = textOf(params['content'])
      if (text === '' || text.length > LONGEST_TEXT) throw new AppRequestError(INVALID_PARAMS, 'ui/message needs text.')
      return (await host.sendPrompt(text)) ? {} : { isError: true }
    }
    default:
      throw new AppRequestError(METHOD_NOT_FOUND, `${method.slice(0, 100)} isn't supported.`)
  }
}

function textOf(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [content]
  return blocks
    .flatMap((block) =>
      isFields(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? block['text'] : [],
    )
    .join('\n')
}
