/** `kedge eval init`: a small task that works, to be changed into one's own. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const TASK = {
  description: 'Change one word of a file and leave the rest alone.',
  prompt: 'Replace "world" with "Kedge" in greeting.txt',
  options: { permissionMode: 'acceptEdits' },
  checks: [{ file: 'greeting.txt', equals: 'Hello, Kedge!' }, { unchanged: ['notes.txt'] }, { exitCode: 0 }],
  limits: { seconds: 120 },
}

const SCRIPT = {
  steps: [
    { calls: [{ tool: 'Read', input: { file_path: 'greeting.txt' } }] },
    { calls: [{ tool: 'Edit', input: { file_path: 'greeting.txt', old_string: 'world', new_string: 'Kedge' } }] },
    { say: 'greeting.txt now greets Kedge.' },
  ],
}

/** Returns the paths of the files it wrote. */
export function writeNewTaskFolder(folder: string): string[] {
  if (existsSync(join(folder, 'task.json'))) throw new Error(`${join(folder, 'task.json')} is already there.`)
  const files: Record<string, string> = {
    'task.json': `${JSON.stringify(TASK, null, 2)}\n`,
    'script.json': `${JSON.stringify(SCRIPT, null, 2)}\n`,
    'repo/greeting.txt': 'Hello, world!\n',
    'repo/notes.txt': 'Nothing here has to change.\n',
  }
  return Object.entries(files).map(([name, text]) => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  })
}
