/** Counts what engines let through of each mechanism, in a table: for `scripts/fuzz.mjs`. */
import { Cage, whyNoCage } from './cage.js'
import { attackBy } from './generate-attacks.js'
import type { Case } from './generate-rules.js'
import { type Engine, judge } from './judge.js'
import { MECHANISMS, type Mechanism } from './mechanisms.js'
import { violations } from './oracle.js'
import { caseRandom, chooseSeed } from './random.js'
import { REPO } from './world.js'

type Engines = { now: Engine; before?: Engine }
type Row = { allowed: number; finds: number; first?: { one: Case; found: string[] } }

export async function countFinds(wanted: { engines: Engines; count: number; only: string }) {
  const { engines, count, only } = wanted
  const why = whyNoCage()
  if (why !== undefined) throw new Error(why)
  const seed = chooseSeed(20_260_804)
  const total = { now: 0, before: 0 }
  const print = (text: string) => process.stdout.write(`${text}\n`)
  print(`${count} commands of each mechanism, seed ${seed}: allowed and run, finds\n`)
  print('| mechanism | before: ran · finds | now: ran · finds | the first find |\n|---|---|---|---|')
  let cage = new Cage()
  for (const [name, mechanism] of Object.entries(MECHANISMS)) {
    if (!name.includes(only)) continue
    const rows: Record<'now' | 'before', Row> = {
      now: { allowed: 0, finds: 0 },
      before: { allowed: 0, finds: 0 },
    }
    for (let i = 0; i < count; i++) {
      const one = caseOf(mechanism, seed, i)
      const allowing = (['now', 'before'] as const).filter((which) => engines[which])
      const answers = await Promise.all(allowing.map((which) => judge(one, engines[which])))
      const by = allowing.filter((_, at) => answers[at] === 'allow')
      if (by.length === 0) continue
      const found = await effects(one, cage).catch((error: unknown) => {
        cage.close()
        cage = new Cage()
        return [String(error)]
      })
      for (const which of by) note(rows[which], one, found)
    }
    for (const which of ['now', 'before'] as const) total[which] += rows[which].finds
    const shown = rows.now.first ?? rows.before.first
    const cells = [rows.before, rows.now].map(({ allowed, finds }) => `${allowed} · ${finds}`)
    const text = shown ? `${asCode(shown.one)}: ${shown.found[0]}` : ''
    print(`| ${name} | ${cells.join(' | ')} | ${text.replaceAll('|', '\\|')} |`)
  }
  cage.close()
  print(`\nfinds before: ${total.before}, now: ${total.now}`)
  return total
}

function caseOf(mechanism: Mechanism, seed: number, index: number): Case {
  return attackBy(mechanism, caseRandom(seed, index))
}

async function effects(one: Case, cage: Cage): Promise<string[]> {
  const edits = one.mode === 'acceptEdits' || one.rules.allow.includes('Bash')
  return violations(one, await cage.run({ command: one.command, cwd: one.cwd ?? REPO, edits }))
}

function note(row: Row, one: Case, found: string[]): void {
  row.allowed += 1
  if (found.length === 0) return
  row.finds += 1
  row.first ??= { one, found }
}

function asCode({ command, rules, mode }: Case): string {
  const given = [...rules.allow, ...rules.deny.map((rule) => `not ${rule}`), ...(mode === 'acceptEdits' ? [mode] : [])]
  return `\`${command.replaceAll('\n', '⏎')}\`${given.length > 0 ? ` (${given.join(', ')})` : ''}`
}
