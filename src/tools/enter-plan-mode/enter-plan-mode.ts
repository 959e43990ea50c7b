/** EnterPlanMode: turns plan mode on at the model's own wish. */
import type { PermissionMode } from '../../protocol/permission-types.js'
import { defineTool, type Tool } from '../tool.js'
import { enterPlanModeInputSchema } from './input.js'
import type { EnterPlanModeOutput } from './output.js'
import { enterPlanModePrompt, planModeAdvice } from './prompt.js'

export interface EnterPlanPort {
  mode(): PermissionMode
  /** Why plan mode can't be entered now, if it can't. */
  refuseEntry(): string | undefined
  /** Sets plan mode, and tells the host. */
  enterPlan(): Promise<void>
  planFile(): string
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
      return { ok: true, content: `${message}\n\n${planModeAdvice(port.planFile())}`, output }
    },
  })
}
