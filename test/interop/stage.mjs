// What a scenario is given: the SDK under test, options that lead to the recorded CLI, and recorders for everything the
// consumer sees (messages, callbacks, results of calls, errors thrown).
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const shim = fileURLToPath(new URL('tee-shim.mjs', import.meta.url))
export const model = 'claude-sonnet-4-5-20250929'

export function createStage({ sdk, z, api, record, folders, cli, inProcess }) {
  const env = {
    PATH: process.env.PATH,
    HOME: folders.home,
    ANTHROPIC_API_KEY: 'sk-ant-fake',
    ANTHROPIC_BASE_URL: api.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
  }
  const forShim = inProcess ? {} : { KEDGE_INTEROP_CLI: cli, KEDGE_INTEROP_LOG: folders.log }
  const { cwd, home } = folders

  return {
    sdk,
    z,
    api,
    record,
    cwd,
    home,
    shim,
    inProcess,
    script: api.script,
    /** Options of query(): the recorded CLI, a fresh home, the fake API. `env` in `extra` is added to the usual one. */
    options({ env: more, ...extra } = {}) {
      const base = { cwd, model, env: { ...env, ...forShim, ...more } }
      return { ...base, ...(inProcess ? {} : { pathToClaudeCodeExecutable: shim }), ...extra }
    },
    /** Puts the usual environment into process.env, for scenarios that pass no `env` option. */
    useProcessEnv: () => Object.assign(process.env, env, forShim),
    user: (text, extra = {}) => ({
      type: 'user',
      message: { role: 'user', content: text },
      parent_tool_use_id: null,
      session_id: '',
      ...extra,
    }),
    consume,
    call,
    canUseTool,
    hook,
    raw: (args, options) => startRaw({ args, cwd, env: { ...env, ...forShim, ...options?.env } }),
    /** Process ids of the CLI of the n-th start. */
    cliPid: (index = 0) => {
      const file = readdirSync(folders.log).sort()[index]
      return JSON.parse(readFileSync(join(folders.log, file), 'utf8').split('\n')[0]).data.pid
    },
    sleep,
    queue: createQueue,
  }

  /** Iterates to the end, recording each message and how the iteration ended. `onMessage` may return false to break. */
  async function consume(messages, onMessage = () => {}) {
    try {
      for await (const message of messages) {
        record('consumer', message)
        if ((await onMessage(message)) === false) return record('consumer_break', null)
      }
      record('consumer_done', null)
    } catch (error) {
      record('consumer_error', thrown(error))
    }
  }

  async function call(label, fn) {
    try {
      record('call_ok', { label, result: await fn() })
    } catch (error) {
      record('call_err', { label, ...thrown(error) })
    }
  }

  function canUseTool(decide) {
    return async (name, input, { signal, ...options }) => {
      record('canUseTool', { name, input, options, hasSignal: signal instanceof AbortSignal })
      return decide(name, input, { signal, ...options })
    }
  }

  function hook(label, answer) {
    return async (input, toolUseID, { signal }) => {
      record('hook', { label, input, toolUseID, hasSignal: signal instanceof AbortSignal })
      return answer(input, toolUseID, { signal })
    }
  }

  function thrown(error) {
    const { name, message } = error
    return { name, message, isAbortError: sdk.AbortError !== undefined && error instanceof sdk.AbortError }
  }

  /** A CLI driven by hand, without an SDK. */
  function startRaw({ args, cwd, env }) {
    const child = spawn('node', [shim, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = []
    const waiting = new Set()
    let rest = ''
    child.stdin.on('error', () => {})
    child.stdout.on('data', (chunk) => {
      const parts = (rest + chunk).split('\n')
      rest = parts.pop()
      for (const part of parts) lines.push(parse(part))
      for (const check of waiting) check()
    })
    const exit = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })))
    return {
      send: (line) => child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
      end: () => child.stdin.end(),
      kill: (signal) => child.kill(signal),
      exit,
      /** Resolves with the first line, seen or to come, that `wanted` accepts. Does not wait beyond the end of the process. */
      line: (wanted) =>
        new Promise((resolve) => {
          const check = () => {
            const found = lines.find(wanted)
            if (found === undefined) return
            waiting.delete(check)
            resolve(found)
          }
          waiting.add(check)
          check()
          exit.then(() => resolve(undefined))
        }),
    }
  }
}

/** An async iterable one can push to, for prompts that are held open. */
export function createQueue() {
  const items = []
  let wake = () => {}
  let ended = false
  return {
    push(item) {
      items.push(item)
      wake()
    },
    end() {
      ended = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (items.length > 0) yield items.shift()
        if (ended) return
        await new Promise((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
