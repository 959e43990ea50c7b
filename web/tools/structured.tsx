/** Data as tables: objects by field, lists of objects by row. */
import type { ComponentChild } from 'preact'
import { LongText } from '../parts/long-text.js'
import { exactDisplayLine } from '../safe/clean-text.js'
import { T } from '../texts.js'

const MOST_ROWS = 200
const DEEPEST = 4

export function StructuredDataView({ value }: { value: unknown }) {
  return (
    <div class="structured" tabIndex={0} role="group" aria-label={T.data}>
      {shown(value, 0)}
    </div>
  )
}

function shown(value: unknown, depth: number): ComponentChild {
  if (value === null || value === undefined) return <span class="quiet">{String(value)}</span>
  if (typeof value !== 'object')
    return (
      <span class="value">
        <LongText text={String(value)} />
      </span>
    )
  if (depth >= DEEPEST)
    return (
      <code>
        <LongText text={JSON.stringify(value)} />
      </code>
    )
  if (Array.isArray(value)) {
    const rows = value.slice(0, MOST_ROWS)
    const columns = [...new Set(rows.flatMap((row) => (isPlain(row) ? Object.keys(row) : [])))]
    if (columns.length > 0 && columns.length <= 12 && rows.every(isPlain))
      return (
        <>
          <Rows rows={rows} columns={columns} depth={depth} />
          <Further count={value.length - rows.length} />
        </>
      )
    return (
      <>
        <ol>
          {rows.map((row, at) => (
            <li key={at}>{shown(row, depth + 1)}</li>
          ))}
        </ol>
        <Further count={value.length - rows.length} />
      </>
    )
  }
  const all = Object.entries(value)
  const entries = all.slice(0, MOST_ROWS)
  if (entries.length === 0) return <span class="quiet">{T.empty}</span>
  return (
    <>
      <table>
        <tbody>
          {entries.map(([name, field]) => (
            <tr key={name}>
              <th scope="row">{exactDisplayLine(name, 80)}</th>
              <td>{shown(field, depth + 1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Further count={all.length - entries.length} />
    </>
  )
}

/** What is not shown is counted. */
function Further({ count }: { count: number }) {
  return count > 0 ? <p class="quiet">{T.furtherRows(count)}</p> : null
}

function Rows({ rows, columns, depth }: { rows: Record<string, unknown>[]; columns: string[]; depth: number }) {
  return (
    <table class="list">
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {exactDisplayLine(name, 80)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {columns.map((name) => (
              <td key={name}>{name in row ? shown(row[name], depth + 1) : null}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
