/** What a host reads is the file that was judged, though a link leads elsewhere right after. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { PermissionFacts } from '../../engine/ports.js'
import { workspaceDisk } from '../../platform/files/files.js'
import type { Conversation } from '../conversation.js'
import { readFileForHost } from './read-file-for-host.js'

describe('a file for the host', { skip: process.platform === 'win32' }, () => {
  let base = ''
  const at = (...names: string[]) => join(base, ...names)
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-host-file-')))
    for (const name of ['inside', 'outside']) {
      mkdirSync(at(name))
      writeFileSync(at(name, 'file'), `${name}!`)
    }
    symlinkSync('inside', at('link'))
    symlinkSync('outside', at('other'))
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  const read = async (path: string, happens: () => void = () => {}) => {
    const judged: PermissionFacts[] = []
    // Only what it looks at.
    const conversation = {
      shared: { settings: { cwd: base }, platform: { workspace: { files: workspaceDisk } } },
      permissions: {
        async decide(_: unknown, facts: PermissionFacts) {
          judged.push(facts)
          happens()
          return { behavior: 'allow' }
        },
      },
    } as unknown as Conversation
    const answer = await readFileForHost(conversation, { subtype: 'read_file', path }).then(
      ({ content }) => content,
      (error: Error) => error.message,
    )
    return { judged, answer }
  }

  it('is judged by its name and by where that leads', async () => {
    assert.deepEqual(await read('inside/file'), {
      judged: [{ kind: 'read', paths: [at('inside/file')] }],
      answer: 'inside!',
    })
    assert.deepEqual(await read('link/file'), {
      judged: [{ kind: 'read', paths: [at('link/file'), at('inside/file')] }],
      answer: 'inside!',
    })
    assert.deepEqual(await read('none'), {
      judged: [{ kind: 'read', paths: [at('none')] }],
      answer: `No such file: ${at('none')}`,
    })
  })

  it('is that file, though the link leads elsewhere by then', async () => {
    const { answer } = await read('link/file', () => renameSync(at('other'), at('link')))
    assert.equal(answer, 'inside!')
  })

  it('is none when a link took the place of its folder', async () => {
    const { answer } = await read('inside/file', () => {
      renameSync(at('inside'), at('moved'))
      renameSync(at('other'), at('inside'))
    })
    assert.match(answer, /^ESTALE: /)
  })
})
