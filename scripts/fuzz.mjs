// What the differential fuzzer finds of each mechanism that once broke the engine: `node scripts/fuzz.mjs [--before folder] [--count n]
// [part of a mechanism's name]`. With a folder of older sources, both engines judge the same commands, and what either allows is run.
import { transpile } from './transpile.mjs'

const words = process.argv.slice(2)
const take = (flag) => (words.includes(flag) ? words.splice(words.indexOf(flag), 2)[1] : undefined)
const [before, count = '200'] = [take('--before'), take('--count')]
await transpile()
const from = (path) => import(new URL(`../.build/${path}`, import.meta.url).href)
const { countFinds } = await from('test/fuzz/count-finds.js')
const engines = { now: (await from('src/permissions/permission-engine.js')).createPermissions }
if (before !== undefined) {
  const older = (path) => import(new URL(path, `file://${before.replace(/\/?$/, '/')}`).href)
  await (await older('scripts/transpile.mjs')).transpile()
  engines.before = (await older('.build/src/permissions/permission-engine.js')).createPermissions
}
const found = await countFinds({ engines, count: Number(count), only: words[0] ?? '' })
process.exitCode = found.now > 0 ? 1 : 0
