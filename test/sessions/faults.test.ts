/**
 * The n-th write to a session fails, for every n, wholly or half-way: the agent goes on, says so once and before it sends anything
 * that is not saved, and what was saved before can be resumed.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startModelServer, testOptions } from 'kedge/testing'
import { type FileSystem, nodeFiles } from '../../src/platform/files/files.js'
import { transcriptFolderOfProject, transcriptPathInFolder } from '../../src/sessions/transcript-paths.js'
import { byTier } from '../support/tier.js'
import { acknowledged, ask, lookAround, type Message } from './stage.js'

type Write = 'appendSync' | 'createSync' | 'makeDirectorySync' | 'removeSync' | 'truncate' | 'rename'
const WRITES: Write[] = ['appendSync', 'createSync', 'makeDirectorySync', 'removeSync', 'truncate', 'rename']
const LONG = Boolean(process.env.KEDGE_LONG)
/** Writes that fail: the first ones, and each of so many behind them. */
const FIRST = byTier({ quick: 1, all: 5 })
const STEP = byTier({ quick: 25, all: 3 })

/** What a failing append leaves: nothing, half a line, or all of it where only the flush to the disk failed. */
type Leaves = 'nothing' | 'half' | 'all'

/** Files whose n-th write below `folder` fails, and all appends after it. */
function failingFiles(folder: string, nth: number, code: string, leaves: Leaves) {
  const done: string[] = []
  const failing = { ...nodeFiles }
  let failed = false
  const attempt = (name: Write, path: string, content: unknown) => {
    if (!path.startsWith(folder)) return
    done.push(name === 'removeSync' && path.endsWith('.lock') ? 'unlock' : name)
    // A disk that is full or broken stays so.
    if (done.length !== nth && !(failed && name === 'appendSync')) return
    failed = true
    if (leaves !== 'nothing' && name === 'appendSync' && typeof content === 'string')
      nodeFiles.appendSync(path, leaves === 'all' ? content : content.slice(0, content.length / 2))
    throw Object.assign(new Error(`${code}: injected, ${name} '${path}'`), { code })
  }
  for (const name of WRITES) {
    const real = nodeFiles[name]
    // The same arguments go to the real function.
    const replaced = (path: string, ...rest: unknown[]) => {
      attempt(name, path, rest[0])
      return Reflect.apply(real, nodeFiles, [path, ...rest])
    }
    Object.assign(failing, { [name]: replaced })
  }
  return { files: failing as FileSystem, done }
}

const NOTICE = /This session can't be saved any more/

for (const kind of ['new', 'resumed', 'resumed with a torn end', 'copied'] as const) {
  test(`no false acknowledgment when the n-th write of a ${kind} session fails`, async () => {
    await using server = await startModelServer(lookAround)
    await using base = testOptions(server)
    writeFileSync(join(base.cwd, 'notes.txt'), 'milk\n')
    const place = (configDir: string) => transcriptFolderOfProject({ configDir, cwd: base.cwd })
    let round = 0
    const run = async (nth: number, code: string, leaves: Leaves) => {
      round += 1
      const configDir = join(base.env.CLAUDE_CONFIG_DIR ?? '', `round-${round}`)
      const sync = leaves === 'all' ? { KEDGE_SYNC_SESSIONS: '1' } : {}
      const env = { ...base.env, CLAUDE_CONFIG_DIR: configDir, ...sync }
      const before = kind === 'new' ? undefined : await ask('Begin.', { cwd: base.cwd, env })
      const old = before ? transcriptPathInFolder(place(configDir), before.sessionId) : ''
      if (kind === 'resumed with a torn end') nodeFiles.appendSync(old, '{"parentUuid":"torn')
      const { files, done } = failingFiles(join(configDir, 'projects'), nth, code, leaves)
      const argv = before ? ['--resume', before.sessionId, ...(kind === 'copied' ? ['--fork-session'] : [])] : []
      const isFalse: string[] = []
      let told = 0
      const onMessage = ({ type, subtype, uuid, content, session_id: id }: Message) => {
        if (subtype === 'informational' && NOTICE.test(content ?? '')) told += 1
        if ((type !== 'assistant' && type !== 'user') || told > 0 || !uuid) return
        const path = transcriptPathInFolder(place(configDir), id ?? '')
        if (!existsSync(path) || !readFileSync(path, 'utf8').includes(`"uuid":"${uuid}"`)) isFalse.push(uuid)
      }
      const {
        result,
        code: exit,
        stderr,
        messages,
        sessionId,
      } = await ask('Go on.', { cwd: base.cwd, env, files, argv, onMessage })
      return { done, isFalse, told, result, exit, stderr, messages, sessionId, env, configDir, before }
    }

    const clean = await run(Number.POSITIVE_INFINITY, 'EIO', 'nothing')
    assert.deepEqual([clean.exit, clean.told, clean.isFalse, clean.stderr.match(NOTICE)], [0, 0, [], null])
    assert.ok(clean.done.length > 8)
    let faults = 0
    const all = Array.from({ length: clean.done.length }, (_, i) => i + 1)
    for (const nth of LONG ? all : all.filter((n) => n <= FIRST || n % STEP === 0 || n >= all.length - 1)) {
      for (const [code, leaves] of [
        ['ENOSPC', 'half'],
        ['EIO', 'nothing'],
        ['EIO', 'all'],
      ] as const) {
        const name = `${code} at write ${nth} (${clean.done[nth - 1]}), which left ${leaves}`
        const broken = await run(nth, code, leaves)
        faults += 1
        assert.deepEqual([broken.exit, broken.result?.is_error, broken.isFalse], [0, false, []], name)
        // A lock that can't be removed costs nothing now, and is stale when this process is gone.
        const isHarmless = clean.done[nth - 1] === 'unlock'
        assert.equal(broken.told, isHarmless ? 0 : 1, name)
        assert.equal(broken.stderr.match(new RegExp(NOTICE, 'g'))?.length ?? 0, isHarmless ? 0 : 1, name)

        const path = transcriptPathInFolder(place(broken.configDir), broken.sessionId)
        if (isHarmless || !existsSync(path)) continue
        const saved = readFileSync(path, 'utf8')
        const kept = acknowledged(broken.messages).filter((uuid) => saved.includes(`"uuid":"${uuid}"`))
        const again = await ask('And again.', { cwd: base.cwd, env: broken.env, argv: ['--resume', broken.sessionId] })
        assert.deepEqual([again.code, again.result?.is_error], [0, false], `${name}: ${again.stderr}`)
        const now = readFileSync(path, 'utf8')
        for (const uuid of kept) assert.ok(now.includes(`"uuid":"${uuid}"`), `${name}: ${uuid} is gone`)
        for (const line of now.trim().split('\n'))
          assert.doesNotThrow(() => JSON.parse(line), `${name}: ${line.slice(0, 80)}`)
      }
    }
    process.stderr.write(`${kind}: ${faults} faults at ${clean.done.length} writes\n`)
  })
}
