/**
 * Images in terminals known to draw them, by the protocol of kitty or of iTerm2. Other terminals show their mark only.
 */

export type PictureProtocol = 'kitty' | 'iterm'
export type TerminalPicture = { mediaType: string; data: string }

const LARGEST = 6_000_000
const WIDEST = 60
const HIGHEST = 20
/** A cell is about twice as high as it is wide. */
const CELL = 2
/** So much of the data goes into one piece, says kitty. */
const PIECE = 4096
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const KINDS = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

type Env = Readonly<Record<string, string | undefined>>

/**
 * Finds the protocol in the terminal's own variables. Behind tmux and screen it is unknown: `KEDGE_IMAGES` can set it
 * (kitty, iterm, off).
 */
export function detectPictureProtocol(env: Env): PictureProtocol | undefined {
  const wanted = env['KEDGE_IMAGES']
  if (wanted !== undefined && wanted !== '') return wanted === 'kitty' || wanted === 'iterm' ? wanted : undefined
  if (env['TMUX'] || env['STY'] || /^(?:tmux|screen)/.test(env['TERM'] ?? '')) return undefined
  const program = env['TERM_PROGRAM'] ?? ''
  if (env['KITTY_WINDOW_ID'] || /^xterm-(?:kitty|ghostty)$/.test(env['TERM'] ?? '') || program === 'ghostty')
    return 'kitty'
  return program === 'iTerm.app' || program === 'WezTerm' ? 'iterm' : undefined
}

/**
 * Returns one line for the scrollback that is as high as the image; undefined if it can't be drawn. Space is made
 * first, so nothing scrolls during drawing, and the cursor position is restored, whatever the terminal does with it.
 */
export function pictureLine(protocol: PictureProtocol, picture: TerminalPicture, columns: number): string | undefined {
  const { mediaType, data } = picture
  // Nothing but these letters gets between the marks of the protocol.
  if (!KINDS.includes(mediaType) || data.length > LARGEST || !BASE64.test(data)) return undefined
  if (protocol === 'kitty' && mediaType !== 'image/png') return undefined
  const box = boxOf(picture, columns)
  const down = box.rows - 1
  const room = down > 0 ? `${'\r\n'.repeat(down)}\u001b[${down}A` : ''
  const drawn = protocol === 'kitty' ? kitty(data, box) : iterm(data, box)
  return `${room}\u001b7${drawn}\u001b8${down > 0 ? `\u001b[${down}B` : ''}`
}

type Box = { columns: number; rows: number }

function boxOf(picture: TerminalPicture, width: number): Box {
  const size = sizeOf(picture) ?? { width: 4, height: 3 }
  const ratio = size.height / size.width / CELL
  const most = Math.max(1, Math.min(WIDEST, width - 2))
  const rows = Math.max(1, Math.min(HIGHEST, Math.ceil(most * ratio)))
  return { rows, columns: Math.max(1, Math.min(most, Math.round(rows / ratio))) }
}

/** As the first bytes say. */
function sizeOf({ mediaType, data }: TerminalPicture): { width: number; height: number } | undefined {
  const start = Buffer.from(data.slice(0, 64), 'base64')
  if (start.length < 24) return undefined
  const [width, height] =
    mediaType === 'image/png'
      ? [start.readUInt32BE(16), start.readUInt32BE(20)]
      : mediaType === 'image/gif'
        ? [start.readUInt16LE(6), start.readUInt16LE(8)]
        : [0, 0]
  return width > 0 && height > 0 ? { width, height } : undefined
}

function kitty(data: string, { columns, rows }: Box): string {
  let out = ''
  for (let at = 0; at < data.length; at += PIECE) {
    // Shown at once, without a reply, and the cursor stays.
    const keys = at === 0 ? `a=T,f=100,q=2,C=1,c=${columns},r=${rows},` : ''
    const isLast = at + PIECE >= data.length
    out += `\u001b_G${keys}m=${isLast ? 0 : 1};${data.slice(at, at + PIECE)}\u001b\\`
  }
  return out
}

function iterm(data: string, { columns, rows }: Box): string {
  const size = Buffer.byteLength(data, 'base64')
  return `\u001b]1337;File=inline=1;size=${size};width=${columns};height=${rows};preserveAspectRatio=1:${data}\u0007`
}
