/** What a host can be told about a hook while it runs, as the fields of the messages that say it. */
import type { SDKHookProgressMessage, SDKHookResponseMessage, SDKHookStartedMessage } from '../protocol/messages.js'
import { truncateHookText } from './bounded.js'

type Fields<M> = Omit<M, 'type' | 'uuid' | 'session_id'>

export type HookObservation = {
  /** A callback of the host, or a hook of a settings file or plugin. */
  from: 'callback' | 'settings'
  message: Fields<SDKHookStartedMessage> | Fields<SDKHookProgressMessage> | Fields<SDKHookResponseMessage>
}

/** A status is one line. */
const MAX_STATUS = 200

export type HookTexts = { output?: string; stdout?: string; stderr?: string }

export type HookObserver = ReturnType<typeof createObserver>

/** `status`: what people read while it runs. */
type HookRunDescription = {
  from: HookObservation['from']
  id: string
  name: string
  event: string
  status?: string | undefined
}

/** Tells the story of one run of one hook. */
export function createObserver(
  { from, id, name, event, status }: HookRunDescription,
  tell: (observation: HookObservation) => void,
) {
  const about = { hook_id: id, hook_name: name, hook_event: event }
  const shown = status?.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_STATUS)
  tell({ from, message: { subtype: 'hook_started', ...about, ...(shown ? { status_message: shown } : {}) } })
  return {
    progress(stdout: string, stderr: string) {
      tell({ from, message: { subtype: 'hook_progress', ...about, ...texts({ stdout, stderr }) } })
    },
    response(outcome: SDKHookResponseMessage['outcome'], said: HookTexts, exitCode?: number) {
      const code = exitCode === undefined ? {} : { exit_code: exitCode }
      tell({ from, message: { subtype: 'hook_response', ...about, ...texts(said), ...code, outcome } })
    },
  }
}

function texts({ stdout = '', stderr = '', output = stdout + stderr }: HookTexts) {
  return { output: truncateHookText(output), stdout: truncateHookText(stdout), stderr: truncateHookText(stderr) }
}
