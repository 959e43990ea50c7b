/** Several real processes on one team, one of them killed while it writes. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sampledTest as test } from '../support/tier.js'
import { openWriter, temporaryFolder } from './stage.js'

const child = fileURLToPath(new URL('./writer-process.js', import.meta.url))

function start(folder: string, name: string, messages: number, kill?: number): Promise<string[]> {
  const args = [child, folder, name, String(messages), ...(kill === undefined ? [] : [String(kill)])]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env: { PATH: process.env['PATH'] } }, (error, stdout) => {
      if (error && error.signal !== 'SIGKILL') reject(error)
      else resolve(stdout.trim().split('\n'))
    })
  })
}

test('processes that write at the same time lose nothing, also when one of them is killed', async () => {
  using folder = temporaryFolder()
  const { mail, tasks } = openWriter(folder.path)
  const lead = tasks.as({ name: 'team-lead', leads: true })
  for (let n = 0; n < 20; n += 1) await lead.create({ subject: `task ${n}`, description: 'd' })

  const names = ['ann', 'bob', 'cyd', 'dan']
  const outputs = Promise.all([...names.map((name) => start(folder.path, name, 15)), start(folder.path, 'eve', 15, 7)])
  const read: string[] = []
  let over = false
  void outputs.finally(() => {
    over = true
  })
  while (!over) {
    read.push(...(await mail.take('lead')).map(({ text }) => text))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const [eve = [], ...others] = (await outputs).reverse()
  read.push(...(await mail.take('lead')).map(({ text }) => text))

  assert.equal(new Set(read).size, read.length, 'a message came twice')
  for (const name of names) {
    const own = read.filter((text) => text.startsWith(`${name}:`))
    assert.deepEqual(
      own,
      Array.from({ length: 15 }, (_, n) => `${name}:${n}`),
    )
  }
  const confirmed = eve.filter((line) => line.startsWith('sent ')).length
  assert.ok(read.filter((text) => text.startsWith('eve:')).length >= confirmed, 'a message that was sent is missing')

  const claimed = others.flatMap((lines) => JSON.parse(lines.at(-1) ?? '[]') as string[]) // its last line
  assert.equal(new Set(claimed).size, claimed.length, 'a task was claimed twice')
  const list = await lead.list()
  assert.equal(list.length, 20)
  for (const { id, owner, status } of list) {
    assert.equal(owner !== undefined, status === 'in_progress')
    if (owner !== undefined && owner !== 'eve') assert.ok(claimed.includes(id))
  }
  const left = readdirSync(join(folder.path, 'inboxes')).filter((name) => !name.endsWith('.tmp'))
  assert.deepEqual(left, ['lead.json'])
  const written = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    written.filter((name) => (statSync(join(folder.path, name)).mode & 0o077) !== 0),
    [],
    'files that others can read',
  )
})
