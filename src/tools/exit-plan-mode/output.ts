/** What ExitPlanMode gives back to hosts. */

export interface ExitPlanModeOutput {
  /** The plan as it was approved. */
  plan: string | null
  isAgent: boolean
  /** The file for the plan. */
  filePath?: string
  hasTaskTool?: boolean
  awaitingLeaderApproval?: boolean
  requestId?: string
}
