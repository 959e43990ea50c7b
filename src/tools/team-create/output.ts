/** What TeamCreate gives back to hosts. */

export interface TeamCreateOutput {
  /** With a number behind it where another running session has a team of that name. */
  team_name: string
  team_file_path: string
  lead_agent_id: string
}
