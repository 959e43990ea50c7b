/** What bash is given against what was written: the same programs with the same words, files, output and exit code. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { loadShellParser, type ParseScript } from '../../src/permissions/bash/syntax/parse-command.js'
import { byTier } from '../support/tier.js'
import { Cage, type Trace, whyNoCage } from './cage.js'
import { randomCommand } from './generate.js'
import { caseRandom, chooseSeed } from './random.js'
import { REPO } from './world.js'

const COUNT = byTier({ quick: 100, all: 500, long: 50_000 })
/** Of the corpora, one line in so many. */
const EVERY = byTier({ quick: 20, all: 1 })

/** What `time` and `times` print is never the same twice. */
const DURATION = /\d+m\d+\.\d{3}s|^(?:real|user|sys) \d+\.\d\d$/
/** Messages of bash and lines of `jobs` quote the text of a command, and that text has other quotes now. */
const QUOTES_COMMAND = /\/bin\/bash: .*|^environment: .*|^\[\d+\].*/

function outcome({ executions, changed, gone, status, output }: Trace): string {
  // Messages about arithmetic quote it on lines of their own, as many as what is calculated with has.
  const lines = /error token is|syntax error|^\/bin\/bash: line \d+: [\d(]/m.test(output)
    ? []
    : output
        .split('\n')
        .filter((line) => !DURATION.test(line))
        .map((line) => line.replace(QUOTES_COMMAND, ''))
        .filter((line) => line !== '')
  return JSON.stringify({
    executions: executions.map((one) => JSON.stringify(one)).sort(),
    changed,
    gone,
    status,
    lines,
  })
}

describe('printed command lines', { skip: whyNoCage() ?? false }, () => {
  let parse: ParseScript
  let cage: Cage
  before(async () => {
    parse = await loadShellParser()
    cage = new Cage()
  })
  after(() => cage.close())

  const run = async (command: string) => {
    const trace = await cage.run({ command, cwd: REPO, edits: false })
    return trace.timedOut ? undefined : outcome(trace)
  }
  /** Undefined: it can't be printed, or its outcome changes by itself. */
  const compare = async (command: string): Promise<{ same: boolean; printed: string } | undefined> => {
    const { printed } = parse(command)
    if (printed === undefined) return undefined
    if (printed === command) return { same: true, printed }
    // Commands that run at the same time print in any order, so a line has several outcomes.
    const outcomes: [Set<string>, Set<string>] = [new Set(), new Set()]
    const most = /[&|]/.test(command) ? 16 : 4
    for (let tries = 0; tries < most; tries++) {
      const pair = [await run(command), await run(printed)] as const
      if (pair[0] === undefined || pair[1] === undefined) return undefined
      outcomes[0].add(pair[0])
      outcomes[1].add(pair[1])
      if ([...outcomes[0]].some((one) => outcomes[1].has(one))) return { same: true, printed }
    }
    return outcomes[0].size > 1 ? undefined : { same: false, printed }
  }
  const differing = async (commands: Iterable<string>) => {
    const found: { command: string; printed: string }[] = []
    let compared = 0
    for (const command of commands) {
      const one = await compare(command)
      if (one) compared += 1
      if (one && !one.same) found.push({ command, printed: one.printed })
      if (found.length === 10) break
    }
    return { found, compared }
  }

  test(`${COUNT} random lines do the same`, async () => {
    const seed = chooseSeed(20_261_119)
    process.stderr.write(`printing: ${COUNT} lines, seed ${seed} (repeat with KEDGE_SEED=${seed})\n`)
    const lines = (function* () {
      for (let i = 0; i < COUNT; i++) yield randomCommand(caseRandom(seed, i))
    })()
    const { found, compared } = await differing(lines)
    assert.deepEqual(found, [])
    assert.ok(compared > COUNT / 4, `only ${compared} lines were compared: the generator is off`)
  })

  test('the lines of the corpora do the same', async () => {
    const fixture = (name: string) =>
      readFileSync(new URL(`../contract/fixtures/${name}`, import.meta.url), 'utf8')
        .trim()
        .split('\n')
    const commands = [...fixture('permissions.jsonl'), ...fixture('permissions-own.jsonl')].flatMap((line) => {
      const command: unknown = JSON.parse(line).input?.command
      return typeof command === 'string' ? [command] : []
    })
    const lines = [...new Set([...commands, ...fixture('common-commands.txt')])]
    const { found, compared } = await differing(lines.filter((_, i) => i % EVERY === 0))
    assert.deepEqual(found, [])
    assert.ok(compared > lines.length / EVERY / 2, `only ${compared} lines were compared`)
  })
})
