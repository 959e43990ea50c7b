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
  const pages = document.getElementById('pages')
  const toggleMenu = (isOpen) => {
    pages.classList.toggle('open', isOpen)
    menu.setAttribute('aria-expanded', String(isOpen))
  }
  menu.addEventListener('click', () => toggleMenu(!pages.classList.contains('open')))

  /** Pages that are opened as files have no clipboard of their own. */
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      const field = document.createElement('textarea')
      field.value = text
      field.className = 'copied-text'
      document.body.append(field)
      field.select()
      document.execCommand('copy')
      field.remove()
    }
  }
  for (const block of document.querySelectorAll('.code[data-copy] pre')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await copy(block.textContent.trimEnd())
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 2000)
    })
    block.parentElement.append(button)
  }

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
  const marked = (text, words) =>
    globalThis.splitAtWords(text, words).map((part, at) => {
      if (at % 2 === 0) return part
      const mark = document.createElement('mark')
      mark.textContent = part
      return mark
    })
  const show = (results, query = '') => {
    const list = document.createElement('ol')
    list.append(
      ...results.map(({ at, page, heading, near, words }) => {
        const item = document.createElement('li')
        const link = document.createElement('a')
        link.href = at
        link.append(...marked(heading === page ? page : `${heading} · ${page}`, words))
        const text = document.createElement('small')
        text.append(...marked(near, words))
        link.append(text)
        item.append(link)
        return item
      }),
    )
    const none = document.createElement('p')
    none.setAttribute('role', 'status')
    none.textContent = `No results for “${query}”.`
    found.replaceChildren(results.length > 0 ? list : none)
    found.hidden = query.trim() === ''
  }
  input.addEventListener('focus', load)
  input.addEventListener('input', async () => {
    await load()
    show(globalThis.searchPages(globalThis.searchIndex, input.value), input.value)
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== input) {
      event.preventDefault()
      input.focus()
    }
    if (event.key === 'Escape') {
      show([])
      toggleMenu(false)
    }
    if (event.key === 'Enter' && document.activeElement === input) found.querySelector('a')?.click()
  })
})()

const readIndexes = new WeakMap()
/** The words of each entry, taken apart at the first search and not at each letter somebody types. */
globalThis.readWords = (index) => {
  const read = (entry) => {
    const fields = [entry.heading, entry.page, entry.text].map((each) => each.toLowerCase())
    const split = fields.map((text) => text.split(/[^\p{L}\p{N}_.-]+/u))
    return { entry, fields, wordsOf: split.map((words) => new Set(words)), first: split[0][0] }
  }
  if (!readIndexes.has(index)) readIndexes.set(index, index.map(read))
  return readIndexes.get(index)
}

/** Every word has to be there; headings count more than text, whole words more than parts, guides more than lists of names. */
globalThis.searchPages = (index, query) => {
  const SMALL = new Set('a an and do does for how i in is it my of on or the to use using what with'.split(' '))
  /** What people type, and the words that pages have for it. */
  const ALSO = {
    __proto__: null,
    streaming: 'stream',
    streams: 'stream',
    tests: 'test',
    mock: 'scripted',
    install: 'quickstart',
    start: 'quickstart',
    vercel: 'ai sdk',
    claude: 'claude',
    gpt: 'openai',
    google: 'gemini',
    chatgpt: 'openai',
    llama: 'ollama',
    permission: 'permissions',
    approve: 'approve',
    approval: 'approve',
    confirm: 'approve',
    yolo: 'bypasspermissions',
    price: 'cost',
    pricing: 'cost',
    tokens: 'cost',
    timeout: 'limits',
    abort: 'cancel',
    stop: 'cancel',
    docker: 'container',
    kubernetes: 'cluster',
    postgres: 'postgresql',
    tool: 'tools',
    subagent: 'sub-agents',
    subagents: 'sub-agents',
    vscode: 'editors',
    zed: 'zed',
    json: 'json',
    schema: 'schema',
    undo: 'rewind',
    checkpoint: 'rewind',
  }
  const typed = query.toLowerCase().split(/\s+/).filter(Boolean)
  const wanted = typed.filter((word) => !SMALL.has(word))
  const words = wanted.length > 0 ? wanted : typed
  if (words.length === 0) return []
  /** One letter more, less, other, or two that changed places. */
  const isNear = (a, b) => {
    if (Math.abs(a.length - b.length) > 1 || a === b) return a === b
    let at = 0
    while (at < a.length && a[at] === b[at]) at += 1
    const [x, y] = [a.slice(at), b.slice(at)]
    return (
      x.slice(1) === y ||
      x === y.slice(1) ||
      x.slice(1) === y.slice(1) ||
      (x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2))
    )
  }
  const isLike = (one, form) =>
    one === form || (form.length > 4 && isNear(one.replace(/s$/, ''), form.replace(/s$/, '')))
  /** With tolerance also what pages have for the word that was probably meant. */
  const alsoFor = (word, isTolerant) =>
    ALSO[word] ?? (isTolerant ? ALSO[Object.keys(ALSO).find((known) => isLike(known, word))] : undefined)
  const find = (isTolerant) =>
    globalThis.readWords(index).map(({ entry, fields, wordsOf, first }) => {
      const [heading, page, text] = fields
      const isFirst = entry.heading === entry.page && !entry.page.includes(', from ')
      let score = 0
      const hits = []
      for (const word of words) {
        let best = 0
        for (const [form, weight] of [
          [word, 1],
          [alsoFor(word, isTolerant), 0.9],
        ]) {
          if (form === undefined) continue
          const fits = (one) => one === form || (isTolerant && isLike(one, form))
          const [inHeading, inPage, inText] = wordsOf.map((own) => own.has(form) || (isTolerant && [...own].some(fits)))
          const own =
            (inHeading ? 40 : heading.includes(form) ? 20 : 0) +
            (inPage ? 10 : page.includes(form) ? 5 : 0) +
            (isFirst && fits(first) ? 10 : 0)
          const said = inText ? 4 : text.includes(form) ? 2 : 0
          if (own + said > 0) hits.push(wordsOf.flatMap((each) => [...each]).find((one) => isLike(one, form)) ?? form)
          best = Math.max(best, weight * (own + said))
        }
        if (best === 0) return { score: 0 }
        score += best
      }
      // A name of a reference is what was asked for. A section of a guide is about it in its page's sense only.
      if (heading === query.trim().toLowerCase())
        score += isFirst || /^(?:api|http|reference)-/.test(entry.at) ? 100 : 10
      // The beginning of a page that is about it; a page a person wrote before a list of names, where prose was asked for.
      if (isFirst && words.some((word) => page.includes(alsoFor(word, isTolerant) ?? word) || page.includes(word)))
        score += 15
      if (!entry.isList) score += 12
      const at = Math.max(0, text.indexOf(hits[0]) - 40)
      const from = at === 0 ? 0 : entry.text.indexOf(' ', at) + 1
      const end = entry.text.length <= from + 140 ? entry.text.length : entry.text.lastIndexOf(' ', from + 140)
      const near = `${from > 0 ? '…' : ''}${entry.text.slice(from, end)}${end < entry.text.length ? '…' : ''}`
      return { ...entry, score, near, words: [...new Set([...words, ...hits])] }
    })
  const best = (scored) => scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  const exact = best(find(false))
  return (exact.length > 0 ? exact : best(find(true))).slice(0, 20)
}

/** The parts of a text: every second one is one of the words, to be marked. */
globalThis.splitAtWords = (text, words) => {
  const literals = words.filter((word) => word !== '').map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  if (literals.length === 0) return [text]
  // At one place the longer word is the one that was found.
  literals.sort((a, b) => b.length - a.length)
  return text.split(new RegExp(`(${literals.join('|')})`, 'giu'))
}
