/** Records a cassette: a proxy that passes requests on to a real endpoint and writes down each exchange without secrets. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { dirname } from 'node:path'
import { trimTrailingCharacters } from '../platform/trim-end.js'
import { messageOf, toError } from '../protocol/thrown.js'
import { apiError } from './api-error.js'
import {
  CASSETTE_FIRST_LINE,
  type CassetteEnding,
  type CassetteExchange,
  type CassetteServer,
  harmlessHeaders,
  parseBody,
} from './cassette.js'
import { flatHeaders, type IncomingCall, startHttpListener } from './http-listener.js'
import { createRedactor } from './redact.js'
import { sendResponse } from './respond.js'

/** What `record()` takes. */
export type RecordOptions = {
  /** The cassette file; an existing one is replaced. */
  to: string
  /** Where requests go; default `https://api.anthropic.com`. */
  upstream?: string
  /** The key for the upstream. When given, the agent runs with a test key and never sees this one. */
  apiKey?: string
  /** Takes out more than credentials and user ids: called with every text before it is written, and with its own results. */
  redact?: (text: string) => string
}

/**
 * Starts a recording proxy. Run the agent against it once, commit the file, and `replay()` it from then on.
 *
 * ```ts
 * await using server = await record({ to: 'test/greeting.jsonl', apiKey: process.env.ANTHROPIC_API_KEY })
 * ```
 */
export async function record(options: RecordOptions): Promise<CassetteServer> {
  const upstream = trimTrailingCharacters(options.upstream ?? 'https://api.anthropic.com', '/')
  const redactor = createRedactor(options.redact)
  if (options.apiKey) redactor.learn({ 'x-api-key': options.apiKey }, undefined)
  const requests: IncomingCall[] = []
  const failures: Error[] = []
  const running = new Set<Promise<void>>()
  const write = orderedWriter(options.to)

  async function handle(call: IncomingCall, response: ServerResponse): Promise<void> {
    const slot = requests.push(call) - 1
    const work = pass(call, response)
      .then((exchange) => write(slot, exchange))
      .catch((error) => {
        failures.push(toError(error))
        write(slot, undefined)
      })
    running.add(work)
    await work
    running.delete(work)
  }

  async function pass(call: IncomingCall, response: ServerResponse): Promise<CassetteExchange> {
    const body = parseBody(call.body)
    redactor.learn(call.headers, body)
    const leaving = new AbortController()
    response.once('close', () => leaving.abort())
    const answer = await forward(call, upstream, options.apiKey, leaving.signal).catch(async (cause) => {
      const message = `No answer from the upstream: ${messageOf(cause)}`
      const text = JSON.stringify(apiError(502, '', { message }))
      if (!leaving.signal.aborted) {
        await sendResponse(response, {
          status: 502,
          headers: { 'content-type': 'application/json' },
          pieces: [text],
          ending: 'end',
        })
      }
      throw new Error(message, { cause })
    })
    const headers = flatHeaders(answer.headers)
    const { text, ending } = await relay(answer, headers, response)
    const clean = redactor.text(text)
    const spoken = spokenText(clean)
    if (redactor.text(spoken) !== spoken || KEY_END.test(spoken)) {
      throw new Error('The exchange was not written: the model repeats a secret, spread over several stream events')
    }
    return {
      request: {
        method: call.method,
        path: redactor.text(call.path),
        headers: harmlessHeaders(call.headers),
        body: redactor.json(body),
      },
      response: { status: answer.statusCode ?? 502, headers: harmlessHeaders(headers), body: clean },
      ending,
    }
  }

  const listener = await startHttpListener(handle)
  const close = async () => {
    await listener.close()
    await Promise.all(running)
  }
  const assertDone = () => {
    if (failures[0]) throw failures[0]
  }
  return {
    url: listener.url,
    port: listener.port,
    requests,
    failures,
    env: () => ({
      ANTHROPIC_BASE_URL: listener.url,
      ...(options.apiKey ? { ANTHROPIC_API_KEY: 'sk-ant-test' } : {}),
    }),
    assertDone,
    close,
    async [Symbol.asyncDispose]() {
      await close()
      assertDone()
    },
  }
}

function forward(
  call: IncomingCall,
  upstream: string,
  apiKey: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const {
    host,
    connection,
    authorization,
    'transfer-encoding': encoding,
    'content-length': length,
    ...headers
  } = call.headers
  const credentials = apiKey ? { 'x-api-key': apiKey } : authorization ? { authorization } : {}
  const url = new URL(upstream + call.path)
  return new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest
    const outgoing = start(
      url,
      {
        method: call.method,
        headers: { ...headers, ...credentials, 'accept-encoding': 'identity' },
        signal,
        agent: false,
      },
      resolve,
    )
    outgoing.on('error', reject)
    outgoing.end(call.body)
  })
}

/** Passes the response on as it arrives, and keeps it. */
async function relay(
  answer: IncomingMessage,
  headers: Record<string, string>,
  response: ServerResponse,
): Promise<{ text: string; ending: CassetteEnding }> {
  const { connection, 'transfer-encoding': encoding, 'keep-alive': keepAlive, ...passed } = headers
  const chunks: Buffer[] = []
  let ending: CassetteEnding = 'end'
  response.on('error', () => {})
  response.writeHead(answer.statusCode ?? 502, passed)
  response.flushHeaders()
  try {
    for await (const chunk of answer) {
      chunks.push(chunk)
      response.write(chunk)
    }
    response.end()
  } catch {
    // Reading fails when either side went away; who did decides how the replay ends.
    ending = response.destroyed ? 'abandoned' : 'cut'
    response.socket?.end(() => response.destroy())
  }
  return { text: Buffer.concat(chunks).toString('utf8'), ending }
}

/** The end of a private key that began in an earlier event. */
const KEY_END = /-----END (?:[A-Z0-9]+ )*PRIVATE KEY/

/** What the model said, put together from the pieces of a stream. */
function spokenText(sse: string): string {
  const pieces = [...sse.matchAll(/"(?:text|thinking|partial_json)":\s*("(?:[^"\\]|\\.)*")/g)]
  return pieces.map((piece) => JSON.parse(piece[1] ?? '""')).join('')
}

/** Writes exchanges in the order of their requests, each as soon as all before it are settled. */
function orderedWriter(file: string): (slot: number, exchange: CassetteExchange | undefined) => void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${CASSETTE_FIRST_LINE}\n`)
  const settled = new Map<number, CassetteExchange | undefined>()
  let next = 0
  return (slot, exchange) => {
    settled.set(slot, exchange)
    for (; settled.has(next); next++) {
      const ready = settled.get(next)
      if (ready) appendFileSync(file, `${JSON.stringify(ready)}\n`)
      settled.delete(next)
    }
  }
}
