// The terminal's pictures: the recorded session of the tests on an emulated screen, its cells written as SVG.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transpile } from '../transpile.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
await transpile()
const built = (name) => import(join(root, '.build', 'test', 'terminal', `${name}.js`))
const { openStage } = await built('stage')
const { playRecorded } = await built('recorded-session')
const { assistant } = await built('scripted-session')

const CELL = { width: 8.4, height: 18 }
const COLORS = ['#24292f', '#cf222e', '#116329', '#9a6700', '#0969da', '#8250df', '#1b7c83', '#57606a']
const THEMES = { light: { back: '#ffffff', front: '#24292f' }, dark: { back: '#0d1117', front: '#e6edf3' } }
const ON_DARK = ['#6e7681', '#ff7b72', '#7ee787', '#d29922', '#79c0ff', '#d2a8ff', '#56d4dd', '#b1bac4']

function svg(emulator, theme) {
  const { back, front } = THEMES[theme]
  const palette = theme === 'dark' ? ON_DARK : COLORS
  const rows = emulator.runs()
  const last = rows.findLastIndex((runs) => runs.some(({ text }) => text.trim() !== ''))
  const width = Math.ceil(emulator.columns * CELL.width + 24)
  const height = (last + 1) * CELL.height + 24
  const lines = rows.slice(0, last + 1).map((runs, row) => {
    let column = 0
    const spans = runs.map(({ text: given, color, isBold, isDim, isItalic }, n) => {
      const text = n === runs.length - 1 ? given.trimEnd() : given
      const x = 12 + column * CELL.width
      const size = [...text].reduce((sum, one) => sum + (one.codePointAt(0) > 0x2e7f ? 2 : 1), 0)
      column += size
      if (text.trim() === '') return ''
      const style = [
        `fill="${color === undefined ? front : (palette[color % 8] ?? front)}"`,
        ...(isBold ? ['font-weight="bold"'] : []),
        ...(isDim ? ['opacity="0.6"'] : []),
        ...(isItalic ? ['font-style="italic"'] : []),
      ].join(' ')
      const length = (size * CELL.width).toFixed(1)
      return `<tspan x="${x.toFixed(1)}" textLength="${length}" lengthAdjust="spacingAndGlyphs" ${style}>${escaped(text)}</tspan>`
    })
    return `<text y="${12 + (row + 0.75) * CELL.height}" xml:space="preserve">${spans.join('')}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" rx="8" fill="${back}" stroke="#8c959f"/>
<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${lines.filter((line) => line.includes('<tspan')).join('\n')}
</g>
</svg>
`
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

async function picture(name, theme, setup, play) {
  const stage = await openStage(setup)
  await play(stage)
  await stage.settle()
  writeFileSync(join(root, 'docs', 'images', `${name}.svg`), svg(stage.emulator, theme))
  stage.emulator.end()
  console.log(`docs/images/${name}.svg`)
}

await picture('terminal-conversation', 'dark', { columns: 80, rows: 58 }, async ({ scripted }) =>
  playRecorded(scripted),
)

await picture('terminal-permission', 'light', { columns: 80, rows: 30 }, async (stage) => {
  const { scripted } = stage
  scripted.add({ kind: 'state', data: { status: 'running' } })
  const rules = [{ toolName: 'Bash', ruleContent: 'npm test:*' }]
  const update = { type: 'addRules', behavior: 'allow', destination: 'localSettings', rules }
  scripted.says('I run the tests to see what fails.', 2)
  scripted.message(
    assistant([{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'npm test -- src/parse' } }]),
  )
  scripted.ask({
    tool: {
      name: 'Bash',
      input: { command: 'npm test -- src/parse', description: 'Run the tests of the parser' },
      hash: 'h',
      useId: 't',
    },
    preview: { type: 'command', command: 'npm test -- src/parse', parts: [] },
    why: { layer: 'mode', text: 'No rule allows this, and the permission mode is Ask first.' },
    suggestions: [{ update, rule: 'Bash(npm test:*)', scope: 'local' }],
  })
})

await picture('terminal-working', 'dark', { columns: 80, rows: 30 }, async (stage) => {
  const { scripted } = stage
  scripted.add({ kind: 'state', data: { status: 'running' } })
  const input = { description: 'Look for other callers', subagent_type: 'explorer', prompt: '' }
  scripted.message(assistant([{ type: 'tool_use', id: 'a', name: 'Task', input }]))
  const inner = assistant([{ type: 'tool_use', id: 'b', name: 'Grep', input: { pattern: 'parse\\(' } }])
  scripted.message({ ...inner, parent_tool_use_id: 'a' })
  scripted.message(assistant([{ type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'npm run build' } }]))
  const output = '> build\nbundling src/index.ts\nbundling src/cli.ts\n'
  scripted.delta({ type: 'tool_progress', tool_use_id: 'c', tool_name: 'Bash', parent_tool_use_id: null, output })
  await stage.settle()
  await stage.type('and then the docs, please\r')
  await stage.wait(4000)
})
