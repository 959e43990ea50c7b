/** ExitPlanMode: asks the user to approve the plan; with that, the mode before plan mode comes back. */
import type { ToolOutcome } from '../../engine/ports.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { InputSchema } from '../input-schema.js'
import { defineTool, type Tool, type ToolContext } from '../tool.js'

/** What `ExitPlanMode` takes. */
export interface ExitPlanModeInput {
  /** Kinds of commands the plan needs, in words, to be allowed together with it. */
  allowedPrompts?: {
    tool: 'Bash'
    /** What the commands do, in words. */
    prompt: string
  }[]
  [key: string]: unknown
}

export const exitPlanModeInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    allowedPrompts: {
      description: 'Kinds of commands the plan needs, in words, for the user to see with it.',
      type: 'array',
      items: {
        type: 'object',
        properties: {
          tool: { description: 'The tool they are run with.', type: 'string', enum: ['Bash'] },
          prompt: {
            description: 'What the commands do, such as "run the tests" or "install dependencies".',
            type: 'string',
          },
        },
        required: ['tool', 'prompt'],
        additionalProperties: false,
      },
    },
  },
  additionalProperties: {},
} satisfies InputSchema<ExitPlanModeInput>

/** What ExitPlanMode gives back to hosts. */
export interface ExitPlanModeOutput {
  /** The plan as it was approved. */
  plan: string | null
  /** Whether a sub-agent asked. */
  isAgent: boolean
  /** The file for the plan. */
  filePath?: string
  /** Whether there is `Task` to carry it out with. */
  hasTaskTool?: boolean
  /** Whether the leader of the team has yet to approve it. */
  awaitingLeaderApproval?: boolean
  /** The id of that request. */
  requestId?: string
}

const exitPlanModePrompt = `Shows the user the plan and asks for approval to leave plan mode and carry it out.

- The plan file must hold the complete plan: its content is what the user sees.
- Ask about open questions with AskUserQuestion first.
- Don't ask for approval of the plan in any other way.
- This is for work that changes something. After research, just answer.
- allowedPrompts tells the user which kinds of commands will follow. It grants nothing.`

export interface ExitPlanPort {
  mode(): PermissionMode
  /** Sets the mode that was there before plan mode, and tells the host. */
  leavePlan(): Promise<void>
  planFile(): string
  /** What the plan file holds; undefined when there is none. */
  readPlan(): Promise<string | undefined>
}

/** Plans of teammates, which their lead approves and not the user. */
export interface MatePlanPort {
  isMate(context: ToolContext): boolean
  submit(plan: unknown, context: ToolContext): Promise<ToolOutcome>
}

export function createExitPlanModeTool(port: ExitPlanPort, mates?: MatePlanPort): Tool<ExitPlanModeInput> {
  return defineTool<ExitPlanModeInput>({
    name: 'ExitPlanMode',
    description: exitPlanModePrompt,
    inputSchema: exitPlanModeInputSchema,
    isReadOnly: () => false,
    // The user must see what they approve.
    async prepare(input, context) {
      if (mates?.isMate(context)) return input
      const plan = await port.readPlan()
      return plan?.trim() ? { ...input, plan } : input
    },
    facts: (_, context) => ({ kind: mates?.isMate(context) ? 'none' : 'ask' }),
    async preview({ plan }) {
      return typeof plan === 'string' ? { type: 'document', text: plan } : undefined
    },
    async execute(input, context) {
      if (mates?.isMate(context)) return mates.submit(input['plan'], context)
      const saved = await port.readPlan()
      // Only what stood in the request was approved; and a plan that was never in the file is only words.
      const given = input['plan']
      const plan = typeof given === 'string' && given.trim() && saved?.trim() ? given : null
      // Outside plan mode there is nothing to leave, but the user may still approve a plan.
      if (port.mode() === 'plan') await port.leavePlan()
      const output: ExitPlanModeOutput = { plan, isAgent: false, filePath: port.planFile() }
      return { ok: true, content: describe(plan, saved, port.planFile()), output }
    },
  })
}

function describe(plan: string | null, saved: string | undefined, file: string): string {
  if (plan === null) return 'The user has approved leaving plan mode. You can go on with the work.'
  const where =
    saved === plan
      ? `It is saved in ${file}, should you need to look at it again.`
      : `${file} holds another version. What counts is what was approved:`
  return `The user has approved your plan. Start with the work now, and keep a list of its steps if there are several.\n${where}\n\n## The approved plan\n\n${plan}`
}
