// The server side of `npm run conformance`: the suite against a server of `createSdkMcpServer()` that `createMcpHttpServer()`
// serves (test/mcp/conformance/server.mjs).
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../test/mcp/conformance/server.mjs', import.meta.url))

/** Returns whether all scored scenarios of these revisions pass. `suite`: the arguments of Node that start the suite. */
export async function passesServerSide(revisions, suite, readSummary) {
  const server = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'ignore'] })
  const output = mkdtempSync(join(tmpdir(), 'kedge-conformance-'))
  let isGood = true
  try {
    const [url] = await once(createInterface({ input: server.stdout }), 'line')
    for (const revision of revisions) {
      const text = await new Promise((resolve) => {
        const args = [...suite, 'server', '--url', url, '--requirements', revision, '-o', output]
        execFile(process.execPath, args, { maxBuffer: 1 << 28 }, (_error, out, problems) =>
          resolve(`${out}${problems}`),
        )
      })
      const { scored, others } = readSummary(text.replace('=== SUMMARY ===', '=== SUITE SUMMARY ==='))
      if (scored.length === 0) throw new Error(`no summary in the output of the suite:\n${text}`)
      const failed = scored.filter(({ passed }) => !passed)
      console.log(`MCP ${revision}, as a server: ${scored.length - failed.length} of ${scored.length} scored scenarios`)
      for (const { scenario, checks } of failed) console.log(`  FAIL ${scenario} (${checks})`)
      console.log(`  not scored: ${others.filter(({ passed }) => passed).length} of ${others.length} pass`)
      isGood &&= failed.length === 0
    }
  } finally {
    server.kill()
    rmSync(output, { recursive: true, force: true })
  }
  return isGood
}
