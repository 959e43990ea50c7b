/**
 * The generated family of settings files, as sessions meet it: every known key wrong in one way, all in one file, in each scope.
 * Key by key, with what is said about each: `src/settings/generated.test.ts`.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { nodeFiles } from '../../src/platform/files/files.js'
import { settingsShape } from '../../src/settings/keys/known-keys.js'
import type { Shape } from '../../src/settings/keys/shape.js'
import { managedSettingsPath } from '../../src/settings/settings-paths.js'
import { sampledTest } from '../support/tier.js'
import { touch } from './agent-process.js'
import { agentOn } from './settings-session.js'

const VARIANTS = ['null', 'wrong type', 'empty', 'huge', 'unknown enum'] as const
const SCOPES = ['user', 'project', 'local', 'managed'] as const

/** Undefined where a wrong value refuses the start, or where this shape can't be wrong in this way. */
function wrong(shape: Shape, variant: (typeof VARIANTS)[number]): unknown {
  if (shape.strict) return undefined
  if (shape.kind === 'object' && (shape.firm || (variant !== 'null' && variant !== 'wrong type'))) {
    return wrongKeys(shape.keys, variant)
  }
  if (variant === 'null') return null
  if (variant === 'wrong type') return shape.kind === 'text' || shape.kind === 'choice' ? 5 : 'SECRET'
  if (variant === 'empty') return shape.kind === 'list' ? [] : shape.kind === 'map' ? {} : ''
  if (variant === 'unknown enum') return shape.kind === 'choice' ? 'no-such-value' : undefined
  const long = 'SECRET'.repeat(2500)
  if (shape.kind === 'list') return Array.from({ length: 3000 }, () => 'x')
  return shape.kind === 'map' ? { [long]: long } : shape.kind === 'number' ? 1e300 : long
}

describe('F generated: every known key, wrong', () => {
  for (const scope of SCOPES) {
    for (const variant of VARIANTS) {
      const define = scope === 'project' ? test : sampledTest
      define(`${variant} in ${scope} settings: the session goes on, and nothing gets wider`, async () => {
        const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-generated-')))
        try {
          const text = JSON.stringify(wrongKeys(settingsShape.keys, variant))
          const place = join(folder, 'managed-settings.json')
          writeFileSync(place, text)
          const managed = managedSettingsPath(process.platform)
          const redirected = {
            realpath: (path: string) => nodeFiles.realpath(path === managed ? place : path),
            lstat: (path: string) => nodeFiles.lstat(path === managed ? place : path),
          }
          const run =
            scope === 'managed'
              ? await agentOn(redirected, [touch(), 'Done.'], {})
              : await agentOn({}, [touch(), 'Done.'], { [scope]: text })
          assert.equal(run.code, 0, run.stderr)
          // It still asks: nothing was allowed by what was wrong.
          assert.equal(run.messages.filter(({ request }) => request?.subtype === 'can_use_tool').length, 1)
          assert.ok(
            run.stderr.length < 30_000,
            `it says too much: ${run.stderr.slice(0, 1500)} … ${run.stderr.slice(-500)}`,
          )
          assert.doesNotMatch(run.stderr, /(?:SECRET){3}|^\s+at /m)
        } finally {
          rmSync(folder, { recursive: true, force: true })
        }
      })
    }
  }
})

function wrongKeys(keys: Readonly<Record<string, Shape>>, variant: (typeof VARIANTS)[number]): object {
  const values = Object.entries(keys).map(([key, shape]) => [key, wrong(shape, variant)])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}
