/** What TeamDelete gives back to hosts. */

export interface TeamDeleteOutput {
  /** False: there are members that still run, or there is no team. */
  success: boolean
  message: string
  team_name?: string
}
