/** EnterPlanMode: turns plan mode on at the model's own wish. */
import type { PermissionMode } from '../../protocol/permission-types.js'
import { defineTool, type Tool } from '../tool.js'

export const enterPlanModeInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {},
  additionalProperties: false,
} as const

/** What EnterPlanMode gives back to hosts. */
export interface EnterPlanModeOutput {
  /** That plan mode is on. */
  message: string
}

const enterPlanModePrompt = `Turns plan mode on: explore, design, and have the user approve a plan before anything is changed.

Use it when the way matters and is not settled: several possible designs, a change across many files, a request that can be understood in different ways. Don't use it for small or obvious changes, for work the user described step by step, or for research.`

/** `instructions`: how the host wants a plan to be made. */
export function writePlanModeGuidance(planFile: string, instructions?: string): string {
  return [
    '- Look around with tools that only read, until you know what is there and what can be reused. Change nothing yet.',
    '- Where a decision is the user’s, ask with AskUserQuestion.',
    `- Write the plan to ${planFile}, the one file you may write now: what will change and where, in which order, and how it will be checked.`,
    ...(instructions === undefined ? [] : [`- How to go about it:\n${instructions}`]),
    '- When the plan is complete, call ExitPlanMode to have it approved.',
  ].join('\n')
}

export interface EnterPlanPort {
  mode(): PermissionMode
  /** Why plan mode can't be entered now, if it can't. */
  refuseEntry(): string | undefined
  /** Sets plan mode, and tells the host. */
  enterPlan(): Promise<void>
  planFile(): string
  /** Returns the host's instructions for making a plan. */
  instructions(): string | undefined
}

export function createEnterPlanModeTool(port: EnterPlanPort): Tool<Record<string, never>> {
  return defineTool<Record<string, never>>({
    name: 'EnterPlanMode',
    description: enterPlanModePrompt,
    inputSchema: enterPlanModeInputSchema,
    isReadOnly: () => false,
    // It only takes freedom away; where it would not, the port refuses it.
    facts: () => ({ kind: 'none' }),
    check: async () => port.refuseEntry(),
    async execute() {
      if (port.mode() !== 'plan') await port.enterPlan()
      const message =
        'Plan mode is on. Explore first, then design how to do it, and change nothing until the plan is approved.'
      const output: EnterPlanModeOutput = { message }
      return {
        ok: true,
        content: `${message}\n\n${writePlanModeGuidance(port.planFile(), port.instructions())}`,
        output,
      }
    },
  })
}
