/** The agent's side of the protocol, from its command line to its exit code. */
import { isVariableOn } from '../platform/switch.js'
import { createFlagReader, parseArgv } from '../protocol/option-table/parse-argv.js'
import type { StartRefusal } from '../runtime/configuration.js'
import type { TranscriptLog } from '../sessions/transcript-log.js'
import { readMessageTypeOrSubtype } from '../transport/notice-names.js'
import { type AgentEnvironment, bootSession, prepareSession } from './boot.js'
import type { ControlContext } from './control-context.js'
import { answerControlRequest } from './control-requests.js'
import { createHostConnection } from './host-connection.js'
import { createHostRequests } from './host-requests.js'
import { createNoticeFilter, readHostNoticeSelection } from './notice-level.js'
import { startRefusalResult } from './refusal-results.js'
import { serveSession } from './serve-session.js'

/** Runs until the host is done or gone. Resolves with the exit code, after the last message; never rejects. */
export async function runAgent(surroundings: AgentEnvironment): Promise<number> {
  let log: TranscriptLog | undefined
  const code = await run(surroundings, (opened) => {
    log = opened
  })
  // A program that sees the end of our output might resume the session at once, so the log is closed first.
  log?.close()
  surroundings.channel.end()
  return code
}

async function run(surroundings: AgentEnvironment, onOpened: (log: TranscriptLog) => void): Promise<number> {
  const { env, platform, channel, stderr, signal, keepAliveMs } = surroundings
  const parsed = parseArgv(surroundings.argv)
  if (!parsed.ok) {
    stderr(`${parsed.message}\n`)
    return 1
  }
  const refuse = (refusal: StartRefusal) => {
    if (refusal.stderr) stderr(`${refusal.stderr}\n`)
    if (refusal.message) channel.send(startRefusalResult(refusal, refusal.message, platform))
    return 1
  }
  const flags = createFlagReader(parsed.values)
  for (const remark of flags.idle()) stderr(`Warning: ${remark}\n`)
  const prepared = await prepareSession(flags, surroundings, onOpened)
  if ('refusal' in prepared) return refuse(prepared.refusal)
  const { settings } = prepared
  const watched = settings.debug.on
    ? (await import('./debug/timeline.js')).recordDebugTimeline(channel, settings, platform, stderr)
    : { channel, platform, note: undefined }
  let control: ControlContext | undefined
  let inputEnded = false
  const wire = createHostConnection({
    channel: watched.channel,
    platform,
    stderr,
    keepAliveMs,
    async answer(request) {
      if (!control) throw new Error('The session has not started yet')
      return answerControlRequest(request, control)
    },
  })
  const questions = createHostRequests(wire.peer, {
    isInitialized: () => control?.initialized === true,
    hasLeft: () => inputEnded,
    parksAsks: settings.parksAsks,
  })
  const booted = await bootSession(
    watched.note
      ? { ...prepared, settings: { ...settings, debug: { ...settings.debug, note: watched.note } } }
      : prepared,
    { platform, watched: watched.platform },
    {
      ...questions,
      send: createNoticeFilter(
        readHostNoticeSelection(settings.notices || isVariableOn(env.KEDGE_NOTICES), env),
        (message) => {
          if (surroundings.onMcpServers && readMessageTypeOrSubtype(message) === 'init' && control)
            surroundings.onMcpServers(control.session.main.shared.mcp.statuses())
          return wire.send(message)
        },
      ),
      stderr,
      askHost: settings.asksHost ? questions.askHost : undefined,
      giveMcpToken: settings.hostGivesMcpTokens ? questions.giveMcpToken : undefined,
      askMcpSignIn: settings.hostLeadsMcpSignIns ? questions.askMcpSignIn : undefined,
      summarize: settings.hostSummarizes ? questions.summarize : undefined,
    },
    signal,
  )
  if ('refusal' in booted) return refuse(booted.refusal)
  return serveSession({
    session: booted.session,
    wire,
    platform,
    stderr,
    signal,
    timeoutMs: settings.timeoutMs,
    onControl: (context) => {
      control = context
    },
    onInputEnded: () => {
      inputEnded = true
    },
  })
}
