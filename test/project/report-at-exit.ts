/** Loaded before the command: writes what the process started and called to a file, when it ends. */
import { writeFileSync } from 'node:fs'
import { recordProcess } from './recorder.js'

const file = new URL(import.meta.url).searchParams.get('file') ?? ''
const recorder = recordProcess()
process.on('exit', () => {
  writeFileSync(file, JSON.stringify({ processes: recorder.processes(), connections: recorder.connections() }))
})
