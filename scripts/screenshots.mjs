// `npm run screenshots`: the pictures in docs/images, made from what the tests show. One file in screenshots/ for each interface.
import { mkdirSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('./screenshots/', import.meta.url)
mkdirSync(fileURLToPath(new URL('../docs/images/', import.meta.url)), { recursive: true })
for (const name of readdirSync(folder).filter((file) => file.endsWith('.mjs'))) await import(new URL(name, folder).href)
