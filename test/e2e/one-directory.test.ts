/** One working directory for all tools: where the shell stands. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from 'kedge'
import { callTools, collect, startModelServer, testOptions } from 'kedge/testing'

test('after cd, relative paths of every tool start there, and whoever approves reads the whole path', async () => {
  await using server = await startModelServer([])
  await using folder = testOptions(server)
  const cwd = folder.cwd ?? assert.fail()
  await mkdir(join(cwd, 'sub'))
  await writeFile(join(cwd, 'package.json'), 'outer\n')
  await writeFile(join(cwd, 'sub/package.json'), 'inner\n')
  const asked: unknown[] = []
  const { results } = await callTools(
    [
      { name: 'Bash', input: { command: 'cd sub' } },
      { name: 'Read', input: { file_path: 'package.json' } },
      { name: 'Edit', input: { file_path: './package.json', old_string: 'inner', new_string: 'changed' } },
      { name: 'Write', input: { file_path: 'new.txt', content: 'x\n' } },
      { name: 'Grep', input: { pattern: 'changed', path: '.' } },
      { name: 'Glob', input: { pattern: '*.txt' } },
      { name: 'Read', input: { file_path: 'sub/package.json' } },
    ],
    {
      cwd,
      canUseTool: async (_name, input) => {
        asked.push(input['file_path'])
        return { behavior: 'allow', updatedInput: input }
      },
    },
  )
  const text = results.map((result) => result.text)
  const sub = join(cwd, 'sub')
  assert.equal(text[0], `(The working directory is now ${sub})`)
  assert.equal(text[1], '     1→inner')
  assert.equal(text[2], `The file ${sub}/package.json has been updated successfully. Changed: line 1.`)
  assert.equal(text[3], `File created successfully at: ${sub}/new.txt`)
  assert.match(text[4] ?? '', /package\.json$/)
  assert.match(text[5] ?? '', /new\.txt/)
  assert.equal(
    text[6],
    `File does not exist. Note: your current working directory is ${sub}. Did you mean ${sub}/package.json?`,
  )
  assert.equal(await readFile(join(cwd, 'package.json'), 'utf8'), 'outer\n')
  assert.deepEqual(asked, [`${sub}/package.json`, `${sub}/new.txt`])
})

test('cd is a barrier between the calls of one message', async () => {
  const calls = [
    { name: 'Grep', input: { pattern: 'needle' } },
    { name: 'Bash', input: { command: 'cd sub' } },
    { name: 'Grep', input: { pattern: 'needle' } },
  ]
  await using server = await startModelServer([{ tools: calls }, 'Done.'])
  await using options = testOptions(server)
  const cwd = options.cwd ?? assert.fail()
  await mkdir(join(cwd, 'sub'))
  await writeFile(join(cwd, 'outer.txt'), 'needle\n')
  await writeFile(join(cwd, 'sub/inner.txt'), 'needle\n')
  await collect(query({ prompt: 'Go.', options }))
  const results = server.requests[1]?.toolResults.map(({ text }) => String(text)) ?? []
  assert.match(results[0] ?? '', /^Found 2 files/)
  assert.equal(results[2], 'Found 1 file\ninner.txt')
})
