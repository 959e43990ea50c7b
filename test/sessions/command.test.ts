/** `kedge sessions`: the stored sessions, as a script uses them. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { query } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { kedge } from '../first-hour/kedge.js'
import { sampledTest as test } from '../support/tier.js'

async function withSessions(
  work: (place: { cwd: string; env: Record<string, string> }, ids: string[]) => Promise<void>,
) {
  const read = { tools: [{ name: 'Bash', input: { command: 'echo ``` there' } }] }
  await using server = await startModelServer([read, 'I **looked**.', 'Second.'])
  await using options = testOptions(server)
  const ids: string[] = []
  for (const prompt of ['Look around', 'Write \u001b[31mdocs'])
    ids.push((await collect(query({ prompt, options }))).result?.session_id ?? '')
  await work({ cwd: options.cwd, env: { ...options.env, PATH: process.env['PATH'] ?? '' } }, ids)
}

test('sessions are listed, printed, exported, and deleted by the beginning of their ID', async () => {
  await withSessions(async (place, [first = '', second = '']) => {
    const listed = await kedge(['sessions', 'list'], place)
    const rows = listed.stdout.trimEnd().split('\n')
    assert.deepEqual(
      rows.map((row) => row.slice(0, 36)),
      [second, first],
    )
    assert.match(rows[1] ?? '', /^\S+ {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}Look around$/)
    assert.equal(listed.stdout.includes('\u001b'), false)

    const shown = await kedge(['sessions', 'show', first.slice(0, 8)], place)
    assert.equal(shown.code, 0, shown.stderr)
    for (const part of [`# Session ${first}`, '> Look around', '**Bash**', '``` there', 'I **looked**.'])
      assert.ok(shown.stdout.includes(part), `${part} is not in ${shown.stdout}`)

    const file = join(place.cwd, 'talk.md')
    assert.deepEqual(await kedge(['sessions', 'export', first, 'talk.md'], place), {
      code: 0,
      stdout: `Wrote ${file}\n`,
      stderr: '',
    })
    assert.equal(readFileSync(file, 'utf8'), shown.stdout)
    const again = await kedge(['sessions', 'export', first, 'talk.md'], place)
    assert.deepEqual([again.code, again.stderr], [1, `error: ${file} exists. Choose another name.\n`])

    const unsure = await kedge(['sessions', 'delete', second], place)
    assert.deepEqual([unsure.code, unsure.stdout], [1, ''])
    assert.match(unsure.stderr, /Nothing was deleted\. To delete it, add --yes\./)
    const deleted = await kedge(['sessions', 'delete', second, '--yes'], place)
    assert.deepEqual(deleted, { code: 0, stdout: `Deleted ${second}\n`, stderr: '' })
    const left = await kedge(['sessions', 'list', '--all', '--json'], place)
    assert.deepEqual(
      JSON.parse(left.stdout).map(({ sessionId }: { sessionId: string }) => sessionId),
      [first],
    )
  })
})

test('an ID that is wrong or not enough is named, and nothing is deleted or written', async () => {
  await withSessions(async (place, [first = '', second = '']) => {
    const wrong = await kedge(['sessions', 'delete', first, 'zzz', '--yes'], place)
    assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
    assert.match(wrong.stderr, /No session ID begins with zzz\. `kedge sessions list --all` lists them\./)
    const json = await kedge(['sessions', 'show', first, '--json'], place)
    assert.equal(JSON.parse(json.stdout)[0].type, 'user')
    const many = await kedge(['sessions', 'export', ''], place)
    assert.match(many.stderr, /2 session IDs begin with/)
    assert.equal(existsSync(join(place.cwd, `kedge-${second.slice(0, 8)}.md`)), false)
  })
})
