import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Flag } from './flag-row.js'
import { FLAGS } from './flags.js'
import { createFlagReader, flagsBySpelling, parseArgv } from './parse-argv.js'
import { readStartSettings } from './read-start-settings.js'

const place = { resolve: (path: string) => `/home/ada/${path}` }

describe('settings made of flags', () => {
  const flags: Flag[] = [
    { name: 'quiet', kind: 'switch', setting: 'isQuiet', help: '' },
    { name: 'size', kind: 'number', setting: 'size', absent: 7, help: '' },
    {
      name: 'dir',
      kind: 'repeat',
      setting: 'folders',
      help: '',
      decode: (given: string[], { resolve }) => given.map(resolve),
    },
    { name: 'name', kind: 'text', setting: 'name', help: '' },
    { name: 'by-hand', kind: 'text', readBy: 'session', help: '' },
  ]
  const read = (...argv: string[]): unknown => {
    const parsed = parseArgv(argv, flagsBySpelling(flags))
    assert.ok(parsed.ok)
    return readStartSettings(createFlagReader(parsed.values), place, flags)
  }

  it('have what is absent where nothing is said', () => {
    assert.deepEqual(read(), { isQuiet: false, size: 7, folders: [], name: undefined })
  })

  it('have what was said, made into what they hold', () => {
    assert.deepEqual(read('--quiet', '--size', '0', '--dir', 'a', '--dir', 'b', '--name', '', '--by-hand', 'x'), {
      isQuiet: true,
      size: 0,
      folders: ['/home/ada/a', '/home/ada/b'],
      name: '',
    })
  })

  it('of our own table are each there, also without any flag', () => {
    const parsed = parseArgv([])
    assert.ok(parsed.ok)
    const settings = readStartSettings(createFlagReader(parsed.values), place)
    const names = FLAGS.flatMap(({ setting }) => setting ?? [])
    assert.deepEqual(Object.keys(settings).sort(), [...new Set(names)].sort())
    assert.equal(new Set(names).size, names.length, 'no two flags make the same setting')
  })
})
