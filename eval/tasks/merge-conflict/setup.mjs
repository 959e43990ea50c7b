import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const git = (...args) => execFileSync('git', args, { stdio: 'ignore' })
const commit = (text, message) => {
  writeFileSync('limits.js', text)
  git('commit', '-qam', message)
}
git('checkout', '-qb', 'faster')
commit('export const RETRIES = 3\nexport const TIMEOUT = 500\n', 'Wait less')
git('checkout', '-q', 'main')
commit('export const RETRIES = 3\nexport const TIMEOUT = 2000 // milliseconds\n', 'Say the unit')
