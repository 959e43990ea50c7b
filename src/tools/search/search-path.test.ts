/** Where searches begin: the folder that is asked permission for is the one that is looked into. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ToolContext } from '../tool.js'
import { appendNotes, unreadFilesText } from './result-notes.js'
import {
  findNulByteProblem,
  inspectPath,
  missingPathText,
  resolveSearchPath,
  splitRootFromPattern,
} from './search-path.js'
import { compareNewest, comparePaths, toUnreadFilesSummary } from './search-request.js'
import { withoutDeniedFiles } from './without-denied-files.js'

// Only what is looked at.
const context = (env: Record<string, string> = { HOME: '/home/u' }, stat?: () => Promise<unknown>) =>
  ({ env, session: { shellCwd: '/w/sub' }, platform: { files: { stat } } }) as unknown as ToolContext

describe('the place of a search', () => {
  it('is the path, from where the shell stands, or from home', () => {
    const cases: [string | undefined, string][] = [
      [undefined, '/w/sub'],
      ['', '/w/sub'],
      ['a', '/w/sub/a'],
      ['../b', '/w/b'],
      ['.', '/w/sub'],
      ['/x/../y', '/y'],
      ['~', '/home/u'],
      ['~/a', '/home/u/a'],
      ['~other', '/w/sub/~other'],
      ['a/~', '/w/sub/a/~'],
    ]
    for (const [path, expected] of cases) assert.equal(resolveSearchPath(path, context()), expected, path)
  })

  it('takes a tilde for a name where there is no home', () => {
    assert.equal(resolveSearchPath('~/a', context({})), '/w/sub/~/a')
    assert.equal(resolveSearchPath('~/a', context({ HOME: 'relative' })), '/w/sub/~/a')
  })
})

describe('a pattern that names a place', () => {
  const cases: [pattern: string, root: string, rest: string][] = [
    ['*.ts', '/r', '*.ts'],
    ['src/**/*.ts', '/r', 'src/**/*.ts'],
    ['.hidden*', '/r', '.hidden*'],
    ['..a/*', '/r', '..a/*'],
    ['/etc/*.conf', '/etc', '*.conf'],
    ['/*.conf', '/', '*.conf'],
    ['/etc/**/*.conf', '/etc', '**/*.conf'],
    ['/etc/a*/b', '/etc', 'a*/b'],
    ['/etc/hosts', '/etc', '/hosts'],
    ['~/x/*.md', '/home/u/x', '*.md'],
    ['../*', '/', '/*'],
    ['./*', '/r', '/*'],
    ['./a/../b/*.ts', '/r/b', '/*.ts'],
    ['..', '/', '/'],
    ['../x', '/', '/x'],
    ['/etc/!x*', '/etc', '\\!x*'],
    ['/etc/#x*', '/etc', '\\#x*'],
    ['./!x*', '/r', '/!x*'],
    ['/a}', '/', '/a\\}'],
    ['/etc/a ', '/etc', '/a\\ '],
    ['/a\\*b', '/', 'a\\*b'],
    ['/etc/{a,b}/c', '/etc', '{a,b}/c'],
  ]
  for (const [pattern, root, rest] of cases) {
    it(`${JSON.stringify(pattern)} is ${JSON.stringify(rest)} in ${root}`, () => {
      assert.deepEqual(splitRootFromPattern('/r', pattern, context()), { root, pattern: rest })
    })
  }
})

describe('what is there', () => {
  it('is told by its kind; what is not there, and what nobody can tell, are answers too', async () => {
    const look = (stat: () => Promise<unknown>) => inspectPath('/x', context({}, stat))
    assert.equal(await look(async () => ({ kind: 'directory' })), 'directory')
    assert.equal(await look(async () => undefined), 'nothing')
    assert.deepEqual(await look(() => Promise.reject(new Error('ENAMETOOLONG'))), { error: 'ENAMETOOLONG' })
    assert.deepEqual(await look(() => Promise.reject('odd')), { error: 'odd' })
  })

  it('is missed with the folder that relative paths begin in', async () => {
    assert.equal(
      await missingPathText('Path', '/x', context()),
      'Path does not exist: /x. Note: your current working directory is /w/sub.',
    )
  })

  it('is not looked for with a NUL in any of the texts', () => {
    assert.equal(findNulByteProblem('a', undefined, 'b'), undefined)
    assert.equal(findNulByteProblem('a', undefined, 'b\0'), 'The input contains a NUL character.')
  })
})

describe('what was found', () => {
  it('loses what may not be read, and only the folder that was searched is asked about', async () => {
    const asked: string[] = []
    const ports = {
      deniedInside: async (folder: string) => {
        asked.push(folder)
        return (path: string) => path.endsWith('.env')
      },
    }
    const found = [{ at: '/w/a' }, { at: '/w/.env' }]
    assert.deepEqual(await withoutDeniedFiles(found, ({ at }) => at, '/w', ports), [{ at: '/w/a' }])
    assert.deepEqual(asked, ['/w'])
    assert.equal(await withoutDeniedFiles(found, ({ at }) => at, '/w', {}), found)
    assert.equal(await withoutDeniedFiles(found, ({ at }) => at, '/w', { deniedInside: async () => undefined }), found)
  })

  it('is in the order of its paths, the newest first where times are known', () => {
    const file = (path: string, time: number) => ({ path, time, count: 0, block: '' })
    const files = [file('/b', 1), file('/a', 1), file('/c', 9), file('/B', 1)]
    const paths = (list: { path: string }[]) => list.map(({ path }) => path).join(' ')
    assert.equal(paths([...files].sort(comparePaths)), '/B /a /b /c')
    assert.equal(paths([...files].sort(compareNewest)), '/c /B /a /b')
    assert.equal(comparePaths({ path: '/a' }, { path: '/a' }), 0)
  })

  it('comes with notes about what could not be read, the first few by name', () => {
    assert.equal(unreadFilesText(toUnreadFilesSummary([])), '')
    assert.equal(
      unreadFilesText(toUnreadFilesSummary(['/a: no', '/b: no'])),
      '[Not everything could be read: /a: no; /b: no]',
    )
    const many = toUnreadFilesSummary(['1', '2', '3', '4', '5', '6', '7'])
    assert.deepEqual(many, { shown: ['1', '2', '3', '4', '5'], total: 7 })
    assert.equal(unreadFilesText(many), '[Not everything could be read: 1; 2; 3; 4; 5; and 2 more]')
    assert.equal(appendNotes('text', '', 'a', '', 'b'), 'text\n\na\n\nb')
  })
})
