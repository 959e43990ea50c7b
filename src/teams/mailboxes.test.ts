import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { createMailboxes, type Mailboxes } from './mailboxes.js'

describe('mailboxes', () => {
  let folder = ''
  let posted: string[] = []
  let mail: Mailboxes
  let duringSleep = () => {}
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kedge-mail-'))
    posted = []
    duringSleep = () => {}
    mail = createMailboxes({
      files: nodeFiles,
      whileLocked: (_, work) => work(),
      folder,
      now: () => Date.UTC(2026, 0, 2),
      sleep: async () => duringSleep(),
      onPosted: (name) => posted.push(name),
    })
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const put = (content: string) => {
    mkdirSync(join(folder, 'inboxes'), { recursive: true })
    writeFileSync(mail.pathOf('bob'), content)
  }

  it('keep messages as they were seen on disk', async () => {
    await mail.post('bob', { from: 'ann', text: 'hi', summary: 'greeting', color: 'blue' })
    await mail.post('bob', { from: 'team-lead', text: 'go on' })
    const timestamp = '2026-01-02T00:00:00.000Z'
    const stored = [
      { from: 'ann', text: 'hi', summary: 'greeting', timestamp, color: 'blue', read: false },
      { from: 'team-lead', text: 'go on', timestamp, read: false },
    ]
    // As text: the order counts too.
    assert.equal(readFileSync(join(folder, 'inboxes', 'bob.json'), 'utf8'), `${JSON.stringify(stored, null, 2)}\n`)
    assert.deepEqual(posted, ['bob', 'bob'])
  })

  it('hand out every message once', async () => {
    assert.equal(mail.hasUnread('bob'), false)
    assert.deepEqual(await mail.take('bob'), [])
    await mail.post('bob', { from: 'ann', text: '1' })
    const mark = mail.mark('bob')
    await mail.post('bob', { from: 'ann', text: '2' })
    assert.notEqual(mail.mark('bob'), mark)
    assert.equal(mail.hasUnread('bob'), true)
    assert.deepEqual(
      (await mail.take('bob')).map(({ text }) => text),
      ['1', '2'],
    )
    assert.equal(mail.hasUnread('bob'), false)
    assert.deepEqual(await mail.take('bob'), [])
  })

  it('put a file aside that is no list, and go on', async () => {
    put('[{"from":"ann","text":"cut o')
    await mail.post('bob', { from: 'ann', text: 'new' })
    assert.equal((await mail.take('bob')).length, 1)
    const aside = readdirSync(join(folder, 'inboxes')).find((name) => name.endsWith('.unreadable'))
    assert.equal(readFileSync(join(folder, 'inboxes', aside ?? ''), 'utf8'), '[{"from":"ann","text":"cut o')
  })

  it('wait for a program that is in the middle of writing', async () => {
    const letter = { from: 'cron', text: 'tick', timestamp: 't', read: false }
    put(JSON.stringify([letter]).slice(0, 20))
    duringSleep = () => put(JSON.stringify([letter]))
    assert.deepEqual(await mail.take('bob'), [letter])
    assert.deepEqual(readdirSync(join(folder, 'inboxes')), ['bob.json'])
  })

  it('leave entries alone that are no messages', async () => {
    const odd = [null, 7, { from: 'x' }, { from: 'x', text: 'y', timestamp: 'z', summary: 3, read: false }]
    put(JSON.stringify(odd))
    assert.equal(mail.hasUnread('bob'), false)
    await mail.post('bob', { from: 'ann', text: 'new' })
    assert.equal((await mail.take('bob')).length, 1)
    assert.deepEqual(JSON.parse(readFileSync(mail.pathOf('bob'), 'utf8')).slice(0, 4), odd)
  })

  it('forget old messages, but none that was not read', async () => {
    const entry = (n: number, read: boolean) => ({ from: 'ann', text: String(n), timestamp: 't', read })
    put(JSON.stringify([entry(0, false), ...Array.from({ length: 700 }, (_, n) => entry(n + 1, true))]))
    await mail.post('bob', { from: 'ann', text: 'new' })
    const stored = () => JSON.parse(readFileSync(mail.pathOf('bob'), 'utf8')).map(({ text }: { text: string }) => text)
    assert.deepEqual([stored().length, stored().slice(0, 2)], [502, ['0', '201']])
    assert.deepEqual(
      (await mail.take('bob')).map(({ text }) => text),
      ['0', 'new'],
    )
    assert.deepEqual([stored().length, stored()[0], stored().at(-1)], [500, '202', 'new'])
  })
})
