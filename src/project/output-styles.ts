/** Output styles from files: how the agent works and answers, as a part of its system prompt. */
import { basename } from '../platform/paths.js'
import { oneLine } from '../platform/visible-text.js'
import { DEFINITION_NAME_RULE_TEXT, toDefinitionName } from './file-names.js'
import { createFieldReader } from './frontmatter.js'
import type { OutputStyle } from './project.js'
import { type DefinitionFolder, findMarkdownFiles, type ReadingContext, readMarkdown } from './reader.js'

export async function loadOutputStyles(place: DefinitionFolder, reading: ReadingContext): Promise<OutputStyle[]> {
  const found = await findMarkdownFiles(place.folder, place.within, reading)
  const styles = await Promise.all(found.map(({ path }) => loadStyle(path, basename(path), place, reading)))
  return styles.flatMap((style) => style ?? [])
}

async function loadStyle(
  path: string,
  fileName: string,
  { within, plugin }: DefinitionFolder,
  reading: ReadingContext,
): Promise<OutputStyle | undefined> {
  const { problems } = reading
  const parsed = await readMarkdown(path, within, reading)
  if (!parsed) return undefined
  const fields = createFieldReader(parsed.fields, path, problems)
  const name = toDefinitionName(fields.text('name') ?? fileName.slice(0, -'.md'.length), { spaces: true })
  const description = fields.text('description') ?? ''
  const keepCodingInstructions = fields.flag('keep-coding-instructions') ?? false
  if (!fields.isRight()) return undefined
  if (name === undefined) {
    problems.add(path, `is not used: ${DEFINITION_NAME_RULE_TEXT}.`)
    return undefined
  }
  return {
    name: plugin ? `${plugin.name}:${name}` : name,
    description: oneLine(description, 1024),
    prompt: parsed.body.trim(),
    keepCodingInstructions,
    path,
  }
}
