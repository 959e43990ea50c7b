/** Monotony: a further deny or ask rule, one allow rule less, or any way of wrapping a command never gives a wider decision. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { loadShellParser } from '../../src/permissions/bash/syntax/parse-command.js'
import { byTier } from '../support/tier.js'
import { command } from './generate.js'
import { type Case, randomRule, randomRules } from './generate-rules.js'
import { judge } from './judge.js'
import { caseRandom, chooseSeed, type Random } from './random.js'
import { REWRITES } from './rewrites.js'

const STRICTNESS = { allow: 0, ask: 1, deny: 2 }
const PAIRS = byTier({ quick: 100, all: 1_200, long: 100_000 })

/** The mode turns a question into a denial; what is compared is what the rules say. */
function randomCase(random: Random): Case {
  const { rules, mode } = randomRules(random)
  return { command: command(random, random.pick([0, 0, 1, 2])), rules, mode: mode === 'dontAsk' ? 'default' : mode }
}

test('there are enough ways to rewrite a command, all different', () => {
  const rewritten = new Set(REWRITES.map(({ apply }) => apply('npm publish x')))
  rewritten.delete(undefined)
  assert.ok(rewritten.size >= 100, `${rewritten.size}`)
})

const parse = await loadShellParser()

/** Text that bash itself refuses is asked about, and text that runs nothing: more text around it can make a command of it. */
function isCommand(text: string): boolean {
  return parse(text).commands.length > 0 && spawnSync('bash', ['-n', '-c', text]).status === 0
}

test(`${PAIRS} pairs: no way of wrapping, quoting, chaining, nesting or redirecting a command is judged milder`, async () => {
  const seed = chooseSeed(20_260_802)
  process.stderr.write(`metamorphic: ${PAIRS} rewritten commands, seed ${seed} (repeat with KEDGE_SEED=${seed})\n`)
  const milder: { rewrite: string; before: string; after: string; rewritten: string; one: Case }[] = []
  for (let pairs = 0, i = 0; pairs < PAIRS && milder.length < 10; i++) {
    const random = caseRandom(seed, i)
    const one = randomCase(random)
    const before = await judge(one)
    for (const { name, apply, visible } of random.some(REWRITES, 8)) {
      const rewritten = apply(one.command)
      if (rewritten === undefined || rewritten === one.command) continue
      const after = await judge({ ...one, command: rewritten })
      pairs += 1
      const least = visible ? STRICTNESS[before] : Math.min(STRICTNESS[before], 1)
      if (STRICTNESS[after] < least && isCommand(one.command))
        milder.push({ rewrite: name, before, after, rewritten, one })
    }
  }
  assert.deepEqual(milder, [])
})

test(`${PAIRS} pairs: a deny or ask rule more, or an allow rule less, never gives a milder answer`, async () => {
  const seed = chooseSeed(20_260_803)
  process.stderr.write(`metamorphic: ${PAIRS} changed rules, seed ${seed} (repeat with KEDGE_SEED=${seed})\n`)
  const milder: { before: string; after: string; one: Case; changed: Case['rules'] }[] = []
  for (let i = 0; i < PAIRS && milder.length < 10; i++) {
    const random = caseRandom(seed, i)
    const one = randomCase(random)
    const { rules } = one
    const behavior = random.pick(['allow', 'ask', 'deny'] as const)
    const changed = {
      ...rules,
      [behavior]: behavior === 'allow' ? rules.allow.slice(1) : [...rules[behavior], randomRule(random)],
    }
    const [before, after] = [await judge(one), await judge({ ...one, rules: changed })]
    if (STRICTNESS[after] < STRICTNESS[before]) milder.push({ before, after, one, changed })
  }
  assert.deepEqual(milder, [])
})
