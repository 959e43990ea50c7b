import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateCommandForFolder } from './update-command.js'

test('the command that updates it is that of who installed it', () => {
  const table = {
    '/usr/lib/node_modules/kedge/dist/kedge.cjs': 'npm install -g kedge@latest',
    '/home/ada/.bun/install/global/node_modules/kedge/dist/kedge.cjs': 'bun add -g kedge@latest',
    '/home/ada/.local/share/pnpm/global/5/node_modules/kedge/dist/kedge.cjs': 'pnpm add -g kedge@latest',
    '/home/ada/.npm/_npx/ab12/node_modules/kedge/dist/kedge.cjs': 'npx kedge@latest',
    '/home/ada/app/node_modules/kedge/dist/kedge.cjs': 'npm install kedge@latest   (in /home/ada/app)',
    '/home/ada/kedge/dist/kedge.cjs': 'git pull && npm ci   (it runs from its source)',
  }
  for (const [place, expected] of Object.entries(table)) assert.equal(updateCommandForFolder(place), expected, place)
})
