/** A harness adapter for the AI SDK's `HarnessAgent`: its sessions are those of a Kedge server. */
import { isObject, textOrEmpty } from '../../../protocol/json.js'
import { newId } from '../../new-id.js'
import type { Client, ClientSession, NewSession } from '../../public-client.js'
import { createInvalidRequestError } from '../first-prompt.js'
import type { KnownItem } from '../turn-events.js'
import {
  createHarnessUnsupportedError,
  HARNESS_ID,
  type HarnessContinueState,
  type HarnessJson,
  type HarnessPermissionMode,
  type HarnessResumeState,
  type HarnessSession,
  type HarnessStartOptions,
  type HarnessTurnOptions,
  type HarnessUserMessage,
} from './harness-parts.js'
import { QUESTIONS_TOOL, QUESTIONS_TOOL_DEFINITION } from './harness-questions.js'
import { HarnessTurn } from './harness-turn.js'

/** Options of `createHarness()`. */
export type HarnessOptions = {
  /**
   * The folder that a session works in, on Kedge's server. Default: that of `serverFolder()`; with another sandbox the
   * framework's folder for the session, which is right if the server sees the sandbox's files.
   */
  cwd?: string | ((session: { sessionId: string; sessionWorkDir: string }) => string)
  /** Further settings of new sessions. */
  create?: Omit<NewSession, 'id' | 'cwd' | 'mode'>
  /** What `destroy()` does with a session: `close` (the default) keeps it stored, `delete` removes it. */
  onDestroy?: 'close' | 'delete'
}

/** An adapter, assignable to the `HarnessV1` of `@ai-sdk/harness`. */
export type KedgeHarness = {
  readonly specificationVersion: 'harness-v1'
  readonly harnessId: string
  readonly builtinTools: { readonly [QUESTIONS_TOOL]: typeof QUESTIONS_TOOL_DEFINITION }
  readonly supportsBuiltinToolApprovals: true
  /** Creates a session, or continues one. */
  doStart(options: HarnessStartOptions): Promise<HarnessSession>
}

const MODES = { 'allow-reads': 'default', 'allow-edits': 'acceptEdits', 'allow-all': 'bypassPermissions' } as const

/** Returns an adapter over a client of a Kedge server. */
export function createHarness(client: Client, options: HarnessOptions = {}): KedgeHarness {
  return {
    specificationVersion: 'harness-v1',
    harnessId: HARNESS_ID,
    builtinTools: { [QUESTIONS_TOOL]: QUESTIONS_TOOL_DEFINITION },
    supportsBuiltinToolApprovals: true,
    async doStart(start) {
      if (start.builtinToolFiltering !== undefined)
        throw createHarnessUnsupportedError(
          "Kedge can't hide its tools for one session. Set permission rules on the server.",
        )
      const state = start.continueFrom ?? start.resumeFrom
      const mode = modeOf(start.permissionMode)
      const signal = start.abortSignal
      const data = state && readState(state.data)
      const session = client.session(data?.session ?? newId())
      if (data) await session.change({ mode }, { signal })
      else await client.create({ ...options.create, id: session.id, cwd: folderOf(options, start), mode }, { signal })
      return sessionOf(client, session, { start, data, onDestroy: options.onDestroy ?? 'close' })
    },
  }
}

type SessionState = { session: string; prompt?: string; known?: Record<string, KnownItem> }
type Started = { start: HarnessStartOptions; data: SessionState | undefined; onDestroy: 'close' | 'delete' }

function sessionOf(client: Client, session: ClientSession, { start, data, onDestroy }: Started): HarnessSession {
  let turn: HarnessTurn | undefined
  let summary: string | undefined
  let model: string | undefined
  if (data?.prompt !== undefined)
    turn = new HarnessTurn(client, session, { prompt: data.prompt, ...(data.known ? { known: data.known } : {}) })
  const resumeState = (): HarnessResumeState => ({ type: 'resume-session', ...stateOf({ session: session.id }) })
  const prepare = async (options: HarnessTurnOptions) => {
    refuseSettings(options)
    if (options.model === undefined || options.model === model) return
    model = options.model
    await session.change({ model })
  }
  return {
    sessionId: start.sessionId,
    isResume: data !== undefined,
    async doPromptTurn(options) {
      await prepare(options)
      const id = newId()
      const { seq: since } = await session.send({ id, ...promptOf(options.prompt) })
      turn = new HarnessTurn(client, session, { prompt: id, since })
      if (summary !== undefined) options.emit({ type: 'compaction', trigger: 'manual', summary })
      summary = undefined
      return turn.read(options.emit, options.abortSignal)
    },
    async doContinueTurn(options) {
      await prepare(options)
      if (!turn) throw createInvalidRequestError('This session has no turn to continue.', 'Send a prompt.')
      return turn.read(options.emit, options.abortSignal)
    },
    async doCompact(instructions = '') {
      const id = newId()
      await session.send({ id, content: `/compact ${instructions}`.trim() })
      const { items } = await session
        .view()
        .until((value) =>
          value.items.some((item) => item.kind === 'prompt' && item.id === id && item.end !== undefined),
        )
      for (const item of items) if (item.kind === 'notice' && item.about === 'compaction') summary = item.summary
    },
    async doSuspendTurn(): Promise<HarnessContinueState> {
      const known = turn?.suspend()
      const state: SessionState = { session: session.id, ...(turn && known ? { prompt: turn.prompt, known } : {}) }
      return { type: 'continue-turn', ...stateOf(state) }
    },
    async doDetach() {
      turn?.suspend()
      return resumeState()
    },
    async doStop() {
      turn?.suspend()
      await session.close()
      return resumeState()
    },
    async doDestroy() {
      turn?.suspend()
      if (onDestroy === 'delete') await session.delete()
      else await session.close()
    },
  }
}

const stateOf = (data: SessionState) => ({
  harnessId: HARNESS_ID,
  specificationVersion: 'harness-v1' as const,
  // Numbers, texts, and truth values.
  data: data as HarnessJson,
})

function readState(data: unknown): SessionState {
  if (!isObject(data) || textOrEmpty(data['session']) === '')
    throw createInvalidRequestError(
      'The state is not one of a Kedge session.',
      'Pass what detach(), stop() or suspendTurn() returned.',
    )
  const { prompt, known } = data
  return {
    session: textOrEmpty(data['session']),
    ...(typeof prompt === 'string' ? { prompt } : {}),
    // As `doSuspendTurn()` wrote it.
    ...(isObject(known) ? { known: known as Record<string, KnownItem> } : {}),
  }
}

function modeOf(mode: HarnessPermissionMode = 'allow-all'): NonNullable<NewSession['mode']> {
  return MODES[mode]
}

function folderOf({ cwd }: HarnessOptions, start: HarnessStartOptions): string {
  const { sessionId, sessionWorkDir, sandboxSession } = start
  if (typeof cwd === 'function') return cwd({ sessionId, sessionWorkDir })
  const folder = isObject(sandboxSession) ? textOrEmpty(sandboxSession['folder']) : ''
  return cwd ?? (folder || sessionWorkDir)
}

function refuseSettings({ tools, skills, instructions, responseFormat }: HarnessTurnOptions): void {
  if (tools.length > 0)
    throw createHarnessUnsupportedError("Kedge can't call tools of the program. Offer them as an MCP server.")
  if (skills.length > 0)
    throw createHarnessUnsupportedError("Kedge reads skills from the session's folder, not from the program.")
  if (instructions !== undefined && instructions !== '')
    throw createHarnessUnsupportedError(
      'Kedge reads instructions from CLAUDE.md in the folder of the session. Write them there.',
    )
  if (responseFormat?.type === 'json')
    throw createHarnessUnsupportedError("Kedge's server has no output format for one turn.")
}

function promptOf(prompt: string | HarnessUserMessage): { content: string } {
  if (typeof prompt === 'string') return { content: prompt }
  if (typeof prompt.content === 'string') return { content: prompt.content }
  const texts = prompt.content.map((part) => {
    if (part.type !== 'text' || !('text' in part))
      throw createHarnessUnsupportedError('Prompts to Kedge have text only.')
    return String(part.text)
  })
  return { content: texts.join('\n') }
}
