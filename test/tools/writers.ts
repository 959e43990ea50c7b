/** One of many who edit the same file with the tools, each with a memory of its own; as a program: file, name, edits. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { editTool } from '../../src/tools/edit/edit.js'
import { readTool } from '../../src/tools/read/read.js'
import { createTestContext } from '../../src/tools/test-context.js'
import { writeTool } from '../../src/tools/write/write.js'

/** Where the next line goes. Every line has the same length, so that size tells nothing. */
export const END = '<end>\n'

/** Tries to add lines, and reads again when it is told that the file changed. Returns the lines that were reported as added. */
export async function addLines(path: string, writer: string, lines: number): Promise<string[]> {
  const { context, dispose } = await createTestContext()
  const reported: string[] = []
  try {
    for (let attempt = 100; attempt < 100 + lines; attempt++) {
      const line = `${writer} ${attempt}\n`
      const read = await readTool.execute({ file_path: path }, context)
      if (!read.ok) throw new Error(read.error)
      const edit = { file_path: path, old_string: END, new_string: line + END, replace_all: false }
      const done = await editTool.execute(edit, context)
      if (done.ok) reported.push(line)
    }
  } finally {
    await dispose()
  }
  return reported
}

/** Tries to be the one that makes each of these files. Returns those that were reported as made. */
export async function makeFiles(folder: string, writer: string, files: number): Promise<string[]> {
  const { context, dispose } = await createTestContext()
  const reported: string[] = []
  try {
    for (let i = 0; i < files; i++) {
      const done = await writeTool.execute({ file_path: join(folder, `${i}`), content: writer }, context)
      if (done.ok) reported.push(`${i}`)
    }
  } finally {
    await dispose()
  }
  return reported
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , path = '', writer = '', edits = ''] = process.argv
  const reported = {
    lines: await addLines(path, writer, Number(edits)),
    files: await makeFiles(`${path}-made`, writer, 10),
  }
  process.stdout.write(JSON.stringify(reported))
}
