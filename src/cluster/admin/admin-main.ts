/** `kedge admin`: manages the sessions, workers, and tenants of a cluster. */
import { KedgeError } from '../../errors.js'
import {
  chooseCommand,
  createUsageError,
  type HelpOrUsageError,
  type ParsedCommandLine,
  readCommandLine,
} from '../../platform/command-line/read-command-line.js'
import { ADMIN_COMMAND } from '../../protocol/command-table/admin-command-rows.js'
import type { Command } from '../../protocol/command-table/command-row.js'
import { messageOf } from '../../protocol/thrown.js'
import { NO_DATABASE_MESSAGE } from '../cluster-error.js'
import { openDatabase } from '../database/database.js'
import { embeddedDataFolder, isEmbeddedAddress, migrateAllTables, openCluster } from '../open-cluster.js'
import { ADMIN_COMMANDS } from './admin-commands.js'
import type { AdminContext } from './admin-context.js'

/** Short, because an operator is watching the screen. */
const PATIENCE_MS = 2000

export async function adminMain(args: string[]): Promise<void> {
  const { code, out, error } = await runAdmin(args, process.env)
  if (out !== '') process.stdout.write(out)
  if (error !== '') process.stderr.write(error)
  process.exitCode = code
}

export type AdminResult = { code: number; out: string; error: string }

export async function runAdmin(args: readonly string[], env: NodeJS.ProcessEnv): Promise<AdminResult> {
  const chosen = chooseCommand(ADMIN_COMMAND, args)
  if ('text' in chosen) return resultOfText(chosen)
  const { command } = chosen
  const read = readCommandLine(command, chosen.args)
  if ('text' in read) return resultOfText(read)
  try {
    return { code: 0, error: '', ...(await perform(command, read, env)) }
  } catch (error) {
    if (!KedgeError.isInstance(error)) return resultOfText(createUsageError(command, messageOf(error)))
    return { code: 1, out: '', error: `error: ${messageOf(error)}\n` }
  }
}

function resultOfText({ text, isHelp }: HelpOrUsageError): AdminResult {
  return isHelp ? { code: 0, out: text, error: '' } : { code: 1, out: '', error: text }
}

async function perform(
  command: Command,
  read: ParsedCommandLine<Command>,
  env: NodeJS.ProcessEnv,
): Promise<{ out: string; code?: number }> {
  const values: AdminContext['values'] = read.values
  const address = values['database'] ?? env['KEDGE_DATABASE']
  if (typeof address !== 'string' || address === '') throw new Error(NO_DATABASE_MESSAGE)
  const run = ADMIN_COMMANDS[command.name]
  if (!run) return migrateTables(address)
  const cluster = await openCluster({ database: address, connections: 3, patienceMs: PATIENCE_MS })
  try {
    const context: AdminContext = {
      cluster,
      tenant: String(values['tenant'] ?? 'default'),
      words: read.words,
      values,
      environment: env,
    }
    const { shown, text, code = 0 } = await run(context)
    return { code, out: values['json'] ? `${JSON.stringify(shown)}\n` : text }
  } finally {
    await cluster.close()
  }
}

async function migrateTables(address: string): Promise<{ out: string }> {
  if (isEmbeddedAddress(address)) {
    await (await openCluster({ database: address })).close()
    return { out: `The tables of the embedded database in ${embeddedDataFolder(address)} are up to date.\n` }
  }
  const database = await openDatabase({ url: address, connections: 2, queryMs: 0 })
  try {
    const { from, to } = await migrateAllTables(database)
    return {
      out: from === to ? `The tables are up to date (step ${to}).\n` : `The tables went from step ${from} to ${to}.\n`,
    }
  } finally {
    await database.close()
  }
}
