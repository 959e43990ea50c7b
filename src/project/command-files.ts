/** Commands and skills, as far as they are known before they are used: names, descriptions and what they may do. */
import { basename, join } from '../platform/paths.js'
import { oneLine } from '../platform/visible-text.js'
import { hasEmbeddedCommands } from './expand-command.js'
import { DEFINITION_NAME_RULE_TEXT, toDefinitionName } from './file-names.js'
import { createFieldReader, type FieldReader, readFrontMatterHooks } from './frontmatter.js'
import type { CommandFile, SkillFile } from './project.js'
import {
  type DefinitionFolder,
  findMarkdownFiles,
  listFolder,
  type ReadingContext,
  readMarkdown,
  realFolderWithin,
} from './reader.js'

const MAX_DESCRIPTION = 1024
const MAX_FIRST_LINE = 100

/** Loads the slash commands of a folder: `<folder>/a/b.md` is the command `a:b`. */
export async function loadCommands(place: DefinitionFolder, reading: ReadingContext): Promise<CommandFile[]> {
  const found = await findMarkdownFiles(place.folder, place.within, reading)
  const commands = await Promise.all(
    found.map(({ path, segments }) =>
      loadCommand(path, [...segments.slice(0, -1), basename(path, '.md')], place, reading),
    ),
  )
  return commands.flatMap((command) => command ?? [])
}

export async function loadCommand(
  path: string,
  written: readonly string[],
  place: DefinitionFolder,
  reading: ReadingContext,
): Promise<CommandFile | undefined> {
  return (await describe(path, written, place, reading))?.command
}

/** Loads the skills of a folder: `<folder>/name/SKILL.md`. */
export async function loadSkills(place: DefinitionFolder, reading: ReadingContext): Promise<SkillFile[]> {
  if ((await realFolderWithin(place.folder, place.within, reading)) === undefined) return []
  const entries = await listFolder(place.folder, reading)
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
  place: DefinitionFolder,
  reading: ReadingContext,
): Promise<SkillFile | undefined> {
  const path = join(folder, 'SKILL.md')
  const described = await describe(path, [written], place, reading)
  if (!described) return undefined
  const { command, fields } = described
  const called = fields.text('name')
  const userInvocable = fields.flag('user-invocable') ?? true
  if (!fields.isRight()) return undefined
  const shown = called === undefined ? undefined : toDefinitionName(called)
  if (called !== undefined && shown === undefined)
    reading.problems.add(path, `'name' is not used: ${DEFINITION_NAME_RULE_TEXT}.`)
  if (!fields.text('description')) {
    reading.problems.add(path, "has no 'description', so the model is not told of it; only /name runs it.")
    command.disableModelInvocation = true
  }
  return { ...command, shownName: shown ?? command.name, folder, userInvocable }
}

async function describe(
  path: string,
  written: readonly string[],
  { origin, within, plugin, untrusted }: DefinitionFolder,
  reading: ReadingContext,
): Promise<{ command: CommandFile; fields: FieldReader } | undefined> {
  const { problems } = reading
  const parsed = await readMarkdown(path, within, reading)
  if (!parsed) return undefined
  const segments = written.map((segment) => toDefinitionName(segment))
  if (segments.includes(undefined)) {
    problems.add(path, `is not used: ${DEFINITION_NAME_RULE_TEXT}.`)
    return undefined
  }
  const fields = createFieldReader(parsed.fields, path, problems)
  const allowedTools = fields.list('allowed-tools')
  const model = fields.text('model')
  const disableModelInvocation = fields.flag('disable-model-invocation')
  const hooks = readFrontMatterHooks(fields)
  const description = fields.text('description') || firstLine(parsed.body)
  const argumentHint = fields.text('argument-hint') ?? ''
  if (!fields.isRight()) return undefined
  const name = [...(plugin ? [plugin.name] : []), ...segments].join(':')
  const deeds = {
    ...(allowedTools && { allowedTools }),
    ...(model && model !== 'inherit' && { model: oneLine(model, MAX_FIRST_LINE) }),
    ...(hooks && { hooks }),
  }
  const withheld = [
    ...(deeds.allowedTools ? ['allowed-tools'] : []),
    ...(deeds.model ? ['model'] : []),
    ...(hooks ? ['hooks'] : []),
    ...(hasEmbeddedCommands(parsed.body) ? ['commands in its text'] : []),
  ]
  return {
    fields,
    command: {
      name,
      shownName: name,
      path,
      origin,
      ...(untrusted ? { untrusted, withheld } : deeds),
      description: oneLine(description, MAX_DESCRIPTION),
      argumentHint: oneLine(argumentHint, MAX_FIRST_LINE),
      ...(within !== undefined && { within }),
      ...(plugin && { pluginRoot: plugin.path }),
      ...(disableModelInvocation !== undefined && { disableModelInvocation }),
    },
  }
}

function firstLine(body: string): string {
  const line = body.split('\n').find((one) => one.trim() !== '') ?? ''
  return oneLine(line.replace(/^\s*#+\s*/, ''), MAX_FIRST_LINE)
}
