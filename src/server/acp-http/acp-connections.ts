/** Clients of the Agent Client Protocol over HTTP: those there are, and what each may reach. */

import type { SessionInfo } from '../../hub/session-types.js'
import type { LocalAgents, Sessions } from '../../hub/sessions.js'
import { nodeClock } from '../../platform/clock.js'
import { createPlatformIdentity } from '../../platform/identity.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import type { Options } from '../../protocol/options.js'
import type { Caller } from '../access/access-tokens.js'
import { UUID_PATTERN } from '../api/api-schemas.js'
import { HttpProblem } from '../api/problems.js'
import { AcpConnection, createConnectionNotFoundProblem, type StartAgent } from './acp-connection.js'

const MOST = 100
/** How long a connection stays open without requests and without a reader. */
const IDLE_MS = 60 * 60 * 1000
const ID = new RegExp(UUID_PATTERN)
const OPENING = ['session/new', 'session/load', 'session/resume', 'session/fork']

/** What of the server a client comes into contact with. */
export type AcpServerContext = {
  hub: Sessions
  /** Undefined: sessions run on other machines. */
  agents: LocalAgents | undefined
  /** For every agent. */
  options: Options
  maySee(caller: Caller, session: string): Promise<boolean>
  isFor(caller: Caller, session: Pick<SessionInfo, 'id' | 'cwd'>): boolean
  /** Throw when it may not be, or there is no room. */
  folder(wanted: string): string
  makeRoom(): Promise<void>
  checkNotDraining(): void
}

type Open = { agent: string; connection: AcpConnection }

export class AcpConnections {
  readonly #place: AcpServerContext
  readonly #open = new Map<string, Open>()

  constructor(place: AcpServerContext) {
    this.#place = place
  }

  list() {
    return [...this.#open].map(([serverId, { agent, connection }]) => ({
      serverId,
      agent,
      createdAtMs: connection.since,
    }))
  }

  /** One that is there. */
  at(id: string): AcpConnection {
    const open = this.#open.get(id)
    if (!open) throw createConnectionNotFoundProblem()
    return open.connection
  }

  /** What is posted: the first is `initialize`, which makes the connection. */
  async post(id: string, agent: string, message: JsonObject, caller: Caller, signal: AbortSignal) {
    const checked = await this.#check(message, caller)
    if (!this.#open.has(id) && checked['method'] === 'initialize') this.#begin(id, agent, caller)
    return this.at(id).post(checked, signal)
  }

  remove(id: string): void {
    this.#open.get(id)?.connection.end()
    this.#open.delete(id)
  }

  end(): void {
    for (const id of [...this.#open.keys()]) this.remove(id)
  }

  #begin(id: string, agent: string, caller: Caller): void {
    for (const [other, { connection }] of this.#open)
      if (connection.isIdle && Date.now() - connection.lastUse > IDLE_MS) this.remove(other)
    if (this.#open.size >= MOST) throw new HttpProblem('too_many_connections', `${MOST} clients are connected.`)
    const connection = new AcpConnection(this.#start(agent), (method, answer) => this.#visible(method, answer, caller))
    this.#open.set(id, { agent, connection })
  }

  #start(agent: string): StartAgent {
    const { hub, agents, options } = this.#place
    return async (stream, signal) => {
      // Loaded with the first client that wants it.
      const { createAcpAgent } = await import('../../acp/acp-agent.js')
      const { uuid, uid } = createPlatformIdentity()
      const own = agent === 'mock' ? { ...options, model: 'practice' } : options
      const app = createAcpAgent({
        hub,
        agents,
        options: own,
        env: options.env ?? process.env,
        newId: uuid,
        clock: nodeClock,
        // With agents on other machines, the workers decide whether bypass is possible.
        canBypass: uid !== 0 && agents !== undefined,
        soon: (work: () => void) => void setImmediate(work),
        signal,
      })
      return app.connect(stream)
    }
  }

  /** Folders and sessions are those of this server: what leads elsewhere does not get to the agent. */
  async #check(message: JsonObject, caller: Caller): Promise<JsonObject> {
    const { method, params } = message
    if (!isObject(params)) return message
    const { cwd, additionalDirectories, sessionId } = params
    if (typeof sessionId === 'string' && ID.test(sessionId) && !(await this.#place.maySee(caller, sessionId)))
      throw new HttpProblem('session_not_found', `There is no session ${sessionId}.`)
    if (typeof method !== 'string' || !OPENING.includes(method)) return message
    this.#place.checkNotDraining()
    const others = Array.isArray(additionalDirectories) ? additionalDirectories : []
    for (const folder of others) if (typeof folder === 'string') this.#place.folder(folder)
    await this.#place.makeRoom()
    return typeof cwd === 'string' ? { ...message, params: { ...params, cwd: this.#place.folder(cwd) } } : message
  }

  #visible(method: string, answer: JsonObject, caller: Caller): JsonObject {
    const { result } = answer
    if (method !== 'session/list' || !isObject(result) || !Array.isArray(result['sessions'])) return answer
    const sessions = result['sessions'].filter(({ sessionId, cwd }: { sessionId: string; cwd: string }) =>
      this.#place.isFor(caller, { id: sessionId, cwd }),
    )
    return { ...answer, result: { ...result, sessions } }
  }
}
