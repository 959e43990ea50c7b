// Writes the table of commands into docs/cli.md, from the table that the program reads. `--check`: fails if it is not the same.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from './docs/command-reference.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = join(root, 'docs', 'cli.md')
const START = '<!-- commands: written by scripts/emit-commands.mjs -->'
const END = '<!-- end of commands -->'

const { CLI_COMMANDS_WITH_SUBCOMMANDS } = await load(root, 'src/protocol/command-table/all-commands.ts')
const rows = CLI_COMMANDS_WITH_SUBCOMMANDS.map((command) => `| \`${usageOf(command)}\` | ${command.help} |`)
const table = [START, '', '| command | effect |', '|---|---|', ...rows, '', END].join('\n')

const before = readFileSync(page, 'utf8')
const [start, end] = [before.indexOf(START), before.indexOf(END)]
if (start < 0 || end < start) throw new Error('docs/cli.md has no place for the commands')
const after = `${before.slice(0, start)}${table}${before.slice(end + END.length)}`
if (!process.argv.includes('--check')) writeFileSync(page, after)
else if (after !== before) {
  console.log('docs/cli.md has other commands than the table: run node scripts/emit-commands.mjs')
  process.exitCode = 1
}

function usageOf({ name, commands, arguments: words = [] }) {
  const shown = commands
    ? ['COMMAND']
    : words.map(({ name: word, isOptional, isRepeated }) => {
        const each = `${word.replaceAll('|', '\\|')}${isRepeated ? '…' : ''}`
        return isOptional ? `[${each}]` : each
      })
  return ['kedge', name, ...shown].join(' ')
}
