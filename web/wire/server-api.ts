/** Calls of /v1. The cookie says who calls; a problem becomes an error with its code. */
import { T } from '../texts.js'

export class ServerProblem extends Error {
  readonly code: string
  readonly status: number
  /** Who was first, where an answer came too late. */
  readonly by: string | undefined

  constructor(status: number, { code = 'unknown', detail = '', by }: { code?: string; detail?: string; by?: string }) {
    super(detail || T.serverSaid(status))
    this.code = code
    this.status = status
    this.by = by
  }
}

export async function call<R>(method: string, path: string, body?: unknown, headers: HeadersInit = {}): Promise<R> {
  let answer: Response
  try {
    answer = await fetch(`/v1${path}`, {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch {
    throw new ServerProblem(0, { code: 'offline', detail: T.noConnection })
  }
  const isJson = /json/.test(answer.headers.get('content-type') ?? '')
  const said = isJson ? await answer.json() : undefined
  if (!answer.ok) throw new ServerProblem(answer.status, said ?? {})
  return said
}

export const get = <R>(path: string) => call<R>('GET', path)
export const post = <R>(path: string, body: unknown = {}) => call<R>('POST', path, body)

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Also where the page is not on a secure origin, and `randomUUID` is missing. */
export function newId(): string {
  if (crypto.randomUUID) return crypto.randomUUID()
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
