/** The agent's side of the protocol: reads a host's messages, runs the session, and says how it ended. */
import type { PermissionAnswer, PermissionQuestion } from '../engine/ports.js'
import { turnUsage } from '../model/usage.js'
import type { Platform } from '../platform/platform.js'
import type { SDKControlElicitationRequest } from '../protocol/control.js'
import type { JSONRPCMessage } from '../protocol/mcp-servers.js'
import type { SDKMessage } from '../protocol/messages.js'
import type { SummaryRequest } from '../protocol/options.js'
import { parseArgv, readFlags } from '../protocol/parse-argv.js'
import { findServers } from '../runtime/mcp/server-sources.js'
import { toResult, totalsOf } from '../runtime/messages/result.js'
import { createModelSetup } from '../runtime/model-setup.js'
import { readPermissionAnswer } from '../runtime/permission/permission-answer.js'
import { createSession, type Session } from '../runtime/session.js'
import { loadSessionProject } from '../runtime/session-project.js'
import { type Environment, type Refusal, readSettings } from '../runtime/settings.js'
import { addPluginHooks, applySettingsFiles } from '../runtime/settings-files.js'
import { startSession } from '../runtime/start-session.js'
import { requireOutput } from '../runtime/tools/required-output.js'
import type { SessionLog } from '../sessions/log.js'
import type { Channel, MalformedLine } from '../transport/channel.js'
import { createPeer } from '../transport/peer.js'
import { answerControlRequest, type ControlContext } from './control-requests.js'
import { readMessages } from './read-input.js'
import { connectStore } from './stored-session.js'

/** Messages the host has not taken yet at which we stop reading more of it. Below, an interrupt still gets through. */
const MAX_UNSENT = 1000

/** How long a turn that was told to stop may take to. */
const STOP_MS = 2000
/** For SessionEnd hooks after a time-out. */
const LAST_WORDS_MS = 1000

/** Everything an agent has: nothing below reads the process it happens to run in. */
export type AgentWorld = {
  argv: readonly string[]
  env: Environment
  cwd: string
  home: string
  platform: Platform
  channel: Channel<object | MalformedLine, object>
  stderr(text: string): void
  /** Aborted to end the agent: `interrupt` lets the turn finish with its result, anything else stops it. */
  signal: AbortSignal
  /** Send a `keep_alive` after this long without a message; for connections that may be cut when idle. */
  keepAliveMs?: number
}

/** Runs until the host is done or gone. Resolves with the exit code, after the last message; never rejects. */
export async function runAgent(world: AgentWorld): Promise<number> {
  let log: SessionLog | undefined
  const code = await run(world, (opened) => {
    log = opened
  })
  // Who sees the end of our output may go on with the session.
  log?.close()
  world.channel.end()
  return code
}

async function run(world: AgentWorld, onOpened: (log: SessionLog) => void): Promise<number> {
  const { platform, channel, stderr } = world
  const parsed = parseArgv(world.argv)
  if (!parsed.ok) {
    stderr(`${parsed.message}\n`)
    return 1
  }
  const refuse = (refusal: Refusal) => {
    if (refusal.stderr) stderr(`${refusal.stderr}\n`)
    if (refusal.message) channel.send(refusalResult(refusal, refusal.message, platform))
    return 1
  }
  const { uid } = platform.identity
  const read = readSettings(readFlags(parsed.values), { ...world, uid, files: platform.files })
  if (!read.ok) return refuse(read.refusal)
  const { settings } = read
  const refused = await applySettingsFiles(settings, platform, stderr)
  if (refused) return refuse(refused)
  const opening = connectStore(settings, channel).then((store) => startSession(settings, platform, store))
  const started = await opening.catch((error) => ({
    ok: false as const,
    refusal: {
      message: `The session can't be read: ${error instanceof Error ? error.message : String(error)}`,
      code: 'resume_failed',
      reason: 'resume_failed' as const,
    },
  }))
  if (!started.ok) return refuse(started.refusal)
  const { start } = started
  onOpened(start.log)
  for (const repair of start.repairs) stderr(`Note: ${repair}\n`)
  const project = await loadSessionProject(settings, platform, stderr)
  await findServers(settings, project, platform, stderr)
  const refusedHooks = await addPluginHooks(settings, project.plugins, stderr)
  if (refusedHooks) return refuse(refusedHooks)
  const watched = settings.debug.on
    ? (await import('./debug/timeline.js')).watchSession(channel, settings, platform, stderr)
    : { channel, platform }
  const connection = connect({ ...world, channel: watched.channel })
  let session: Session
  try {
    const model = createModelSetup(settings, start.sessionId, watched.platform, (status) => {
      const { identity } = platform
      void connection.send({ type: 'auth_status', ...status, uuid: identity.uuid(), session_id: start.sessionId })
    })
    session = createSession(settings, start, model, project, platform, {
      send: connection.send,
      stderr,
      askHost: settings.asksHost ? connection.askHost : undefined,
      callHook: connection.callHook,
      summarize: settings.hostSummarizes ? connection.summarize : undefined,
      sendMcp: connection.sendMcp,
      elicit: connection.elicit,
    })
  } catch (error) {
    // A variable or a rule that means nothing: refused by name before anything runs.
    const message = error instanceof Error ? error.message : String(error)
    return refuse({ stderr: `Error: ${message}`, message, code: 'invalid_configuration', reason: 'invalid_input' })
  }
  const unusable = await readOutputSchema(settings.outputSchema, session)
  if (unusable) return refuse({ stderr: `Error: ${unusable}`, message: unusable, ...INVALID_OPTION })
  return connection.serve(session, settings.timeoutMs)
}

const INVALID_OPTION = { code: 'invalid_option', reason: 'invalid_input' } as const

/** Returns what is wrong with it, if something is. */
async function readOutputSchema(text: string | undefined, { parts }: Session): Promise<string | undefined> {
  if (text === undefined) return undefined
  try {
    return await requireOutput(parts, JSON.parse(text))
  } catch (error) {
    return `outputFormat: the schema is no JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The wire between host and session; made first, because each of the two needs the other. */
function connect({ channel, platform, stderr, signal, keepAliveMs }: AgentWorld) {
  const { clock, identity } = platform
  const context: { control?: ControlContext } = {}
  let finish: (code: number) => void = () => {}
  let stopKeepAlive = () => {}
  let muted = false
  let inputEnded = false

  let unsent = 0
  let drained: Promise<void> | undefined

  const send = (message: object): void | Promise<void> => {
    if (muted) return
    lastSent = clock.monotonic()
    const full = channel.send(message)
    if (!full) return
    unsent += 1
    drained ??= full.then(() => {
      unsent = 0
      drained = undefined
    })
    return full
  }
  /** For the reader: a host that asks and asks but does not take its answers has to wait. */
  const caughtUp = () => (unsent > MAX_UNSENT ? drained : undefined)
  let lastSent = clock.monotonic()
  /** One timer that looks back, rather than one per message. */
  const watchIdle = (ms: number) => {
    stopKeepAlive = clock.after(ms, () => {
      const quiet = clock.monotonic() - lastSent
      if (quiet >= ms) void send({ type: 'keep_alive' })
      watchIdle(ms)
    })
  }

  const peer = createPeer({
    send: (message) => void send(message),
    newId: identity.uuid,
    async handle(request) {
      if (!context.control) throw new Error('The session has not started yet')
      return answerControlRequest(request, context.control)
    },
    report: (problem) => stderr(`Ignored: ${problem}\n`),
  })

  return {
    send: (message: SDKMessage) => send(message),

    async askHost(
      { call, suggestions, blockedPath, decisionReason, warning, agentId }: PermissionQuestion,
      cancel: AbortSignal,
    ): Promise<PermissionAnswer> {
      const answer = await peer.request(
        {
          subtype: 'can_use_tool',
          tool_name: call.name,
          input: structuredClone(call.input),
          ...(suggestions ? { permission_suggestions: suggestions } : {}),
          ...(blockedPath ? { blocked_path: blockedPath } : {}),
          ...(decisionReason ? { decision_reason: decisionReason } : {}),
          ...(warning ? { description: warning } : {}),
          tool_use_id: call.id,
          ...(agentId ? { agent_id: agentId } : {}),
        },
        cancel,
      )
      return readPermissionAnswer(answer, call.input)
    },

    async summarize(request: SummaryRequest, cancel: AbortSignal): Promise<string> {
      const { summary } = await peer.request({ subtype: 'summarize', ...request }, cancel)
      if (typeof summary !== 'string' || summary.trim() === '') throw new Error('summarize answered with no text')
      return summary
    },

    async sendMcp(server: string, message: JSONRPCMessage, cancel?: AbortSignal): Promise<unknown> {
      const answer = await peer.request({ subtype: 'mcp_message', server_name: server, message }, cancel)
      return answer['mcp_response']
    },

    async elicit(request: Omit<SDKControlElicitationRequest, 'subtype'>, cancel: AbortSignal): Promise<unknown> {
      // Who never said hello can't be asked: a person's own command line, for one.
      return context.control?.initialized ? peer.request({ subtype: 'elicitation', ...request }, cancel) : undefined
    },

    async callHook(callbackId: string, input: object, toolUseId: string, cancel: AbortSignal) {
      if (inputEnded) throw new Error('Stream closed')
      const request = { subtype: 'hook_callback', callback_id: callbackId, input, tool_use_id: toolUseId }
      return peer.request(request, cancel)
    },

    async serve(session: Session, timeoutMs: number | null): Promise<number> {
      const { queue, parts } = session
      const ended = new Promise<number>((resolve) => {
        finish = resolve
      })
      /** The turn has stopped, and all work beside it; what does not stop is not waited for. */
      const settled = () => clock.atMost(STOP_MS, Promise.all([queue.idle(), session.stopWork()]))
      let ending: Promise<void> | undefined
      let allAnswered = false
      const stopTimer =
        timeoutMs === null
          ? () => {}
          : clock.after(timeoutMs, () => {
              // All was asked and answered: only the last words took too long.
              if (allAnswered) return finish(parts.results.lastIsError ? 1 : 0)
              // Between two turns, or before the first, nothing else would tell the host why it is over.
              if (!session.inTurn) {
                parts.results.lastIsError = true
                const message = `Timed out after ${timeoutMs / 1000} s`
                void send(refusalResult({ code: 'timeout', reason: 'timeout' }, message, platform, parts))
              }
              queue.close()
              session.interrupt('timeout')
              void settled()
                .then(() => clock.atMost(LAST_WORDS_MS, parts.hooks.sessionEnd('other', signal)))
                .then(() => finish(parts.results.lastIsError ? 1 : 0))
            })
      const onSignal = () => {
        const interrupted = signal.reason === 'interrupt'
        // Killed: nobody waits for our last words, and a full pipe must not keep us.
        muted = !interrupted
        queue.close()
        if (interrupted) session.interrupt()
        else session.close()
        void settled().then(() => finish(interrupted ? 0 : 143))
      }
      if (keepAliveMs !== undefined) watchIdle(keepAliveMs)
      signal.addEventListener('abort', onSignal, { once: true })
      if (signal.aborted) onSignal()
      context.control = {
        session,
        initialized: false,
        refuse(message, code) {
          // What the host sends next must not run under other terms than it asked for.
          queue.close()
          // The result goes out at once: a host that sees the error may end its input before any timer fires.
          parts.results.lastIsError = true
          void send(refusalResult({ code, reason: 'invalid_input' }, message, platform, parts))
          clock.after(0, () => finish(1))
        },
        warn: (message) => stderr(`Warning: ${message}\n`),
        end() {
          queue.close()
          session.interrupt()
          // Once, however often it is asked for.
          ending ??= settled()
            .then(() => parts.hooks.sessionEnd('other', signal))
            // The answer to this very request still has to go out.
            .then(() => void clock.after(0, () => finish(parts.results.lastIsError ? 1 : 0)))
          return ending
        },
      }
      const reject = async (problem: string) => {
        await send(refusalMessage(problem, parts, platform))
        session.rejected()
      }
      const read = () =>
        readMessages(channel.incoming, session, peer, stderr, reject, caughtUp, (message) => void send(message))
      void session
        .open(signal)
        .then(read)
        .then(async (fatal) => {
          inputEnded = true
          // What still waits for the host will never be answered; what the host asked still is.
          peer.stopAsking(new Error(fatal ? 'Stream closed' : 'Tool permission stream closed before response received'))
          if (fatal) session.close()
          else await session.hostLeft()
          await session.finished()
          allAnswered = true
          if (!fatal) await (ending ?? parts.hooks.sessionEnd('other', signal))
          await peer.answered()
          if (fatal?.message) await send(refusalResult(fatal, fatal.message, platform, parts))
          finish(fatal || parts.results.lastIsError ? 1 : 0)
        })
        .catch((error) => {
          // A bug of ours; the host must not wait for ever because of it.
          stderr(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
          finish(1)
        })
      const code = await ended
      stopTimer()
      stopKeepAlive()
      signal.removeEventListener('abort', onSignal)
      peer.close(new Error('Stream closed'))
      session.close()
      await clock.atMost(STOP_MS, session.stopWork())
      return code
    },
  }
}

/** The result of a message that was refused before it became a turn; it counts like any other. */
function refusalMessage(problem: string, parts: Session['parts'], platform: Platform) {
  parts.results.count += 1
  parts.results.lastIsError = true
  return refusalResult({ code: 'invalid_input', reason: 'invalid_input' }, problem, platform, parts)
}

/** `parts` of the session, once there is one: what was spent and what still runs is told with every result. */
function refusalResult({ code, reason }: Refusal, message: string, { identity }: Platform, parts?: Session['parts']) {
  return toResult(
    {
      reason,
      text: '',
      errors: [message],
      errorCode: code,
      numTurns: 0,
      durationMs: 0,
      usage: turnUsage([]),
      denials: [],
      ...(parts ? { pending: parts.background.pending() } : {}),
    },
    parts ? totalsOf(parts.ledger) : { apiMs: 0, costUsd: 0, modelUsage: {}, unpriced: [] },
    parts?.sessionId ?? identity.uuid(),
    identity.uuid(),
  )
}
