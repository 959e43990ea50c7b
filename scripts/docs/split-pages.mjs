// Long pages become several: cut at their headings, or where a table has many rows between two of them.
export const LONGEST_PAGE = 250

/** As the usual hosts make them of headings. */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** `[{ title, text }]`; the first has the title of the page. */
export function splitPage(text, most = LONGEST_PAGE) {
  // Later parts get a title, which takes two lines.
  const longest = text.split('\n').length > most ? most - 2 : most
  const sections = sectionsOf(text).flatMap((section) => cutTable(section, longest))
  const parts = []
  for (const section of sections) {
    const last = parts.at(-1)
    if (last !== undefined && last.length + section.length <= longest) last.push(...section)
    else parts.push([...section])
  }
  const title = titleOf(parts[0])
  return parts.map((lines, at) => (at === 0 ? { title, text: lines.join('\n') } : laterPart(title, lines)))
}

function laterPart(title, lines) {
  const heading = titleOf(lines)
  const full = `${title}, from ${heading}`
  return { title: full, text: [`# ${full}`, '', ...lines].join('\n') }
}

function titleOf(lines) {
  const heading = lines.find((line) => line.startsWith('#')) ?? ''
  return heading.replace(/^#+ /, '').replaceAll('`', '')
}

function sectionsOf(text) {
  const sections = [[]]
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    if (!isCode && line.startsWith('## ')) sections.push([])
    sections.at(-1).push(line)
  }
  return sections
}

/** Each piece has the heading and the head of the table. */
function cutTable(lines, longest) {
  if (lines.length <= longest) return [lines]
  const start = lines.findIndex((line) => line.startsWith('|'))
  if (start < 0 || lines.slice(start, start + longest).some((line) => !line.startsWith('|')))
    return cutAnywhere(lines, longest)
  const [head, rule] = lines.slice(start, start + 2)
  const rest = lines.slice(longest)
  const [heading] = lines
  return [lines.slice(0, longest), ...cutTable([continued(heading), '', head, rule, ...rest], longest)]
}

/** At the last heading or empty line that still fits. */
function cutAnywhere(lines, longest) {
  const fits = (test) => lines.slice(0, longest).findLastIndex((line, at) => at > 2 && test(line))
  const at =
    Math.max(
      fits((line) => line.startsWith('### ')),
      0,
    ) ||
    Math.max(
      fits((line) => line === ''),
      0,
    ) ||
    longest
  const [heading] = lines
  return [lines.slice(0, at), ...cutTable([continued(heading), '', ...lines.slice(at)], longest)]
}

function continued(heading) {
  return heading.endsWith(' (continued)') ? heading : `${heading} (continued)`
}
