// Lets the conformance suite be loaded by Node 20: `fs.globSync`, which it imports for another command, is not there yet.
import { register } from 'node:module'

const module = (code) => `data:text/javascript,${encodeURIComponent(code)}`
const fs = module("export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => []")
const hooks = `export const resolve = (name, context, next) =>
  name === 'fs' && context.parentURL?.includes('/conformance/') ? { url: ${JSON.stringify(fs)}, shortCircuit: true } : next(name, context)`
register(module(hooks))
