/** Output styles from files: how the agent works and answers, as a part of its system prompt. */
import { join } from '../platform/paths.js'
import type { Place, Reading } from './commands.js'
import { fieldReader, parseMarkdown } from './frontmatter.js'
import { NAME_RULE, toName } from './names.js'
import type { OutputStyle } from './project.js'
import { listFolder, readOrTell, realFolder } from './reader.js'
import { oneLine } from './visible-text.js'

export async function loadOutputStyles(place: Place, reading: Reading): Promise<OutputStyle[]> {
  const { files, problems } = reading
  if ((await realFolder(place.folder, place.within, files, problems)) === undefined) return []
  const entries = await listFolder(place.folder, files, problems)
  const styles = await Promise.all(
    entries.map(({ name, kind }) =>
      kind === 'file' && name.endsWith('.md') ? loadStyle(join(place.folder, name), name, place, reading) : undefined,
    ),
  )
  return styles.flatMap((style) => style ?? [])
}

async function loadStyle(
  path: string,
  fileName: string,
  { within, plugin }: Place,
  { files, problems }: Reading,
): Promise<OutputStyle | undefined> {
  const file = await readOrTell(path, within, files, problems)
  if (file.kind !== 'text') return undefined
  const parsed = parseMarkdown(file.text)
  if ('line' in parsed) {
    problems.add(path, `${parsed.text}. The file is not used.`, parsed.line)
    return undefined
  }
  const fields = fieldReader(parsed.fields, path, problems)
  const name = toName(fields.text('name') ?? fileName.slice(0, -'.md'.length), { spaces: true })
  const description = fields.text('description') ?? ''
  const keepCodingInstructions = fields.flag('keep-coding-instructions') ?? false
  if (!fields.isRight()) return undefined
  if (name === undefined) {
    problems.add(path, `is not used: ${NAME_RULE}.`)
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
