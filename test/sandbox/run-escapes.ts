/** Runs the escape tables: in the sandbox nothing may come of an attempt, outside of it the same attempt succeeds. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import { isInPart } from '../support/tier.js'
import type { Escape, Need } from './escape.js'
import { PROTECTED_ESCAPES, READ_ESCAPES, WRITE_ESCAPES } from './file-escapes.js'
import { createStage, findProgram, type Ground, type Outcome, runScript } from './stage.js'
import { KERNEL_ESCAPES, MOUNT_ESCAPES, NETWORK_ESCAPES, PROCESS_ESCAPES } from './system-escapes.js'

/** By what they are after; the key begins their ids. */
const TABLES: Record<string, readonly [string, Escape[]]> = {
  W: ['write outside', WRITE_ESCAPES],
  P: ['change what is protected', PROTECTED_ESCAPES],
  R: ['read what is denied', READ_ESCAPES],
  M: ['mounts and namespaces', MOUNT_ESCAPES],
  N: ['network', NETWORK_ESCAPES],
  S: ['processes', PROCESS_ESCAPES],
  K: ['kernel', KERNEL_ESCAPES],
}

/** Id, aim and mechanism of each, as docs/sandbox-tests.md lists them. */
export const ATTEMPTS = Object.entries(TABLES).flatMap(([letter, [aim, escapes]]) =>
  escapes.map(({ name }, i) => [idOf(letter, i), aim, name]),
)

function idOf(letter: string, index: number): string {
  return letter + String(index + 1).padStart(2, '0')
}

/** `ground` exists when the tests run, not yet when they are named. `controls`: also without the sandbox. */
export function describeEscapes(
  user: string,
  ground: () => Ground,
  reason: string | undefined,
  controls = process.env['KEDGE_LONG'] === '1',
): void {
  for (const [letter, [aim, escapes]] of Object.entries(TABLES)) {
    describe(`as ${user}: ${aim}`, () => {
      for (const [index, row] of escapes.entries()) {
        // `npm test` runs the first of each aim, and a seeded fifth of the others.
        if (index > 0 && !isInPart(`${user} ${row.name}`)) continue
        const missing = reason ?? row.needs?.map((need) => whyMissing(need)).find((why) => why !== undefined)
        const title = `${idOf(letter, index)} ${row.name}`
        const name = missing === undefined ? title : `${title} (not run: ${missing})`
        it(name, { skip: missing !== undefined }, async () => {
          assert.equal(await attempt(row, ground(), true), false, 'it got out of the sandbox')
          const isRoot = process.getuid?.() === 0
          if (controls && (row.control === 'works' || (row.control === 'works for root' && isRoot))) {
            assert.equal(await attempt(row, ground(), false), true, 'the attempt itself does not work')
          }
        })
      }
    })
  }
}

const startedAsRoot = process.getuid?.() === 0

function whyMissing(need: Need): string | undefined {
  if (need === 'started as root') return startedAsRoot ? undefined : 'needs root to prepare it'
  if (need === 'ipv6') return existsSync('/proc/net/if_inet6') ? undefined : 'no IPv6'
  return findProgram(need) === undefined ? `${need} is not installed` : undefined
}

async function attempt(row: Escape, ground: Ground, sandboxed: boolean): Promise<boolean> {
  const stage = await createStage(ground)
  try {
    await row.prepare?.(stage)
    // An attempt on a target it does not know would prove nothing.
    const given = Object.keys(stage.variables)
      .map((name) => `: "\${${name}:?}"`)
      .join('\n')
    const { settings, terminal } = row
    const run = (script: string) =>
      runScript(stage, `${given}\n(${script}\n)\necho attempted`, {
        sandboxed,
        settings,
        terminal,
        request: row.request?.(stage),
        descriptor: row.descriptor?.(stage),
      })
    const first = await run(row.script)
    const outcome = row.next === undefined ? first : join(first, await run(row.next))
    assert.match(outcome.refusal ?? '', sandboxed && row.refused ? row.refused : /^$/)
    if (!outcome.refusal) assert.ok(outcome.stdout.includes('attempted'), `it did not run: ${outcome.stderr}`)
    return row.escaped ? await row.escaped(stage, outcome) : outcome.stdout.includes('ESCAPED')
  } finally {
    row.cleanUp?.(stage)
    await stage.remove()
  }
}

function join(first: Outcome, second: Outcome): Outcome {
  return {
    stdout: first.stdout + second.stdout,
    stderr: first.stderr + second.stderr,
    refusal: first.refusal ?? second.refusal,
    remarks: [...first.remarks, ...second.remarks],
  }
}
