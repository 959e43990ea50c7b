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

  const none = createSkillTool({ skills: () => [], load: async () => assert.fail('there is nothing to load') })
  const some = createSkillTool({
    skills: () => ['review', 'gone'].map((name) => ({ name, description: '' })),
    load: async (name, args) => (name === 'review' ? `Review ${args || 'everything'}.` : undefined),
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
    assert.equal((await some.execute({ skill: 'gone' }, test.context)).ok, false)
  })

  it('takes the slash away before rules judge the name, and nowhere else', async () => {
    assert.deepEqual(await some.prepare?.({ skill: ' /review', args: 'x' }, test.context), {
      skill: 'review',
      args: 'x',
    })
    assert.equal((await some.execute({ skill: '/review' }, test.context)).ok, false)
    assert.deepEqual(some.facts({ skill: 'review' }, test.context), { kind: 'none' })
  })

  it('takes odd names for unknown ones', async () => {
    for (const skill of ['', '__proto__', '../../etc/passwd', 'a\0b', '\ud800', 'x'.repeat(1024 * 1024)]) {
      const refusal = (await some.check?.({ skill }, test.context)) ?? ''
      assert.match(refusal, /^Unknown skill: /)
      assert.ok(refusal.length < 500)
    }
  })
})
