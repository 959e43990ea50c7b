/** A command in the sandbox, still running, swaps a folder of the project for a link, while tools and commands use it. */
import assert from 'node:assert/strict'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeFiles } from '../../src/platform/files/files.js'
import type { Configuration } from '../../src/runtime/configuration.js'
import { createLiveSettings } from '../../src/runtime/live-settings.js'
import { createSessionSandbox, type SessionSandbox } from '../../src/runtime/permission/session-sandbox.js'
import { createBashTool } from '../../src/tools/bash/bash.js'
import type { BashInput } from '../../src/tools/bash/bash-shapes.js'
import { editTool } from '../../src/tools/edit/edit.js'
import { readTool } from '../../src/tools/read/read.js'
import type { Tool } from '../../src/tools/tool.js'
import { writeTool } from '../../src/tools/write/write.js'
import { whyNoSandbox } from '../sandbox/stage.js'
import { sampledTest as it } from '../support/tier.js'
import {
  call,
  createGround,
  FEWER_RACES,
  filesBelow,
  type Ground,
  type Raced,
  type RaceOptions,
  race,
  type Tally,
} from './races-ground.js'
import { putBack, SWAPPER } from './races-swapper.js'

const suite = 'while a command in the sandbox swaps a folder for a link to the outside'

describe(whyNoSandbox === undefined ? suite : `${suite} (not run: ${whyNoSandbox})`, {
  skip: whyNoSandbox !== undefined,
}, () => {
  let parent: string
  let ground: Ground
  let sandbox: SessionSandbox
  let bash: Tool<BashInput>
  beforeEach(async () => {
    // Seen from inside the sandbox, unlike /tmp.
    parent = mkdtempSync(process.getuid?.() === 0 ? '/var/kedge-races-' : join(homedir(), '.kedge-races-'))
    ground = await createGround(parent)
    const { context, permissions, project } = ground
    const home = join(parent, 'home')
    mkdirSync(home)
    // Of a session's settings the sandbox reads these.
    const settings = {
      sandbox: { enabled: true },
      env: { ...context.env, HOME: home },
      cwd: project,
      home,
      configDir: join(home, '.claude'),
    } as unknown as Configuration
    const made = createSessionSandbox(
      settings,
      createLiveSettings(settings),
      { ...context.platform, files: nodeFiles },
      { permissions: () => permissions, readable: () => [], stderr: () => {} },
    )
    assert.ok(made)
    sandbox = made
    bash = createBashTool({ isReadOnlyCommand: () => false, sandbox: sandbox.bash })
  })
  afterEach(async () => {
    await ground.dispose()
    await sandbox.close()
    rmSync(parent, { recursive: true, force: true })
  })

  /** The swapper, as a command in the background. */
  const whileSwapping = async (
    kind: 'folder' | 'repository',
    one: (index: number) => Promise<Raced>,
    options: RaceOptions = {},
  ) => {
    const { spot, aside, link } = ground.swap
    const words = [process.execPath, '-e', SWAPPER, spot, aside, link, kind].map(
      (word) => `'${word.replaceAll("'", `'\\''`)}'`,
    )
    const input = { command: words.join(' '), run_in_background: true }
    assert.equal(await bash.check?.(input, ground.context), undefined)
    const started = await bash.execute(input, ground.context)
    assert.ok(started.ok, started.ok ? '' : started.error)
    while (!lstatSync(spot, { throwIfNoEntry: false })?.isSymbolicLink()) {
      assert.equal(ground.running(), 1, 'the swapper ended before it began')
      await sleep(1)
    }
    const tally = await race(ground, one, options)
    assert.equal(ground.running(), 1)
    await ground.stopAll()
    putBack(ground.swap)
    return tally
  }
  const check = ({ done, refused, outside }: Tally) => {
    assert.equal(outside, 0)
    assert.ok(done > 0 && refused > 0, `${done} done, ${refused} refused`)
  }

  it('Write makes nothing there', async () => {
    const { spot } = ground.swap
    const tally = await whileSwapping('folder', (index) =>
      call(
        writeTool,
        { file_path: join(spot, index % 2 ? '' : `folder-${index}`, `new-${index}`), content: 'x' },
        ground,
      ),
    )
    check(tally)
    const made = filesBelow(ground.project).filter((path) => path.includes('/new-'))
    assert.equal(made.length, tally.done)
  })

  it('Edit changes nothing there', async () => {
    const path = join(ground.swap.spot, 'file')
    writeFileSync(path, 'number 0')
    let last = 0
    const tally = await whileSwapping(
      'folder',
      async (index) => {
        await readTool.execute({ file_path: path }, ground.context)
        const strings = { old_string: `number ${last}`, new_string: `number ${index + 1}` }
        const end = await call(editTool, { file_path: path, ...strings }, ground)
        if (end === 'done') last = index + 1
        return end
      },
      { prepare: () => writeFileSync(join(ground.outside, 'file'), `number ${last}`) },
    )
    check(tally)
  })

  it('another command runs where it was allowed, and what the sandbox does around it stays inside', async () => {
    const { swap, context } = ground
    // Names in repositories are taken before a command, and put right after it.
    ground.makeRepository()
    const marks = (folder: string) => filesBelow(folder).filter((path) => path.includes('/mark-')).length
    let made = 0
    // What the swapper put out of its way; the sandbox would look after each of these repositories.
    const clear = () => {
      for (const name of readdirSync(ground.project).filter((entry) => /^spot[-.]/.test(entry))) {
        const path = join(ground.project, name)
        if (lstatSync(path).isDirectory()) made += marks(path)
        rmSync(path, { recursive: true })
      }
    }
    const tally = await whileSwapping(
      'repository',
      async (index) => {
        context.session.shellCwd = swap.spot
        return call(bash, { command: `touch mark-${index}` }, ground)
      },
      { prepare: clear, races: FEWER_RACES },
    )
    check(tally)
    assert.equal(made + marks(ground.project), tally.done)
    assert.ok(!existsSync(join(ground.outside, '.git/hooks')))
  })
})
