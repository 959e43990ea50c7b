/** Where the shell stands after a command, and before one whose folder is gone: over a file system of a few names. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ToolContext } from '../tool.js'
import { followShell, leaveLostDirectory, standsIn } from './shell-directory.js'

type Place = {
  folders: string[]
  links?: Record<string, string>
  directories?: string[]
  shellCwd?: string
  sync?: boolean
}

function contextOf({ folders, links = {}, directories = ['/w'], shellCwd = '/w', sync = true }: Place): ToolContext {
  const isFolder = (path: string) => folders.includes(path) || path in links
  const files = {
    stat: async (path: string) => (isFolder(path) ? { kind: 'directory' } : undefined),
    realpath: async (path: string) => {
      if (!isFolder(path)) throw Object.assign(new Error(path), { code: 'ENOENT' })
      return links[path] ?? path
    },
    ...(sync ? { existsSync: isFolder } : {}),
  }
  const session = { readFiles: new Map(), destinations: new WeakMap(), todos: [], shellCwd }
  // Only what is looked at.
  return { cwd: '/w', directories: () => directories, session, platform: { files } } as unknown as ToolContext
}

async function follow(place: Place, from: string, reached: string) {
  const context = contextOf(place)
  const left = await followShell(from, reached, context)
  return { left, at: context.session.shellCwd }
}

describe('after a command the shell', () => {
  const folders = ['/w', '/w/a', '/w/a/b', '/extra', '/extra/x', '/other', '/w2']

  it('stands where the command ended, inside of any working directory', async () => {
    assert.deepEqual(await follow({ folders }, '/w', '/w/a/b'), { left: false, at: '/w/a/b' })
    const both = { folders, directories: ['/w', '/extra'] }
    assert.deepEqual(await follow(both, '/w', '/extra/x'), { left: false, at: '/extra/x' })
  })

  it('goes back to the folder of the session from anywhere else, also from a folder with a longer name', async () => {
    for (const outside of ['/other', '/', '/w2', '/extra']) {
      const place = { folders: [...folders, '/'], shellCwd: '/w/a' }
      assert.deepEqual(await follow(place, '/w/a', outside), { left: true, at: '/w' }, outside)
    }
  })

  it('stays when the place it reached is gone', async () => {
    assert.deepEqual(await follow({ folders, shellCwd: '/w/a' }, '/w/a', '/w/gone'), { left: false, at: '/w/a' })
  })

  it('is not moved by a command that did not move, though another one did meanwhile', async () => {
    assert.deepEqual(await follow({ folders, shellCwd: '/w/a' }, '/w', '/w'), { left: false, at: '/w/a' })
  })

  it('is named by way of the working directory, where that is a link', async () => {
    const place = { folders: ['/real', '/real/a'], links: { '/w': '/real' } }
    assert.deepEqual(await follow(place, '/w', '/real/a'), { left: false, at: '/w/a' })
    assert.deepEqual(await follow(place, '/w', '/real'), { left: false, at: '/w' })
  })

  it('is inside of a working directory by its name where that can not be followed', async () => {
    const place = { folders: ['/gone/a'], directories: ['/gone'] }
    assert.deepEqual(await follow(place, '/w', '/gone/a'), { left: false, at: '/gone/a' })
  })

  it('leaves a folder that is no working directory any more, though the command stayed there', async () => {
    const place = { folders, directories: ['/w'], shellCwd: '/extra' }
    assert.deepEqual(await follow(place, '/extra', '/extra'), { left: true, at: '/w' })
  })
})

describe('a folder that is gone', () => {
  it('is left for that of the session', async () => {
    const context = contextOf({ folders: ['/w'], shellCwd: '/w/gone' })
    assert.equal(await leaveLostDirectory(context), true)
    assert.equal(context.session.shellCwd, '/w')
  })

  it('is not the reason when it is there', async () => {
    const context = contextOf({ folders: ['/w', '/w/a'], shellCwd: '/w/a' })
    assert.equal(await leaveLostDirectory(context), false)
    assert.equal(context.session.shellCwd, '/w/a')
  })

  it('is not left when there is nowhere to go', async () => {
    const context = contextOf({ folders: [], shellCwd: '/w/gone' })
    assert.equal(await leaveLostDirectory(context), 'gone')
    assert.equal(context.session.shellCwd, '/w/gone')
  })

  it('is not where the next command is judged to run', () => {
    assert.equal(standsIn(contextOf({ folders: ['/w'], shellCwd: '/w/gone' })), '/w')
    assert.equal(standsIn(contextOf({ folders: ['/w', '/w/a'], shellCwd: '/w/a' })), '/w/a')
    // A workspace that can't tell at once is taken at its word.
    assert.equal(standsIn(contextOf({ folders: [], shellCwd: '/w/gone', sync: false })), '/w/gone')
  })
})
