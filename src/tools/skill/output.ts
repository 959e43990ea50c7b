/** What Skill gives back to hosts. */

export interface SkillOutput {
  success: boolean
  commandName: string
}
