/** The order of mounts, and what they leave out. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Mount, orderMounts } from './mount-order.js'

const shown = (mounts: Mount[]) =>
  orderMounts(mounts).map(({ path, as, pins }) => [as, path, ...(pins.length > 0 ? [pins] : [])])

describe('orderMounts', () => {
  it('puts folders before what is in them, and what is hidden last', () => {
    const mounts: Mount[] = [
      { path: '/p/a/b', as: 'read-only' },
      { path: '/h', as: 'hidden-file' },
      { path: '/p/.mcp.json', as: 'taken' },
      { path: '/p', as: 'writable' },
    ]
    assert.deepEqual(shown(mounts), [
      ['writable', '/p', ['/p/a']],
      ['taken', '/p/.mcp.json'],
      ['read-only', '/p/a/b'],
      ['hidden-file', '/h'],
    ])
  })

  it('pins every folder on the way, deep ones first', () => {
    const mounts: Mount[] = [
      { path: '/p', as: 'writable' },
      { path: '/p/a/b/c/d', as: 'hidden-folder' },
      { path: '/p/a/x', as: 'taken' },
    ]
    assert.deepEqual(shown(mounts)[0], ['writable', '/p', ['/p/a/b/c', '/p/a/b', '/p/a']])
  })

  it('leaves out what changes nothing', () => {
    const mounts: Mount[] = [
      { path: '/p', as: 'writable' },
      { path: '/p/inner', as: 'writable' },
      { path: '/p/locked', as: 'read-only' },
      { path: '/p/locked/.git', as: 'taken' },
      { path: '/p/locked/x', as: 'read-only' },
      { path: '/elsewhere', as: 'read-only' },
      { path: '/p/gone', as: 'hidden-folder' },
      { path: '/p/gone/x', as: 'hidden-file' },
    ]
    assert.deepEqual(shown(mounts), [
      ['writable', '/p'],
      ['read-only', '/p/locked'],
      ['hidden-folder', '/p/gone'],
    ])
  })

  it('keeps a writable folder inside a protected one, and the protected ones inside that', () => {
    const mounts: Mount[] = [
      { path: '/p', as: 'writable' },
      { path: '/p/.claude', as: 'read-only' },
      { path: '/p/.claude/worktrees/w', as: 'writable' },
      { path: '/p/.claude/worktrees/w/.claude', as: 'taken' },
    ]
    assert.deepEqual(
      shown(mounts),
      mounts.map(({ path, as }) => [as, path]),
    )
  })

  it('takes the stricter of two', () => {
    const mounts: Mount[] = [
      { path: '/p', as: 'writable' },
      { path: '/p/x', as: 'hidden-file' },
      { path: '/p/x', as: 'read-only' },
      { path: '/p/y', as: 'read-only' },
      { path: '/p/y', as: 'writable' },
    ]
    assert.deepEqual(shown(mounts), [
      ['writable', '/p'],
      ['read-only', '/p/y'],
      ['hidden-file', '/p/x'],
    ])
  })
})
