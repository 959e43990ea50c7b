/** What a page sees of the elements: their properties and their events. */
import type { Ask, AskAnswer, Client, ClientError } from '../../src/client/public-client.js'

/** What every element has. */
export type KedgeElementProps = {
  /** The server's address, such as `https://agents.example`. Default: where the page came from. Also an attribute. */
  server: string
  /** A token of the server, or a function that returns the current one. A property only, so that no markup contains it. */
  token: string | (() => string | Promise<string>) | undefined
  /** A client from `createClient()`, instead of `server` and `token`. */
  client: Client | undefined
}

/** `<kedge-session>`: a session's conversation, its requests, and a field for prompts. */
export type KedgeSessionElement = HTMLElement &
  KedgeElementProps & {
    /** The session's id. Also an attribute. */
    session: string
  }

/** `<kedge-request>`: one request, with everything a user needs to answer it. */
export type KedgeRequestElement = HTMLElement &
  KedgeElementProps & {
    /** The id of the request's session. Also an attribute. */
    session: string
    /** The request's id. Also an attribute. */
    request: string
  }

/** `<kedge-inbox>`: the open requests of all sessions. */
export type KedgeInboxElement = HTMLElement &
  KedgeElementProps & {
    /**
     * The address of a session in your page, with `{session}` and `{request}` where their ids belong. Without it, the inbox
     * shows the session's title without a link. Also an attribute: `session-link`.
     */
    sessionLink: string
  }

/** The events of all elements. They bubble, also out of shadow roots. */
export type KedgeElementEvents = {
  /** A request waits for an answer. Called once for each, also for those that were open before. */
  'kedge-request': CustomEvent<{ request: Ask }>
  /** A user answered a request in this element, and the server accepted it. */
  'kedge-answered': CustomEvent<{ request: Ask; answer: AskAnswer }>
  /** A request isn't open any more: it was answered, here or elsewhere, or withdrawn. */
  'kedge-closed': CustomEvent<{ request: Ask }>
  /** The element can't reach the server, or the server rejected something. The element shows it too. */
  'kedge-error': CustomEvent<{ error: ClientError | Error }>
}
