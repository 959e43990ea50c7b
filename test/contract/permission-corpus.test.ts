/** Runs the corpus of permission cases through the engine and holds it to its figures: no unsafe allow, and few questions too many. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type { PermissionFacts } from '../../src/engine/ports.js'
import { createPermissions } from '../../src/permissions/permissions.js'
import { fakeLinks } from '../../src/permissions/test-world.js'
import type { PermissionMode } from '../../src/protocol/permissions.js'

type Behavior = 'allow' | 'ask' | 'deny'
type Case = {
  id: string
  cat: string
  rules: Record<Behavior, string[]>
  mode: PermissionMode
  cwd: string
  tool: string
  input: Record<string, unknown>
  expect: Behavior
  accept?: Behavior[]
  fs?: { link?: string; hardlink?: string; to: string }[]
  platform?: string
  source?: string
  trusted?: boolean
  hook?: 'allow' | 'deny'
  servers?: string[]
  additionalDirectories?: string[]
  toolMeta?: Record<string, unknown>
}

const HOME = '/home/u'
/** Raise it when the engine gets better; never lower it. */
const RIGHT_AT_LEAST = 395

const cases: Case[] = readFileSync(new URL('./fixtures/permissions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  // The corpus is our own file; its shape is what the test relies on.
  .map((line) => JSON.parse(line) as Case)

test('the corpus of permission cases: no unsafe allow, and the committed number of right answers', async () => {
  const table = new Map<string, { cases: number; right: number; unsafe: number; prompts: number }>()
  const wrong: string[] = []
  const unsafe: string[] = []
  for (const one of cases) {
    // Links are tried with targets that exist and with targets that don't: the second may be stricter, never wider.
    const answers = await Promise.all([decide(one, true), decide(one, false)])
    const row = table.get(one.cat) ?? { cases: 0, right: 0, unsafe: 0, prompts: 0 }
    table.set(one.cat, row)
    row.cases += 1
    const accepted = one.accept ?? [one.expect]
    const answer = answers[0] ?? 'ask'
    if (accepted.includes(answer)) row.right += 1
    else
      wrong.push(
        `${one.id} ${one.cat}: ${answer} instead of ${accepted.join(' or ')}: ${JSON.stringify(one.input).slice(0, 120)}`,
      )
    if (answers.includes('allow') && !accepted.includes('allow')) {
      row.unsafe += 1
      unsafe.push(one.id)
    } else if (answer !== 'allow' && one.expect === 'allow' && !accepted.includes(answer)) row.prompts += 1
  }
  const rows = [...table].map(([category, row]) => ({ category, ...row }))
  const right = rows.reduce((sum, row) => sum + row.right, 0)
  console.table(rows)
  console.log(
    `right ${right} of ${cases.length}, unsafe allows ${unsafe.length}, over-prompts ${rows.reduce((n, r) => n + r.prompts, 0)}`,
  )
  for (const line of wrong) console.log(line)
  assert.deepEqual(unsafe, [])
  assert.ok(right >= RIGHT_AT_LEAST, `${right} right answers, ${RIGHT_AT_LEAST} are committed:\n${wrong.join('\n')}`)
})

async function decide(one: Case, targetsExist: boolean): Promise<Behavior> {
  if (one.hook === 'deny') return 'deny'
  const links = Object.fromEntries((one.fs ?? []).flatMap(({ link, to }) => (link === undefined ? [] : [[link, to]])))
  const hard = (one.fs ?? []).flatMap(({ hardlink }) => (hardlink === undefined ? [] : [hardlink]))
  const targets = targetsExist ? Object.values(links).filter((target) => links[target] === undefined) : []
  // What a repository brings along counts only once it is trusted.
  const untrusted = one.trusted === false && ['project', 'local-tracked'].includes(one.source ?? '')
  const permissions = createPermissions({
    files: fakeLinks(['/repo/src', HOME, '/tmp', '/etc', '/shared/lib', ...hard, ...targets], links),
    cwd: one.cwd,
    home: HOME,
    mode: one.mode,
    allowBypass: one.mode === 'bypassPermissions',
    directories: untrusted ? [] : (one.additionalDirectories ?? []),
    layers: [
      {
        source: one.source === 'user' ? 'userSettings' : 'session',
        root: one.source === 'user' ? `${HOME}/.claude` : one.cwd,
        ...one.rules,
        ...(untrusted ? { allow: [] } : {}),
      },
    ],
    foldCase: one.platform === 'darwin',
    ...(one.servers ? { servers: () => one.servers ?? [] } : {}),
  })
  const call = { id: 'toolu_1', name: one.tool, input: one.input }
  const decision = await permissions.decide(call, factsOf(one), { approvedByHook: one.hook === 'allow' })
  return decision.behavior
}

function factsOf({ tool, input, cwd, toolMeta }: Case): PermissionFacts {
  const path = (value: unknown) => resolve(cwd, typeof value === 'string' ? value : '.')
  if (toolMeta?.['anthropic/requiresUserInteraction'] === true || tool === 'AskUserQuestion') return { kind: 'ask' }
  if (tool === 'Bash') return { kind: 'command', command: String(input.command), cwd }
  if (tool === 'Read') return { kind: 'read', paths: [path(input.file_path)] }
  if (tool === 'Glob' || tool === 'Grep') return { kind: 'read', paths: [path(input.path)] }
  if (tool === 'Write' || tool === 'Edit') return { kind: 'edit', path: path(input.file_path) }
  if (tool === 'NotebookEdit') return { kind: 'edit', path: path(input.notebook_path) }
  if (tool === 'WebFetch') return { kind: 'fetch', url: String(input.url) }
  return tool === 'Agent' ? { kind: 'none' } : { kind: 'other' }
}
