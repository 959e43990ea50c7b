/** Every scenario for every provider, against a server that speaks its format; docs/models.md has the table. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { query, type SDKMessage, type SDKUserMessage } from 'kedge'
import { collect, testOptions } from 'kedge/testing'
import { PROVIDERS } from '../support/providers/all-providers.js'
import { MESSAGES_FAMILY } from '../support/providers/messages-family.js'
import { OPENAI_FAMILY } from '../support/providers/openai-family.js'
import { spokenClient } from '../support/providers/spoken-client.js'
import { type Spoken, startSpoken } from '../support/providers/spoken-server.js'
import { isInPart } from '../support/tier.js'
import { LOOP_SCENARIOS, type LoopScenario, type Place, userMessage } from './loop-scenarios.js'
import { WIRE_SCENARIOS, type WireScenario } from './wire-scenarios.js'

async function runLoop(scenario: LoopScenario, spoken: Spoken): Promise<void> {
  await using options = testOptions({ env: () => ({}) })
  const place: Place = { cwd: options.cwd, options }
  await using server = await startSpoken(spoken, scenario.script(place))
  place.options = { ...options, ...scenario.options?.(place), env: { ...options.env, ...server.env() } }
  scenario.prepare?.(place)
  const { prompts = ['Go.'] } = scenario
  const messages = scenario.run
    ? await scenario.run(place)
    : (await collect(query({ prompt: inTurn(prompts), options: place.options }))).messages
  const result = messages.filter((m): m is Extract<SDKMessage, { type: 'result' }> => m.type === 'result').at(-1)
  assert.deepEqual(server.problems, [])
  const told = JSON.stringify(messages)
  // Commands see what is for them; nobody else says it.
  if (!/"command":"env"/.test(told)) for (const secret of spoken.secrets) assert.ok(!told.includes(secret))
  scenario.check({ messages, result, error: undefined, server, spoken, place })
}

async function* inTurn(prompts: readonly (string | SDKUserMessage['message']['content'])[]) {
  for (const prompt of prompts) yield userMessage(prompt)
}

async function runWire(scenario: WireScenario, spoken: Spoken): Promise<void> {
  await using server = await startSpoken(spoken, scenario.script)
  await using client = await spokenClient({ env: { ...server.env(), ...scenario.env } })
  await scenario.check({ client, server, spoken })
  assert.deepEqual(server.problems, [])
}

/** The first of each family plays everything; the others have the same port, and a part in `npm test`. */
const FIRST = [MESSAGES_FAMILY[0], OPENAI_FAMILY[0]]
const isPlayed = (spoken: Spoken, name: string) => FIRST.includes(spoken) || isInPart(`${spoken.name} ${name}`)

for (const spoken of PROVIDERS) {
  describe(spoken.name, { concurrency: 4 }, () => {
    for (const scenario of LOOP_SCENARIOS)
      if (!spoken.lacks?.[scenario.name] && isPlayed(spoken, scenario.name))
        test(scenario.name, () => runLoop(scenario, spoken))
    for (const scenario of WIRE_SCENARIOS)
      if (!spoken.lacks?.[scenario.name] && isPlayed(spoken, scenario.name))
        test(scenario.name, () => runWire(scenario, spoken))
  })
}

test('docs/models.md lists every scenario, for every provider', () => {
  const page = readFileSync('docs/models.md', 'utf8')
  const rows = [...page.matchAll(/^\| ([^|`]+) \|((?: (?:✓|–[^|]*) \|)+)$/gm)].map(([, name = '', cells = '']) => [
    name,
    cells
      .split('|')
      .slice(0, -1)
      .map((cell) => cell.trim() === '✓'),
  ])
  const expected = [...LOOP_SCENARIOS, ...WIRE_SCENARIOS].map(({ name }) => [
    name,
    PROVIDERS.map(({ lacks }) => lacks?.[name] === undefined),
  ])
  assert.deepEqual(rows, expected)
  assert.ok(expected.length >= 60, String(expected.length))
})
