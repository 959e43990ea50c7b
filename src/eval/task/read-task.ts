/** Reads tasks from folders: a folder with `task.json` is a task, any other is searched for such folders. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { ConfigurationError } from '../../errors.js'
import { isObject } from '../../protocol/json.js'
import { messageOf } from '../../protocol/thrown.js'
import { type EvalTask, taskProblem } from './eval-task.js'

/** A task that can't be used, with the file and the reason. */
export const unusableTaskError = (text: string): ConfigurationError => new ConfigurationError('tasks', text)

/** The tasks in these folders, by name. Throws a `ConfigurationError` for one that can't be used. */
export function readTasks(folders: readonly string[]): EvalTask[] {
  const found = folders.flatMap((folder) => {
    const tasks = taskFolders(resolve(folder))
    if (tasks.length === 0) throw unusableTaskError(`${folder}: there is no task.json here or in the folders below.`)
    return tasks
  })
  const tasks = [...new Set(found)].map(readTask)
  const names = tasks.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw unusableTaskError(`Two tasks are named "${twice}". Give one of them another "name".`)
  return tasks.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function taskFolders(folder: string): string[] {
  if (!existsSync(folder)) throw unusableTaskError(`${folder}: there is no such folder.`)
  if (!statSync(folder).isDirectory()) return taskFolders(resolve(folder, '..'))
  if (existsSync(join(folder, 'task.json'))) return [folder]
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .flatMap((entry) => taskFolders(join(folder, entry.name)))
}

export function readTask(folder: string): EvalTask {
  const file = join(folder, 'task.json')
  const value = readJson(file)
  const script = join(folder, 'script.json')
  const named = { name: basename(folder), ...value, folder }
  // Checked field by field in the next line.
  const task = (existsSync(script) ? { ...named, script: readJson(script) } : named) as unknown as EvalTask
  const problem = taskProblem(task)
  if (problem !== undefined) throw unusableTaskError(`${file}: ${problem}`)
  return task
}

function readJson(file: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw unusableTaskError(`${file} isn't valid JSON: ${messageOf(error)}`)
  }
  if (!isObject(value)) throw unusableTaskError(`${file} must contain a JSON object.`)
  return value
}
