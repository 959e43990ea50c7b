/** Options and variables that make an allowed program do something else: a rule with a wildcard does not cover them. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { sampledTest as test } from '../support/tier.js'
import { all, CANARY, Ground } from './ground.js'

const ground = new Ground({
  'package.json': '{"scripts":{"test":"true"}}',
  Makefile: 'test:\n\t@true $(X)\n',
  'run.sh': '#!/bin/sh\necho pwned > pwned\n',
})
after(() => ground.remove())

const RULES = [
  'npm test:*',
  'npm run test *',
  'pnpm test *',
  'yarn test *',
  'make test *',
  'jq *',
  'yq *',
  'ps *',
  'make -s test *',
]
const allow = RULES.map((rule) => `Bash(${rule})`)

test('npm takes any number of dashes for two', async () => {
  const runs = [
    'npm test --script-shell=./run.sh',
    'npm test -script-shell=./run.sh',
    'npm test ---script-shell=./run.sh',
    'npm test -script-shell ./run.sh',
    'npm run test --script-sh=./run.sh',
  ]
  const writes = [
    'npm run test --cache=../outside/cache',
    'npm test -cache=../outside/cache2',
    'npm test --logs-dir ../outside/l',
  ]
  const others = [
    ...[
      'npm test --registry=http://example.com',
      'npm test --@x:registry=http://example.com',
      'npm test -C ../outside',
    ],
    ...['pnpm test -script-shell=./run.sh', 'pnpm test --config.script-shell=./run.sh', 'pnpm test --pnpmfile=./x.cjs'],
    'yarn test --cache-folder ../outside/y',
  ]
  const lines = [...runs, ...writes, ...others]
  assert.deepEqual(await ground.judge(lines, { allow }), all(lines, 'ask'))
  for (const line of runs) {
    ground.run(`rm -f pwned; ${line}`)
    assert.equal(ground.has('pwned'), true, line)
  }
  ground.run(writes[0] ?? '')
  assert.equal(existsSync(join(ground.outside, 'cache')), true)
  const usual = [
    ...['npm test', 'npm run test --watch', 'npm run test --ci', 'npm test --silent', 'npm run test --workspace=a'],
    ...['npm test -- --cache=x -script-shell=y', 'pnpm test --coverage', 'yarn test --watch', 'npm test -s'],
  ]
  assert.deepEqual(await ground.judge(usual, { allow }), all(usual, 'allow'))
})

test('values of make run, write, and reach a shell', async () => {
  const lines = [
    "make test 'X:=$(file >pwned,x)'",
    "make test 'X=$(shell touch pwned)'",
    "make test 'X=; touch pwned'",
    "make test 'X=`touch pwned`'",
    "make test 'X=$$(touch pwned)'",
    'make test SHELL=./run.sh',
    "make test 'MAKEFLAGS=--eval=$(shell touch pwned)'",
  ]
  assert.deepEqual(await ground.judge(lines, { allow }), all(lines, 'ask'))
  for (const line of lines) {
    ground.run(`rm -f pwned; ${line}`)
    assert.equal(ground.has('pwned'), true, line)
  }
  const asks = [
    "make test 'X!=touch pwned'",
    "make -s test 'X:=$(eval $(shell x))'",
    'make test GNUMAKEFLAGS=x',
    'make test "X=$y"',
    'make test .SHELLFLAGS=x',
  ]
  assert.deepEqual(await ground.judge(asks, { allow }), all(asks, 'ask'))
  const usual = [
    'make test',
    'make test V=1',
    'make test -j4',
    "make test ARGS='-run Foo -v'",
    'make test X=src/a.test.ts',
  ]
  assert.deepEqual(await ground.judge(usual, { allow }), all(usual, 'allow'))
})

test('what shows the environment asks', async () => {
  const lines = [
    'jq -n env',
    "jq -n '$ENV.TOKEN'",
    `jq -n '"\\(env)"'`,
    'jq -n -f x.jq',
    'jq -L . -n \'import "x" as x; 1\'',
  ]
  const others = ["yq -n 'env(TOKEN)'", "yq -n 'strenv(TOKEN)'", `yq '.x = load("/etc/passwd")' a.yml`]
  const processes = ['ps e', 'ps auxe', 'ps axe', 'ps -e x e', 'ps aux $x']
  const asks = [...lines, ...others, ...processes]
  assert.deepEqual(await ground.judge(asks, { allow }), all(asks, 'ask'))
  for (const line of ['jq -n env', "jq -n '$ENV.TOKEN'", `jq -n '"\\(env)"'`])
    assert.equal(ground.run(`${line} || echo ${CANARY}`, { TOKEN: CANARY }).leaks, true, line)
  const usual = [
    "jq -n '1 + 1'",
    "jq '.environment' package.json",
    'ps aux',
    'ps -ef',
    'ps -eo pid,comm',
    "yq '.a' a.yml",
  ]
  assert.deepEqual(await ground.judge(usual, { allow }), all(usual, 'allow'))
})
