/** Browsers that subscribed to push, and sending to them. */
import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { isObject } from '../../protocol/json.js'
import type { Caller } from '../access/access-tokens.js'
import { readSecretJson, writeSecret } from '../access/secret-file.js'
import { HttpProblem } from '../api/problems.js'
import type { ServerLog } from '../server-log.js'
import { isPublicHost, type PostSender } from './send-post.js'
import type { UserNotification, UserNotificationKind } from './user-notifications.js'
import {
  arePushKeys,
  encryptPush,
  MAX_PUSH_MESSAGE_BYTES,
  newVapidKeys,
  type PushKeys,
  type VapidKeys,
  vapidHeader,
} from './web-push.js'

export type PushSubscriptionRecord = {
  id: string
  endpoint: string
  keys: PushKeys
  kinds?: UserNotificationKind[]
  /** Whose it is: it ends with the token. */
  token: string
  created: string
}

export type PushPorts = {
  folder: string
  /** Contact for the push service: an address. */
  contact: string
  post: PostSender
  log: ServerLog
  lastingId(caller: Caller): string
  /** Returns the token's caller; undefined if the token is no longer valid. */
  callerOf(token: string): Caller | undefined
  maySee(caller: Caller, session: string): Promise<boolean>
  /** What people call it. */
  titleOf(session: string): Promise<string | undefined>
  wait(ms: number, signal: AbortSignal): Promise<void>
}

const MOST = 200
const MOST_AT_ONCE = 500
const TRIES_MS = [1000, 10_000]
const DAY = 24 * 60 * 60

export class PushSender {
  readonly #ports: PushPorts
  readonly #end = new AbortController()
  #keys: VapidKeys | undefined
  #subscriptions: PushSubscriptionRecord[]
  #sending = 0

  constructor(ports: PushPorts) {
    this.#ports = ports
    const stored = readSecretJson(this.#file)
    this.#subscriptions = Array.isArray(stored) ? stored : []
    // Every concurrent delivery listens to this signal.
    setMaxListeners(0, this.#end.signal)
  }

  /** Made when the server starts for the first time, and kept: browsers subscribe to this one. */
  get publicKey(): string {
    return this.#vapid().publicKey
  }

  /** Returns the caller's subscriptions; for an admin, all of them. */
  list(caller: Caller): Omit<PushSubscriptionRecord, 'keys'>[] {
    return this.#subscriptions.filter(({ token }) => isOwner(caller, token)).map(({ keys: _, ...shown }) => shown)
  }

  /** The same browser again is the same subscription. */
  add(
    caller: Caller,
    wanted: Pick<PushSubscriptionRecord, 'endpoint' | 'keys' | 'kinds'>,
  ): Omit<PushSubscriptionRecord, 'keys'> {
    const { endpoint, keys, kinds } = wanted
    if (!URL.canParse(endpoint) || new URL(endpoint).protocol !== 'https:' || !isPublicHost(new URL(endpoint).hostname))
      throw new HttpProblem('invalid_request', 'The endpoint is not the address of a push service.')
    if (!arePushKeys(keys)) throw new HttpProblem('invalid_request', 'The keys are none that a browser makes.')
    const id = createHash('sha256').update(endpoint).digest('hex').slice(0, 16)
    const others = this.#subscriptions.filter((one) => one.id !== id)
    if (others.length >= MOST)
      throw new HttpProblem('invalid_request', 'There are too many subscriptions: remove some.')
    const made = {
      id,
      endpoint,
      ...(kinds ? { kinds } : {}),
      token: this.#ports.lastingId(caller),
      created: new Date().toISOString(),
    }
    this.#write([...others, { ...made, keys }])
    return made
  }

  /** False: there is none of theirs. */
  remove(caller: Caller, id: string): boolean {
    const kept = this.#subscriptions.filter((one) => one.id !== id || !isOwner(caller, one.token))
    if (kept.length === this.#subscriptions.length) return false
    this.#write(kept)
    return true
  }

  dropToken(token: string): void {
    if (this.#subscriptions.some((one) => one.token === token))
      this.#write(this.#subscriptions.filter((one) => one.token !== token))
  }

  /** Sends in the background. */
  tell(notice: UserNotification): void {
    for (const one of this.#subscriptions) {
      if (one.kinds && !one.kinds.includes(notice.kind)) continue
      if (this.#sending >= MOST_AT_ONCE) return
      this.#sending += 1
      void this.#send(one, notice)
        .catch((error) => this.#ports.log.error('push failed', error))
        .finally(() => {
          this.#sending -= 1
        })
    }
  }

  end(): void {
    this.#end.abort()
  }

  async #send({ id, endpoint, keys, token }: PushSubscriptionRecord, notice: UserNotification): Promise<void> {
    const { callerOf, maySee, titleOf, contact, post, wait, log } = this.#ports
    const caller = callerOf(token)
    if (!caller) return this.dropToken(token)
    if (!(await maySee(caller, notice.session))) return
    const { at: _, ...shown } = notice
    const title = (await titleOf(notice.session))?.slice(0, 100)
    const text = JSON.stringify({ ...shown, ...(title === undefined ? {} : { title }) })
    const isUrgent = notice.kind === 'needs_you'
    const body = encryptPush(text.length > MAX_PUSH_MESSAGE_BYTES ? JSON.stringify({ ...shown, text: '' }) : text, keys)
    const { signal } = this.#end
    for (const delay of [...TRIES_MS, undefined]) {
      const headers = {
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(isUrgent ? DAY : DAY / 24),
        urgency: isUrgent ? 'high' : 'normal',
        authorization: vapidHeader(endpoint, this.#vapid(), contact, Date.now()),
      }
      const status = await post({ url: endpoint, headers, body, isPublicOnly: true, signal }).catch(() => 0)
      if (status >= 200 && status < 300) return
      // The browser does not want it any more.
      if (status === 404 || status === 410) return this.#write(this.#subscriptions.filter((one) => one.id !== id))
      if ((status !== 0 && status !== 429 && status < 500) || delay === undefined || signal.aborted) {
        log.info('push refused', { subscription: id, status })
        return
      }
      await wait(delay, signal)
    }
  }

  #vapid(): VapidKeys {
    if (this.#keys) return this.#keys
    const stored = readSecretJson(this.#keyFile)
    this.#keys = isVapid(stored) ? stored : newVapidKeys()
    if (this.#keys !== stored) writeSecret(this.#keyFile, JSON.stringify(this.#keys))
    return this.#keys
  }

  #write(subscriptions: PushSubscriptionRecord[]): void {
    writeSecret(this.#file, JSON.stringify(subscriptions))
    this.#subscriptions = subscriptions
  }

  get #file(): string {
    return join(this.#ports.folder, 'push.json')
  }

  get #keyFile(): string {
    return join(this.#ports.folder, 'vapid.json')
  }
}

function isOwner({ id, scopes }: Caller, token: string): boolean {
  return id === token || scopes.includes('admin')
}

function isVapid(value: unknown): value is VapidKeys {
  return isObject(value) && typeof value['publicKey'] === 'string' && typeof value['privateKey'] === 'string'
}
