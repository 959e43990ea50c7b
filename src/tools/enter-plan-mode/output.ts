/** What EnterPlanMode gives back to hosts. */

export interface EnterPlanModeOutput {
  /** That plan mode is on. */
  message: string
}
