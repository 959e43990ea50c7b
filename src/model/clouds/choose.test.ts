import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCloudChoice } from './choose.js'
import { chooseCloudFactory } from './clouds.js'

const on = (...names: string[]) => Object.fromEntries(names.map((name) => [`CLAUDE_CODE_USE_${name}`, '1']))

test('the switch that says yes decides; those that say no are as if they were not there', () => {
  const cases: [Record<string, string>, string | undefined][] = [
    [{}, undefined],
    [{ CLAUDE_CODE_USE_BEDROCK: '0', CLAUDE_CODE_USE_VERTEX: 'no' }, undefined],
    [on('BEDROCK'), 'bedrock false'],
    [{ CLAUDE_CODE_USE_MANTLE: 'yes' }, 'mantle true'],
    [{ CLAUDE_CODE_USE_ANTHROPIC_AWS: '1' }, 'anthropicAws false'],
    [on('VERTEX'), 'vertex false'],
    [{ CLAUDE_CODE_USE_FOUNDRY: ' 1 ' }, 'foundry false'],
    [{ CLAUDE_CODE_USE_BEDROCK: 'true', CLAUDE_CODE_USE_VERTEX: '0' }, 'bedrock false'],
    // Names of Mantle go there, all others to the runtime; the vendor's platform gives way to these two.
    [on('BEDROCK', 'MANTLE'), 'bedrock true'],
    [on('BEDROCK', 'ANTHROPIC_AWS'), 'bedrock false'],
    [on('FOUNDRY', 'ANTHROPIC_AWS'), 'foundry false'],
  ]
  for (const [env, expected] of cases) {
    const choice = readCloudChoice(env)
    assert.equal(choice && `${choice.cloud} ${choice.withMantle}`, expected, JSON.stringify(env))
  }
})

test('contradictions and odd values are refused by name', () => {
  const both = on('VERTEX', 'FOUNDRY')
  assert.throws(
    () => readCloudChoice(both),
    /CLAUDE_CODE_USE_VERTEX and CLAUDE_CODE_USE_FOUNDRY are set: .* one cloud only/,
  )
  assert.throws(() => readCloudChoice(on('BEDROCK', 'VERTEX', 'FOUNDRY')), /BEDROCK, .*VERTEX and .*FOUNDRY are set/)
  assert.throws(() => readCloudChoice(on('VERTEX', 'ANTHROPIC_AWS')), /one cloud only/)
  assert.throws(() => chooseCloudFactory({ CLAUDE_CODE_USE_BEDROCK: 'maybe' }), {
    message: 'CLAUDE_CODE_USE_BEDROCK must be 1 or 0, not "maybe".',
  })
})
