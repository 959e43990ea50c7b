/** Keys that work everywhere in the web app, and files that are dropped where nothing takes them. */

export function followShortcuts(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return
    const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey
    const isSheet = event.key === '?' && !isTyping(event.target)
    if (!isPalette && !isSheet) return
    event.preventDefault()
    void import('../views/command-palette.js').then(({ openCommandPalette, openShortcutSheet }) =>
      isPalette ? openCommandPalette() : openShortcutSheet(),
    )
  })
  // The browser would leave the web app and show the file.
  for (const kind of ['dragover', 'drop'] as const)
    addEventListener(kind, (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    })
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
