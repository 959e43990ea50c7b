/** Checks what a hook answered before anything is made of it: a field of the wrong kind must not count as "no objection". */
import type { HookJSONOutput } from '../protocol/hooks.js'
import { describe, type Schema, validate } from '../protocol/validate.js'

export type CheckedOutput = { ok: true; output: HookJSONOutput } | { ok: false; problem: string }

export function checkOutput(output: unknown): CheckedOutput {
  const [problem] = validate(output, OUTPUT)
  if (problem) return { ok: false, problem: `its answer means nothing: ${describe(problem)}` }
  // The schema has what the type says; `null` stands for an absent field.
  return { ok: true, output: output as HookJSONOutput }
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
