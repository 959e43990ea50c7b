/** Checks what a hook answered before anything is made of it: a field of the wrong kind must not count as "no objection". */
import type { HookEvent, HookJSONOutput } from '../protocol/hooks.js'
import { describe, type Schema, validate } from '../protocol/validate.js'

export type CheckedOutput = { ok: true; output: HookJSONOutput } | { ok: false; problem: string }

export function checkOutput(output: unknown, event: HookEvent): CheckedOutput {
  const [problem] = validate(output, OUTPUT)
  if (problem) return { ok: false, problem: `its answer means nothing: ${describe(problem)}` }
  const misplaced = findMisplaced(output, event)
  if (misplaced) return { ok: false, problem: `its answer means nothing: ${misplaced}` }
  // The schema has what the type says; `null` stands for an absent field.
  return { ok: true, output: output as HookJSONOutput }
}

/** A decision that stands in the wrong place would be read as no objection. */
function findMisplaced(output: unknown, event: HookEvent): string | undefined {
  if (typeof output !== 'object' || output === null) return undefined
  if ('permissionDecision' in output) return 'permissionDecision belongs into hookSpecificOutput'
  const specific = 'hookSpecificOutput' in output ? output.hookSpecificOutput : undefined
  if (typeof specific !== 'object' || specific === null || !('hookEventName' in specific)) return undefined
  const name = specific.hookEventName
  return name === event ? undefined : `hookEventName is '${String(name).slice(0, 40)}', not '${event}'`
}

const text: Schema = { type: ['string', 'null'] }
const flag: Schema = { type: ['boolean', 'null'] }
const object: Schema = { type: ['object', 'null'] }

const OUTPUT: Schema = {
  type: 'object',
  properties: {
    async: flag,
    continue: flag,
    suppressOutput: flag,
    stopReason: text,
    systemMessage: text,
    reason: text,
    decision: { enum: ['approve', 'block', null] },
    hookSpecificOutput: {
      ...object,
      required: ['hookEventName'],
      properties: {
        hookEventName: { type: 'string' },
        permissionDecision: { enum: ['allow', 'deny', 'ask', null] },
        permissionDecisionReason: text,
        additionalContext: text,
        updatedInput: object,
        decision: {
          ...object,
          required: ['behavior'],
          properties: {
            behavior: { enum: ['allow', 'deny'] },
            message: text,
            interrupt: flag,
            updatedInput: object,
            updatedPermissions: { type: ['array', 'null'] },
          },
        },
      },
    },
  },
}
