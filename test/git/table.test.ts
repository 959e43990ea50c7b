/** The tables of git's commands against git itself: an option takes a value where the table says so, and all else asks. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, describe, it } from 'node:test'
import { gitReaderOptions } from '../../src/permissions/bash/programs/git/git-readers.js'
import { findGitVerb, listGitVerbs } from '../../src/permissions/bash/programs/git/git-verbs.js'
import { createTestPermissions, decisionOnBash } from '../../src/permissions/test-engine.js'
import fc from '../fast-check.js'
import { byTier } from '../support/tier.js'
import { createGitWorld } from './git-world.js'

const world = await createGitWorld()
after(() => world[Symbol.asyncDispose]())

/** Some of git's help needs a repository, and some of it is an error. */
const git = (...args: string[]) => {
  const { stdout, stderr } = spawnSync('git', args, {
    encoding: 'utf8',
    cwd: world.project,
    env: { PATH: process.env['PATH'] },
  })
  return stdout + stderr
}
const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')

/** As git tells those who complete its command lines. */
const longOptions = (verb: string) =>
  words(git(...verb.split(' '), '--git-completion-helper-all')).filter((word) => /^--\w/.test(word))

/** Letters that need a value, and letters that do not, as git's short help has them. */
function shortOptions(verb: string): { valued: Set<string>; plain: Set<string> } {
  const [valued, plain] = [new Set<string>(), new Set<string>()]
  for (const line of git(...verb.split(' '), '-h').split('\n')) {
    const [, letter, value] = /^ +-(\w)(?:, --[\w-]+)?( <)?/.exec(line) ?? []
    if (letter !== undefined && !/^ +-\w(?:, --[\w-]+)?\[/.test(line)) (value ? valued : plain).add(letter)
  }
  return { valued, plain }
}

const permissions = createTestPermissions({ allow: ['Bash(git:*)'] })
const TAKES = /[=<>]$/

describe('the table of what acts', () => {
  it('says of every option whether it takes a value, as git does', () => {
    const wrong: string[] = []
    let looked = 0
    for (const [verb, { options }] of listGitVerbs()) {
      const known = longOptions(verb)
      const short = shortOptions(verb)
      for (const option of words(options)) {
        const name = option.replace(/[=<>?]$/, '')
        if (option.startsWith('--')) {
          if (known.includes(name) || known.includes(`${name}=`)) looked += 1
          const valued = known.includes(`${name}=`)
          // Git's own list leaves the value out for this one.
          if (verb === 'merge' && name === '--file') continue
          if (known.includes(name) && !valued && TAKES.test(option)) wrong.push(`${verb} ${option}`)
          if (valued && !known.includes(name) && !/[=<>?]$/.test(option)) wrong.push(`${verb} ${option}`)
        } else
          for (const letter of name.slice(1)) {
            if (TAKES.test(option) ? short.plain.has(letter) : option.endsWith('?') ? false : short.valued.has(letter))
              wrong.push(`${verb} -${letter}`)
          }
      }
    }
    assert.deepEqual(wrong, [])
    assert.ok(looked > 500, `${looked}`)
  })

  it('is about commands that git has', () => {
    const all = words(git('--list-cmds=main,others'))
    for (const [verb] of listGitVerbs()) assert.ok(all.includes(verb.split(' ')[0] ?? ''), verb)
  })
})

describe('what is in no table asks', () => {
  it('every other command of git', async () => {
    const others = words(git('--list-cmds=main,others,nohelpers')).filter(
      (verb) => gitReaderOptions(verb) === undefined && !findGitVerb(verb),
    )
    const parted = /^(?:bisect|worktree|bundle|sparse-checkout)$/
    // These have forms of their own in which they only look.
    const looking = new Set(['config', 'clean', 'annotate'])
    assert.ok(others.length > 60)
    for (const verb of others.filter((one) => !looking.has(one) && !parted.test(one))) {
      assert.equal(await decisionOnBash(permissions, `git ${verb}`), 'ask', verb)
      assert.equal(await decisionOnBash(permissions, `git ${verb} x`), 'ask', verb)
    }
  })

  it('every other option of the commands that are', async () => {
    const tabled = [
      ...listGitVerbs().map(([verb]) => verb),
      'diff',
      'log',
      'show',
      'status',
      'grep',
      'blame',
      'ls-files',
      'cat-file',
    ]
    let tried = 0
    for (const verb of tabled) {
      const known = new Set(
        words(`${findGitVerb(verb)?.options ?? ''} ${gitReaderOptions(verb) ?? ''}`).map((one) =>
          one.replace(/[=<>?]$/, ''),
        ),
      )
      for (const option of longOptions(verb)) {
        const name = option.replace(/=$/, '')
        if (known.has(name)) continue
        tried += 1
        for (const command of [`git ${verb} ${name}`, `git ${verb} ${name}=x`, `git ${verb} ${name} x`])
          assert.equal(await decisionOnBash(permissions, command), 'ask', command)
      }
    }
    assert.ok(tried > 100, `${tried}`)
  })

  it('whatever else a verb or an option may be called', async () => {
    const name = fc.stringMatching(/^[a-z][a-z-]{1,12}$/)
    const verbs = listGitVerbs().map(([verb]) => verb)
    await fc.assert(
      fc.asyncProperty(name, fc.constantFrom(...verbs), fc.constantFrom('', '=x', ' x'), async (text, verb, value) => {
        const known = words(`${findGitVerb(verb)?.options} ${gitReaderOptions(verb)}`).map((one) =>
          one.replace(/[=<>?]$/, ''),
        )
        if (!known.includes(`--${text}`))
          assert.equal(
            await decisionOnBash(permissions, `git ${verb} --${text}${value}`),
            'ask',
            `git ${verb} --${text}${value}`,
          )
        if (gitReaderOptions(text) === undefined && !findGitVerb(text))
          assert.equal(await decisionOnBash(permissions, `git ${text}${value}`), 'ask', text)
      }),
      { numRuns: byTier({ quick: 50, all: 200 }) },
    )
  })
})
