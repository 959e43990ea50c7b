import assert from 'node:assert/strict'
import { win32 } from 'node:path'
import { test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { isWindowsPath, judgedToWindowsPath, toWindowsJudgedPath } from './judged-path.js'

const judged = (path: string) => {
  const { path: found, doubt } = toWindowsJudgedPath(path, '/c/repo')
  return doubt === undefined ? found : `${found}  ?${doubt.split(' ').slice(0, 4).join(' ')}`
}

test('every spelling of a file is one, and those that are not plain are in doubt', () => {
  const table = {
    'C:\\repo\\a.txt': '/c/repo/a.txt',
    'c:/repo/a.txt': '/c/repo/a.txt',
    'a.txt': '/c/repo/a.txt',
    'src\\..\\a.txt': '/c/repo/a.txt',
    '\\repo\\a.txt': '/c/repo/a.txt',
    '/repo/a.txt': '/c/repo/a.txt',
    '\\\\?\\C:\\repo\\a.txt': '/c/repo/a.txt',
    '\\\\.\\c:\\repo\\a.txt': '/c/repo/a.txt',
    '\\??\\C:\\repo\\a.txt': '/c/repo/a.txt',
    'C:\\..\\..\\x': '/c/x',
    '\\\\Server\\Share\\a': '/unc:/server/share/a',
    '//server/share/a': '/unc:/server/share/a',
    '\\\\?\\UNC\\server\\share\\a': '/unc:/server/share/a',
    '\\\\server\\share\\..\\..\\x': '/unc:/server/share/x',
    'C:\\repo\\.env.': '/c/repo/.env  ?it ends with a',
    'C:\\repo\\.env  ': '/c/repo/.env  ?it ends with a',
    'C:\\repo.\\a': '/c/repo/a  ?it ends with a',
    'C:\\repo\\.env::$DATA': '/c/repo/.env  ?it names a stream',
    'C:\\repo\\a.txt:hidden': '/c/repo/a.txt  ?it names a stream',
    'C:\\repo\\nul': '/c/repo/nul  ?it names a device',
    'COM1.txt': '/c/repo/COM1.txt  ?it names a device',
    'lpt³': '/c/repo/lpt³  ?it names a device',
    'C:\\PROGRA~1\\x': '/c/PROGRA~1/x  ?it may be the',
    'C:secret.txt': '/c/secret.txt  ?it begins in a',
    'D:secret.txt': '/d/secret.txt  ?it begins in a',
    '\\\\localhost\\C$\\repo': '/unc:/localhost/c$/repo  ?it may be a',
    '\\\\.\\PhysicalDrive0': '/device:/PhysicalDrive0  ?it names a device',
    '\\\\?\\GLOBALROOT\\Device\\x': '/device:/GLOBALROOT/Device/x  ?it names a device',
    '\\\\?\\C:\\repo\\..\\x': '/c/x  ?nothing in it is',
    'C:\\a|b': '/c/a|b  ?no file can be',
    'notes~1st draft.md': '/c/repo/notes~1st draft.md',
    'a.b.c': '/c/repo/a.b.c',
    console: '/c/repo/console',
  }
  assert.deepEqual(Object.fromEntries(Object.keys(table).map((path) => [path, judged(path)])), table)
  assert.match(toWindowsJudgedPath(`C:\\${'a\\'.repeat(20_000)}`, '/').doubt ?? '', /longer/)
})

test('there and back again it is the same file', () => {
  const name = fc
    .stringMatching(/^[a-zA-Z][\w -]{0,8}[a-z]$/)
    .filter((text) => !/^(?:con|prn|aux|nul)$|^(?:com|lpt)/i.test(text))
  fc.assert(
    fc.property(fc.constantFrom('C:\\', 'z:\\', '\\\\server\\share\\'), fc.array(name), (root, names) => {
      const path = win32.join(root, ...names)
      const { path: found, doubt } = toWindowsJudgedPath(path, '/')
      assert.equal(doubt, undefined)
      const back = judgedToWindowsPath(found) ?? ''
      assert.equal(win32.relative(back, path), '', `${path} ${back}`)
      assert.equal(toWindowsJudgedPath(back, '/').path, found)
    }),
  )
})

test('whatever dots there are, a path that is not in doubt leads where Windows says', () => {
  const part = fc.constantFrom('a', 'B c', '..', '.', '', 'd.e')
  fc.assert(
    fc.property(fc.array(part), fc.constantFrom('\\', '/'), (parts, separator) => {
      const path = `C:\\${parts.join(separator)}`
      const { path: found, doubt } = toWindowsJudgedPath(path, '/')
      if (doubt === undefined) assert.equal(judgedToWindowsPath(found), win32.resolve(path), path)
    }),
  )
})

test('above drives and shares there is nothing that Windows has a name for', () => {
  assert.deepEqual(
    ['/', '/unc:', '/unc:/server', '/tmp', '/device:/x'].map(judgedToWindowsPath),
    Array(5).fill(undefined),
  )
  assert.deepEqual([judgedToWindowsPath('/c'), judgedToWindowsPath('/unc:/s/d')], ['C:\\', '\\\\s\\d'])
  assert.deepEqual(['C:\\a', 'c:/a', '\\\\s\\d', '/home/ada', 'a', '\\a', 'C:a'].map(isWindowsPath), [
    ...[true, true, true, false, false, false, false],
  ])
})
