/** The hooks of ModelRequest and ModelRetry. Where there are none nobody watches, and what asks them is not loaded. */
import type { ModelRequestHooks } from '../../engine/ports.js'
import type { SessionHooks } from '../../hooks/session-hooks.js'

export function createModelRequestHooks(
  { has, said }: Pick<SessionHooks, 'has' | 'said'>,
  stderr: (text: string) => void,
): () => ModelRequestHooks | undefined {
  const load = async () => (await import('./model-hook-caller.js')).createModelHookCaller(said, stderr)
  return () => {
    const [requests, retries] = [has('ModelRequest'), has('ModelRetry')]
    if (!requests && !retries) return undefined
    return {
      ...(requests && { beforeRequest: async (...about) => (await load()).beforeRequest(...about) }),
      ...(retries && { beforeRetry: async (...about) => (await load()).beforeRetry(...about) }),
    }
  }
}
