/** Colors of code and of changes, however slow the machine is that finds them. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { installPage } from './page-globals.js'
import { installTinyDocument, shapeOf, TinyElement } from './tiny-document.js'

installPage()
installTinyDocument()
const { colorNode } = await import('../../web/tools/colors.js')
const { computeDiffSyntaxColors } = await import('../../web/tools/diff-colors.js')
const { rowsOfHunks, rowsOfTexts } = await import('../../web/tools/diff-rows.js')

const { now } = Date
afterEach(() => {
  Date.now = now
})
type Side = Awaited<ReturnType<typeof computeDiffSyntaxColors>>['after']
const stylesOf = (side: Side, line: number) => side.get(line)?.map(({ style }) => style)

test('a machine that takes a second for each step does not color what follows a comment as one', async () => {
  let time = now()
  Date.now = () => {
    time += 1000
    return time
  }
  const node = new TinyElement('code')
  node.textContent = '/** Adds. */\nexport const add = 1'
  await colorNode(node as unknown as HTMLElement, 'ts') // as much of an element as it uses
  const shape = node.childNodes.map(shapeOf).join('')
  assert.match(shape, /^span\.c-comment\(\/\*\* Adds\. \*\/\)\nspan\.c-keyword\(export\)/)
})

test('a comment that is open where a part of a change ends does not color the next part', async () => {
  const rows = rowsOfHunks([
    { oldStart: 1, newStart: 1, lines: [' let a = 1', '+/* begins'] },
    { oldStart: 30, newStart: 31, lines: [' const b = 2', '-const c = 3', '+const c = 4'] },
  ])
  const { before, after } = await computeDiffSyntaxColors('a.ts', rows)
  assert.deepEqual(stylesOf(after, 2), ['c-comment'])
  for (const [side, line] of [...[[after, 31] as const, [after, 32] as const, [before, 31] as const]])
    assert.equal(stylesOf(side, line)?.[0], 'c-keyword')
})

test('where both texts are known, a line has the colors it has in all of its file', async () => {
  const text = (end: string) => `/*\n${'line\n'.repeat(20)}${end}\n*/\nconst a = 1`
  const texts = { before: text('one'), after: text('two') }
  const { after } = await computeDiffSyntaxColors('a.ts', rowsOfTexts(texts.before, texts.after), texts)
  assert.deepEqual([stylesOf(after, 22), stylesOf(after, 24)?.[0]], [['c-comment'], 'c-keyword'])
})
