// Search, light and dark, the menu on small screens. Everything it needs is in this folder.
;(() => {
  const root = document.documentElement
  const kept = (key, value) => {
    try {
      if (value !== undefined) localStorage.setItem(key, value)
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const wanted = kept('theme')
  if (wanted) root.dataset.theme = wanted
  document.getElementById('theme').addEventListener('click', () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.theme = isDark ? 'light' : 'dark'
    kept('theme', root.dataset.theme)
  })

  const menu = document.getElementById('menu')
  menu.addEventListener('click', () => {
    const isOpen = document.getElementById('pages').classList.toggle('open')
    menu.setAttribute('aria-expanded', String(isOpen))
  })

  const input = document.getElementById('search')
  const found = document.getElementById('found')
  let loading
  /** A script and no fetch: pages that are opened as files may not fetch. */
  const load = () => {
    loading ??= new Promise((resolve) => {
      const script = document.createElement('script')
      script.src = 'search-index.js'
      script.onload = resolve
      document.head.append(script)
    })
    return loading
  }
  const show = (results) => {
    found.replaceChildren(
      ...results.map(({ at, page, heading, near }) => {
        const item = document.createElement('li')
        const link = document.createElement('a')
        link.href = at
        link.textContent = heading === page ? page : `${heading} · ${page}`
        const words = document.createElement('small')
        words.textContent = near
        link.append(words)
        item.append(link)
        return item
      }),
    )
    found.hidden = results.length === 0
  }
  input.addEventListener('focus', load)
  input.addEventListener('input', async () => {
    await load()
    show(globalThis.searchPages(globalThis.searchIndex, input.value))
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== input) {
      event.preventDefault()
      input.focus()
    }
    if (event.key === 'Escape') show([])
    if (event.key === 'Enter' && document.activeElement === input) found.querySelector('a')?.click()
  })
})()

/** Every word has to be there; headings count more than text, whole words more than parts. */
globalThis.searchPages = (index, query) => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const scored = index.map((entry) => {
    const [heading, page, text] = [entry.heading, entry.page, entry.text].map((each) => each.toLowerCase())
    let score = 0
    for (const word of words) {
      const is = (field) => field === word || field.split(/[^\p{L}\p{N}_.-]+/u).includes(word)
      const own = (is(heading) ? 40 : heading.includes(word) ? 20 : 0) + (is(page) ? 10 : page.includes(word) ? 5 : 0)
      const said = is(text) ? 4 : text.includes(word) ? 2 : 0
      if (own + said === 0) return { score: 0 }
      score += own + said
    }
    if (heading === query.toLowerCase()) score += 100
    const at = Math.max(0, text.indexOf(words[0]) - 40)
    return { ...entry, score, near: `${at > 0 ? '…' : ''}${entry.text.slice(at, at + 140)}` }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 20)
}
