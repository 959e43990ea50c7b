/** Calls of /v1. The web app's cookie and key identify the caller; a problem becomes an error with its code. */
import { T } from '../texts.js'
import { pageKey } from './page-key.js'
import type { Person } from './wire-types.js'

export class ServerProblem extends Error {
  readonly code: string
  readonly status: number
  /** If an answer came too late: the person who answered first. */
  readonly by: Person | undefined

  constructor(status: number, { code = 'unknown', detail = '', by }: { code?: string; detail?: string; by?: Person }) {
    super(detail || T.serverSaid(status))
    this.code = code
    this.status = status
    this.by = by
  }
}

export async function callApi<R>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<R> {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await ask(path, {
    method,
    headers: { ...type, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // Only callers that expect no value request an answer without a body.
  return isJson(answer) ? answer.json() : (undefined as R)
}

/** A link could not send the key of the page, so the page fetches the file and hands it to the browser. */
export async function download(path: string, name: string): Promise<void> {
  const address = URL.createObjectURL(await (await ask(path, {})).blob())
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

async function ask(path: string, { headers, ...given }: RequestInit & { headers?: Record<string, string> }) {
  let answer: Response
  try {
    answer = await fetch(`/v1${path}`, { ...given, headers: { 'x-kedge-key': pageKey(), ...headers } })
  } catch {
    throw new ServerProblem(0, { code: 'offline', detail: T.noConnection })
  }
  if (!answer.ok) throw new ServerProblem(answer.status, isJson(answer) ? await answer.json() : {})
  return answer
}

function isJson({ headers }: Response): boolean {
  return /json/.test(headers.get('content-type') ?? '')
}

export const get = <R>(path: string) => callApi<R>('GET', path)
export const post = <R>(path: string, body: unknown = {}) => callApi<R>('POST', path, body)

/** Also where the page is not on a secure origin, and `randomUUID` is missing. */
export function newId(): string {
  if (crypto.randomUUID) return crypto.randomUUID()
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
