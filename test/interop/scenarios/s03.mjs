// Tool calls and the permission callback: allow, deny, changed input, malformed answers, and what each tool reports.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const allowAll = async (_name, updatedInput) => ({ behavior: 'allow', updatedInput })
const bash = (id, command, more = {}) => ({ id, name: 'Bash', input: { command, ...more } })

export const s03 = {
  title: 'the basic tools, allowed',
  async run({ sdk, options, script, consume, canUseTool, cwd }) {
    const file_path = `${cwd}/a.txt`
    script([
      { tools: [{ id: 'toolu_w', name: 'Write', input: { file_path, content: 'alpha\nbeta\n' } }] },
      { tools: [{ id: 'toolu_r', name: 'Read', input: { file_path } }] },
      { tools: [{ id: 'toolu_e', name: 'Edit', input: { file_path, old_string: 'beta', new_string: 'gamma' } }] },
      { tools: [bash('toolu_b', 'echo out; echo err >&2; cat a.txt', { description: 'Show file' })] },
      { tools: [{ id: 'toolu_g', name: 'Glob', input: { pattern: '**/*.txt' } }] },
      { tools: [{ id: 'toolu_gr', name: 'Grep', input: { pattern: 'gamma', output_mode: 'content', '-n': true } }] },
      { tools: [{ id: 'toolu_gr2', name: 'Grep', input: { pattern: 'gamma' } }] },
      { tools: [{ id: 'toolu_gr3', name: 'Grep', input: { pattern: 'nomatch', output_mode: 'count' } }] },
      {
        tools: [
          {
            id: 'toolu_t',
            name: 'TodoWrite',
            input: { todos: [{ content: 'Do X', status: 'in_progress', activeForm: 'Doing X' }] },
          },
        ],
      },
      { tools: [{ id: 'toolu_w2', name: 'Write', input: { file_path, content: 'overwritten\n' } }] },
      { text: 'All tools done.' },
    ])
    await consume(sdk.query({ prompt: 'Use the tools.', options: options({ canUseTool: canUseTool(allowAll) }) }))
  },
}

export const s03b = {
  title: 'three tools in one message',
  async run({ sdk, options, script, consume, canUseTool, cwd }) {
    writeFileSync(join(cwd, 'x.txt'), 'file x\n')
    script([
      {
        text: 'Running three.',
        tools: [
          { id: 'toolu_p1', name: 'Read', input: { file_path: `${cwd}/x.txt` } },
          bash('toolu_p2', 'echo par'),
          { id: 'toolu_p3', name: 'Write', input: { file_path: `${cwd}/y.txt`, content: 'y' } },
        ],
      },
      { text: 'Parallel done.' },
    ])
    await consume(sdk.query({ prompt: 'Parallel.', options: options({ canUseTool: canUseTool(allowAll) }) }))
  },
}

export const s03c = denied('Deny me.', 'touch denied', { behavior: 'deny', message: 'Not today.' })

export const s03d = {
  ...denied('Deny and stop.', 'touch stopped', { behavior: 'deny', message: 'Stop everything.', interrupt: true }),
  title: 'deny with interrupt ends the turn',
}

export const s03e = {
  title: 'allow with another input',
  async run({ sdk, options, script, consume, canUseTool, cwd, record }) {
    script([{ tools: [bash('toolu_u1', 'touch original')] }, { text: 'Updated ran.' }])
    const swap = canUseTool(async () => ({ behavior: 'allow', updatedInput: { command: 'touch replaced' } }))
    await consume(sdk.query({ prompt: 'Update input.', options: options({ canUseTool: swap }) }))
    record('note', { files: readdirSync(cwd).sort() })
  },
}

export const s03f = {
  title: 'updatedPermissions with setMode',
  async run({ sdk, options, script, consume, canUseTool, cwd }) {
    const write = (id, name) => ({ id, name: 'Write', input: { file_path: `${cwd}/${name}`, content: name } })
    script([
      { tools: [write('toolu_1', 'one.txt')] },
      { tools: [write('toolu_2', 'two.txt')] },
      { text: 'Both written.' },
    ])
    const decide = canUseTool(async (_name, updatedInput, { suggestions }) => {
      return { behavior: 'allow', updatedInput, updatedPermissions: suggestions }
    })
    await consume(sdk.query({ prompt: 'Write twice.', options: options({ canUseTool: decide }) }))
  },
}

export const s03g = {
  title: 'malformed answers: allow without updatedInput, deny without message',
  async run({ sdk, options, script, consume, canUseTool }) {
    script([{ tools: [bash('toolu_1', 'touch one')] }, { tools: [bash('toolu_2', 'touch two')] }, { text: 'Done.' }])
    const answers = [{ behavior: 'allow' }, { behavior: 'deny' }]
    const decide = canUseTool(async () => answers.shift())
    await consume(sdk.query({ prompt: 'Bad answers.', options: options({ canUseTool: decide }) }))
  },
}

export const s03h = {
  title: 'a callback that throws, and one that answers nonsense',
  async run({ sdk, options, script, consume, canUseTool }) {
    script([{ tools: [bash('toolu_1', 'touch one')] }, { tools: [bash('toolu_2', 'touch two')] }, { text: 'Done.' }])
    let calls = 0
    const decide = canUseTool(async () => {
      calls += 1
      if (calls === 1) throw new Error('callback exploded')
      return { behavior: 'maybe' }
    })
    await consume(sdk.query({ prompt: 'Throwing callback.', options: options({ canUseTool: decide }) }))
  },
}

export const s03i = {
  title: 'tool calls that fail',
  async run({ sdk, options, script, consume, canUseTool, cwd }) {
    writeFileSync(join(cwd, 'unread.txt'), 'one\none\ntwo\n')
    mkdirSync(join(cwd, 'folder'))
    const file_path = `${cwd}/unread.txt`
    let calls = 0
    const call = (name, input) => ({ tools: [{ id: `toolu_${++calls}`, name, input }] })
    script([
      call('Read', { file_path: `${cwd}/missing.txt` }),
      call('Write', { file_path, content: 'no' }),
      call('Edit', { file_path, old_string: 'two', new_string: 'three' }),
      call('Read', { file_path }),
      call('Edit', { file_path, old_string: 'absent', new_string: 'x' }),
      call('Edit', { file_path, old_string: 'one', new_string: 'x' }),
      call('Edit', { file_path, old_string: 'one', new_string: 'one' }),
      call('Edit', { file_path, old_string: 'one', new_string: 'uno', replace_all: true }),
      call('Read', { file_path: `${cwd}/folder` }),
      call('Bash', { command: 'echo some; exit 3' }),
      call('Bash', { command: 'exit 4' }),
      call('Bash', { command: 'cd folder && cd /' }),
      call('NoSuchTool', { a: 1 }),
      call('Bash', {}),
      call('Bash', { command: 5 }),
      call('Read', { file_path, bogus: true }),
      { tools: [{ id: 'toolu_raw', name: 'Bash', input: {}, rawInput: '{"command": "ech' }] },
      call('Grep', { pattern: 'zzz' }),
      call('Glob', { pattern: '*.nothing' }),
      { text: 'Errors done.' },
    ])
    await consume(sdk.query({ prompt: 'Fail a lot.', options: options({ canUseTool: canUseTool(allowAll) }) }))
  },
}

export const s03k = {
  title: 'what Read, Grep and Bash report for unusual files',
  async run({ sdk, options, script, consume, canUseTool, cwd }) {
    writeNotebook(join(cwd, 'book.ipynb'))
    writeFileSync(join(cwd, 'empty.txt'), '')
    writeFileSync(join(cwd, 'many.txt'), 'l1\nl2\nl3\nl4\n')
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    writeFileSync(join(cwd, 'pixel.png'), Buffer.from(pixel, 'base64'))
    const call = (id, name, input) => ({ tools: [{ id, name, input }] })
    script([
      call('toolu_1', 'Read', { file_path: `${cwd}/empty.txt` }),
      call('toolu_2', 'Read', { file_path: `${cwd}/many.txt`, offset: 2, limit: 2 }),
      call('toolu_3', 'Read', { file_path: `${cwd}/many.txt`, offset: 99 }),
      call('toolu_4', 'Read', { file_path: `${cwd}/pixel.png` }),
      call('toolu_5', 'Read', { file_path: `${cwd}/book.ipynb` }),
      call('toolu_7', 'Grep', { pattern: 'l[12]', output_mode: 'count' }),
      call('toolu_8', 'Bash', { command: 'mkdir made' }),
      { text: 'Unusual done.' },
    ])
    await consume(sdk.query({ prompt: 'Unusual files.', options: options({ canUseTool: canUseTool(allowAll) }) }))
  },
}

export const s03l = {
  title: 'NotebookEdit',
  async run({ sdk, options, script, consume, canUseTool, cwd }) {
    const notebook_path = join(cwd, 'book.ipynb')
    writeNotebook(notebook_path)
    script([
      { tools: [{ id: 'toolu_1', name: 'Read', input: { file_path: notebook_path } }] },
      {
        tools: [
          { id: 'toolu_2', name: 'NotebookEdit', input: { notebook_path, cell_id: 'c1', new_source: 'print(2)' } },
        ],
      },
      { text: 'Edited.' },
    ])
    await consume(sdk.query({ prompt: 'Edit the notebook.', options: options({ canUseTool: canUseTool(allowAll) }) }))
  },
}

function writeNotebook(path) {
  const cell = { cell_type: 'code', id: 'c1', metadata: {}, source: ['print(1)'], outputs: [], execution_count: null }
  const metadata = { language_info: { name: 'python' } }
  writeFileSync(path, JSON.stringify({ cells: [cell], metadata, nbformat: 4, nbformat_minor: 5 }))
}

function denied(prompt, command, answer) {
  return {
    title: 'deny: the message goes to the model, the loop goes on',
    async run({ sdk, options, script, consume, canUseTool }) {
      script([{ tools: [bash('toolu_d1', command)] }, { text: 'Denied handled.' }])
      await consume(sdk.query({ prompt, options: options({ canUseTool: canUseTool(async () => answer) }) }))
    },
  }
}
