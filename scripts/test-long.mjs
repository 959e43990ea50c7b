// `npm run test:long`: the tests under the other releases of Node, then all of them trying much harder.
// With parts of paths only those, much harder, under this Node.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const wanted = process.argv.slice(2)
const isGood = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0

const nodes = wanted.length > 0 || isGood(['scripts/nodes.mjs', '--only=22,24'])
const long = isGood(['scripts/test.mjs', '--long', ...wanted])
process.exitCode = nodes && long ? 0 : 1
