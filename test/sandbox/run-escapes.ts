/** Runs the escape tables: in the sandbox nothing may come of an attempt, outside of it the same attempt succeeds. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Escape, Need } from './escape.js'
import { PROTECTED_ESCAPES, READ_ESCAPES, WRITE_ESCAPES } from './file-escapes.js'
import { createStage, findProgram, type Ground, type Outcome, runScript } from './stage.js'
import { KERNEL_ESCAPES, MOUNT_ESCAPES, NETWORK_ESCAPES, PROCESS_ESCAPES } from './system-escapes.js'

const TABLES: Record<string, Escape[]> = {
  'write outside': WRITE_ESCAPES,
  'change what is protected': PROTECTED_ESCAPES,
  'read what is denied': READ_ESCAPES,
  'mounts and namespaces': MOUNT_ESCAPES,
  network: NETWORK_ESCAPES,
  processes: PROCESS_ESCAPES,
  kernel: KERNEL_ESCAPES,
}

export const ATTEMPTS = Object.values(TABLES).flat().length

/** `ground` exists when the tests run, not yet when they are named. */
export function describeEscapes(user: string, ground: () => Ground, reason: string | undefined): void {
  for (const [title, escapes] of Object.entries(TABLES)) {
    describe(`as ${user}: ${title}`, () => {
      for (const row of escapes) {
        const missing = reason ?? row.needs?.map((need) => whyMissing(need)).find((why) => why !== undefined)
        const name = missing === undefined ? row.name : `${row.name} (not run: ${missing})`
        it(name, { skip: missing !== undefined }, async () => {
          assert.equal(await attempt(row, ground(), true), false, 'it got out of the sandbox')
          const isRoot = process.getuid?.() === 0
          if (row.control === 'works' || (row.control === 'works for root' && isRoot)) {
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
