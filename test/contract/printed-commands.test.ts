/** Every `kedge …` command that help, an error, a fix or a page prints is one that the command takes; many of them are run. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startModelServer, testOptions } from 'kedge/testing'
import { helpText } from '../../src/cli/help.js'
import { PROBLEMS } from '../../src/server/api/problems.js'
import { cli, run } from '../first-hour/kedge.js'
import { isInPart } from '../support/tier.js'
import {
  commandsIn,
  commandsOfHelp,
  commandsOfPages,
  commandsOfTexts,
  type PrintedCommand,
  problemOf,
} from './printed-commands.js'

const mainExamples = helpText()
  .split('\nExamples:\n')[1]
  ?.split('\n\n')[0]
  ?.split('\n')
  .filter((line) => /^ {2}\S/.test(line))
  .map((line): PrintedCommand => ({ where: 'kedge --help', line: line.trim(), isWhole: true }))
const fixes = Object.entries(PROBLEMS).flatMap(([code, [, fix]]) => {
  const [line] = /kedge [a-z].*$/.exec(fix) ?? []
  return line === undefined ? [] : [{ where: `fix of ${code}`, line, isWhole: true }]
})
const printed: Record<string, PrintedCommand[]> = {
  help: [...commandsOfHelp(), ...(mainExamples ?? [])],
  pages: commandsOfPages(),
  texts: [...commandsOfTexts(), ...fixes],
}

describe('commands that are printed', () => {
  for (const [name, least] of [
    ['help', 55],
    ['pages', 130],
    ['texts', 15],
  ] as const)
    test(`of ${name} are taken as they are: no unknown flag, no argument too much`, () => {
      const commands = printed[name] ?? []
      assert.ok(commands.length >= least, `${commands.length} commands`)
      const wrong = commands.flatMap((command) => {
        const problem = problemOf(command)
        return problem === undefined ? [] : [`${command.where}: ${command.line}\n    ${problem}`]
      })
      assert.deepEqual(wrong, [])
    })

  for (const [line, problem] of [
    ['kedge admin tenant acme --budget 5', /doesn't take 'acme'/],
    ['kedge serve --prot 1', /unknown option '--prot'/],
    ['npx kedge doctro', /unknown command 'doctro'/],
    ['git diff | kedge -p "x" --modle practice', /unknown option '--modle'/],
    ['kedge login', /Kedge has no command 'login'/],
  ] as const)
    test(`a wrong one is noticed: ${line}`, () =>
      assert.match(problemOf({ where: '', line, isWhole: true }) ?? 'none', problem))
})

/** These wait for clients, users or a database, or need another service: their command line was parsed above. */
const NOT_RUN =
  /^(?:serve|worker|admin|attach|acp|eval (?:run tasks.*(?:sonnet|--by-hand)|diff|report|hand)|mcp (?:test|serve|login|search|add .*--registry)|models ollama|-[rp] --model (?:openai|ollama))|--resume|--continue$|sonnet-4-6 --/
const WRONG = /for (?:details|all options)\.|\b404\b|unknown option|unknown command/

test('those that need no user and no database run, in a home of their own, and ask for nothing that is not there', async () => {
  await using server = await startModelServer(() => 'Done.')
  await using options = testOptions(server)
  const { HOME = '' } = options.env
  const bin = join(HOME, 'bin')
  for (const folder of [bin, join(HOME, '.zfunc'), join(HOME, '.config/fish/completions')])
    mkdirSync(folder, { recursive: true })
  const program = (name: string, body: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  program('kedge', `exec '${process.execPath}' '${cli}' "$@"`)
  program('npx', 'exec "$@"')
  program('jq', 'cat')
  writeFileSync(join(options.cwd, 'README.md'), '# Here\n')
  const place = { cwd: options.cwd, env: { ...options.env, PATH: `${bin}:${options.env['PATH']}` } }
  const lines = [...(printed['help'] ?? []), ...(printed['pages'] ?? [])]
    .filter(({ isWhole }) => isWhole)
    .map(({ line }) => line)
    .filter((line) => {
      const calls = commandsIn(line).map((words) => words.join(' '))
      // Without -p it is a conversation.
      return calls.length > 0 && calls.every((call) => call !== '' && !NOT_RUN.test(call)) && !line.includes('…')
    })
  const unique = [...new Set(lines)]
  assert.ok(unique.length >= 25, unique.join('\n'))
  for (const line of unique.filter((each) => /\beval init\b/.test(each) || isInPart(each))) {
    const { code, stdout, stderr } = await run('bash', ['-c', `git init -q . 2>/dev/null; ${line}`], place)
    assert.doesNotMatch(stderr, WRONG, `${line}\n${stderr}`)
    if (/kedge (?:.* )?-p\b|kedge (?:doctor|update|completion|help|permissions)/.test(line))
      assert.equal(code, 0, `${line}\n${stdout}${stderr}`)
  }
})
