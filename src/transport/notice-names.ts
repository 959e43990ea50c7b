/** Messages that 0.2.50 does not have: who was written for it meets none of them without asking. */

/** What 0.3 has. Hosts of that line say which they are. */
export const NOTICES_SINCE_SDK_0_3: ReadonlySet<string> = new Set([
  ...['api_retry', 'permission_denied', 'informational', 'mirror_error'],
  ...['task_progress', 'task_updated', 'background_tasks_changed', 'conversation_reset', 'commands_changed'],
  'elicitation_complete',
])
export const NOTICES_ONLY_OF_KEDGE: ReadonlySet<string> = new Set(['command_lifecycle', 'model_fallback'])

export function readMessageTypeOrSubtype(message: object): string {
  const { type, subtype } = message as { type?: unknown; subtype?: unknown } // any object can be looked into
  return String(type === 'system' ? subtype : type)
}
