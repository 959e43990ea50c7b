/** The API as a page to read: no script, nothing from elsewhere. */
import type { Operation } from './operation.js'

export function docsPage(operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const parts = tags.map((tag) => {
    const rows = operations.filter((operation) => operation.tag === tag).map(row)
    return `<h2>${escaped(tag)}</h2><table>${rows.join('')}</table>`
  })
  return page(
    'Kedge server',
    `<p>Every request needs <code>Authorization: Bearer TOKEN</code>. The whole document:
<a href="/v1/openapi.json">/v1/openapi.json</a>.</p>${parts.join('')}`,
  )
}

function row({ method, path, summary, scope, query, body, answer }: Operation): string {
  const fields = Object.keys((body?.json['properties'] as object | undefined) ?? {}) // as `object` makes it
  const takes = [...Object.keys(query).map((name) => `?${name}`), ...fields].map(
    (name) => `<code>${escaped(name)}</code>`,
  )
  return `<tr><td><b>${method.toUpperCase()}</b> <code>${escaped(path)}</code></td><td>${escaped(summary)} ${takes.join(' ')}</td>
<td>${scope}</td><td>${answer.status}</td></tr>`
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/page.css"></head>
<body><main><h1>${escaped(title)}</h1>${body}</main></body></html>`
}

export const PAGE_STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem;color-scheme:light dark}
td{padding:.3rem .6rem;vertical-align:top;border-top:1px solid #8885}table{border-collapse:collapse}`

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}
