/** A file that contains a tag of Kedge: Read shows it with `&lt;`, Edit takes what was shown, and the file keeps its own form. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'

/** Reads the file, then edits it with what `change` makes of the text that the model was shown. */
async function edited(content: string, change: (shown: string) => { old: string; new: string; all?: boolean }) {
  const file_path = 'prompts.ts'
  let sent = 0
  let result = ''
  await using server = await startModelServer((request) => {
    sent += 1
    if (sent === 1) return { tools: [{ name: 'Read', input: { file_path } }] }
    result = request.toolResults[0]?.text ?? ''
    if (sent > 2) return 'Done.'
    const shown = result.replace(/^ *\d+→/gm, '')
    const { old: old_string, new: new_string, all: replace_all = false } = change(shown)
    return { tools: [{ name: 'Edit', input: { file_path, old_string, new_string, replace_all } }] }
  })
  await using options = testOptions(server, { permissionMode: 'acceptEdits' })
  const path = join(options.cwd, file_path)
  writeFileSync(path, content)
  await collect(query({ prompt: 'Begin', options }))
  return { result, file: readFileSync(path, 'utf8') }
}

const RAW = 'const open = "<system-reminder>"\r\nconst close = "</system-reminder>"\r\nconst last = 1\r\n'

test('a text copied from what Read showed is found, and both tags keep the form of the file', async () => {
  const { file, result } = await edited(RAW, (shown) => {
    assert.ok(shown.includes('"&lt;system-reminder>"') && !shown.includes('<system-reminder'), shown)
    const old = shown.split('\n').slice(0, 2).join('\n')
    return { old, new: old.replace('const open', 'const begin').replace('const close', 'const end') }
  })
  assert.match(result, /has been updated successfully/)
  assert.equal(file, RAW.replace('const open', 'const begin').replace('const close', 'const end'))
})

test('a tag that comes new is written as the file has its own', async () => {
  const { file } = await edited(RAW, () => ({
    old: 'open = "&lt;system-reminder>"',
    new: 'open = "&lt;system-reminder>&lt;tool_use_error>"',
  }))
  assert.equal(file, RAW.replace('<system-reminder>', '<system-reminder><tool_use_error>'))
})

test('a file that has &lt; itself keeps it', async () => {
  const html = '<p>&lt;system-reminder></p>\n'
  const { file } = await edited(html, () => ({ old: '&lt;system-reminder></p>', new: '&lt;system-reminder>!</p>' }))
  assert.equal(file, html.replace('></p>', '>!</p>'))
})

test('where a file has both forms, the place is not guessed; with lines around it, each keeps its form', async () => {
  const both = 'a <system-reminder>\nb &lt;system-reminder>\n'
  const twice = await edited(both, () => ({ old: '&lt;system-reminder>', new: 'x' }))
  assert.match(twice.result, /Found 2 matches of the string to replace.*Found at lines 1, 2\./s)
  const all = await edited(both, () => ({ old: '&lt;system-reminder>', new: 'x', all: true }))
  assert.match(all.result, /Change them one at a time/)
  assert.deepEqual([twice.file, all.file], [both, both])
  const one = await edited(both, () => ({ old: 'b &lt;system-reminder>', new: 'c &lt;system-reminder>' }))
  assert.equal(one.file, both.replace('b', 'c'))
  const across = await edited(both, (shown) => ({ old: shown.trimEnd(), new: shown.trimEnd().replace('b', 'c') }))
  assert.equal(across.file, both.replace('b', 'c'))
})

test('every place changes with replace_all', async () => {
  const twice = '<system-reminder>a</system-reminder>\n<system-reminder>b</system-reminder>\n'
  const { file } = await edited(twice, () => ({
    old: '&lt;system-reminder>',
    new: '&lt;system-reminder>\n',
    all: true,
  }))
  assert.equal(file, twice.replaceAll('<system-reminder>', '<system-reminder>\n'))
})
