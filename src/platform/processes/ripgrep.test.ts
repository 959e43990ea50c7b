import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { findRipgrep, ripgrepCandidatePaths } from './ripgrep.js'

describe('findRipgrep', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kedge-rg-'))
    await writeFile(join(folder, 'rg'), '#!/bin/sh\n')
    await chmod(join(folder, 'rg'), 0o755)
  })
  after(() => rm(folder, { recursive: true }))

  it('takes the program that came with the package', () => {
    const program = findRipgrep({ PATH: folder })
    assert.ok(program && program !== join(folder, 'rg'))
    assert.match(execFileSync(program, ['--version'], { encoding: 'utf8' }), /^ripgrep \d/)
  })

  it('takes the one on the path when asked to', () => {
    const own = join(folder, 'rg')
    assert.equal(findRipgrep({ PATH: `relative:/nonexistent:${folder}`, USE_BUILTIN_RIPGREP: '0' }), own)
  })

  it('finds nothing where there is nothing', async () => {
    assert.equal(findRipgrep({ PATH: '/nonexistent', USE_BUILTIN_RIPGREP: '0' }), undefined)
    assert.equal(findRipgrep({ USE_BUILTIN_RIPGREP: 'false' }), undefined)
    await chmod(join(folder, 'rg'), 0o644)
    assert.equal(findRipgrep({ PATH: folder, USE_BUILTIN_RIPGREP: '0' }), undefined)
  })

  it('looks in the absolute folders of the path, as each system writes it', () => {
    const windows = { Path: 'C:\\tools;.;bin;C:relative;\\\\server\\share' }
    assert.deepEqual(ripgrepCandidatePaths(windows, { platform: 'win32' }), [
      'C:\\tools\\rg.exe',
      '\\\\server\\share\\rg.exe',
    ])
    assert.deepEqual(ripgrepCandidatePaths({ PATH: '/opt/homebrew/bin::bin:/usr/bin' }, { platform: 'darwin' }), [
      '/opt/homebrew/bin/rg',
      '/usr/bin/rg',
    ])
  })
})
