/** A small object storage with the API of S3, as strict as the real one: it checks signatures by AWS's own library and keeps objects on disk. */
import { createHash, createHmac } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SignatureV4 } from '@smithy/signature-v4'

class Sha256 {
  readonly #hash
  constructor(key?: unknown) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', Buffer.from(key as Uint8Array))
  }
  update(data: string | Uint8Array) {
    this.#hash.update(data)
  }
  reset() {}
  async digest() {
    return new Uint8Array(this.#hash.digest())
  }
}

const BUCKET = 'sessions'
const REGION = 'eu-central-1'
const PAGE = 7

export type ObjectServer = {
  endpoint: string
  /** Method and key of each request. */
  seen: string[]
  /** Answers for the next requests, in place of real ones. 0: the connection is cut. */
  trouble: number[]
  /** What its clock is ahead of ours. */
  skewMs: number
  keys(): string[]
  file(key: string): string
  close(): Promise<void>
}

export async function startObjectServer(
  folder: string,
  credentials: { accessKeyId: string; secretAccessKey: string },
): Promise<ObjectServer> {
  mkdirSync(folder, { recursive: true })
  const file = (key: string) => join(folder, Buffer.from(key).toString('hex'))
  const keys = () =>
    readdirSync(folder)
      .filter((name) => !name.endsWith('.new'))
      .map((name) => Buffer.from(name, 'hex').toString())
      .sort()

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  const state: ObjectServer = {
    endpoint: '',
    seen: [],
    trouble: [],
    skewMs: 0,
    keys,
    file,
    close: () => new Promise((done) => server.close(() => done()).closeAllConnections()),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const { method = '', url = '' } = request
    const refuse = (status: number, code: string) => {
      const date = new Date(Date.now() + state.skewMs).toUTCString()
      response.writeHead(status, { date, 'content-type': 'application/xml' })
      response.end(method === 'HEAD' ? undefined : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
    }
    const trouble = state.trouble.shift()
    if (trouble === 0) return void request.socket.destroy()
    if (trouble !== undefined) return refuse(trouble, 'SlowDown')
    const wrong = await refusal(request, body)
    if (wrong) return refuse(403, wrong)
    const { pathname, searchParams } = new URL(url, state.endpoint)
    const [, bucket, ...rest] = pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    state.seen.push(`${method} ${key}`)
    if (bucket !== BUCKET) return refuse(404, 'NoSuchBucket')
    const isThere = existsSync(file(key))
    if (method === 'GET' && searchParams.get('list-type') === '2') return list(response, searchParams)
    if (method === 'PUT') {
      writeFileSync(`${file(key)}.new`, body)
      renameSync(`${file(key)}.new`, file(key))
      response.writeHead(200).end()
    } else if (method === 'DELETE') {
      rmSync(file(key), { force: true })
      response.writeHead(204).end()
    } else if (!isThere) refuse(404, 'NoSuchKey')
    else response.writeHead(200).end(method === 'HEAD' ? undefined : readFileSync(file(key)))
  }

  function list(response: ServerResponse, query: URLSearchParams): void {
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
    const all = keys().filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    const page = all.slice(0, PAGE)
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    const more = all.length > PAGE
    const token = Buffer.from(page.at(-1) ?? '').toString('base64')
    const contents = page.map((key) => `<Contents><Key>${escaped(key)}</Key></Contents>`).join('')
    const next = more ? `<NextContinuationToken>${token}</NextContinuationToken>` : ''
    response.end(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${contents}${next}</ListBucketResult>`)
  }

  async function refusal(
    { headers, method = '', url = '' }: IncomingMessage,
    body: Buffer,
  ): Promise<string | undefined> {
    const given = headers.authorization ?? ''
    const names = /SignedHeaders=([^,]+)/.exec(given)?.[1]?.split(';') ?? []
    const stamp = String(headers['x-amz-date'])
    const signingDate = new Date(stamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    for (const name of ['host', 'x-amz-date', 'x-amz-content-sha256']) if (!names.includes(name)) return 'AccessDenied'
    if (!(Math.abs(signingDate.getTime() - Date.now() - state.skewMs) < 900_000)) return 'RequestTimeTooSkewed'
    if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex'))
      return 'XAmzContentSHA256Mismatch'
    const settings = { credentials, region: REGION, service: 's3', sha256: Sha256, applyChecksum: false }
    const [path = '', query = ''] = url.split('?')
    const signed = await new SignatureV4({ ...settings, uriEscapePath: false }).sign(
      {
        method,
        protocol: 'http:',
        hostname: String(headers.host),
        path,
        body,
        query: Object.fromEntries(new URLSearchParams(query)),
        headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
      },
      { signingDate, signableHeaders: new Set(names) },
    )
    return signed.headers['authorization'] === given ? undefined : 'SignatureDoesNotMatch'
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address() as AddressInfo // it listens on a port
  state.endpoint = `http://127.0.0.1:${address.port}`
  return state
}
