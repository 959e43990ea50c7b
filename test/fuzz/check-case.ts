/** One case through the engine and, if it is allowed, through the cage; and the smallest command that still shows a find. */
import type { Cage } from './cage.js'
import type { Case } from './generate-rules.js'
import { judgeText } from './judge.js'
import { violations } from './oracle.js'
import { REPO } from './world.js'

/** Undefined: not allowed, so not run. */
export async function check(one: Case, cage: Cage): Promise<string[] | undefined> {
  const { behavior, text } = await judgeText(one)
  if (behavior !== 'allow') return undefined
  const edits = one.mode === 'acceptEdits' || one.rules.allow.includes('Bash')
  return violations(one, await cage.run({ command: text, cwd: one.cwd ?? REPO, edits }))
}

/** Takes away pieces and rules as long as something still happens that should not. */
export async function minimize(one: Case, cage: Cage): Promise<Case> {
  let best = one
  const still = async (tried: Case) => ((await check(tried, cage))?.length ?? 0) > 0
  for (const behavior of ['allow', 'ask', 'deny'] as const) {
    for (const rule of best.rules[behavior]) {
      const fewer = best.rules[behavior].filter((other) => other !== rule)
      const tried = { ...best, rules: { ...best.rules, [behavior]: fewer } }
      if (await still(tried)) best = tried
    }
  }
  let tries = 400
  for (let size = best.command.length >> 1; size > 0; ) {
    let smaller = false
    for (let at = 0; at < best.command.length && tries > 0; ) {
      const tried = { ...best, command: best.command.slice(0, at) + best.command.slice(at + size) }
      tries -= 1
      if (await still(tried)) {
        best = tried
        smaller = true
      } else at += size
    }
    if (tries === 0) break
    if (!smaller || size > best.command.length) size = Math.min(size >> 1, best.command.length)
  }
  return best
}
