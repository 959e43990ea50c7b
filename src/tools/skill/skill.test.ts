import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createTestContext, type TestContext } from '../test-context.js'
import { createSkillTool } from './skill.js'

describe('Skill', () => {
  let test: TestContext
  beforeEach(async () => {
    test = await createTestContext()
  })
  afterEach(() => test.dispose())

  const none = createSkillTool({
    find: () => undefined,
    names: () => [],
    load: async () => assert.fail('there is nothing to load'),
  })
  const skills = [
    { name: 'review' },
    { name: 'gone' },
    { name: 'deploy', userOnly: true },
    { name: 'wide', allowedTools: ['Bash(npm:*)'], model: 'haiku' },
  ]
  const some = createSkillTool({
    find: (name) => skills.find((skill) => skill.name === (name === 'check' ? 'review' : name)),
    names: () => ['review', 'gone'],
    load: async (name, args) =>
      name === 'gone' ? { problem: 'It is gone.' } : { text: `Review ${args || 'everything'}.` },
  })

  it('knows no skill when there are none', async () => {
    assert.equal(await none.check?.({ skill: 'nope' }, test.context), 'Unknown skill: nope')
    assert.deepEqual(await none.execute({ skill: 'nope' }, test.context), {
      ok: false,
      error: 'Unknown skill: nope',
      refused: true,
    })
  })

  it('names the skills there are', async () => {
    const error = 'Unknown skill: nope. Available skills: review, gone'
    assert.equal(await some.check?.({ skill: 'nope' }, test.context), error)
    assert.equal(await some.check?.({ skill: 'review' }, test.context), undefined)
  })

  it('loads one, with what is passed to it', async () => {
    assert.deepEqual(await some.execute({ skill: 'review', args: 'the diff' }, test.context), {
      ok: true,
      content: 'Launching skill: review',
      output: { success: true, commandName: 'review' },
      follow: 'Review the diff.',
    })
    const plain = await some.execute({ skill: 'review' }, test.context)
    assert.ok(plain.ok && plain.follow === 'Review everything.')
    assert.deepEqual(await some.execute({ skill: 'gone' }, test.context), { ok: false, error: 'It is gone.' })
  })

  it('takes the slash away before rules judge the name, and nowhere else', async () => {
    assert.deepEqual(await some.prepare?.({ skill: ' /review', args: 'x' }, test.context), {
      skill: 'review',
      args: 'x',
    })
    assert.equal((await some.execute({ skill: '/review' }, test.context)).ok, false)
    assert.deepEqual(some.facts({ skill: 'review' }, test.context), { kind: 'none' })
  })

  it('one that brings rules along is asked for, and says what it brings', async () => {
    assert.deepEqual(some.facts({ skill: 'wide' }, test.context), { kind: 'other' })
    const loaded = await some.execute({ skill: 'wide' }, test.context)
    assert.deepEqual(loaded.ok && loaded.output, {
      success: true,
      commandName: 'wide',
      allowedTools: ['Bash(npm:*)'],
      model: 'haiku',
    })
  })

  it('one that is only for the user stays that', async () => {
    const error = 'Skill deploy cannot be used with Skill tool due to disable-model-invocation'
    assert.equal(await some.check?.({ skill: 'deploy' }, test.context), error)
    const outcome = await some.execute({ skill: 'deploy' }, test.context)
    assert.deepEqual(outcome, { ok: false, error, refused: true })
  })

  it('judges the skill by its own name, whatever it was called by', async () => {
    assert.deepEqual(await some.prepare?.({ skill: '/check' }, test.context), { skill: 'review' })
  })

  it('takes odd names for unknown ones', async () => {
    for (const skill of ['', '__proto__', '../../etc/passwd', 'a\0b', '\ud800', 'x'.repeat(1024 * 1024)]) {
      const refusal = (await some.check?.({ skill }, test.context)) ?? ''
      assert.match(refusal, /^Unknown skill: /)
      assert.ok(refusal.length < 500)
    }
  })
})
