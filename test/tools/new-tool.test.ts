/** A tool that is added in a folder of its own is shown by editors, the terminal, the web app, and the universal API, with no other change. */
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
import { toAcpToolCallFields } from './src/acp/updates/tool-call-fields.js'
import { requestTitle } from './src/view/request-title.js'
import { applyToView } from './src/view/session-view.js'
import { createSessionView } from './src/view/view-state.js'
import { newProjection, projectEntryToEvents } from './src/server/universal/universal-projection.js'
import { outcomeLines, titleLine } from './src/terminal/blocks/tool-lines.js'
import { plainStyles } from './src/terminal/screen/styles.js'
import { headOf } from './web/tools/tool-heads.js'
const common = { session: 's', at: '2026-11-19T00:00:00.000Z' }
const say = (seq, type, content, more) =>
  ({ ...common, seq, kind: 'message', data: { type, parent_tool_use_id: null, uuid: 'u' + seq, message: { id: 'm', content }, ...more } })
const input = { harbor: 'Dover' }
const tool = { name: 'TideTable', input, hash: '', useId: 't' }
const ask = { id: 'a', session: 's', kind: 'permission', agent: [], why: {}, suggestions: [], since: common.at, tool }
const log = [
  say(1, 'assistant', [{ type: 'tool_use', id: 't', name: 'TideTable', input }]),
  { ...common, seq: 2, kind: 'ask', data: ask },
  say(3, 'user', [{ type: 'tool_result', tool_use_id: 't', content: 'much text' }], { tool_use_result: {} }),
]
const view = createSessionView()
for (const entry of log) applyToView(view, entry)
const projection = newProjection()
const events = log.flatMap((entry) => projectEntryToEvents(projection, entry, { session: 's', name: 's' }))
const [call] = view.items
const styles = plainStyles()
console.log(JSON.stringify({
  editor: toAcpToolCallFields(call.name, call.input, '/w'),
  terminal: [titleLine(call, '/w', 80, styles), ...outcomeLines(call, call.result, { columns: 80, styles, isWhole: false }).lines],
  page: headOf(call, '/w'),
  asked: requestTitle(ask, '/w'),
  universal: events.find(({ type }) => type === 'permission.requested').data.title,
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
      universal: 'Look up the tides at Dover?',
    })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
