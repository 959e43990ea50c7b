/** Small drawings, for the eye only: what they stand for is said beside them. */
const PATHS = {
  anchor: 'M12 8v13M12 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM5 13H3c0 5 4 8 9 8s9-3 9-8h-2M8 11h8',
  inbox: 'M3 13l3-8h12l3 8v6H3v-6Zm0 0h5l1.500 3h5L16 13h5',
  plus: 'M12 5v14M5 12h14',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13ZM20 20l-4.700-4.700',
  back: 'M15 5l-7 7 7 7',
  more: 'M5 12h.010M12 12h.010M19 12h.010',
  panel: 'M4 5h16v14H4zM14 5v14',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  clip: 'M19 11l-7.500 7.500a4.500 4.500 0 0 1-6.400-6.400L13 4.200a3 3 0 0 1 4.300 4.300l-7.700 7.600a1.500 1.500 0 0 1-2.100-2.100L14 7.500',
  chevron: 'M9 6l6 6-6 6',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  down: 'M12 5v14M6 13l6 6 6-6',
  up: 'M12 19V5M6 11l6-6 6 6',
  edit: 'M4 20h4L19 9l-4-4L4 16v4Z',
  play: 'M7 5l12 7-12 7z',
  undo: 'M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4',
} as const

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
