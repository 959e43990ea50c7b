import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createRegistry } from '../registry.js'
import { createTestContext, type TestContext } from '../test-context.js'
import { createTaskTool } from './task.js'

const agents = () => [
  { name: 'Explore', description: 'Looks around.' },
  { name: 'Plan', description: 'Makes plans.' },
]
const run = async () => assert.fail('must not start')
const input = { description: 'Look around', prompt: 'Find it.', subagent_type: 'Explore' }

describe('Task', () => {
  let test: TestContext
  beforeEach(async () => {
    test = await createTestContext()
  })
  afterEach(() => test.dispose())

  it('T48 names the agents there are when asked for another', async () => {
    const tool = createTaskTool({ agents, run: async () => assert.fail('must not start') })
    assert.deepEqual(await tool.execute({ ...input, subagent_type: 'x' }, test.context), {
      ok: false,
      error: "Agent type 'x' not found. Available agents: Explore, Plan",
    })
    for (const subagent_type of ['', 'explorer', '__proto__', 'a\0b', '\ud800', 'x'.repeat(1024 * 1024)]) {
      const outcome = await tool.execute({ ...input, subagent_type }, test.context)
      assert.ok(!outcome.ok && outcome.error.startsWith("Agent type '") && outcome.error.length < 500)
    }
  })

  it('takes the type of an agent whatever the case of its letters', async () => {
    const started: string[] = []
    const tool = createTaskTool({
      agents,
      async run(given) {
        started.push(given.subagent_type)
        return { ok: true, content: '', output: null }
      },
    })
    for (const subagent_type of ['explore', 'PLAN ', 'Explore']) {
      assert.notEqual((await tool.prepare?.({ ...input, subagent_type }, test.context))?.subagent_type, 'explore')
      await tool.execute({ ...input, subagent_type }, test.context)
    }
    assert.deepEqual(started, ['Explore', 'Plan', 'Explore'])
    const two = createTaskTool({
      agents: () => [
        { name: 'A', description: '' },
        { name: 'a', description: '' },
      ],
      run,
    })
    assert.equal((await two.prepare?.({ ...input, subagent_type: 'a' }, test.context))?.subagent_type, 'a')
  })

  it('hands the work over, with the call it belongs to', async () => {
    const seen: unknown[] = []
    const done = { ok: true as const, content: 'Found.', output: { status: 'completed' } }
    const tool = createTaskTool({
      agents,
      async run(given, context) {
        seen.push(given, context)
        return done
      },
    })
    assert.deepEqual(await tool.execute(input, test.context), done)
    assert.deepEqual(seen, [input, test.context])
  })

  it('is not asked about, runs beside its like, and lists the agents for the model', () => {
    const tool = createTaskTool({ agents, run })
    assert.deepEqual(tool.facts(input, test.context), { kind: 'none' })
    assert.equal(tool.isReadOnly(input), true)
    assert.ok(tool.description.endsWith('The types of agents:\n- Explore: Looks around.\n- Plan: Makes plans.'))
    assert.doesNotMatch(createTaskTool({ agents: () => [], run }).description, /types of agents/)
  })

  it('knows teammates only where there are teams', () => {
    const parse = (teams: boolean, more: object) =>
      createRegistry([createTaskTool({ agents, run, teams })], test.context)
        .port.find('Task')
        ?.parse({ ...input, ...more }).ok
    const member = { name: 'ann', team_name: 'core', mode: 'plan' }
    assert.deepEqual(
      [parse(true, member), parse(false, { ...member, model: 'other' }), parse(false, {})],
      [true, false, true],
    )
    for (const max_turns of [0, -1, 1.5, 2 ** 53]) assert.equal(parse(false, { max_turns }), false)
    assert.equal(parse(false, { max_turns: 1, model: 'haiku', isolation: 'worktree', resume: 'a1' }), true)
  })
})
