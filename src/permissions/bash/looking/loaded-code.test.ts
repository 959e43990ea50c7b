import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestPermissions, decisionsOnBash, sameDecisionForEach } from '../../test-engine.js'
import { hasCodeLoadingVariable } from './loaded-code.js'

test('what a variable makes an interpreter load', () => {
  const withOne = (name: string, value: string) => (asked: string) => (asked === name ? value : undefined)
  assert.equal(
    hasCodeLoadingVariable('pip', () => undefined),
    false,
  )
  assert.equal(hasCodeLoadingVariable('pip', withOne('PYTHONPATH', '/repo')), true)
  assert.equal(hasCodeLoadingVariable('pip3', withOne('PYTHONHOME', '.')), true)
  assert.equal(hasCodeLoadingVariable('python3', withOne('PYTHONPATH', '/repo')), false)
  assert.equal(hasCodeLoadingVariable('java', withOne('JAVA_TOOL_OPTIONS', '-javaagent:x.jar')), true)
  for (const options of [
    '--require ./x',
    '-r ./x',
    '--import=./x',
    '--loader x',
    '--require --no-warnings',
    '--env-file=x',
  ])
    assert.equal(hasCodeLoadingVariable('npm', withOne('NODE_OPTIONS', options)), true, options)
  for (const options of ['', '--max-old-space-size=4096', ' --no-warnings  --enable-source-maps '])
    assert.equal(hasCodeLoadingVariable('npm', withOne('NODE_OPTIONS', options)), false, options)
})

test('then even a question for the version is asked about', async () => {
  const variables: Record<string, string> = { PYTHONPATH: '/repo', NODE_OPTIONS: '--require ./x.js' }
  const asked = ['pip --version', 'npm --version', 'npm ls', 'timeout 5 pip3 --version']
  assert.deepEqual(await decisionsOnBash(createTestPermissions(), asked), sameDecisionForEach(asked, 'allow'))
  assert.deepEqual(
    await decisionsOnBash(createTestPermissions({ variable: (name) => variables[name] }), asked),
    sameDecisionForEach(asked, 'ask'),
  )
  const printed = ['python3 --version', 'node --version']
  assert.deepEqual(
    await decisionsOnBash(createTestPermissions({ variable: (name) => variables[name] }), printed),
    sameDecisionForEach(printed, 'allow'),
  )
})
