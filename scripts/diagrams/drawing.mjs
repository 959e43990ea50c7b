// A drawing of boxes and arrows as SVG that follows the reader's light or dark scheme, also inside an <img>.
const STYLE = `
  text { font: 14px system-ui, sans-serif; fill: #1c2530; }
  .small { font-size: 12px; fill: #55606d; }
  .box { fill: #ffffff; stroke: #8a96a3; }
  .good { fill: #e3f3ea; stroke: #2c7a52; }
  .bad { fill: #fdeaea; stroke: #b3393f; }
  .wait { fill: #fdf2dc; stroke: #a86a00; }
  .frame { fill: none; stroke: #8a96a3; stroke-dasharray: 5 4; }
  .line { fill: none; stroke: #55606d; stroke-width: 1.4; marker-end: url(#head); }
  #head path { fill: #55606d; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6ebf0; } .small { fill: #a3afbb; }
    .box { fill: #1d252d; stroke: #6b7885; } .good { fill: #173326; stroke: #5cb88a; }
    .bad { fill: #3a1d1f; stroke: #e0868a; } .wait { fill: #3a2d12; stroke: #d9a441; }
    .frame { stroke: #6b7885; } .line { stroke: #a3afbb; } #head path { fill: #a3afbb; }
  }`

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Lines of text around a middle; lines after the first are small. */
function words(x, y, lines, anchor = 'middle') {
  const top = y - ((lines.length - 1) * 17) / 2 + 5
  return lines
    .map((line, at) => {
      const look = at === 0 ? '' : ' class="small"'
      return `<text x="${x}" y="${top + at * 17}" text-anchor="${anchor}"${look}>${escaped(line)}</text>`
    })
    .join('')
}

/** A box with its text; `look` is box, good, bad or wait. */
export function box(x, y, width, height, text, look = 'box') {
  const rect = `<rect class="${look}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`
  return rect + words(x + width / 2, y + height / 2, [text].flat())
}

/** A dashed frame around boxes, with a title at its top left. */
export function frame(x, y, width, height, title) {
  const rect = `<rect class="frame" x="${x}" y="${y}" width="${width}" height="${height}" rx="10"/>`
  return rect + words(x + 12, y + 18, [title], 'start')
}

/** An arrow through points such as `10,20 30,20`, and words beside its middle. */
export function arrow(route, label = '', [dx, dy] = [0, -8]) {
  const points = route.split(' ').map((point) => point.split(',').map(Number))
  const path = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join(' ')
  const [from, to] = [points[Math.floor((points.length - 1) / 2)], points[Math.floor((points.length - 1) / 2) + 1]]
  const middle = [(from[0] + to[0]) / 2 + dx, (from[1] + to[1]) / 2 + dy]
  const text =
    label === '' ? '' : words(middle[0], middle[1], ['', label].slice(1)).replace('<text', '<text class="small"')
  return `<path class="line" d="${path}"/>${text}`
}

export const label = (x, y, text, anchor = 'middle') => words(x, y, [text].flat(), anchor)

export function drawing(width, height, title, parts) {
  const head =
    '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker></defs>'
  const root = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`
  return `${root}\n<title>${escaped(title)}</title>\n<style>${STYLE}\n</style>\n${head}\n${parts.join('\n')}\n</svg>\n`
}
