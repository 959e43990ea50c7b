/** Plan mode of one session: its file for the plan, the way in and out, and what the model is told while it lasts. */
import type { Permissions } from '../../permissions/permission-engine.js'
import { join } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import { planModeReminder } from '../../prompts/plan-mode.js'
import type { PermissionMode } from '../../protocol/permission-types.js'

export type PlanMode = ReturnType<typeof createPlanMode>

export type PlanModePorts = {
  permissions: Pick<Permissions, 'mode' | 'setMode' | 'modeBeforePlan'>
  platform: Pick<Platform, 'files'>
  planFile: string
  /** There is somebody who could say yes to a plan. */
  canBeApproved(): boolean
  onModeChanged(mode: PermissionMode): void | Promise<void>
}

/** A plan longer than this isn't a plan, and would fill the conversation. */
const MAX_PLAN_BYTES = 262_144

export function createPlanMode({ permissions, platform, planFile, canBeApproved, onModeChanged }: PlanModePorts) {
  const change = async (mode: PermissionMode) => {
    permissions.setMode(mode)
    await onModeChanged(permissions.mode())
  }
  let instructions: string | undefined
  return {
    mode: permissions.mode,
    canBeApproved,
    onModeChanged,
    /** Why the model may not go there by itself: out of a mode that never asks, or where nobody could let it out again. */
    refuseEntry(): string | undefined {
      const mode = permissions.mode()
      if (mode === 'dontAsk') return 'This session never asks, so no plan could be approved. Go on without one.'
      if (mode === 'default' || mode === 'plan' || canBeApproved()) return undefined
      return 'There is nobody who could approve a plan. Go on without one.'
    },
    enterPlan: () => change('plan'),
    /** Back to the mode before. */
    leavePlan: () => change(permissions.modeBeforePlan()),
    planFile: () => planFile,
    async readPlan(): Promise<string | undefined> {
      try {
        const { content } = await platform.files.snapshot(planFile, MAX_PLAN_BYTES)
        return content && new TextDecoder().decode(content)
      } catch {
        // Nobody wrote one.
        return undefined
      }
    },
    /** For the prompt of a turn that begins in plan mode. */
    reminders: () =>
      permissions.mode() === 'plan'
        ? [planModeReminder({ planFile, instructions, canBeApproved: canBeApproved() })]
        : [],
    /** How to make a plan, in words of the host. */
    describe(words: string) {
      instructions = words
    },
    instructions: () => instructions,
  }
}

/** The plan of a session: the same file when the session is resumed, so that a plan that waits keeps its text. */
export function planFilePathOf(configDir: string, sessionId: string): string {
  // An id is random, so its digits are.
  let digits = sessionId
    .replaceAll(/[^0-9a-f]/gi, '')
    .padStart(16, '0')
    .slice(-16)
  return newPlanFilePath(configDir, (length) => {
    const taken = digits.slice(0, length)
    digits = digits.slice(length)
    return taken
  })
}

/** Words a person can say, and letters that make it a name of its own: the plan of another session must never be offered. */
export function newPlanFilePath(configDir: string, hex: (length: number) => string): string {
  const pick = (words: readonly string[]) => words[Number.parseInt(hex(4), 16) % words.length]
  const letters = hex(8).replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
  return join(configDir, 'plans', `${pick(HOW)}-${pick(THING)}-${letters}.md`)
}

const HOW = ['brisk', 'calm', 'clear', 'early', 'fair', 'firm', 'keen', 'light', 'quiet', 'ready', 'steady', 'swift']
const THING = [
  'anchor',
  'beacon',
  'bight',
  'buoy',
  'cleat',
  'harbor',
  'keel',
  'ledger',
  'mast',
  'oar',
  'rudder',
  'tide',
]
