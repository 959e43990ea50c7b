/** The tables of docs/sandbox-tests.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The rows whose first cell is such an id, cell by cell. Tests are run in the root of the repository. */
export function listed(id: RegExp): string[][] {
  const text = readFileSync(join(process.cwd(), 'docs/sandbox-tests.md'), 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('| '))
  const cells = rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  return cells.filter(([first = '']) => id.test(first))
}
