/** Hostile repositories, opened with the command as a person or a script types it, with no terminal to ask on and no flag. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { answerOf, harmlessCalls, NOT_STARTED, NOTHING, refusesToStart, withoutOwnPrograms } from './expect.js'
import { openWithCommand } from './open.js'
import { REPOSITORIES } from './repositories.js'

/** One for all runs: code that was compiled once need not be compiled for every home. */
const cache = mkdtempSync(join(tmpdir(), 'kedge-hostile-cache-'))
after(() => rmSync(cache, { recursive: true, force: true }))

describe('a hostile repository, opened with the command', { skip: process.platform === 'win32' }, () => {
  for (const hostile of REPOSITORIES) {
    test(`${hostile.id}: ${hostile.mechanism}`, async () => {
      const refuses = refusesToStart(hostile)
      const opened = await openWithCommand(hostile, { cache, ...(refuses ? { turns: () => [] } : {}) })
      const { answer, stderr, ...seen } = opened
      assert.deepEqual(seen, NOTHING, stderr)
      assert.match(answer ?? '', refuses ? /^$/ : answerOf(hostile, 'Hi.', 'texts'), stderr)
      if (refuses) assert.match(stderr, NOT_STARTED)
    })
  }

  for (const hostile of REPOSITORIES.filter(({ id }) =>
    /^(?:env|programs|modules|permissions|search|start|git)/.test(id),
  )) {
    test(`${hostile.id}, worked in with harmless tools`, async () => {
      const opened = await openWithCommand(hostile, { cache, turns: harmlessCalls })
      const { answer, stderr, ...seen } = withoutOwnPrograms(opened)
      assert.deepEqual(seen, NOTHING, stderr)
      assert.match(answer ?? '', answerOf(hostile, 'Done.', 'texts'), stderr)
    })
  }
})
