/**
 * Signatures of AWS, version 4. The path is signed as it is sent, each part encoded once more, except for S3; headers that proxies
 * touch are left out.
 */
import { hmacSha256, sha256Hex } from '../../../platform/keyed-hash.js'
import type { BodyPiece } from '../../client/model-api-adapter.js'

export type AwsKeys = {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string | undefined
}

export type AwsRequestToSign = {
  /** Default: POST. */
  method?: string
  url: URL
  /** Names in lower case; all of them are signed that can be. */
  headers: Readonly<Record<string, string>>
  body: readonly BodyPiece[]
  service: string
  region: string
  /** Milliseconds since the epoch, by the server's clock. */
  now: number
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const LEFT_OUT =
  /^(?:connection|user-agent|accept|expect|content-length|transfer-encoding|te|trailer|traceparent|tracestate)$/

export interface Signer {
  /** The headers to send beside those that are signed. */
  sign(request: AwsRequestToSign): Record<string, string>
}

/** The key of a day is made once. */
export function createSigner({ accessKeyId, secretAccessKey, sessionToken }: AwsKeys): Signer {
  const keys = new Map<string, Uint8Array>()
  const keyFor = (scope: string): Uint8Array => {
    const known = keys.get(scope)
    if (known) return known
    const [date = '', ...rest] = scope.split('/')
    const made = rest.reduce<Uint8Array>(hmacSha256, hmacSha256(`AWS4${secretAccessKey}`, date))
    keys.clear()
    keys.set(scope, made)
    return made
  }
  return {
    sign({ method = 'POST', url, headers, body, service, region, now }) {
      const stamp = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')
      const added: Record<string, string> = {
        'x-amz-date': stamp,
        'x-amz-content-sha256': sha256Hex(body),
        ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
      }
      const signed = Object.entries({ ...headers, ...added, host: url.host })
        .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim().replace(/ {2,}/g, ' ')])
        .filter(([name]) => !LEFT_OUT.test(name))
        .sort(([one], [other]) => (one < other ? -1 : 1))
      const names = signed.map(([name]) => name).join(';')
      const canonical = [
        method,
        service === 's3' ? url.pathname : canonicalPath(url.pathname),
        canonicalQuery(url.searchParams),
        ...signed.map(([name, value]) => `${name}:${value}`),
        '',
        names,
        added['x-amz-content-sha256'],
      ].join('\n')
      const scope = `${stamp.slice(0, 8)}/${region}/${service}/aws4_request`
      const text = [ALGORITHM, stamp, scope, sha256Hex([canonical])].join('\n')
      const signature = toHex(hmacSha256(keyFor(scope), text))
      return {
        ...added,
        authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
      }
    },
  }
}

/** By RFC 3986, which has fewer plain characters than the language's own function leaves. */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}

function canonicalPath(path: string): string {
  return path.split('/').map(encodeStrictly).join('/')
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    .sort()
    .join('&')
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
