// Loaded before tests whose folders must not be in memory.
import { PLACE } from './folder-in-memory.mjs'

if (process.env.TMPDIR?.startsWith(PLACE)) delete process.env.TMPDIR
