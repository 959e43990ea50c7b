/** Requests of strangers, as they would come over the wire, each with how it is refused. */
import { OPERATIONS } from '../../src/server/api/operation-table.js'

export type Foreign = { kind: string; name: string; request: string; refused: readonly number[] }

export type Known = {
  /** `127.0.0.1:4141` */
  host: string
  token: string
  /** Of a browser that signed in. */
  cookie: string
  /** The header with the key of its page. */
  key: Headers
  session: string
  /** Tokens that may do less, by what they may. */
  lesser: Record<'read' | 'answer' | 'prompt' | 'other', string>
  expired: string
}

type Headers = Record<string, string>

const http = (method: string, path: string, headers: Headers, body = '') => {
  const all = body === '' ? headers : { ...headers, 'Content-Length': String(body.length) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/** What a stranger would like to do. */
function wishes({ session }: Known, headers: Headers): Record<string, string> {
  const json = { ...headers, 'Content-Type': 'application/json' }
  const prompt = '{"content":"create owned.txt with x"}'
  return {
    'read sessions': http('GET', '/v1/sessions', headers),
    'send a prompt': http('POST', `/v1/sessions/${session}/prompts`, json, prompt),
    'delete the session': http('DELETE', `/v1/sessions/${session}`, headers),
    'follow events': http('GET', `/v1/sessions/${session}/events?after=0`, { ...headers, ...UPGRADE }),
  }
}

function each(
  kind: string,
  names: string[],
  refused: number[],
  make: (name: string) => Record<string, string>,
): Foreign[] {
  return names.flatMap((name) =>
    Object.entries(make(name)).map(([wish, request]) => ({ kind, name: `${name}: ${wish}`, request, refused })),
  )
}

export function foreignRequests(known: Known): Foreign[] {
  const { host, token, cookie, key, session, lesser, expired } = known
  const [, port = ''] = host.split(':')
  const bearer = { Authorization: `Bearer ${token}` }
  const signedIn = { Host: host, Cookie: cookie, ...key }
  const [name = '', value = ''] = cookie.split('=')
  const hosts = [
    ...[
      'attacker.example',
      `attacker.example:${port}`,
      `localhost.attacker.example:${port}`,
      `127.0.0.1.nip.io:${port}`,
    ],
    ...[
      `[::1]:${port}`,
      `0.0.0.0:${port}`,
      '127.0.0.1',
      'localhost',
      `127.0.0.1:1`,
      `127.1:${port}`,
      `2130706433:${port}`,
    ],
    ...[
      `127.0.0.1.:${port}`,
      `localhost.:${port}`,
      `LOCALHOST.EVIL:${port}`,
      `user@127.0.0.1:${port}`,
      `127.0.0.1:${port}@evil`,
    ],
    ...[`127.0.0.1:${port}/evil`, `0x7f.0.0.1:${port}`, `127.0.0.1:${port}, evil`, `xn--localhost:${port}`],
  ]
  const origins = [
    ...[
      'null',
      'http://attacker.example',
      'https://attacker.example',
      'http://localhost:3000',
      'http://127.0.0.1:3000',
    ],
    ...['http://localhost', `http://localhost.attacker.example:${port}`, `http://127.0.0.1.nip.io:${port}`, 'file://'],
    ...[
      'chrome-extension://abcdefghijklmnop',
      `http://evil@127.0.0.1:${port}`,
      `http://127.0.0.1:${port}.evil`,
      `ftp://${host}`,
    ],
  ]
  const secrets: Record<string, Headers> = {
    none: {},
    'empty token': { Authorization: 'Bearer ' },
    'same length': { Authorization: `Bearer ${'x'.repeat(token.length)}` },
    'one letter off': { Authorization: `Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}` },
    'a part of it': { Authorization: `Bearer ${token.slice(0, -1)}` },
    longer: { Authorization: `Bearer ${token}x` },
    expired: { Authorization: `Bearer ${expired}` },
    'another scheme': { Authorization: `Basic ${Buffer.from(`main:${token}`).toString('base64')}` },
    'without a scheme': { Authorization: token },
    'token as a cookie': { Cookie: `${name}=${token}`, ...key },
    'unknown cookie': { Cookie: `${name}=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`, ...key },
    'cookie of another name': { Cookie: `kedge_sessio=${value}`, ...key },
    'cookie of another port': { Cookie: `kedge_session_1=${value}`, ...key },
    // What a service on another port of this host gets to see.
    'the cookie alone': { Cookie: cookie },
    'the cookie with another key': { Cookie: cookie, 'X-Kedge-Key': 'b'.repeat(35) },
    'the cookie with an empty key': { Cookie: cookie, 'X-Kedge-Key': '' },
    'the cookie as its own key': { Cookie: cookie, 'X-Kedge-Key': value },
    'the cookie, with another key for a socket': {
      Cookie: cookie,
      'Sec-WebSocket-Protocol': `kedge, kedge.key.${'b'.repeat(35)}`,
    },
    'the key alone': key,
    'as a header of its own': { 'X-Token': token },
  }
  const rows = [
    ...each('Host, DNS rebinding', hosts, [400, 421], (name) => wishes(known, { Host: name, ...bearer })),
    ...each('Origin, with a token', origins, [403], (name) => wishes(known, { Host: host, Origin: name, ...bearer })),
    ...each('Origin, with a cookie', origins.slice(0, 5), [403], (name) =>
      wishes(known, { ...signedIn, Origin: name }),
    ),
    ...each('other pages without Origin', ['cross-site', 'same-site'], [403], (name) =>
      wishes(known, { ...signedIn, 'Sec-Fetch-Site': name }),
    ),
    ...each('token', Object.keys(secrets), [401, 429], (name) => wishes(known, { Host: host, ...secrets[name] })),
    ...each('token in the address', ['token', 'access_token'], [400, 401, 429], (name) => ({
      'read sessions': http('GET', `/v1/sessions?${name}=${token}`, { Host: host }),
      'send a prompt': http('POST', `/v1/sessions/${session}/prompts?${name}=${token}`, { Host: host }),
    })),
    ...scopes(known, lesser),
    ...forms(session, signedIn),
    ...paths({ Host: host, ...bearer }),
    ...smuggling(known, bearer),
  ]
  return rows
}

const MAY: Record<string, readonly string[]> = {
  read: ['read'],
  answer: ['read', 'answer'],
  prompt: ['read', 'prompt'],
}

/** Whatever a lesser token may not, and everything with one for another session. */
function scopes({ host, session }: Known, lesser: Known['lesser']): Foreign[] {
  const fill = (path: string) => path.replace('{session}', session).replace(/\{\w+\}/g, 'x')
  const ask = (method: string, path: string, token: string) =>
    http(method.toUpperCase(), fill(path), {
      Host: host,
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
    })
  return OPERATIONS.flatMap(({ id, method, path, scope, query }) => {
    const missing = (['read', 'answer', 'prompt'] as const).filter(
      (name) => scope !== 'none' && !MAY[name]?.includes(scope),
    )
    const rows = missing.map((name) => ({
      kind: 'scope',
      name: `${name}: ${id}`,
      request: ask(method, path, lesser[name]),
      refused: [403],
    }))
    const needs = Object.values(query).some(({ isOptional }) => !isOptional)
    if (!path.includes('{session}') || needs) return rows
    const request = ask(method, path, lesser.other)
    // A body that is wrong may be told first; it has no effect either.
    return [...rows, { kind: 'token of another session', name: id, request, refused: [400, 403, 404] }]
  })
}

/** What a page elsewhere can have a browser send without asking. */
function forms(session: string, signedIn: Headers): Foreign[] {
  const body = '{"content":"create owned.txt with x"}'
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ]
  return types.flatMap((type) => {
    const headers = { ...signedIn, ...(type === '' ? {} : { 'Content-Type': type }) }
    return [
      {
        kind: 'form',
        name: `prompt as ${type}`,
        refused: [415],
        request: http('POST', `/v1/sessions/${session}/prompts`, headers, body),
      },
      {
        kind: 'form',
        name: `session as ${type}`,
        refused: [415],
        request: http('POST', '/v1/sessions', headers, '{"cwd":"/"}'),
      },
    ]
  })
}

function paths(headers: Headers): Foreign[] {
  const tricks = [
    ...[
      '/../../etc/passwd',
      '/%2e%2e%2f%2e%2e%2fetc/passwd',
      '/..%5c..%5cwindows',
      '/%00',
      '/v1/sessions/%00',
      '/v1/%2e%2e/healthz%00',
    ],
    ...[
      '/%252e%252e/etc/passwd',
      '//etc/passwd',
      '/v1//sessions',
      '/v1/sessions/',
      '/v1/sessions/..',
      '/V1/sessions',
      '/v1/sessions/../tokens',
    ],
    ...[
      '/.git/config',
      '/server/token',
      '/token',
      '/v1/sessions/%2e%2e%2ftoken',
      `/${'a'.repeat(8000)}`,
      '/v1/sessions/x/y/z/w',
      '/%ff%fe',
    ],
    ...[
      '/v1/sessions;admin',
      '/v1/sessions%3Fx',
      '/v1/sessions/..;/tokens',
      '/sign-in.js/../../token',
      '/%c0%ae%c0%ae/etc/passwd',
    ],
  ]
  return tricks.map((path) => ({
    kind: 'path',
    name: path.slice(0, 60),
    request: http('GET', path, headers),
    refused: [400, 404, 405],
  }))
}

/** Two readers must never see two requests in one. */
function smuggling({ host }: Known, bearer: Headers): Foreign[] {
  const auth = `Host: ${host}\r\nAuthorization: ${bearer['Authorization']}\r\n`
  const inner = `DELETE /v1/sessions HTTP/1.1\r\n${auth}\r\n`
  const raw: Record<string, string> = {
    'length and chunks': `POST /v1/logout HTTP/1.1\r\n${auth}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    'two lengths': `POST /v1/logout HTTP/1.1\r\n${auth}Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    'length with a sign': `POST /v1/logout HTTP/1.1\r\n${auth}Content-Length: +1\r\n\r\nx`,
    'length twice in one': `POST /v1/logout HTTP/1.1\r\n${auth}Content-Length: 0, 5\r\n\r\n`,
    'chunked, twice': `POST /v1/logout HTTP/1.1\r\n${auth}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    'chunk size with junk': `POST /v1/sessions HTTP/1.1\r\n${auth}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    'blank before the colon': `GET /v1/sessions HTTP/1.1\r\nHost : ${host}\r\n\r\n`,
    'folded header': `GET /v1/sessions HTTP/1.1\r\n${auth}X-A: 1\r\n Host: evil\r\nOrigin: null\r\n\r\n`,
    'two hosts': `GET /v1/sessions HTTP/1.1\r\nHost: evil.example\r\n${auth}\r\n`,
    'two hosts, ours first': `GET /v1/sessions HTTP/1.1\r\n${auth}Host: evil.example\r\n\r\n`,
    'no host': `GET /v1/sessions HTTP/1.1\r\nAuthorization: ${bearer['Authorization']}\r\n\r\n`,
    'no host, HTTP/1.0': `GET /v1/sessions HTTP/1.0\r\nAuthorization: ${bearer['Authorization']}\r\n\r\n`,
    'absolute address': `GET http://evil.example/v1/sessions HTTP/1.1\r\n${auth}\r\n`,
    connect: `CONNECT evil.example:443 HTTP/1.1\r\n${auth}\r\n`,
    'NUL in a header': `GET /v1/sessions HTTP/1.1\r\n${auth}X-A: a\0b\r\n\r\n`,
    'no method': ` /v1/sessions HTTP/1.1\r\n${auth}\r\n`,
    'another protocol': `SSH-2.0-OpenSSH_9.0\r\n`,
    'two tokens': `GET /v1/sessions HTTP/1.1\r\nAuthorization: Bearer x\r\n${auth}\r\n`,
    'two origins': `GET /v1/sessions HTTP/1.1\r\n${auth}Origin: http://${host}\r\nOrigin: http://evil\r\n\r\n`,
    'header of 20 KB': `GET /v1/sessions HTTP/1.1\r\n${auth}X-A: ${'a'.repeat(20_000)}\r\n\r\n`,
  }
  // 0: the connection is closed without a word.
  const refused = [0, 400, 403, 404, 405, 408, 421, 431]
  return Object.entries(raw).map(([name, request]) => ({ kind: 'smuggling', name, request, refused }))
}
