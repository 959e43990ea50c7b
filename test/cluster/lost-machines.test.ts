/** Real programs on one database: workers that are killed and paused, nodes that come and go, answers from anywhere. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createTestDatabase } from '../../src/cluster/test-database.js'
import type { LogEntry } from '../../src/protocol/session-log/entries.js'
import { callNode, openPlace, type Place, startNode, startWorkerProgram } from './programs.js'
import { stepModel } from './step-model.js'

const until = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 50))
  }
}

function caller(url: string) {
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await callNode(url, method, path, body)
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }
  return {
    call,
    begin: async ({ folder }: Place): Promise<string> => (await call('POST', '/v1/sessions', { cwd: folder })).id,
    prompt: (session: string, id: string, content: string) =>
      call('POST', `/v1/sessions/${session}/prompts`, { id, content }),
    entries: async (session: string): Promise<LogEntry[]> =>
      (await call('GET', `/v1/sessions/${session}/log?limit=10000`)).entries,
  }
}

describe('machines that are lost', { timeout: 400_000 }, () => {
  it('kedge worker killed, another paused, an answer on another node: each step once, one result each', async () => {
    const tables = await createTestDatabase()
    await using place = await openPlace(tables.url, stepModel)
    const [one, two] = [await startNode(place), await startNode(place)]
    const [a, b] = [caller(one.url), caller(two.url)]
    let worker = await startWorkerProgram(place)
    const session = await a.begin(place)
    await a.prompt(session, 'first', 'first: step slow step')
    const effects = () => readFileSync(place.effects, 'utf8').split('\n').filter(Boolean)
    await until(async () => (effects().includes('first.1') ? true : undefined))
    await worker.end('SIGKILL')
    worker = await startWorkerProgram(place)
    const isDone = (id: string) => async () => {
      const found = (await b.entries(session)).find(
        ({ kind, data }) => kind === 'prompt' && 'id' in data && data.change === 'done' && data.id === id,
      )
      return found
    }
    await until(isDone('first'))
    assert.deepEqual(effects(), ['first.0', 'first.1', 'first.2'])
    const said = (await b.entries(session)).map(({ data }) => JSON.stringify(data)).join('\n')
    assert.match(said, /may or may not have taken effect/)

    await b.prompt(session, 'second', 'second: risky step')
    const ask = await until(async () => (await a.call('GET', '/v1/asks')).asks[0])
    await until(async () => ((await a.call('GET', `/v1/sessions/${session}`)).asks === 1 ? true : undefined))
    await worker.end('SIGKILL')
    await one.end('SIGKILL')
    await b.call('POST', `/v1/sessions/${session}/asks/${ask.id}/answer`, { kind: 'allow' })
    worker = await startWorkerProgram(place)
    await until(isDone('second'))
    assert.deepEqual(effects().slice(3), ['second.0', 'second.1'])

    await b.prompt(session, 'third', 'third: slow step')
    await until(async () => (effects().includes('third.0') ? true : undefined))
    worker.child.kill('SIGSTOP')
    const other = await startWorkerProgram(place)
    await until(isDone('third'))
    worker.child.kill('SIGCONT')
    assert.deepEqual(effects().slice(5), ['third.0', 'third.1'])
    await b.prompt(session, 'fourth', 'fourth: step')
    await until(isDone('fourth'))
    const entries = await b.entries(session)
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      entries.map((_, index) => index + 1),
    )
    const results = entries.filter(({ kind, data }) => kind === 'message' && 'type' in data && data.type === 'result')
    assert.equal(results.length, 4)
    for (const program of [worker, other, two]) assert.equal(await program.end('SIGTERM'), 0, program.log())
    await tables.drop()
  })
  it('files go on with their session: what one machine made, another finds; work in the background does not, and that is said', async () => {
    const tables = await createTestDatabase()
    const remote = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-remote-'))
    const git = (...args: string[]) => execFileSync('git', ['-C', remote, ...args], { encoding: 'utf8' })
    git('init', '-q', '--bare', '-b', 'main')
    const tree = execFileSync('git', ['-C', remote, 'mktree'], { input: '', encoding: 'utf8' }).trim()
    const commit = git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit-tree', '-m', 'First', tree).trim()
    git('update-ref', 'refs/heads/main', commit)
    await using place = await openPlace(tables.url, stepModel, { kind: 'git', remote })
    const node = await startNode(place)
    const { begin, prompt, entries } = caller(node.url)
    const session = await begin(place)
    const done = (id: string) =>
      until(async () =>
        (await entries(session)).find(({ kind, data }) => kind === 'prompt' && 'result' in data && data.id === id),
      )
    const first = await startWorkerProgram(place, '--files', join(place.folder, 'machine-1'))
    await prompt(session, 'one', 'one: touch bg')
    await done('one')
    const saved = () => git('for-each-ref', '--format=%(refname)', 'refs/kedge').trim()
    await until(async () => saved() || undefined)
    await first.end('SIGKILL')
    const second = await startWorkerProgram(place, '--files', join(place.folder, 'machine-2'))
    await prompt(session, 'two', 'two: touch')
    await done('two')
    const told = JSON.stringify(place.model.requests.at(-1)?.body.messages).match(
      /Background command .{1,40} was stopped/g,
    )
    assert.deepEqual(told, ['Background command \\"A long rest\\" was stopped'])
    assert.equal(await second.end('SIGTERM'), 0, second.log())
    assert.deepEqual(git('ls-tree', '-r', '--name-only', saved()).trim().split('\n'), ['one.0', 'two.0'])
    await node.end('SIGTERM')
    await tables.drop()
    rmSync(remote, { recursive: true })
  })
})
