/** Images in messages and results: only embedded ones, of a known type and a limited size. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ContentBlockParam } from '../state/server-types.js'
import { T } from '../texts.js'

const KINDS = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const LARGEST = 7_000_000

export function Images({ content }: { content: string | readonly ContentBlockParam[] }) {
  if (typeof content === 'string') return null
  return (
    <>
      {content.map((block, at) =>
        block.type === 'image' && block.source.type === 'base64' ? (
          <Picture key={at} kind={block.source.media_type} data={block.source.data} />
        ) : block.type === 'document' ? (
          <p key={at} class="attached">
            {T.attachedDocument}
          </p>
        ) : null,
      )}
    </>
  )
}

type PictureProps = { kind: string; data: string; className?: string; alt?: string }

export function Picture({ kind, data, className = 'picture', alt = T.imageAlt }: PictureProps) {
  const address = useSignal('')
  const isShown = KINDS.includes(kind) && data.length <= LARGEST
  useEffect(() => {
    if (!isShown) return
    try {
      const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0))
      const url = URL.createObjectURL(new Blob([bytes], { type: kind }))
      address.value = url
      return () => URL.revokeObjectURL(url)
    } catch {
      return
    }
  }, [data, kind])
  if (!isShown) return <p class="quiet">{T.imageLeftOut}</p>
  return address.value === '' ? null : <img class={className} src={address.value} alt={alt} />
}
