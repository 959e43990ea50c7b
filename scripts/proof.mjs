// `npm run proof`: writes docs/proof.md from what is recorded in the repository.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mcpBadInputsPage } from './docs/mcp-bad-inputs-page.mjs'
import { proofPage } from './docs/proof-page.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
writeFileSync(join(root, 'docs', 'proof.md'), proofPage(root))
writeFileSync(join(root, 'docs', 'mcp-bad-inputs.md'), mcpBadInputsPage(root).text)
console.log('docs/proof.md and docs/mcp-bad-inputs.md are written')
