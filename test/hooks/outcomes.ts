/** Everything a hook can do, once as a callback of a host and once as a command: the columns of the matrix. */
import type { TestCallback } from '../../src/hooks/test-hooks.js'
import type { HookEvent } from '../../src/protocol/hooks.js'

export type Outcome = {
  /** Undefined: a callback can't do this. */
  callback?: TestCallback
  /** Undefined: a command can't do this. */
  command?: string
  timeout?: number
}

/** The same JSON from both. */
const answer = (output: object): Outcome => ({ callback: () => output, command: `echo '${JSON.stringify(output)}'` })

/** A decision in `hookSpecificOutput`, as far as the event has one. */
function decision(event: HookEvent, which: 'allow' | 'ask' | 'deny' | 'defer'): object {
  if (event === 'PreToolUse' || (event === 'PreModelSwitch' && which !== 'defer'))
    return { permissionDecision: which, permissionDecisionReason: 'why' }
  if (which === 'defer') return {}
  if (event === 'PermissionRequest' && which !== 'ask') return { decision: { behavior: which } }
  if (event.startsWith('Elicitation') && which !== 'ask') return { action: which === 'allow' ? 'accept' : 'decline' }
  return {}
}

const specific = (event: HookEvent, fields: object) =>
  answer({ hookSpecificOutput: { hookEventName: event, ...fields } })

export function outcomesOf(event: HookEvent): Record<string, Outcome> {
  return {
    empty: { callback: () => ({}), command: 'exit 0' },
    text: { command: 'echo some text' },
    context: specific(event, { additionalContext: 'ctx' }),
    allow: specific(event, decision(event, 'allow')),
    ask: specific(event, decision(event, 'ask')),
    deny: specific(event, decision(event, 'deny')),
    defer: specific(event, decision(event, 'defer')),
    approve: answer({ decision: 'approve' }),
    block: answer({ decision: 'block', reason: 'why' }),
    stop: answer({ continue: false, stopReason: 'halt' }),
    message: answer({ systemMessage: 'm' }),
    async: answer({ async: true }),
    exit1: { command: 'echo oops >&2; exit 1' },
    exit2: { command: 'echo why >&2; exit 2' },
    quiet2: { command: 'exit 2' },
    throws: { callback: () => Promise.reject(new Error('boom')) },
    signal: { command: 'kill -9 $$' },
    missing: { command: 'no-such-command-anywhere' },
    timeout: { callback: () => new Promise(() => {}), command: 'sleep 60', timeout: 0.2 },
    garbage: { callback: () => ({ decision: 'blok' }), command: `echo '{"decision": block'` },
    string: { callback: () => 'block', command: `echo '{"hookSpecificOutput": "block"}'` },
    misplaced: answer({ permissionDecision: 'deny' }),
    foreign: answer({ hookSpecificOutput: { hookEventName: event === 'Stop' ? 'Setup' : 'Stop' } }),
    hidden: { command: `echo log; echo '{"decision":"block"}'` },
    huge: { ...specific(event, { additionalContext: 'x'.repeat(LONG) }), command: hugeCommand(event) },
  }
}

const LONG = 300_000

/** Too long for an argument of a process: made by the command. */
function hugeCommand(event: HookEvent): string {
  const [before = '', after = ''] = JSON.stringify({
    hookSpecificOutput: { hookEventName: event, additionalContext: '|' },
  }).split('|')
  return `printf '%s%0${LONG}d%s' '${before}' 0 '${after}'`
}
