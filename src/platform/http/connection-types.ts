/** What direct and proxied connections have in common. */
import type { Agent, ClientRequest, OutgoingHttpHeaders, RequestOptions } from 'node:http'

export type RequestStarter = (
  settings: RequestOptions & { headers: OutgoingHttpHeaders; tunnelSignal?: AbortSignal },
) => ClientRequest

export type HttpConnector = {
  /** `fresh`: not on a connection that was kept. */
  start(url: URL, options: RequestOptions & { headers: OutgoingHttpHeaders }, fresh: boolean): ClientRequest
  readonly agent: Agent
  /** A proxy reads the requests and answers in the host's name: some of it is its own. */
  readonly isRelayed: boolean
}
