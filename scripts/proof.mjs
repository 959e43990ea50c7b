// `npm run proof`: writes docs/proof.md from what is recorded in the repository.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { proofPage } from './docs/proof-page.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
writeFileSync(join(root, 'docs', 'proof.md'), proofPage(root))
console.log('docs/proof.md is written')
