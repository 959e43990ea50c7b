/** What the model reads about EnterPlanMode, before and after the call. */

export const enterPlanModePrompt = `Turns plan mode on: you explore, design, and have the user approve a plan before anything is changed.

Use it on your own when the way matters and is not settled: a new feature with several possible designs, a change across many files, a request that can be understood differently, a rebuild of something that works. Do not use it for small or obvious changes, for work the user described step by step, or for research without changes.`

export function planModeAdvice(planFile: string): string {
  return [
    '- Look around with tools that only read, until you know what is there and what can be reused. Change nothing yet.',
    '- Where a decision is the user’s, ask with AskUserQuestion.',
    `- Write the plan to ${planFile}, the one file you may write now: what will change and where, in which order, and how it will be checked.`,
    '- When the plan is complete, call ExitPlanMode to have it approved.',
  ].join('\n')
}
