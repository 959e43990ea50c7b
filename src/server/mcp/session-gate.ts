/** What an MCP client can do with sessions: as its token permits, below the folders that the server was started with. */
import type { SessionInfo } from '../../hub/session-types.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import { type Caller, hasScope, type TokenScope } from '../access/access-tokens.js'
import { answerAsk } from '../api/ask-operations.js'
import type { OperationContext } from '../api/operation.js'
import { HttpProblem } from '../api/problems.js'
import { checkCallerMaySetMode } from '../api/session-operations.js'

/** The part of a server that an MCP client comes into contact with. */
export type ServedSessionHost = Pick<
  OperationContext['server'],
  'hub' | 'isFor' | 'maySee' | 'makeRoom' | 'noteNew' | 'checkNotDraining' | 'use' | 'folder'
> & {
  /** For sessions whose client names no folder. */
  readonly firstFolder: string
  /** Notes a call that changes something. */
  note(caller: Caller, operation: string, session: string): void
}

export type NewMcpSession = { folder?: string; title?: string; model?: string; mode?: PermissionMode }

export class McpSessionGate {
  readonly #host: ServedSessionHost
  readonly #caller: Caller

  constructor(host: ServedSessionHost, caller: Caller) {
    this.#host = host
    this.#caller = caller
  }

  get hub() {
    return this.#host.hub
  }

  get caller(): Caller {
    return this.#caller
  }

  isFor(info: Pick<SessionInfo, 'id' | 'cwd'>): boolean {
    return this.#host.isFor(this.#caller, info)
  }

  /** Throws if the token lacks the scope, or the session isn't the caller's. */
  async use(session: string, scope: TokenScope): Promise<void> {
    this.check(scope)
    await this.#host.use(this.#caller, session)
    if (scope !== 'read') {
      this.#host.checkNotDraining()
      this.#host.note(this.#caller, `mcp ${scope}`, session)
    }
  }

  check(scope: TokenScope): void {
    if (!hasScope(this.#caller, scope)) throw new HttpProblem('forbidden_scope', `This needs the scope ${scope}.`)
  }

  async begin({ folder, ...more }: NewMcpSession): Promise<SessionInfo> {
    const host = this.#host
    this.check('prompt')
    host.checkNotDraining()
    if (this.#caller.sessions) throw new HttpProblem('forbidden_session', 'The token is for sessions that exist.')
    checkCallerMaySetMode(this.#caller, more.mode)
    const cwd = host.folder(folder ?? host.firstFolder)
    await host.makeRoom()
    const info = await host.hub.create({ ...more, cwd })
    host.noteNew(info)
    host.note(this.#caller, 'mcp start', info.id)
    return info
  }

  async answer(session: string, request: string, answer: AskAnswer): Promise<void> {
    await this.use(session, 'answer')
    await answerAsk({ session, id: request }, answer, { server: this.#host, caller: this.#caller })
  }

  async openRequests(session: string | undefined): Promise<Ask[]> {
    if (session !== undefined) await this.use(session, 'read')
    const among = this.#caller.sessions ? { among: this.#caller.sessions } : {}
    const { asks } = await this.hub.listAsks({ ...(session === undefined ? {} : { session }), ...among })
    const seen = await Promise.all(asks.map((ask) => this.#host.maySee(this.#caller, ask.session)))
    return asks.filter((_, n) => seen[n])
  }
}
