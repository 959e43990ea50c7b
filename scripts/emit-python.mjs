// Writes the generated half of the Python client, models and operations, from openapi.json. `--check` writes nothing and fails
// when a committed file differs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pythonModels } from './python/models.mjs'
import { pythonOperations } from './python/operations.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'clients/python/kedge_client')
const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))

const models = pythonModels(document)
const wanted = { 'operations.py': pythonOperations(document, models), 'models.py': models.text() }
const stale = Object.entries(wanted).filter(([name, text]) => {
  const file = join(folder, name)
  return !existsSync(file) || readFileSync(file, 'utf8') !== text
})

if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`clients/python: ${stale.map(([name]) => name).join(', ')} differ: run \`npm run python\``)
    process.exit(1)
  }
} else for (const [name, text] of stale) writeFileSync(join(folder, name), text)
