/** Where the shell stands after a command, and before one whose folder is gone: over a file system of a few names. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ToolContext } from '../tool.js'
import { findCommandFolder, followShellFolder, resetLostShellFolder } from './shell-directory.js'

type Place = {
  folders: string[]
  links?: Record<string, string>
  directories?: string[]
  shellCwd?: string
}

function contextOf({ folders, links = {}, directories = ['/w'], shellCwd = '/w' }: Place): ToolContext {
  const isFolder = (path: string) => folders.includes(path) || path in links
  const files = {
    stat: async (path: string) => (isFolder(path) ? { kind: 'directory' } : undefined),
    realpath: async (path: string) => {
      if (!isFolder(path)) throw Object.assign(new Error(path), { code: 'ENOENT' })
      return links[path] ?? path
    },
  }
  const session = { readFiles: new Map(), destinations: new WeakMap(), todos: [], shellCwd }
  // Only what is looked at.
  return { cwd: '/w', directories: () => directories, session, platform: { files } } as unknown as ToolContext
}

async function follow(place: Place, from: string, reached: string) {
  const context = contextOf(place)
  const left = await followShellFolder(from, reached, context)
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

describe('before a command the shell', () => {
  it('stands where it is, by its own name and by where that leads', async () => {
    const place = { folders: ['/w', '/w/a', '/real'], links: { '/w/link': '/real' } }
    assert.deepEqual(await findCommandFolder(contextOf({ ...place, shellCwd: '/w/a' })), { cwd: '/w/a', real: '/w/a' })
    const linked = contextOf({ ...place, shellCwd: '/w/link' })
    assert.deepEqual(await findCommandFolder(linked), { cwd: '/w/link', real: '/real' })
  })

  it('leaves a folder that is gone, or is none, for that of the session', async () => {
    const context = contextOf({ folders: ['/w'], shellCwd: '/w/gone' })
    assert.deepEqual(await findCommandFolder(context), { cwd: '/w', real: '/w', lost: '/w/gone' })
    // Only a command that runs moves it.
    assert.equal(context.session.shellCwd, '/w/gone')
    resetLostShellFolder('/w/gone', context)
    assert.equal(context.session.shellCwd, '/w')
  })

  it('leaves a folder that can not be followed: it could not be judged', async () => {
    const context = contextOf({ folders: ['/w', '/w/a'], shellCwd: '/w/a' })
    const { files } = context.platform
    const flickering = {
      ...files,
      // There at one look and not at the next.
      realpath: (path: string) => (path === '/w/a' ? Promise.reject(new Error('ENOENT')) : files.realpath(path)),
    }
    const there = { ...context, platform: { ...context.platform, files: flickering } }
    assert.deepEqual(await findCommandFolder(there), { cwd: '/w', real: '/w', lost: '/w/a' })
  })

  it('has nowhere to stand when that is gone too', async () => {
    const context = contextOf({ folders: [], shellCwd: '/w/gone' })
    assert.deepEqual(await findCommandFolder(context), { cwd: '/w', real: undefined, lost: '/w/gone' })
  })

  it('is not led away from a folder that is there', () => {
    const context = contextOf({ folders: ['/w', '/w/a'], shellCwd: '/w/a' })
    resetLostShellFolder('/w/gone', context)
    resetLostShellFolder(undefined, context)
    assert.equal(context.session.shellCwd, '/w/a')
  })
})
