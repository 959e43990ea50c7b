/** The `pages` of a PDF file that are wanted. */

export type PageRange = { first: number; last: number }

export const MAX_PAGES = 20

/** A string: why it makes no sense. */
export function parsePages(pages: string): PageRange | string {
  const [, start, end = start] = /^\s*([1-9]\d{0,6})\s*(?:-\s*([1-9]\d{0,6})\s*)?$/.exec(pages) ?? []
  const first = Number(start)
  const last = Number(end)
  if (start === undefined || last < first) {
    return `Invalid pages: "${pages}". Give one page ("3") or a range ("10-20"), counted from 1.`
  }
  if (last - first >= MAX_PAGES) {
    return `The pages ${first}-${last} are too many: at most ${MAX_PAGES} can be read at once. Give a smaller range.`
  }
  return { first, last }
}
