/** What changes in a file: side by side where there is room for it, else one under the other. */
import { useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { toDisplaySafeText } from '../safe/clean-text.js'
import { T } from '../texts.js'
import type { ColoredLine } from './colors.js'
import type { BeforeAndAfterTexts, DiffSyntaxColors } from './diff-colors.js'
import {
  type DiffRowLine,
  inOneColumn,
  rowsOfHunks,
  rowsOfTexts,
  type ShownDiffRow,
  type ShownHunk,
} from './diff-rows.js'

const WIDE = 760
const FIRST_ROWS = 120

export function DiffView({ path, before, after }: { path: string; before: string; after: string }) {
  const texts = useMemo(() => ({ before: toDisplaySafeText(before), after: toDisplaySafeText(after) }), [before, after])
  const rows = useMemo(() => rowsOfTexts(texts.before, texts.after), [texts])
  return <Rows path={path} rows={rows} texts={texts} />
}

export function PatchView({ path, hunks }: { path: string; hunks: readonly Record<string, unknown>[] }) {
  const rows = useMemo(() => rowsOfHunks(hunks.flatMap(toHunk)), [hunks])
  return <Rows path={path} rows={rows} />
}

function toHunk({ oldStart, newStart, lines }: Record<string, unknown>): ShownHunk[] {
  if (typeof oldStart !== 'number' || typeof newStart !== 'number' || !Array.isArray(lines)) return []
  return [{ oldStart, newStart, lines: lines.map((line) => toDisplaySafeText(String(line))) }]
}

function Rows({ path, rows, texts }: { path: string; rows: readonly ShownDiffRow[]; texts?: BeforeAndAfterTexts }) {
  const root = useRef<HTMLDivElement>(null)
  const isWide = useSignal(false)
  const isAll = useSignal(false)
  const colors = useColors(path, rows, texts)
  useLayoutEffect(() => {
    const node = root.current
    if (!node) return
    const look = () => {
      isWide.value = node.clientWidth >= WIDE
    }
    const watcher = new ResizeObserver(look)
    watcher.observe(node)
    look()
    return () => watcher.disconnect()
  }, [])
  const listed = isWide.value ? rows : inOneColumn(rows)
  const shown = isAll.value ? listed : listed.slice(0, FIRST_ROWS)
  return (
    <div class="diff" ref={root} tabIndex={0} role="group" aria-label={T.changesTo(toDisplaySafeText(path))}>
      {rows.length === 0 && <p class="quiet padded">{T.noChange}</p>}
      <table class={isWide.value ? 'side-by-side' : 'unified'}>
        {isWide.value && (
          <colgroup>
            <col class="numbers" />
            <col />
            <col class="numbers" />
            <col />
          </colgroup>
        )}
        <tbody>
          {isWide.value
            ? shown.map((row, at) => <Pair key={at} row={row} colors={colors.value} />)
            : shown.map((row, at) => <Single key={at} row={row} colors={colors.value} />)}
        </tbody>
      </table>
      {listed.length > shown.length && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            isAll.value = true
          }}
        >
          {T.showAllLines(listed.length)}
        </button>
      )}
    </div>
  )
}

const NONE: DiffSyntaxColors = { before: new Map(), after: new Map() }

function useColors(path: string, rows: readonly ShownDiffRow[], texts: BeforeAndAfterTexts | undefined) {
  const colors = useSignal(NONE)
  useEffect(() => {
    let isOver = false
    const load = async () => {
      const { computeDiffSyntaxColors } = await import('./diff-colors.js')
      const found = await computeDiffSyntaxColors(path, rows, texts)
      if (!isOver) colors.value = found
    }
    load().catch(() => {})
    return () => {
      isOver = true
    }
  }, [path, rows])
  return colors
}

function Gap({ count, columns }: { count: number; columns: number }) {
  return (
    <tr class="gap">
      <td colSpan={columns}>{T.linesBetween(count)}</td>
    </tr>
  )
}

function Pair({ row, colors }: { row: ShownDiffRow; colors: DiffSyntaxColors }) {
  if (row.kind === 'gap') return <Gap count={row.count} columns={4} />
  const isSame = row.kind === 'same'
  return (
    <tr>
      <Cells line={row.before} sign={isSame ? 'same' : row.before ? 'gone' : 'none'} colors={colors.before} />
      <Cells line={row.after} sign={isSame ? 'same' : row.after ? 'new' : 'none'} colors={colors.after} />
    </tr>
  )
}

function Single({ row, colors }: { row: ShownDiffRow; colors: DiffSyntaxColors }) {
  if (row.kind === 'gap') return <Gap count={row.count} columns={2} />
  if (row.kind === 'same')
    return (
      <tr>
        <Cells line={row.after} sign="same" colors={colors.after} />
      </tr>
    )
  return (
    <>
      {row.before && (
        <tr>
          <Cells line={row.before} sign="gone" colors={colors.before} />
        </tr>
      )}
      {row.after && (
        <tr>
          <Cells line={row.after} sign="new" colors={colors.after} />
        </tr>
      )}
    </>
  )
}

const SIGNS = { same: ' ', gone: '−', new: '+', none: ' ' }

function Cells({
  line,
  sign,
  colors,
}: {
  line: DiffRowLine | undefined
  sign: keyof typeof SIGNS
  colors: ReadonlyMap<number, ColoredLine>
}) {
  return (
    <>
      <td class={`number ${sign}`} aria-hidden="true">
        {line?.number}
      </td>
      <td class={`code ${sign}`}>
        {sign === 'gone' && <span class="unseen">{T.removedLine}</span>}
        {sign === 'new' && <span class="unseen">{T.addedLine}</span>}
        <span class="sign" aria-hidden="true">
          {SIGNS[sign]}
        </span>
        {line && <LineText line={line} colored={colors.get(line.number)} />}
      </td>
    </>
  )
}

function LineText({ line: { text, mark }, colored }: { line: DiffRowLine; colored: ColoredLine | undefined }) {
  const pieces = colored ?? [{ text, style: '' }]
  if (!mark) return <>{pieces.map((piece, at) => styled(piece.text, piece.style, false, at))}</>
  const [from, to] = mark
  let at = 0
  return (
    <>
      {pieces.flatMap((piece, index) => {
        const cuts = [0, from - at, to - at, piece.text.length].map((cut) =>
          Math.min(Math.max(cut, 0), piece.text.length),
        )
        at += piece.text.length
        return [0, 1, 2].map((part) =>
          styled(piece.text.slice(cuts[part], cuts[part + 1]), piece.style, part === 1, index * 3 + part),
        )
      })}
    </>
  )
}

function styled(text: string, style: string, isMarked: boolean, key: number): ComponentChild {
  if (text === '') return null
  const name = `${style}${isMarked ? ' mark' : ''}`
  return name === '' ? (
    text
  ) : (
    <span key={key} class={name}>
      {text}
    </span>
  )
}
