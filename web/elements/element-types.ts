/** What a page sees of the elements: their properties and their events. */
import type { Ask, AskAnswer, Client, ClientError } from '../../src/client/public-client.js'

/** What every element has. */
export type KedgeElementProperties = {
  /** The server's address, such as `https://agents.example`. Default: where the page came from. Also an attribute. */
  server: string
  /** A token of the server, or a function that returns the current one. A property only, so that no markup contains it. */
  token: string | (() => string | Promise<string>) | undefined
  /** A client from `createClient()`, instead of `server` and `token`. */
  client: Client | undefined
}

/** `<kedge-session>`: a session's conversation, its requests, and a field for prompts. */
export type KedgeSessionElement = HTMLElement &
  KedgeElementProperties & {
    /** The session's id. Also an attribute. */
    session: string
  }

/** `<kedge-request>`: one request, with everything a user needs to answer it. */
export type KedgeRequestElement = HTMLElement &
  KedgeElementProperties & {
    /** The id of the request's session. Also an attribute. */
    session: string
    /** The request's id. Also an attribute. */
    request: string
  }

/** `<kedge-inbox>`: the open requests of all sessions. */
export type KedgeInboxElement = HTMLElement &
  KedgeElementProperties & {
    /**
     * The address of a session in your page, with `{session}` and `{request}` where their ids belong. Without it, the inbox
     * shows the session's title without a link. Also an attribute: `session-link`.
     */
    sessionLink: string
  }

/** `event.detail` of `kedge-request` and `kedge-closed`. */
export type KedgeRequestDetail = {
  /** The request. */
  request: Ask
}

/** `event.detail` of `kedge-answered`. */
export type KedgeAnsweredDetail = KedgeRequestDetail & {
  /** The answer that the server accepted. */
  answer: AskAnswer
}

/** `event.detail` of `kedge-error`. */
export type KedgeErrorDetail = {
  /** Why the element can't show or do what it should. */
  error: ClientError | Error
}

/** The events of all elements. They bubble, also out of shadow roots. */
export type KedgeElementEvents = {
  /** A request waits for an answer. Called once for each, also for those that were open before. */
  'kedge-request': CustomEvent<KedgeRequestDetail>
  /** A user answered a request in this element, and the server accepted it. */
  'kedge-answered': CustomEvent<KedgeAnsweredDetail>
  /** A request isn't open any more: it was answered, here or elsewhere, or withdrawn. */
  'kedge-closed': CustomEvent<KedgeRequestDetail>
  /** The element lost its connection, or the server rejected something. The element shows it too. */
  'kedge-error': CustomEvent<KedgeErrorDetail>
}
