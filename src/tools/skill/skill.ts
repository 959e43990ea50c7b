/** Skill: puts the instructions of a skill into the conversation. */
import { cutMiddle } from '../bound-output.js'
import { defineTool, type Tool } from '../tool.js'
import { type SkillInput, skillInputSchema } from './input.js'
import type { SkillOutput } from './output.js'
import { skillPrompt } from './prompt.js'

export interface SkillPort {
  /** Those there are at the moment. */
  skills(): readonly { name: string; description: string }[]
  /** The instructions, with `args` put in. Undefined: it is gone. */
  load(name: string, args: string): Promise<string | undefined>
}

export function createSkillTool(port: SkillPort): Tool<SkillInput> {
  return defineTool<SkillInput>({
    name: 'Skill',
    description: skillPrompt,
    inputSchema: skillInputSchema,
    isReadOnly: () => false,
    // Here and nowhere else, so that permission rules judge the very name that is loaded.
    prepare: async (input) => ({ ...input, skill: input.skill.trim().replace(/^\/+/, '') }),
    facts: () => ({ kind: 'none' }),
    check: async ({ skill }) => (port.skills().some(({ name }) => name === skill) ? undefined : unknown(skill, port)),
    async execute({ skill, args = '' }) {
      const known = port.skills().some(({ name }) => name === skill)
      const instructions = known ? await port.load(skill, args) : undefined
      if (instructions === undefined) return { ok: false, error: unknown(skill, port), refused: true }
      const output: SkillOutput = { success: true, commandName: skill }
      return { ok: true, content: `Launching skill: ${skill}`, output, follow: instructions }
    },
  })
}

function unknown(skill: string, port: SkillPort): string {
  const names = port.skills().map(({ name }) => name)
  return `Unknown skill: ${cutMiddle(skill, 200)}${names.length > 0 ? `. Available skills: ${names.join(', ')}` : ''}`
}
