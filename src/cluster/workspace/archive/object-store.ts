/** An object storage with the API of S3: five requests, signed, tried again when the storage or the way to it has a bad moment. */

import { KedgeError } from '../../../errors.js'
import { createSigner, encodeStrictly } from '../../../model/clouds/aws/signer.js'
import { type HttpClient, HttpError } from '../../../platform/http/http.js'
import { trimTrailingCharacters } from '../../../platform/trim-end.js'
import { oneLine } from '../../../platform/visible-text.js'

export type ObjectStoreOptions = {
  endpoint: string
  bucket: string
  region: string
  keys: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }
  http: HttpClient
}

export interface ObjectStore {
  put(key: string, bytes: Buffer, signal?: AbortSignal): Promise<void>
  /** Undefined: there is none. */
  get(key: string, signal?: AbortSignal): Promise<Buffer | undefined>
  has(key: string, signal?: AbortSignal): Promise<boolean>
  remove(key: string, signal?: AbortSignal): Promise<void>
  list(prefix: string, signal?: AbortSignal): AsyncIterable<string>
}

const TRIES = 5
const PAUSE_MS = 100
const ANSWER_MS = 60_000

type Call = { method: 'GET' | 'PUT' | 'HEAD' | 'DELETE'; key: string; query?: Record<string, string>; body?: Buffer }
type Answer = { status: number; body: Buffer }

export function createObjectStore({ endpoint, bucket, region, keys, http }: ObjectStoreOptions): ObjectStore {
  const signer = createSigner(keys)
  const base = trimTrailingCharacters(endpoint, '/')
  const host = new URL(endpoint).host
  /** How far the storage's clock is ahead of ours. */
  let skew = 0

  async function once(
    { method, key, query = {}, body }: Call,
    signal: AbortSignal,
  ): Promise<Answer & { date: number }> {
    const path = key.split('/').map(encodeStrictly).join('/')
    const pairs = Object.entries(query).map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    const url = new URL(`${base}/${bucket}/${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`)
    const pieces = body === undefined ? [] : [body]
    const now = Date.now() + skew
    const headers = signer.sign({ method, url, headers: {}, body: pieces, service: 's3', region, now })
    const sent = method === 'PUT' ? { body: pieces } : {}
    const response = await http.request({
      method,
      url,
      headers,
      signal,
      timeoutMs: ANSWER_MS,
      isBinary: true,
      ...sent,
    })
    const received: Buffer[] = []
    for await (const text of response.body) received.push(Buffer.from(text, 'latin1'))
    return { status: response.status, body: Buffer.concat(received), date: Date.parse(response.headers['date'] ?? '') }
  }

  async function request(call: Call, signal = new AbortController().signal): Promise<Answer> {
    for (let left = TRIES; ; left -= 1) {
      let trouble: string
      try {
        const answer = await once(call, signal)
        const { status, body, date } = answer
        if (status < 300 || (status === 404 && errorCode(body) !== 'NoSuchBucket')) return answer
        const code = errorCode(body)
        trouble = `${status} ${code}`
        const isSkewed = code === 'RequestTimeTooSkewed' && Number.isFinite(date)
        if (isSkewed) skew = date - Date.now()
        else if (status < 500 && status !== 429 && status !== 408) left = 1
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof HttpError)) throw error
        trouble = error.reason
      }
      if (left === 1) {
        const text = `The object storage ${host} (bucket ${bucket}) did not ${call.method}: ${oneLine(trouble, 200)}.`
        throw new KedgeError('workspace_unreachable', text)
      }
      const pause = PAUSE_MS * 2 ** (TRIES - left) * (0.5 + Math.random())
      await new Promise((done) => setTimeout(done, pause))
    }
  }

  return {
    async put(key, body, signal) {
      await request({ method: 'PUT', key, body }, signal)
    },
    async get(key, signal) {
      const { status, body } = await request({ method: 'GET', key }, signal)
      return status === 404 ? undefined : body
    },
    async has(key, signal) {
      return (await request({ method: 'HEAD', key }, signal)).status !== 404
    },
    async remove(key, signal) {
      await request({ method: 'DELETE', key }, signal)
    },
    async *list(prefix, signal) {
      let more: Record<string, string> | undefined = {}
      while (more) {
        const query: Record<string, string> = { 'list-type': '2', prefix, ...more }
        const text: string = (await request({ method: 'GET', key: '', query }, signal)).body.toString('utf8')
        yield* values(text, 'Key')
        const [token] = values(text, 'NextContinuationToken')
        more = values(text, 'IsTruncated')[0] === 'true' && token ? { 'continuation-token': token } : undefined
      }
    },
  }
}

function errorCode(body: Buffer): string {
  return values(body.subarray(0, 10_000).toString('utf8'), 'Code')[0] ?? ''
}

function values(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => plain(text))
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function plain(text: string): string {
  return text.replace(
    /&(?:(lt|gt|quot|apos|amp)|#(\d+)|#x([0-9a-f]+));/gi,
    (all, name?: string, ten?: string, hex?: string) =>
      name === undefined ? String.fromCodePoint(Number(ten ?? `0x${hex}`)) : (ENTITIES[name.toLowerCase()] ?? all),
  )
}
