/** The corpus of permission cases: each is put to `explainPermission`, links on a real disk, and the answers are counted. */
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type ExplainPermissionOptions, explainPermission } from '../../src/index.js'

type Behavior = 'allow' | 'ask' | 'deny'

export type Case = ExplainPermissionOptions & {
  id: string
  cat: string
  expect: Behavior
  /** The answers that count as right; `expect` alone if not said. */
  accept?: Behavior[]
  /** Links the case is about. */
  fs?: { link?: string; hardlink?: string; to: string }[]
}

export type Row = { category: string; cases: number; right: number; unsafe: number; undenied: number; prompts: number }

export type Tally = {
  rows: Row[]
  total: Row
  /** One line for each answer that is not right. */
  wrong: string[]
}

const HOME = '/home/u'

export function readCases(file: URL | string): Case[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  // The shape of the corpus is what its readers rely on; `explainPermission` checks what it is given.
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Case)
}

export async function tally(cases: readonly Case[]): Promise<Tally> {
  const rows = new Map<string, Row>()
  const wrong: string[] = []
  for (const one of cases) {
    const row = rows.get(one.cat) ?? emptyRow(one.cat)
    rows.set(one.cat, row)
    const accepted = one.accept ?? [one.expect]
    // What is behind a link may be there or not; the answer has to be right both times.
    const answers = await Promise.all(one.fs ? [decide(one, true), decide(one, false)] : [decide(one, true)])
    const miss = answers.find((answer) => !accepted.includes(answer))
    row.cases += 1
    if (miss === undefined) row.right += 1
    else {
      const input = JSON.stringify(one.input).slice(0, 120)
      wrong.push(`${one.id} ${one.cat}: ${miss} instead of ${accepted.join(' or ')}: ${input}`)
    }
    if (answers.includes('allow') && !accepted.includes('allow')) row.unsafe += 1
    if (accepted.join() === 'deny' && miss !== undefined) row.undenied += 1
    if (accepted.join() === 'allow' && miss !== undefined) row.prompts += 1
  }
  const all = [...rows.values()]
  const total = emptyRow('all')
  for (const row of all)
    for (const name of ['cases', 'right', 'unsafe', 'undenied', 'prompts'] as const) total[name] += row[name]
  return { rows: all, total, wrong }
}

function emptyRow(category: string): Row {
  return { category, cases: 0, right: 0, unsafe: 0, undenied: 0, prompts: 0 }
}

async function decide(one: Case, targetsExist: boolean): Promise<Behavior> {
  if (!one.fs) return (await explainPermission({ home: HOME, ...one })).behavior
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-case-')))
  try {
    const moved = intoFolder({ home: HOME, ...one }, root)
    for (const { link, hardlink, to: named } of moved.fs ?? []) {
      // A link can name its target from where it is. Taken from here, that would be a file beside the repository.
      const to = resolve(dirname(link ?? hardlink ?? root), named)
      if (!to.startsWith(`${root}/`)) throw new Error(`${named} is outside ${root}`)
      const isLink = moved.fs?.some((other) => other.link === to)
      for (const path of [link ?? hardlink ?? '', to]) mkdirSync(dirname(path), { recursive: true })
      // A folder where something is looked for inside it.
      const isFolder = JSON.stringify(moved.input).includes(`${link}/`) || one.tool === 'Grep'
      if (!isLink && (targetsExist || hardlink)) isFolder ? mkdirSync(to, { recursive: true }) : writeFileSync(to, '')
      if (link) symlinkSync(named, link)
      if (hardlink) linkSync(to, hardlink)
    }
    return (await explainPermission(moved)).behavior
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** The same case with its whole world below `root`, so that its links can be made for real. */
function intoFolder<T extends Case>(one: T, root: string): T {
  const world = [
    one.cwd ?? '',
    HOME,
    ...(one.fs ?? []).flatMap(({ link, hardlink, to }) => [link ?? hardlink ?? '', to]),
  ]
  const tops = [...new Set(world.map((path) => path.split('/')[1] ?? ''))].filter((top) => top !== '')
  const place = new RegExp(`(?<![\\w.])/(?=(?:${tops.join('|')})(?![\\w.-]))`, 'g')
  const text = JSON.stringify(one, (_, value) => (typeof value === 'string' ? value.replace(place, `${root}/`) : value))
  // Only texts were changed.
  return JSON.parse(text) as T
}
