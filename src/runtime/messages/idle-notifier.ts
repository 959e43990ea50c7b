/** After a while without work: a notification that the session waits for its user. */
import type { SessionHooks } from '../../hooks/session-hooks.js'
import type { Clock } from '../../platform/clock.js'
import type { Environment } from '../../platform/environment.js'

const IDLE_MS = 60_000

export type IdleNotifier = ReturnType<typeof createIdleNotifier>

export function createIdleNotifier(hooks: SessionHooks, clock: Clock, env: Environment, signal: AbortSignal) {
  const wait = Number(env.KEDGE_IDLE_NOTIFICATION_MS) || IDLE_MS
  let cancel = () => {}
  signal.addEventListener('abort', () => cancel(), { once: true })
  return {
    /** Once per time of rest. */
    resting() {
      cancel()
      // Without a hook nobody would hear it, and no timer is needed.
      if (signal.aborted || !hooks.has('Notification')) return
      cancel = clock.after(wait, () => void hooks.notification('Waiting for your input', 'idle_prompt', signal))
    },
    working: () => cancel(),
  }
}
