/** `kedge update`: says which command updates it, by where it is installed. Runs nothing itself. */
import { realpathSync } from 'node:fs'
import { readCommandLine } from '../platform/command-line/read-command-line.js'
import { VERSION } from '../platform/version.js'
import { UPDATE_COMMAND } from '../protocol/command-table/setup-command-rows.js'
import { print, printCommandText } from './terminal-output.js'

export async function updateCommand(args: readonly string[], program = process.argv[1] ?? ''): Promise<number> {
  const read = readCommandLine(UPDATE_COMMAND, args)
  if ('text' in read) return printCommandText(read)
  print(`This is Kedge ${VERSION}. To update it: ${updateCommandForFolder(placeOf(program))}\n`)
  return 0
}

function placeOf(program: string): string {
  try {
    return realpathSync(program)
  } catch {
    return program
  }
}

/** By the folder a manager of packages keeps its own in. */
export function updateCommandForFolder(place: string): string {
  if (/[\\/](?:_npx|dlx|\.bun[\\/]install[\\/]cache)[\\/]/.test(place)) return 'npx kedge@latest'
  if (/[\\/]\.bun[\\/]/.test(place)) return 'bun add -g kedge@latest'
  if (/[\\/]pnpm[\\/]/.test(place)) return 'pnpm add -g kedge@latest'
  if (/[\\/]\.?yarn[\\/]/.test(place)) return 'yarn global add kedge@latest'
  const [, folder] = /^(.*)[\\/]node_modules[\\/]kedge[\\/]/.exec(place) ?? []
  // Globally they are in a folder of Node itself; elsewhere they belong to a project.
  if (folder !== undefined && !/[\\/]lib$/.test(folder)) return `npm install kedge@latest   (in ${folder})`
  return folder === undefined ? 'git pull && npm ci   (it runs from its source)' : 'npm install -g kedge@latest'
}
