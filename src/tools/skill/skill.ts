/** Skill: puts the instructions of a skill into the conversation. */
import { cutMiddle } from '../bound-output.js'
import type { InputSchema } from '../input-schema.js'
import { defineTool, type Tool } from '../tool.js'

export interface SkillInput {
  /** The name of the skill. */
  skill: string
  /** What to pass to it. */
  args?: string
}

export const skillInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    skill: { description: 'The name of the skill, such as "review" or "plugin:review".', type: 'string' },
    args: { description: 'What to pass to the skill, if it takes anything.', type: 'string' },
  },
  required: ['skill'],
  additionalProperties: false,
} satisfies InputSchema<SkillInput>

/** What Skill gives back to hosts. */
export interface SkillOutput {
  success: boolean
  commandName: string
  /** Rules that hold for the rest of the turn. */
  allowedTools?: string[]
  /** The model for the rest of the turn. */
  model?: string
}

const skillPrompt = `Loads a skill: instructions for a kind of task, from the user or the project.

- If a task fits an available skill, load it first, and follow it.
- "/name" in a message of the user means the skill of that name; the words behind it go into args.
- Use only names that were listed. Don't load a skill again while its instructions are in the conversation.`

export type KnownSkill = {
  name: string
  /** Only the user may run it. */
  userOnly?: boolean
  /** The host chose others. */
  notChosen?: boolean
  /** Rules it brings along: a skill that widens what may run is not loaded without a question. */
  allowedTools?: readonly string[]
  model?: string
}

export interface SkillPort {
  /** By any of its names. */
  find(name: string): KnownSkill | undefined
  /** Those the model may use. */
  names(): readonly string[]
  /** The instructions, with `args` put in, or why there are none. */
  load(name: string, args: string, signal: AbortSignal): Promise<{ text: string } | { problem: string }>
}

export function createSkillTool(port: SkillPort): Tool<SkillInput> {
  const refuse = (skill: string): string | undefined => {
    const known = port.find(skill)
    if (!known) return unknown(skill, port)
    if (known.notChosen) return `Skill ${known.name} is not in this session's skills allowlist`
    return known.userOnly
      ? `Skill ${known.name} cannot be used with Skill tool due to disable-model-invocation`
      : undefined
  }
  return defineTool<SkillInput>({
    name: 'Skill',
    description: skillPrompt,
    inputSchema: skillInputSchema,
    isReadOnly: () => false,
    // Here and nowhere else, so that permission rules judge the very name that is loaded.
    async prepare(input) {
      const skill = input.skill.trim().replace(/^\/+/, '')
      return { ...input, skill: port.find(skill)?.name ?? skill }
    },
    facts: ({ skill }) => (port.find(skill)?.allowedTools ? { kind: 'other' } : { kind: 'none' }),
    check: async ({ skill }) => refuse(skill),
    async execute({ skill, args = '' }, { signal }) {
      // Asked again: a host or a hook may have changed the input since.
      const refusal = refuse(skill)
      if (refusal !== undefined) return { ok: false, error: refusal, refused: true }
      const loaded = await port.load(skill, args, signal)
      if ('problem' in loaded) return { ok: false, error: loaded.problem }
      const { allowedTools, model } = port.find(skill) ?? {}
      const output: SkillOutput = {
        success: true,
        commandName: skill,
        ...(allowedTools ? { allowedTools: [...allowedTools] } : {}),
        ...(model === undefined ? {} : { model }),
      }
      return { ok: true, content: `Launching skill: ${skill}`, output, follow: loaded.text }
    },
  })
}

function unknown(skill: string, port: SkillPort): string {
  const names = port.names()
  return `Unknown skill: ${cutMiddle(skill, 200)}${names.length > 0 ? `. Available skills: ${names.join(', ')}` : ''}`
}
