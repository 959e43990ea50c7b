import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { nodeClock } from '../platform/clock.js'
import { nodeFiles } from '../platform/files/files.js'
import { createPlatformIdentity } from '../platform/identity.js'
import { ownerProcessChecker } from '../platform/processes/owner-process.js'
import { createFileLocks } from './file-lock.js'
import { createTeam, type TeamCreationRequest } from './team.js'

const ports = { files: nodeFiles, clock: nodeClock, token: createPlatformIdentity().uuid }
/** A process that has certainly ended: no number is that high. */
const gone = JSON.stringify({ ...ownerProcessChecker.own(), pid: 2 ** 30, token: 'old' })

describe('a team', () => {
  let configDir = ''
  beforeEach(() => {
    configDir = mkdtempSync(join(tmpdir(), 'kedge-team-'))
  })
  afterEach(() => rmSync(configDir, { recursive: true, force: true }))

  const create = async (name: string, more: Partial<TeamCreationRequest> = {}) => {
    const lead = { agentType: 'team-lead', model: 'm', cwd: '/w' }
    const team = await createTeam({ name, configDir, sessionId: 's', lead, onPosted: () => {}, ...more }, ports)
    assert.ok(team)
    return team
  }
  const config = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

  it('stands on disk as observed', async () => {
    const team = await create('Alpha team', { description: 'for tests' })
    assert.equal(team.configPath, join(configDir, 'teams', 'alpha-team', 'config.json'))
    assert.equal(team.tasksFolder, join(configDir, 'tasks', 'alpha-team'))
    assert.equal(team.leadAgentId, 'team-lead@Alpha team')
    const bob = {
      agentId: 'bob@Alpha team',
      name: 'bob',
      agentType: 'general-purpose',
      model: 'm2',
      prompt: 'work',
      color: 'blue',
      planModeRequired: false,
      joinedAt: 5,
      tmuxPaneId: 'in-process',
      cwd: '/w',
      subscriptions: [] as [],
      backendType: 'in-process' as const,
    }
    await team.addMember(bob)
    const stored = config(team.configPath)
    assert.deepEqual(Object.keys(stored), [
      'name',
      'description',
      'createdAt',
      'leadAgentId',
      'leadSessionId',
      'members',
    ])
    assert.deepEqual(stored.members[1], bob)
    const { createdAt } = stored
    assert.equal(
      JSON.stringify(stored.members[0]),
      JSON.stringify({
        agentId: 'team-lead@Alpha team',
        name: 'team-lead',
        agentType: 'team-lead',
        model: 'm',
        joinedAt: createdAt,
        tmuxPaneId: '',
        cwd: '/w',
        subscriptions: [],
      }),
    )
    await team.removeMember('bob')
    assert.equal(config(team.configPath).members.length, 1)
    await team.delete()
    assert.deepEqual([readdirSync(join(configDir, 'teams')), readdirSync(join(configDir, 'tasks'))], [[], []])
    // Nobody is added to a team that is gone, and nothing comes back.
    await assert.rejects(team.addMember(bob), { code: 'ENOENT' })
    assert.equal(existsSync(team.configPath), false)
  })

  it('leaves one alone that another session leads, and takes the place of one that is over', async () => {
    const first = await create('alpha')
    const second = await create('alpha')
    assert.deepEqual([first.name, second.name], ['alpha', 'alpha-2'])
    assert.notEqual(first.tasksFolder, second.tasksFolder)
    await first.mail.post('bob', { from: 'ann', text: 'old' })
    writeFileSync(join(first.tasksFolder, '1.json'), '{}')
    first.release()
    const third = await create('alpha')
    assert.equal(third.name, 'alpha')
    assert.deepEqual(await third.mail.take('bob'), [])
    assert.deepEqual(readdirSync(third.tasksFolder), [])
    // Whoever was led by a session that is over does not take the mark of the next one away.
    first.release()
    assert.equal((await create('alpha')).name, 'alpha-3')
  })

  it('takes the place of one whose process died', async () => {
    mkdirSync(join(configDir, 'teams', 'alpha'), { recursive: true })
    writeFileSync(join(configDir, 'teams', 'alpha', '.lead'), gone)
    assert.equal((await create('alpha')).name, 'alpha')
  })
})

describe('a lock', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kedge-lock-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('of a process that died is taken over at once, and nothing stays behind', async () => {
    const path = join(folder, 'a.json')
    writeFileSync(`${path}.lock`, gone)
    const order: number[] = []
    const whileLocked = createFileLocks(ports)
    const other = createFileLocks(ports)
    const work = (n: number) => async () => {
      order.push(n)
      await nodeClock.sleep(2)
      order.push(n)
    }
    await Promise.all([whileLocked(path, work(1)), other(path, work(2)), whileLocked(path, work(3))])
    assert.equal(order.length, 6)
    for (const at of [0, 2, 4]) assert.equal(order[at], order[at + 1], `together: ${order}`)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('that nobody can read the owner of holds for a while only', async () => {
    const path = join(folder, 'a.json')
    writeFileSync(`${path}.lock`, '')
    let now = Date.now()
    const clock = {
      ...nodeClock,
      now: () => now,
      sleep: async () => {
        now += 1000
      },
    }
    const before = now
    await createFileLocks({ ...ports, clock })(path, async () => {})
    assert.ok(now - before >= 2000 && now - before < 10_000, String(now - before))
  })

  it('goes on after work that failed', async () => {
    const path = join(folder, 'a.json')
    const whileLocked = createFileLocks(ports)
    await assert.rejects(
      whileLocked(path, async () => {
        throw new Error('broken')
      }),
      /broken/,
    )
    assert.equal(await whileLocked(path, async () => 7), 7)
    assert.deepEqual(readdirSync(folder), [])
  })
})
