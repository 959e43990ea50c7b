/** What a sign-in needs of its surroundings. */
import type { Clock } from '../../platform/clock.js'
import { messageOf } from '../../protocol/thrown.js'
import { cleanServerLine } from '../clean-text.js'
import type { AuthorizationAnswer } from './authorization-answer.js'
import type { SignInFetch } from './sign-in-fetch.js'
import type { SignInStore } from './sign-in-store.js'

export type OAuthLibrary = typeof import('../transports/official-client.js')

/** What a server answered to a request without a token that it takes. */
export type SignInChallenge = { scope?: string; resourceMetadataUrl?: string }

export type SignInPorts = {
  library: OAuthLibrary
  fetch: SignInFetch['fetch']
  store: SignInStore
  clock: Pick<Clock, 'now'>
}

/** In a browser that comes back with a code. */
export type BrowserSignInPorts = SignInPorts & {
  /** A text that nobody can guess. */
  random(): string
  /** Where the browser comes back to. */
  redirectUrl: string
  /** Leads the user to an address; resolves with what came back for this `state`. */
  ask(address: URL, state: string, about: { offersDevice: boolean }): Promise<AuthorizationAnswer>
}

/** On any device, with a code that its user compares or types. */
export type DeviceSignInPorts = SignInPorts & {
  clock: Pick<Clock, 'now' | 'sleep'>
  /** Shows the page and the code to the user. */
  show(address: URL, code: string): void
  /** Aborted when the user has given up. */
  signal: AbortSignal
}

/** Why nobody is signed in, as a sentence for the user. */
export class SignInError extends Error {}

/** An error of the library or the network, as a sentence. */
export function toSignInError(error: unknown): SignInError {
  if (error instanceof SignInError) return error
  return new SignInError(cleanServerLine(messageOf(error), 500).replace(/\.?$/, '.'))
}
