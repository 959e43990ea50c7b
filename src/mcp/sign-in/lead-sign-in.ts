/**
 * Leads a user through a sign-in, wherever that user is: the page is shown by an interface; the browser comes back to
 * this machine by itself, or the user pastes the address that it ended at, or types a code on another device.
 */
import { firstAbort } from '../../platform/first-abort.js'
import { listenForRedirect, type RedirectListener } from '../../platform/http/redirect-listener.js'
import type { Platform } from '../../platform/platform.js'
import { printableText } from '../../platform/visible-text.js'
import { messageOf } from '../../protocol/thrown.js'
import type { RemoteConfig } from '../server-config.js'
import { type AuthorizationAnswer, readAuthorizationAnswer, readPastedAnswer } from './authorization-answer.js'
import { signInOnDevice } from './device-sign-in.js'
import { signIn } from './sign-in.js'
import { createSignInFetch } from './sign-in-fetch.js'
import { type OAuthLibrary, type SignInChallenge, SignInError } from './sign-in-ports.js'
import type { SignInStore } from './sign-in-store.js'
import type { StoredSignIn } from './stored-sign-in.js'

export type SignInVisit = {
  /** The page of the authorization server. */
  address: URL
  /** What its user compares or types there. */
  code?: string
  /** What was wrong with the last paste. */
  problem?: string
  /** The same is possible on another device, with a code. */
  offersDevice?: boolean
}

export type SignInLead = {
  server: string
  config: RemoteConfig
  challenge: SignInChallenge
  method: 'browser' | 'device'
  store: SignInStore
  platform: Platform
  library(): Promise<OAuthLibrary>
  /**
   * Shows the page until the signal. Resolves with what the user pasted, or with `canceled`; never resolves as long as
   * there is neither.
   */
  show(visit: SignInVisit, signal: AbortSignal): Promise<{ pasted: string } | 'canceled'>
  /** Aborted when nobody waits for the sign-in any more. */
  signal: AbortSignal
}

export type SignInEnd = { kind: 'signed-in' } | { kind: 'canceled' } | { kind: 'failed'; problem: string }

/** The user might have to find a password and a second factor. */
const PATIENCE_MS = 10 * 60_000

/** Never rejects, and ends at the latest when nobody would wait any longer. Time alone never signs in. */
export async function leadSignIn(lead: SignInLead): Promise<SignInEnd> {
  const end = new AbortController()
  const isCanceled = { value: false }
  const { config, platform, signal } = lead
  const stop = () => end.abort()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) end.abort()
  const web = createSignInFetch({
    serverUrl: config.url,
    allowPrivateAddress: config.allowPrivateAddress === true,
    network: platform.network,
  })
  const cancel = () => {
    isCanceled.value = true
    end.abort()
  }
  try {
    await (lead.method === 'device' ? onDevice : inBrowser)(lead, web.fetch, { signal: end.signal, cancel })
    return { kind: 'signed-in' }
  } catch (error) {
    return isCanceled.value || signal.aborted ? { kind: 'canceled' } : { kind: 'failed', problem: messageOf(error) }
  } finally {
    signal.removeEventListener('abort', stop)
    end.abort()
    web.close()
  }
}

type LeadEnd = { signal: AbortSignal; cancel(): void }
type SignInRequests = ReturnType<typeof createSignInFetch>['fetch']

async function onDevice(lead: SignInLead, fetch: SignInRequests, { signal, cancel }: LeadEnd): Promise<void> {
  const { server, config, challenge, store, platform, library } = lead
  const isOver = new AbortController()
  const until = firstAbort([signal, isOver.signal])
  try {
    await signInOnDevice({ server, url: config.url }, config.oauth ?? {}, challenge, {
      library: await library(),
      fetch,
      store,
      clock: platform.clock,
      signal,
      show(address, code) {
        const answer = lead.show({ address, code }, until.signal)
        void answer.then(cancel, () => {})
      },
    })
  } finally {
    isOver.abort()
    until.release()
  }
}

async function inBrowser(lead: SignInLead, fetch: SignInRequests, { signal, cancel }: LeadEnd): Promise<void> {
  const { server, config, challenge, store, platform, library } = lead
  const identity = { server, url: config.url }
  const name = printableText(server, 100)
  const listener = await openListener(config.oauth?.callbackPort, await store.find(identity))
  try {
    await signIn(identity, config.oauth ?? {}, challenge, {
      library: await library(),
      fetch,
      store,
      clock: platform.clock,
      random: () => platform.identity.hex(32),
      redirectUrl: listener.url,
      ask: (address, state, about) => askUser({ address, ...about }, state, lead, { listener, signal, cancel }),
    })
    listener.show({
      title: `Signed in to ${name}`,
      text: 'You can close this page and go back to Kedge.',
      isGood: true,
    })
  } catch (error) {
    listener.show({ title: `Not signed in to ${name}`, text: messageOf(error), isGood: false })
    throw error
  } finally {
    listener.close()
  }
}

/** A client that was registered is known with the port it had: it is used again if that port is free. */
async function openListener(wanted: number | undefined, before: StoredSignIn | undefined): Promise<RedirectListener> {
  try {
    if (wanted !== undefined) return await listenForRedirect(wanted)
    const port = before?.isRegistered && before.redirectUrl ? Number(new URL(before.redirectUrl).port) : 0
    return await (port > 0 ? listenForRedirect(port).catch(() => listenForRedirect()) : listenForRedirect())
  } catch (error) {
    throw new SignInError(`Can't listen for the browser on localhost: ${messageOf(error)}`)
  }
}

async function askUser(
  visit: SignInVisit,
  state: string,
  { show, platform }: SignInLead,
  { listener, signal, cancel }: LeadEnd & { listener: RedirectListener },
): Promise<AuthorizationAnswer> {
  const isOver = new AbortController()
  const { signal: until, release } = firstAbort([signal, isOver.signal])
  let cancelTimer = () => {}
  try {
    return await Promise.race([
      fromBrowser(state, listener),
      fromUser(state, (problem) => show({ ...visit, ...problem }, until), cancel),
      new Promise<never>((_, reject) => {
        cancelTimer = platform.clock.after(PATIENCE_MS, () => reject(new SignInError('No sign-in within 10 minutes.')))
        until.addEventListener('abort', () => reject(new SignInError('The sign-in was canceled.')), { once: true })
        if (until.aborted) reject(new SignInError('The sign-in was canceled.'))
      }),
    ])
  } finally {
    cancelTimer()
    isOver.abort()
    release()
  }
}

async function fromBrowser(state: string, listener: RedirectListener): Promise<AuthorizationAnswer> {
  const query = await listener.next((given) => {
    const answer = readAuthorizationAnswer(given, state)
    return 'kind' in answer && answer.kind === 'stray' ? answer.problem : undefined
  })
  const answer = readAuthorizationAnswer(query, state)
  if ('kind' in answer) throw new SignInError(answer.problem)
  return answer
}

async function fromUser(
  state: string,
  ask: (problem: { problem?: string }) => ReturnType<SignInLead['show']>,
  cancel: () => void,
): Promise<AuthorizationAnswer> {
  let problem: { problem?: string } = {}
  for (;;) {
    const given = await ask(problem)
    if (given === 'canceled') {
      cancel()
      throw new SignInError('The sign-in was canceled.')
    }
    const answer = readPastedAnswer(given.pasted, state)
    if (!('kind' in answer)) return answer
    if (answer.kind === 'refused') throw new SignInError(answer.problem)
    problem = { problem: `${answer.problem} Paste the whole address.` }
  }
}
