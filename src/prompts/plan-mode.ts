/** What the model is told while plan mode is on. */

const PLAN_PARTS = ': what will change and where, in which order, how it will be checked, what is left open.'

/** A sub-agent has no plan of its own to be approved. */
export function subAgentPlanReminder(): string {
  return 'Plan mode is on: look, search and think, but change nothing and run nothing that has an effect. Report what you found, and what should be done, to the agent that called you.'
}

type PlanReminder = {
  planFile: string
  /** How the host wants a plan to be made. */
  instructions?: string | undefined
  /** There is somebody who could approve it. */
  canBeApproved: boolean
}

export function planModeReminder({ planFile, instructions, canBeApproved }: PlanReminder): string {
  const parts = instructions === undefined ? PLAN_PARTS : '.'
  const how = instructions === undefined ? [] : ['How to go about it:', instructions]
  if (!canBeApproved) {
    return [
      'Plan mode is on: the user wants a plan, and nothing changed.',
      'Explore with tools that only read. Make no edits, and run no commands with effects. Nobody can be asked: where a decision is the user’s, choose, and say what you chose.',
      `Give the whole plan as your answer${parts}`,
      ...how,
    ].join('\n')
  }
  return [
    'Plan mode is on: the user wants to see and approve a plan before anything is changed.',
    'Explore with tools that only read, ask with AskUserQuestion where a decision is the user’s, and change nothing: no edits, no commands with effects.',
    `Write the plan to ${planFile}, the only file you may write now${parts}`,
    ...how,
    'When it is complete, call ExitPlanMode to have it approved. Don’t ask for approval in any other way.',
  ].join('\n')
}
