/**
 * Webhooks: addresses that receive a signed request when a session needs a user, has finished, or failed. Each reads
 * the stream over all sessions, which serves as its queue: nothing is lost while the address doesn't answer, or while
 * the server is down.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { NumberedFeedEntry } from '../../hub/log/feed.js'
import type { RequestInbox, SessionLogs } from '../../hub/sessions.js'
import { messageOf } from '../../protocol/thrown.js'
import { readSecretJson, writeSecret } from '../access/secret-file.js'
import { HttpProblem } from '../api/problems.js'
import type { ServerLog } from '../server-log.js'
import type { PostSender } from './send-post.js'
import { type UserNotification, type UserNotificationKind, userNotificationOf } from './user-notifications.js'

export type Webhook = { id: string; url: string; kinds?: UserNotificationKind[]; created: string }
/** `after` is the number of the last entry that was sent. */
type Stored = Webhook & { secret: string; after: number }
export type WebhookState = Webhook & { after: number; failures: number; lastError?: string }

export type WebhookPorts = {
  folder: string
  hub: SessionLogs & Pick<RequestInbox, 'asks'>
  post: PostSender
  log: ServerLog
  titleOf(session: string): Promise<string | undefined>
  /** It is not for this server to tell of it: a session elsewhere, or one that came from a file. */
  isSilent(item: NumberedFeedEntry): Promise<boolean>
  wait(ms: number, signal: AbortSignal): Promise<void>
  now(): number
}

/** Between tries; after the last one the next notice has its turn. */
const TRIES_MS = [1000, 5000, 30_000, 120_000, 600_000]
/** Older notices aren't sent. */
const OLDEST_MS = 24 * 60 * 60 * 1000
const MOST = 50

type Running = { hook: Stored; end: AbortController; failures: number; lastError?: string }

export class WebhookSender {
  readonly #ports: WebhookPorts
  readonly #running = new Map<string, Running>()

  constructor(ports: WebhookPorts) {
    this.#ports = ports
  }

  /** Starts the stored webhooks, and those given at the start. A new one of the latter begins with future events. */
  async start(urls: readonly string[]): Promise<void> {
    const stored = readSecretJson(this.#file)
    const hooks: Stored[] = Array.isArray(stored) ? stored : [] // written by `#write`
    for (const hook of hooks) this.#run(hook)
    const known = new Set([...this.#running.values()].map(({ hook }) => hook.url))
    for (const url of urls) if (!known.has(url)) await this.add({ url })
  }

  list(): WebhookState[] {
    return [...this.#running.values()].map(({ hook: { secret: _, ...hook }, failures, lastError }) => ({
      ...hook,
      failures,
      ...(lastError === undefined ? {} : { lastError }),
    }))
  }

  /** Returns the secret, this one time. */
  async add({ url, kinds }: { url: string; kinds?: UserNotificationKind[] }): Promise<Webhook & { secret: string }> {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new HttpProblem('invalid_request', 'A webhook is an address that begins with http:// or https://.')
    if (this.#running.size >= MOST)
      throw new HttpProblem('invalid_request', 'There are too many webhooks: remove some.')
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const made = {
      id: randomBytes(6).toString('hex'),
      url,
      ...(kinds ? { kinds } : {}),
      created: new Date().toISOString(),
    }
    this.#run({ ...made, secret, after: await this.#ports.hub.last() })
    this.#write()
    return { ...made, secret }
  }

  /** False: there is none. */
  remove(id: string): boolean {
    this.#running.get(id)?.end.abort()
    const isThere = this.#running.delete(id)
    if (isThere) this.#write()
    return isThere
  }

  end(): void {
    for (const { end } of this.#running.values()) end.abort()
    if (this.#running.size > 0) this.#write()
  }

  #run(hook: Stored): void {
    const running: Running = { hook: { ...hook }, end: new AbortController(), failures: 0 }
    this.#running.set(hook.id, running)
    void this.#follow(running).catch((error) => {
      if (!running.end.signal.aborted) this.#ports.log.error('webhook ended', error)
    })
  }

  async #follow(running: Running): Promise<void> {
    const { hub, now, isSilent } = this.#ports
    const { hook, end } = running
    // A log that was started over has smaller numbers.
    const after = Math.min(hook.after, await hub.last())
    for await (const item of hub.read('all', { after, signal: end.signal })) {
      const notice = userNotificationOf(item)
      const isWanted = notice && (hook.kinds?.includes(notice.kind) ?? true) && now() - Date.parse(item.at) < OLDEST_MS
      if (isWanted && !(await isSilent(item)) && (await this.#isTrue(notice)))
        await this.#deliver(running, item, notice)
      if (end.signal.aborted) return
      hook.after = item.all
      if (isWanted) this.#write()
    }
  }

  /** Whether the notice still applies: the ask might have been answered. */
  async #isTrue({ ask, session }: UserNotification): Promise<boolean> {
    if (!ask) return true
    const open = await this.#ports.hub.asks()
    return open.some(({ id, session: asks }) => id === ask.id && asks === session)
  }

  async #deliver(running: Running, { all }: NumberedFeedEntry, notice: UserNotification): Promise<void> {
    const { post, wait, log, now, titleOf } = this.#ports
    const { hook, end } = running
    const { kind, ...about } = notice
    const title = await titleOf(notice.session)
    const data = { ...about, ...(title === undefined ? {} : { title }) }
    const body = JSON.stringify({ type: `session.${kind}`, timestamp: notice.at, data })
    for (const delay of [...TRIES_MS, undefined]) {
      const { signal } = end
      const headers = createWebhookSignatureHeaders(`kedge_${all}`, body, hook.secret, now())
      const told = await post({ url: hook.url, headers, body, isPublicOnly: false, signal }).catch((error: unknown) =>
        messageOf(error),
      )
      if (end.signal.aborted) return
      if (typeof told === 'number' && told >= 200 && told < 300) {
        running.failures = 0
        delete running.lastError
        return
      }
      running.failures += 1
      running.lastError = typeof told === 'number' ? `It answered ${told}.` : told
      if (delay === undefined) log.info('webhook gave up', { webhook: hook.id, session: notice.session, event: kind })
      else await wait(delay, signal)
    }
  }

  #write(): void {
    writeSecret(this.#file, JSON.stringify([...this.#running.values()].map(({ hook }) => hook)))
  }

  get #file(): string {
    return join(this.#ports.folder, 'webhooks.json')
  }
}

/**
 * Returns the headers that sign a webhook's body: as standardwebhooks.com has it, so that receivers have libraries
 * for it.
 */
export function createWebhookSignatureHeaders(
  id: string,
  body: string,
  secret: string,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'kedge',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
