import { readFileSync, writeFileSync } from 'node:fs'

const value = JSON.parse(readFileSync('settings.json', 'utf8'))
writeFileSync('settings.json', `${JSON.stringify(value, null, 2)}\n`)
