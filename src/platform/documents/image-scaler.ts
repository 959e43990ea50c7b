/** Makes images smaller with the optional package sharp; it is looked for when the first image needs it. */
import type { Sharp } from 'sharp'
import { messageOf } from '../../protocol/thrown.js'

export type ScaledImage = {
  bytes: Uint8Array
  type: 'image/png' | 'image/jpeg' | 'image/webp'
  width: number
  height: number
  /** As a viewer shows it: cameras store an image lying on its side and say so. */
  originalWidth: number
  originalHeight: number
}

/** A string: why it can't be done. */
export type ImageScaler = (
  bytes: Uint8Array,
  limits: { maxSide: number; maxBytes: number },
) => Promise<ScaledImage | string>

type Step = { side: number; encode: (image: Sharp) => Sharp; type: ScaledImage['type'] }

/** Undefined when sharp is not installed, or not for this machine. */
export async function loadImageScaler(): Promise<ImageScaler | undefined> {
  try {
    const { default: sharp } = await import(/* webpackIgnore: true */ 'sharp')
    return (bytes, limits) => scale(() => sharp(bytes, { failOn: 'error' }), limits)
  } catch {
    return undefined
  }
}

async function scale(
  open: () => Sharp,
  { maxSide, maxBytes }: { maxSide: number; maxBytes: number },
): Promise<ScaledImage | string> {
  try {
    const { format, autoOrient } = await open().metadata()
    for (const { side, encode, type } of steps(format, maxSide)) {
      const small = open().autoOrient().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      const { data, info } = await encode(small).toBuffer({ resolveWithObject: true })
      if (data.length > maxBytes) continue
      const { width, height } = info
      return { bytes: data, type, width, height, originalWidth: autoOrient.width, originalHeight: autoOrient.height }
    }
    return 'it stays too large however small it is made'
  } catch (error) {
    return messageOf(error)
  }
}

/** First in its own format; then as WebP, which keeps transparency and is small, in sizes the model can still read. */
function steps(format: string, maxSide: number): Step[] {
  const own: Step =
    format === 'jpeg'
      ? { side: maxSide, encode: (image) => image.jpeg({ quality: 85 }), type: 'image/jpeg' }
      : { side: maxSide, encode: (image) => image.png(), type: 'image/png' }
  const webp = (side: number, quality: number): Step => ({
    side: Math.min(side, maxSide),
    encode: (image) => image.webp({ quality }),
    type: 'image/webp',
  })
  return [...(format === 'webp' ? [] : [own]), webp(maxSide, 80), webp(1568, 70), webp(1000, 60)]
}
