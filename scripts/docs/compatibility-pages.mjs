// The pages that say of every public name whether it is as in the original. In this order they are one table of many headings.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const START_PAGE = 'docs/compatibility.md'
export const COMPATIBILITY_PAGES = [
  START_PAGE,
  'docs/compatibility-options.md',
  'docs/compatibility-exports.md',
  'docs/compatibility-messages.md',
  'docs/compatibility-tools.md',
  'docs/compatibility-command.md',
  'docs/compatibility-server.md',
  'docs/compatibility-environment.md',
]

/** All of them, one after the other. */
export function compatibilityText(root) {
  return COMPATIBILITY_PAGES.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
}

/** Which page has the rows of a heading. */
export function pagesByHeading(root) {
  const headings = COMPATIBILITY_PAGES.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/^##+ (.+)$/gm)].map(([, heading]) => [heading, page]),
  )
  return Object.fromEntries(headings)
}
