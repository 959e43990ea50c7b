/** `kedge admin`: what an operator does to sessions and machines. */
import { parseArgs } from 'node:util'
import { KedgeError } from '../../errors.js'
import { messageOf } from '../../protocol/thrown.js'
import { openDatabase } from '../database/database.js'
import { embeddedDataFolder, isEmbeddedAddress, migrateAll, openCluster } from '../open-cluster.js'
import { ADMIN_COMMANDS, type AdminContext } from './admin-commands.js'

const HELP = `kedge admin: looks after the sessions and machines of a cluster

  migrate                        makes the tables, or brings them up to date; needs the right to create them
  status                         workers, runs that wait, open asks, what is wrong; exit code 1 if anything is
  list                           sessions: --state idle, queued, running or waiting
  cancel SESSION                 ends the turn that is under way, with its result
  park SESSION, resume SESSION   stops it at the next boundary between calls until you go on with it
  move SESSION                   stops it there, and another worker goes on
  forget SESSION --yes           deletes all traces of a session, with refs and objects of its workspace; names what
                                 could not be reached, with exit code 1
  forget --all --yes             deletes all traces of the tenant
  tenant                         budget and spending: --budget DOLLARS, --no-budget, --pause, --resume
  schedule list | add ID | remove ID
                                 prompts that come again: --session ID --cron "0 9 * * 1-5" --time-zone Europe/Berlin
                                 --prompt TEXT --missed skip|once
  audit                          who answered and changed what: --session ID

  --database ADDRESS             as for kedge serve; also KEDGE_DATABASE
  --tenant NAME                  whose (default)
  --json                         for programs

The page docs/many-machines.md has examples.
`

/** Short, because an operator is watching the screen. */
const PATIENCE_MS = 2000

export async function adminMain(args: string[]): Promise<void> {
  const { code, out, error } = await runAdmin(args, process.env)
  if (out !== '') process.stdout.write(out)
  if (error !== '') process.stderr.write(error)
  process.exitCode = code
}

export type AdminResult = { code: number; out: string; error: string }

export async function runAdmin(args: string[], env: NodeJS.ProcessEnv): Promise<AdminResult> {
  try {
    return { code: 0, error: '', ...(await perform(args, env)) }
  } catch (error) {
    const text = messageOf(error)
    const more = KedgeError.isInstance(error) ? '' : 'Run `kedge admin --help` for all commands.\n'
    return { code: 1, out: '', error: `error: ${text}\n${more}` }
  }
}

async function perform(args: string[], env: NodeJS.ProcessEnv): Promise<{ out: string; code?: number }> {
  const { values, positionals } = parse(args)
  const [command, ...words] = positionals
  if (values.help || command === undefined) return { out: HELP, code: command === undefined && !values.help ? 1 : 0 }
  const address = values.database ?? env['KEDGE_DATABASE']
  if (!address) throw new Error('which database? --database postgres://…, or --database embedded')
  const use = useOf(command, words)
  if (!use) throw new Error(`unknown command "${command.slice(0, 50)}"`)
  mustBeUsed(command, use, words, Object.keys(values))
  const run = ADMIN_COMMANDS[command]
  if (!run) return migrateTables(address)
  const cluster = await openCluster({ database: address, connections: 3, patienceMs: PATIENCE_MS })
  try {
    const tenant = values.tenant ?? 'default'
    const context: AdminContext = { cluster, tenant, words, values, environment: env }
    const { shown, text, code = 0 } = await run(context)
    return { code, out: values.json ? `${JSON.stringify(shown)}\n` : text }
  } finally {
    await cluster.close()
  }
}

/** The number of arguments and the flags of each command. Anything else is rejected, because ignoring it can be dangerous. */
const USES: Record<string, { words: number; flags: readonly string[] }> = {
  migrate: { words: 0, flags: [] },
  status: { words: 0, flags: [] },
  list: { words: 0, flags: ['state'] },
  cancel: { words: 1, flags: [] },
  park: { words: 1, flags: [] },
  resume: { words: 1, flags: [] },
  move: { words: 1, flags: [] },
  forget: { words: 1, flags: ['yes', 'all'] },
  tenant: { words: 0, flags: ['budget', 'no-budget', 'pause', 'resume'] },
  'schedule list': { words: 1, flags: [] },
  'schedule remove': { words: 2, flags: [] },
  schedule: { words: 2, flags: ['session', 'cron', 'time-zone', 'prompt', 'missed'] },
  audit: { words: 0, flags: ['session'] },
}

function useOf(command: string, [what = 'list']: readonly string[]) {
  const key = [`${command} ${what}`, command].find((one) => Object.hasOwn(USES, one))
  return key === undefined ? undefined : USES[key]
}

const FOR_ALL = ['database', 'tenant', 'json', 'help']

function mustBeUsed(
  command: string,
  use: { words: number; flags: readonly string[] },
  words: string[],
  flags: string[],
) {
  const [extra] = words.slice(use.words)
  const hint = command === 'tenant' ? ` To choose a tenant, use --tenant ${extra?.slice(0, 50)}.` : ''
  if (extra !== undefined)
    throw new Error(`${command} doesn't take "${extra.slice(0, 50)}".${hint} Nothing was changed.`)
  const stray = flags.find((flag) => !FOR_ALL.includes(flag) && !use.flags.includes(flag))
  if (stray !== undefined) throw new Error(`${command} doesn't take --${stray}. Nothing was changed.`)
}

async function migrateTables(address: string): Promise<{ out: string }> {
  if (isEmbeddedAddress(address)) {
    await (await openCluster({ database: address })).close()
    return { out: `The tables of the embedded database in ${embeddedDataFolder(address)} are up to date.\n` }
  }
  const database = await openDatabase({ url: address, connections: 2, queryMs: 0 })
  try {
    const { from, to } = await migrateAll(database)
    return {
      out: from === to ? `The tables are up to date (step ${to}).\n` : `The tables went from step ${from} to ${to}.\n`,
    }
  } finally {
    await database.close()
  }
}

function parse(args: string[]) {
  const one = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      database: one,
      tenant: one,
      state: one,
      budget: one,
      session: one,
      cron: one,
      prompt: one,
      missed: one,
      'time-zone': one,
      'no-budget': flag,
      pause: flag,
      resume: flag,
      json: flag,
      yes: flag,
      all: flag,
      help: flag,
    },
  })
}
