/**
 * What a part of the interface needs of the place it is shown in. The web app is one such place; each element of
 * `kedge/elements` is another, with a client and a root of its own.
 */
import type { ReadonlySignal, Signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { T } from '../texts.js'
import type { AnswerOutcome, Ask, AskAnswer, Client, OutgoingPrompt, SignedInCaller } from './server-types.js'

export type PageScope = {
  client: Client
  /** Its keys answer requests, and its dialogs open in it. */
  root: Document | ShadowRoot
  /** Text that isn't sent yet. */
  drafts: DraftStorage
  me: ReadonlySignal<SignedInCaller | undefined>
  outbox: ReadonlySignal<readonly OutgoingPrompt[]>
  /** Which tools, thoughts, and sub-agents are unfolded: rows that leave the screen forget everything else. */
  unfolded: Signal<ReadonlyMap<string, boolean>>
  /** Returns what is known of a session. Reads signals, so that a component is drawn again when it changes. */
  sessionOf(id: string): { title?: string | undefined; cwd: string } | undefined
  /** Returns where a request's session is shown; undefined if it's nowhere. */
  linkToAsk(ask: Ask): string | undefined
  /** Shows a short message. */
  toast(text: string): void
  /** Shows what went wrong. */
  fail(problem: unknown): void
  /** Sends an answer. */
  answer(ask: Ask, answer: AskAnswer): Promise<AnswerOutcome>
  /** A request isn't open any more. */
  onClosed(ask: Ask): void
}

/** An event of the root: it was moved in its page, where browsers forget how far everything was scrolled. */
export const ROOT_MOVED_EVENT = 'root-moved'

export type DraftStorage = {
  read<V>(key: string): V | undefined
  /** Stores a value, or removes it (`undefined`). */
  write(key: string, value: unknown): void
}

export const PageScopeContext = createContext<PageScope | undefined>(undefined)

export function usePageScope(): PageScope {
  const scope = useContext(PageScopeContext)
  if (!scope) throw new Error('This component is not below a PageScopeContext.Provider.')
  return scope
}

/** Returns what a region of a session is called: a page can show several sessions. */
export function useRegionLabel(session: string, label: string): string {
  const title = usePageScope().sessionOf(session)?.title
  return title === undefined ? label : T.regionOf(label, toDisplaySafeLine(title, 80))
}

/** Sessions run on other machines: what only their agents and files could tell is left out. */
export function isOnCluster({ me }: Pick<PageScope, 'me'>): boolean {
  return me.value?.isCluster === true
}
