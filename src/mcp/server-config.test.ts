// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how configurations name variables
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkHeaders, checkServerConfig, expandVariables } from './server-config.js'

const problemOf = (value: unknown, variables = {}) => {
  const checked = checkServerConfig(value, variables)
  return checked.ok ? undefined : checked.problem
}

test('variables are put in once, and nothing in their value is looked at again', () => {
  const problems: string[] = []
  const variables = { A: '${B}', B: 'b', EMPTY: '' }
  assert.equal(expandVariables('${A} $B ${EMPTY:-d} ${GONE:-e} ${EMPTY}', variables, problems), '${B} $B d e ')
  assert.deepEqual(problems, [])
  assert.equal(expandVariables('${toString}', {}, problems), '')
  assert.match(problems[0] ?? '', /needs the environment variable toString/)
})

test('a command, an address and a server of the host are told apart; what is missing is named', () => {
  const common = { alwaysLoad: false, sampling: false, required: false }
  assert.deepEqual(checkServerConfig({ command: 'run', args: ['${X}'], env: { K: 'v' } }, { X: '1' }), {
    ok: true,
    config: { type: 'stdio', command: 'run', args: ['1'], env: { K: 'v' }, ...common },
  })
  assert.deepEqual(checkServerConfig({ type: 'sdk', required: true }, {}), {
    ok: true,
    config: { type: 'sdk', ...common, required: true, alwaysLoad: true },
  })
  assert.match(problemOf({ url: 'https://x.example' }) ?? '', /needs `type`/)
  assert.match(problemOf({ command: '' }) ?? '', /`command` must be a text/)
  assert.match(problemOf({ command: 'a\0b' }) ?? '', /NUL/)
  assert.match(problemOf({ command: 'x', args: [1] }) ?? '', /`args`/)
  assert.match(problemOf({ type: 'carrier pigeon' }) ?? '', /there is no `type` "carrier pigeon"/)
  assert.match(problemOf('x') ?? '', /no object/)
})

test('an address is http or https and holds no password', () => {
  for (const url of ['ftp://x.example', 'https://user:key@x.example', 'nonsense']) {
    assert.match(problemOf({ type: 'http', url }) ?? '', /`url` must be/, url)
  }
  assert.equal(problemOf({ type: 'sse', url: 'http://x.example/a' }), undefined)
})

test('a time in seconds by mistake does not count; one that is no number is refused', () => {
  const timeoutOf = (timeout: unknown) => {
    const checked = checkServerConfig({ command: 'x', timeout }, {})
    return checked.ok ? checked.config.timeoutMs : checked.problem
  }
  assert.equal(timeoutOf(30), undefined)
  assert.equal(timeoutOf(30_000), 30_000)
  assert.equal(timeoutOf(1e12), 24 * 60 * 60 * 1000)
  assert.match(String(timeoutOf('30')), /`timeout`/)
})

test('headers: a value that could begin another one is refused, and never repeated', () => {
  const problems: string[] = []
  checkHeaders({ Authorization: 'secret\r\nX: y', 'bad name': 'v', Fine: 'v' }, problems)
  assert.equal(problems.length, 2)
  assert.doesNotMatch(problems.join(), /secret/)
})
