import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import type { PermissionOptions } from './permission-engine.js'
import { createTestPermissions } from './test-engine.js'

async function decide(
  name: string,
  options: Partial<PermissionOptions>,
  input: Record<string, unknown> = {},
  kind: 'other' | 'none' = 'other',
) {
  return (await createTestPermissions(options).decide({ id: 't', name, input }, { kind })).behavior
}

test('MCP servers and tools are compared exactly', async () => {
  const table: [string, string, string][] = [
    ['mcp__github__get', 'mcp__github', 'allow'],
    ['mcp__github__get', 'mcp__github__*', 'allow'],
    ['mcp__github__get', 'mcp__github__get', 'allow'],
    ['mcp__github__get', 'mcp__github__g*', 'allow'],
    ['mcp__github__get', 'mcp__git*', 'ask'],
    ['mcp__github__get', 'mcp__*', 'ask'],
    ['mcp__github__get', '*', 'ask'],
    ['mcp__github__get', 'mcp__githu', 'ask'],
    ['mcp__github_evil__get', 'mcp__github', 'ask'],
    ['mcp__GitHub__get', 'mcp__github', 'ask'],
    ['mcp__a__b__c', 'mcp__a', 'ask'],
    ['mcp__a__b__c', 'mcp__a__*', 'ask'],
    ['mcp__a__b__c', 'mcp__a__b__c', 'allow'],
  ]
  for (const [tool, rule, expected] of table)
    assert.equal(await decide(tool, { allow: [rule] }), expected, `${tool} allowed by ${rule}`)
})

test('a name that can be split in two ways matches every deny and, unless the servers are known, no allow', async () => {
  const servers = (names: string[]) => ({ servers: () => names })
  assert.equal(await decide('mcp__a__b__c', { allow: ['mcp__a'], ...servers(['a']) }), 'allow')
  assert.equal(await decide('mcp__a__b__c', { allow: ['mcp__a__*'], ...servers(['a']) }), 'allow')
  assert.equal(await decide('mcp__a__b__c', { allow: ['mcp__a__b'], ...servers(['a']) }), 'ask')
  assert.equal(await decide('mcp__a__b__c', { allow: ['mcp__a'], ...servers(['a', 'a__b']) }), 'ask')
  assert.equal(await decide('mcp__a__b__c', { allow: ['mcp__a__*'], ...servers(['a', 'a__b']) }), 'ask')
  for (const rule of ['mcp__a', 'mcp__a__b', 'mcp__a__*', 'mcp__*', '*']) {
    assert.equal(await decide('mcp__a__b__c', { allow: ['mcp__a__b__c'], deny: [rule] }), 'deny', rule)
  }
})

test('a name that can mean two servers is approved by no rule, and forbidden by a rule for either', async () => {
  const twice = { servers: () => ['a_b', 'a_b'] }
  const split = { servers: () => ['a', 'a__b'] }
  for (const rule of ['mcp__a_b', 'mcp__a_b__*', 'mcp__a_b__x'])
    assert.equal(await decide('mcp__a_b__x', { allow: [rule], ...twice }), 'ask', rule)
  for (const rule of ['mcp__a', 'mcp__a__b', 'mcp__a__b__*', 'mcp__a__b__t'])
    assert.equal(await decide('mcp__a__b__t', { allow: [rule], ...split }), 'ask', rule)
  assert.equal(await decide('mcp__a__t', { allow: ['mcp__a__t'], ...split }), 'allow', 'only a can have it')
  const permissions = createTestPermissions({ ...twice })
  const asked = await permissions.decide({ id: 't', name: 'mcp__a_b__x', input: {} }, { kind: 'other' })
  assert.ok(asked.behavior === 'ask')
  assert.deepEqual(
    [asked.suggestions, asked.decisionReason],
    [
      undefined,
      'The name can mean tools of more than one MCP server, so no rule approves it. Rename one of the servers.',
    ],
  )
  // The end that tells two tools apart does not take one of them out of reach.
  const marked = 'mcp__a__b__t_0123abcd'
  for (const rule of ['mcp__a__b__t', 'mcp__a', 'mcp__a__b', 'mcp__a__b__t(force:true)'])
    assert.equal(await decide(marked, { deny: [rule] }, { force: true }), 'deny', rule)
  assert.equal(await decide(marked, { allow: ['mcp__a__b__t'], servers: () => ['a'] }), 'ask', 'it approves the other')
})

test('a parameter of the input can forbid, however its value is written', async () => {
  const deny = ['mcp__db__query(database:prod*)', 'mcp__db__query(limit : 5)', 'mcp__db__query(force:true)']
  const run = (input: Record<string, unknown>) => decide('mcp__db__query', { allow: ['mcp__db'], deny }, input)
  const table: [Record<string, unknown>, string][] = [
    [{ database: 'prod-eu' }, 'deny'],
    [{ database: 'PROD-eu' }, 'deny'],
    [{ database: ' prod-eu' }, 'deny'],
    [{ database: '\uff50rod' }, 'deny'],
    [{ database: ['dev', 'prod'] }, 'deny'],
    [{ database: 'dev' }, 'allow'],
    [{ database: ['dev'] }, 'allow'],
    [{ database: null }, 'allow'],
    [{ limit: 5 }, 'deny'],
    [{ limit: '5.0' }, 'deny'],
    [{ limit: 50 }, 'allow'],
    [{ force: true }, 'deny'],
    [{ force: 'True' }, 'deny'],
    [{ opts: { database: 'prod' } }, 'allow'],
    // Nobody can tell what these mean to the server.
    [{ database: { name: 'prod' } }, 'ask'],
    [{ database: [['prod']] }, 'ask'],
  ]
  for (const [input, expected] of table) assert.equal(await run(input), expected, JSON.stringify(input))
})

test('a parameter of an MCP tool can approve exactly the calls that have it', async () => {
  const run = (input: Record<string, unknown>, more: Partial<PermissionOptions> = {}, name = 'mcp__db__query') =>
    decide(name, { allow: ['mcp__db__query(database:dev)', 'mcp__db__query(user:test-*)'], ...more }, input)
  const table: [Record<string, unknown>, string][] = [
    [{ database: 'dev' }, 'allow'],
    [{ database: 'dev', drop: true }, 'allow'],
    [{ user: 'test-1' }, 'allow'],
    [{ database: 'Dev' }, 'ask'],
    [{ database: ' dev' }, 'ask'],
    [{ database: ['dev'] }, 'ask'],
    [{ database: { toString: 'dev' } }, 'ask'],
    [{ database: 'development' }, 'ask'],
    [{}, 'ask'],
  ]
  for (const [input, expected] of table) assert.equal(await run(input), expected, JSON.stringify(input))
  assert.equal(await run({ database: 'dev' }, {}, 'mcp__db__drop'), 'ask')
  assert.equal(await run({ database: 'dev' }, { deny: ['mcp__db__query(drop:true)'] }), 'allow')
  assert.equal(await run({ database: 'dev', drop: true }, { deny: ['mcp__db__query(drop:true)'] }), 'deny')
  assert.equal(await run({ database: 'dev' }, { mode: 'plan' }), 'ask')
  assert.equal(await run({ database: 'dev' }, { servers: () => ['db', 'db__query'] }), 'allow')
  assert.equal(await run({ database: 'dev' }, { servers: () => ['db', 'db'] }), 'ask')
  assert.equal(await decide('mcp__db__query', { allow: ['mcp__db(database:dev)'] }, { database: 'dev' }), 'ask')
  assert.equal(await decide('Config', { allow: ['Config(setting:model)'] }, { setting: 'model' }), 'ask')
})

test('whatever is written: an allow rule on a parameter approves nothing without it, and a deny rule beats it', async () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constantFrom('dev', 'DEV', ' dev', 'dev\n', null))
  const input = fc.dictionary(
    fc.constantFrom('database', 'Database', 'mode', '__proto__'),
    fc.oneof(value, fc.array(value)),
  )
  await fc.assert(
    fc.asyncProperty(input, async (given) => {
      const allow = ['mcp__db__query(database:dev)']
      const verdict = await decide('mcp__db__query', { allow }, given)
      const has = Object.hasOwn(given, 'database') && given['database'] === 'dev'
      assert.equal(verdict, has ? 'allow' : 'ask')
      const denied = await decide('mcp__db__query', { allow: ['mcp__db'], deny: allow }, given)
      if (has) assert.equal(denied, 'deny')
      // Whatever the allow rule would cover, the same deny rule covers, too.
      if (verdict === 'allow') assert.equal(await decide('mcp__db__query', { allow, deny: allow }, given), 'deny')
    }),
    { numRuns: 60 },
  )
})

test('agents and skills by name', async () => {
  const agent = (options: Partial<PermissionOptions>) =>
    decide('Task', options, { subagent_type: 'Explore', prompt: 'x' }, 'none')
  assert.equal(await agent({}), 'allow')
  assert.equal(await agent({ deny: ['Agent(Explore)'] }), 'deny')
  assert.equal(await agent({ deny: ['Task(Explore)'] }), 'deny')
  assert.equal(await agent({ deny: ['Agent(Plan)'] }), 'allow')
  assert.equal(await agent({ ask: ['Agent'] }), 'ask')
  assert.equal(await decide('Skill', { deny: ['Skill(deploy:*)'] }, { skill: 'deploy prod' }, 'none'), 'deny')
  assert.equal(await decide('Skill', { deny: ['Skill(deploy:*)'] }, { skill: 'deployer' }, 'none'), 'allow')
})

test('tools a deny rule removes from the model', () => {
  const permissions = createTestPermissions({ deny: ['WebFetch', 'Bash(rm *)', 'mcp__github', 'Note*', 'Agent'] })
  const names = ['Bash', 'WebFetch', 'mcp__github__get', 'mcp__git__get', 'NotebookEdit', 'Task', 'Read']
  assert.deepEqual(permissions.removedTools(names), ['WebFetch', 'mcp__github__get', 'NotebookEdit', 'Task'])
})
