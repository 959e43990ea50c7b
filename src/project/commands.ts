/** Commands and skills, as far as they are known before they are used: names, descriptions and what they may do. */
import { join } from '../platform/paths.js'
import { type FieldReader, fieldReader, parseMarkdown } from './frontmatter.js'
import { NAME_RULE, toName } from './names.js'
import type { Problems } from './problems.js'
import type { CommandFile, Origin, ProjectFiles, SkillFile } from './project.js'
import { findMarkdown, listFolder, readOrTell, realFolder } from './reader.js'
import { oneLine } from './visible-text.js'

/** A folder with things of one kind, and whose it is. */
export type Place = {
  folder: string
  origin: Origin
  /** Links may not lead out of this real folder; absent for the user's own. */
  within?: string
  plugin?: { name: string; path: string }
}

export type Reading = { files: ProjectFiles; problems: Problems }

const MAX_DESCRIPTION = 1024
const MAX_FIRST_LINE = 100

/** `<folder>/a/b.md` is the command `a:b`. */
export async function loadCommands(place: Place, reading: Reading): Promise<CommandFile[]> {
  const { files, problems } = reading
  const found = await findMarkdown(place.folder, place.within, files, problems)
  const commands = await Promise.all(
    found.map(({ path, segments }) => loadCommand(path, segments.join(':').replace(/\.md$/, ''), place, reading)),
  )
  return commands.flatMap((command) => command ?? [])
}

/** One file named by a plugin. */
export async function loadCommand(
  path: string,
  written: string,
  place: Place,
  reading: Reading,
): Promise<CommandFile | undefined> {
  const file = await readOrTell(path, place.within, reading.files, reading.problems)
  return file.kind === 'text' ? describe(path, file.text, written, place, reading)?.command : undefined
}

/** `<folder>/name/SKILL.md`. */
export async function loadSkills(place: Place, reading: Reading): Promise<SkillFile[]> {
  const { files, problems } = reading
  if ((await realFolder(place.folder, place.within, files, problems)) === undefined) return []
  const entries = await listFolder(place.folder, files, problems)
  const skills = await Promise.all(
    entries.map(({ name, kind }) =>
      kind === 'directory' ? loadSkill(join(place.folder, name), name, place, reading) : undefined,
    ),
  )
  return skills.flatMap((skill) => skill ?? [])
}

/** `folder` is the skill's own. */
export async function loadSkill(
  folder: string,
  written: string,
  place: Place,
  reading: Reading,
): Promise<SkillFile | undefined> {
  const path = join(folder, 'SKILL.md')
  const file = await readOrTell(path, place.within, reading.files, reading.problems)
  const described = file.kind === 'text' ? describe(path, file.text, written, place, reading) : undefined
  if (!described) return undefined
  const { command, fields } = described
  const called = fields.text('name')
  const userInvocable = fields.flag('user-invocable') ?? true
  if (!fields.isRight()) return undefined
  const shown = called === undefined ? undefined : toName(called)
  if (called !== undefined && shown === undefined) reading.problems.add(path, `'name' is not used: ${NAME_RULE}.`)
  if (!fields.text('description')) {
    reading.problems.add(path, "has no 'description', so the model is not told of it; only /name runs it.")
    command.disableModelInvocation = true
  }
  return { ...command, shownName: shown ?? command.name, folder, userInvocable }
}

function describe(
  path: string,
  text: string,
  written: string,
  { origin, within, plugin }: Place,
  { problems }: Reading,
): { command: CommandFile; fields: FieldReader } | undefined {
  const parsed = parseMarkdown(text)
  if ('line' in parsed) {
    problems.add(path, `${parsed.text}. The file is not used.`, parsed.line)
    return undefined
  }
  const segments = written.split(':').map((segment) => toName(segment))
  if (segments.includes(undefined)) {
    problems.add(path, `is not used: ${NAME_RULE}.`)
    return undefined
  }
  const fields = fieldReader(parsed.fields, path, problems)
  const allowedTools = fields.list('allowed-tools')
  const model = fields.text('model')
  const disableModelInvocation = fields.flag('disable-model-invocation')
  const hooks = fields.value('hooks')
  const description = fields.text('description') || firstLine(parsed.body)
  const argumentHint = fields.text('argument-hint') ?? ''
  if (!fields.isRight()) return undefined
  const name = [...(plugin ? [plugin.name] : []), ...segments].join(':')
  return {
    fields,
    command: {
      ...{ name, shownName: name, path, origin },
      description: oneLine(description, MAX_DESCRIPTION),
      argumentHint: oneLine(argumentHint, MAX_FIRST_LINE),
      ...(within !== undefined && { within }),
      ...(plugin && { pluginRoot: plugin.path }),
      ...(allowedTools && { allowedTools }),
      ...(model && model !== 'inherit' && { model: oneLine(model, MAX_FIRST_LINE) }),
      ...(disableModelInvocation !== undefined && { disableModelInvocation }),
      ...(hooks !== undefined && { hooks }),
    },
  }
}

function firstLine(body: string): string {
  const line = body.split('\n').find((one) => one.trim() !== '') ?? ''
  return oneLine(line.replace(/^\s*#+\s*/, ''), MAX_FIRST_LINE)
}
