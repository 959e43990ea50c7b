/** A tool that is added in a folder of its own is shown by editors, the terminal, and the web app, with no other change. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const packageRoot = fileURLToPath(new URL('../../../', import.meta.url))

const DISPLAY = `
import { defineDisplay, inputText } from '../tool-display.js'
export const tideTableDisplay = defineDisplay({
  name: 'TideTable', kind: 'fetch', body: 'page',
  label: () => 'Tides', subject: (call) => inputText(call, 'harbor'),
  title: (call) => 'Tides at ' + inputText(call, 'harbor'),
  question: (call) => 'Look up the tides at ' + inputText(call, 'harbor') + '?',
  outcome: () => 'high at noon',
})`

const ENTRY = `
import { shownToolFacts } from './src/acp/updates/tool-facts.js'
import { requestTitle } from './src/hub/view/request-title.js'
import { outcomeLines, titleLine } from './src/terminal/blocks/tool-lines.js'
import { plainStyles } from './src/terminal/screen/styles.js'
import { headOf } from './web/tools/tool-heads.js'
const call = { id: 't', name: 'TideTable', input: { harbor: 'Dover' }, parent: null }
const styles = plainStyles()
const result = { content: 'much text', isError: false, detail: {}, ms: 1 }
const block = { type: 'tool_result', tool_use_id: 't', content: 'much text' }
console.log(JSON.stringify({
  editor: shownToolFacts(call.name, call.input, '/w'),
  terminal: [titleLine(call, '/w', 80, styles), ...outcomeLines(call, block, {}, { columns: 80, styles, isWhole: false }).lines],
  page: headOf({ ...call, result, isWaiting: false, live: false }, '/w'),
  asked: requestTitle({ kind: 'permission', tool: { name: call.name, input: call.input, hash: '', useId: 't' } }, '/w'),
}))`

test('a tool with a folder of its own', async () => {
  const root = mkdtempSync(join(tmpdir(), 'kedge-new-tool-'))
  try {
    for (const folder of ['src', 'web']) cpSync(join(packageRoot, folder), join(root, folder), { recursive: true })
    cpSync(join(packageRoot, 'tsconfig.json'), join(root, 'tsconfig.json'))
    symlinkSync(join(packageRoot, 'node_modules'), join(root, 'node_modules'))
    mkdirSync(join(root, 'src/tools/tide-table'))
    writeFileSync(join(root, 'src/tools/tide-table/tide-table-display.ts'), DISPLAY)
    execFileSync(process.execPath, [join(packageRoot, 'scripts/emit-displays.mjs'), '--root', root])
    const { outputFiles } = await build({
      stdin: { contents: ENTRY, resolveDir: root, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
    })
    const program = join(root, 'shown.mjs')
    writeFileSync(program, outputFiles?.[0]?.text ?? '')
    const shown = JSON.parse(execFileSync(process.execPath, [program], { encoding: 'utf8' }))
    assert.deepEqual(shown, {
      editor: { title: 'Tides at Dover', kind: 'fetch', locations: [] },
      terminal: ['Tides Dover', '  ` high at noon'],
      page: { verb: 'Tides', target: 'Dover', count: 'high at noon', isOpen: false },
      asked: 'Look up the tides at Dover?',
    })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
