/** What Skill gives back to hosts. */

export interface SkillOutput {
  success: boolean
  commandName: string
  /** Rules that hold for the rest of the turn. */
  allowedTools?: string[]
  /** The model for the rest of the turn. */
  model?: string
}
