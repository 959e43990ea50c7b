/**
 * Access tokens and what they permit: this machine's main token, tokens made for others, and the cookies of browsers
 * that presented one.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readSecret, readSecretJson, writeSecret } from './secret-file.js'

export const TOKEN_SCOPES = ['read', 'answer', 'prompt', 'admin'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** The sender of a request. Without `sessions`, it can use all of them. */
export type Caller = { id: string; name: string; scopes: readonly TokenScope[]; sessions?: readonly string[] }

export type TokenInfo = Caller & { created: string; expires?: string }
type StoredToken = TokenInfo & { hash: string }
/**
 * `key`: the hash of the key that the web app sends beside the cookie. Older cookies have none, and are no longer
 * valid.
 */
type Cookie = { hash: string; key?: string; token: string; expires: string }
/** What is known of tokens: their hashes, never they themselves. */
export type StoredTokens = { tokens: StoredToken[]; cookies: Cookie[] }

/** Where that is kept: a file, or a database that several nodes of a server share. */
export interface TokenStorage {
  /** As of now. */
  stored(): StoredTokens
  /** `change` may be called more than once: on what others have written meanwhile. */
  update(change: (stored: StoredTokens) => StoredTokens): void
  /** When all of it is where the others see it. */
  saved(): Promise<void>
  /** What others have written is there when it resolves. */
  refresh(): Promise<void>
}

export const MAIN_TOKEN_ID = 'main'
const COOKIE_DAYS = 30
const MOST_COOKIES = 200
const MOST_TOKENS = 1000

/**
 * Returns whether a caller's token permits something. `admin` permits everything. Answering and prompting include
 * reading.
 */
export function hasScope({ scopes }: Caller, scope: TokenScope): boolean {
  return scopes.includes('admin') || scopes.includes(scope) || (scope === 'read' && scopes.length > 0)
}

export type TokensOptions = {
  /** Folder of this server's files; created if it doesn't exist. */
  folder: string
  /** Instead of the one in the file. */
  token?: string | undefined
  now(): number
  /** Default: a file in the folder. */
  storage?: TokenStorage | undefined
}

export class AccessTokens {
  readonly #folder: string
  readonly #now: () => number
  readonly #main: Buffer
  /** The token in plain text, for the person who starts the server. */
  readonly token: string
  readonly #storage: TokenStorage

  constructor({ folder, token, now, storage }: TokensOptions) {
    this.#folder = folder
    this.#now = now
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.token = token ?? this.#ownToken()
    this.#main = digest(this.token)
    this.#storage = storage ?? new TokenFile(join(folder, 'tokens.json'))
  }

  get #stored(): StoredTokens {
    return this.#storage.stored()
  }

  /** When what was made or taken away counts on every node. */
  saved(): Promise<void> {
    return this.#storage.saved()
  }

  /** A token that is not known here may have been made on another node. */
  refresh(): Promise<void> {
    return this.#storage.refresh()
  }

  /** Where the main token is. */
  get file(): string {
    return join(this.#folder, 'token')
  }

  /** Every known token is compared, each in constant time. */
  find(token: string): Caller | undefined {
    const hash = digest(token)
    let found: Caller | undefined
    for (const stored of this.#stored.tokens) {
      if (timingSafeEqual(Buffer.from(stored.hash, 'hex'), hash) && !this.#isOver(stored.expires))
        found = callerOf(stored)
    }
    return timingSafeEqual(this.#main, hash) ? { id: MAIN_TOKEN_ID, name: MAIN_TOKEN_ID, scopes: ['admin'] } : found
  }

  /** A cookie counts only with the key of the page it was made for. */
  findCookie(value: string, key: string): Caller | undefined {
    const [hash, keyHash] = [digest(value), digest(key)]
    let found: Cookie | undefined
    for (const cookie of this.#stored.cookies) {
      const isIt = timingSafeEqual(Buffer.from(cookie.hash, 'hex'), hash)
      const isItsPage = cookie.key !== undefined && timingSafeEqual(Buffer.from(cookie.key, 'hex'), keyHash)
      if (isIt && isItsPage && !this.#isOver(cookie.expires)) found = cookie
    }
    if (!found) return undefined
    return this.callerOf(found.token)
  }

  /** What a browser keeps instead of the token, beside the key of its page. */
  makeCookie(caller: Caller, key: string): { value: string; seconds: number } {
    const value = randomBytes(32).toString('base64url')
    const seconds = COOKIE_DAYS * 24 * 60 * 60
    const expires = new Date(this.#now() + seconds * 1000).toISOString()
    const token = this.lastingId(caller)
    const made = { hash: digest(value).toString('hex'), key: digest(key).toString('hex'), token, expires }
    this.#storage.update(({ tokens, cookies }) => {
      const kept = cookies.filter((cookie) => !this.#isOver(cookie.expires)).slice(1 - MOST_COOKIES)
      return { tokens, cookies: [...kept, made] }
    })
    return { value, seconds }
  }

  dropCookie(value: string): void {
    const hash = digest(value).toString('hex')
    this.#storage.update(({ tokens, cookies }) => ({
      tokens,
      cookies: cookies.filter((cookie) => cookie.hash !== hash),
    }))
  }

  /** Names the token for as long as it is this one. */
  lastingId({ id }: Caller): string {
    return id === MAIN_TOKEN_ID ? this.#mainId : id
  }

  /** Whose token it is, by its lasting id, as long as it is good. */
  callerOf(id: string): Caller | undefined {
    if (id === this.#mainId) return { id: MAIN_TOKEN_ID, name: MAIN_TOKEN_ID, scopes: ['admin'] }
    const token = this.#stored.tokens.find((stored) => stored.id === id)
    return token && !this.#isOver(token.expires) ? callerOf(token) : undefined
  }

  list(): TokenInfo[] {
    return this.#stored.tokens.map(({ hash: _, ...info }) => info)
  }

  /** Returns the token in plain text, this one time. Undefined if there are too many tokens. */
  make(wanted: Omit<TokenInfo, 'id' | 'created'>): (TokenInfo & { token: string }) | undefined {
    const tokens = this.#stored.tokens.filter(({ expires }) => !this.#isOver(expires))
    if (tokens.length >= MOST_TOKENS) return undefined
    const token = newToken()
    const info = { id: randomBytes(6).toString('hex'), created: new Date(this.#now()).toISOString(), ...wanted }
    const made = { ...info, hash: digest(token).toString('hex') }
    this.#storage.update((stored) => ({
      ...stored,
      tokens: [...stored.tokens.filter(({ expires }) => !this.#isOver(expires)), made],
    }))
    return { ...info, token }
  }

  /** With the cookies it was exchanged for. False: there is none. */
  revoke(id: string): boolean {
    if (!this.#stored.tokens.some((token) => token.id === id)) return false
    this.#storage.update(({ tokens, cookies }) => ({
      tokens: tokens.filter((token) => token.id !== id),
      cookies: cookies.filter(({ token }) => token !== id),
    }))
    return true
  }

  /** Cookies for the main token end when that is another one. */
  get #mainId(): string {
    return `${MAIN_TOKEN_ID} ${this.#main.toString('hex').slice(0, 16)}`
  }

  #isOver(expires: string | undefined): boolean {
    return expires !== undefined && Date.parse(expires) <= this.#now()
  }

  #ownToken(): string {
    const { file } = this
    const stored = readSecret(file)?.trim() ?? ''
    if (stored.length >= MIN_TOKEN_LENGTH) return stored
    const token = newToken()
    writeSecret(file, `${token}\n`)
    return token
  }
}

class TokenFile implements TokenStorage {
  readonly #path: string
  #stored: StoredTokens

  constructor(path: string) {
    this.#path = path
    // Missing or damaged: then only the main token is accepted.
    const { tokens = [], cookies = [] } = (readSecretJson(path) ?? {}) as Partial<StoredTokens>
    this.#stored = { tokens, cookies }
  }

  stored(): StoredTokens {
    return this.#stored
  }

  update(change: (stored: StoredTokens) => StoredTokens): void {
    const changed = change(this.#stored)
    writeSecret(this.#path, JSON.stringify(changed))
    this.#stored = changed
  }

  async saved(): Promise<void> {}
  async refresh(): Promise<void> {}
}

/** Shorter ones can be guessed. */
export const MIN_TOKEN_LENGTH = 16

function newToken(): string {
  return `kdg_${randomBytes(32).toString('base64url')}`
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function callerOf({ id, name, scopes, sessions }: StoredToken): Caller {
  return { id, name, scopes, ...(sessions ? { sessions } : {}) }
}
