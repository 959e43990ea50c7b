import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import { createProblemCollector } from './file-problems.js'
import { createFieldReader, parseMarkdown, splitToolList } from './frontmatter.js'
import { parseYaml } from './yaml.js'

const runs = { numRuns: byTier({ quick: 125, all: 500, long: 20_000 }) }

function values(yaml: string): unknown {
  const fields = parseYaml(yaml.split('\n'), 1)
  if (!(fields instanceof Map)) return fields
  return Object.fromEntries([...fields].map(([key, { value }]) => [key, value]))
}

function texts(yaml: string): unknown {
  const fields = parseYaml(yaml.split('\n'), 1)
  return fields instanceof Map ? Object.fromEntries([...fields].map(([key, { text }]) => [key, text])) : fields
}

describe('the YAML on top of Markdown files', () => {
  it('reads texts, numbers and switches', () => {
    assert.deepEqual(
      values('a: text\nb: 12\nc: -1.5\nd: true\ne: False\nf: ~\ng:\nh: 007\ni: "12"\n# note\nj: x # note'),
      {
        a: 'text',
        b: 12,
        c: -1.5,
        d: true,
        e: false,
        f: null,
        g: null,
        h: '007',
        i: '12',
        j: 'x',
      },
    )
  })

  it('reads quotes with what they escape', () => {
    assert.deepEqual(values(`a: "x \\"y\\" \\\\ \\n \\u00e9 \\U0001F600"\nb: 'it''s \\n'\nc: "two\n  lines"  # note`), {
      a: 'x "y" \\ \n é 😀',
      b: "it's \\n",
      c: 'two lines',
    })
  })

  it('reads lists and maps in both spellings, inside of each other', () => {
    const block = `
tools:
  - Read
  - Bash(git add:*)
same:
- a
- b
servers:
  - github
  - own:
      command: npx
      args: ["-y", 'x, y']
      env: {A: "1", B: two}
  - - deep
empty: []
many: [
  a,
  b,
]`
    assert.deepEqual(values(block), {
      tools: ['Read', 'Bash(git add:*)'],
      same: ['a', 'b'],
      servers: ['github', { own: { command: 'npx', args: ['-y', 'x, y'], env: { A: '1', B: 'two' } } }, ['deep']],
      empty: [],
      many: ['a', 'b'],
    })
  })

  it('reads texts of several lines', () => {
    const yaml =
      'a: |\n  one\n    two\n\n  three\nb: >\n  folded\n  text\n\n  next\nc: |-\n  bare\nd: >-\n  x\n  y\ne: plain\n  goes on\nf: |+\n  kept\n\ng: |\nh: end'
    assert.deepEqual(values(yaml), {
      a: 'one\n  two\n\nthree\n',
      b: 'folded text\nnext\n',
      c: 'bare',
      d: 'x y',
      e: 'plain goes on',
      f: 'kept\n\n',
      g: '',
      h: 'end',
    })
  })

  it('takes what people write for what they mean', () => {
    const yaml =
      'a: Use when: it "fits" #1\nb: [name] [other]\nc: "Quoted" and more\nd: **/*.ts\ne: {{name}}\nf: `code` @x\ng: [open'
    const meant = {
      a: 'Use when: it "fits" #1',
      b: '[name] [other]',
      c: '"Quoted" and more',
      d: '**/*.ts',
      e: '{{name}}',
    }
    assert.deepEqual(texts(yaml), { ...meant, f: '`code` @x', g: '[open' })
    assert.deepEqual(texts('hint: [a, b]\nversion: 1.0\nflag: true'), { hint: '[a, b]', version: '1.0', flag: 'true' })
  })

  it('refuses the rest with its line', () => {
    for (const [yaml, line, text] of [
      ['a: x\nno key here', 2, /is no 'key: value'/],
      ['a: x\n  b: y\nc', 2, /is indented, but the line above/],
      ['a: x\n  y\nc', 3, /is no 'key: value'/],
      ['a: x\na: y', 2, /has 'a' twice/],
      ['a: &anchor x', 1, /begins with '&'/],
      ['a: !!python/object x', 1, /begins with '!'/],
      ['a: *alias', 1, /begins with '\*'/],
      ['a: "open', 1, /quote that is not closed/],
      ['a: "C:\\Users"', 1, /'\\U' means nothing/],
      ['a: "\\ud800"', 1, /'\\u' means nothing/],
      ['x:\n\ta: b', 2, /tab/],
      ['x: |\n    a\n  b', 3, /indented less/],
      ['- a\n- b', 1, /is no 'key: value'/],
      ['x:\n  - a\n  b: c', 3, /is no 'key: value'/],
      [`x: ${'['.repeat(5000)}`, 1, /nested too deeply/],
      [Array.from({ length: 40 }, (_, depth) => `${' '.repeat(depth)}k:`).join('\n'), 18, /nested too deeply/],
    ] as const) {
      const problem = parseYaml(yaml.split('\n'), 1)
      assert.ok(!(problem instanceof Map), yaml)
      assert.equal(problem.line, line, yaml)
      assert.match(problem.text, text)
    }
  })

  it('keeps odd keys as plain data', () => {
    const found = values('__proto__:\n  x: 1\nconstructor: y')
    assert.deepEqual(Object.keys(Object(found)), ['__proto__', 'constructor'])
    assert.equal(Object(found).x, undefined)
  })

  it('never throws and always ends', () => {
    const pieces = fc.constantFrom(
      ...[
        'a',
        ':',
        ' ',
        '  ',
        '\n',
        '- ',
        '"',
        "'",
        '[',
        ']',
        '{',
        '}',
        ',',
        '|',
        '>',
        '#',
        '\\',
        '\t',
        '&',
        '!',
        '\r',
        'é',
        '\u{1f600}',
        '0',
      ],
    )
    const text = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (yaml) => {
        const found = parseYaml(yaml.split('\n'), 1)
        if (!(found instanceof Map)) assert.ok(found.line >= 1 && found.line <= yaml.split('\n').length)
      }),
      runs,
    )
  })

  it('reads back what JSON writes', () => {
    const scalar = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(null))
    const value = fc.oneof(scalar, fc.array(scalar), fc.dictionary(fc.stringMatching(/^[a-z]+$/), scalar))
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]+$/), value), (data) => {
        const yaml = Object.entries(data).map(([key, item]) => `${key}: ${JSON.stringify(item)}`)
        assert.deepEqual(values(yaml.join('\n')), JSON.parse(JSON.stringify(data)))
      }),
      runs,
    )
  })

  it('reads large hostile texts, or names what is wrong and where', () => {
    const size = 250_000
    const many = Array.from({ length: 20_000 }, (_, index) => `k${index}: [`).join('\n')
    const cases: [yaml: string, outcome: number | string][] = [
      ['a: ['.padEnd(size, '['), '1: is nested too deeply'],
      ['a: ['.padEnd(size, '"x",'), 1],
      ['a: "'.padEnd(size, '\\"'), '1: has a quote that is not closed'],
      ['a: x\n'.padEnd(size, '  b\n'), 1],
      ['a: [\n'.padEnd(size, '  x,\n'), 1],
      ['a:\n'.padEnd(size, ' - b\n'), 1],
      [many, 20_000],
      [' '.repeat(size), 0],
    ]
    for (const [yaml, outcome] of cases) {
      const read = parseYaml(yaml.split('\n'), 1)
      assert.equal(read instanceof Map ? read.size : `${read.line}: ${read.text}`, outcome, yaml.slice(0, 20))
    }
  })
})

describe('a Markdown file', () => {
  it('has fields and a body', () => {
    assert.deepEqual(parseMarkdown('---\r\na: b\r\n---\r\n\r\n  \r\nBody\r\n'), {
      fields: new Map([['a', { value: 'b', text: 'b', line: 2 }]]),
      body: 'Body\r\n',
    })
    assert.deepEqual(parseMarkdown('---\n---\n'), { fields: new Map(), body: '' })
  })

  it('may have no fields, and then keeps every character', () => {
    for (const text of ['', '\n# Title\n', '--- \nopen\n', 'text\n---\na: b\n---\n', ' ---\na: b\n---\n']) {
      assert.deepEqual(parseMarkdown(text), { fields: new Map(), body: text })
    }
  })

  it('names the line of the file that is wrong', () => {
    assert.deepEqual(parseMarkdown('---\na: b\n\noops\n---\n'), {
      line: 4,
      text: "is no 'key: value'; put text with several lines behind 'key: |' and indent it",
    })
  })
})

describe('fields', () => {
  function read(yaml: string) {
    const parsed = parseMarkdown(`---\n${yaml}\n---\n`)
    assert.ok('fields' in parsed)
    const problems = createProblemCollector()
    return { fields: createFieldReader(parsed.fields, '/x.md', problems), problems }
  }

  it('are read as what they should be', () => {
    const { fields, problems } = read('t: 12\nf: Yes\nc: 3\nl: [a, b]\ns: Read, Bash(a b, c)  Grep\no: low\nn: null')
    assert.equal(fields.text('t'), '12')
    assert.equal(fields.flag('f'), true)
    assert.equal(fields.count('c'), 3)
    assert.deepEqual(fields.list('l'), ['a', 'b'])
    assert.deepEqual(fields.list('s'), ['Read', 'Bash(a b, c)', 'Grep'])
    assert.equal(fields.oneOf('o', ['low', 'high']), 'low')
    for (const key of ['n', 'absent']) {
      assert.deepEqual([fields.text(key), fields.flag(key), fields.list(key)], Array(3).fill(undefined))
    }
    assert.equal(fields.isRight(), true)
    assert.deepEqual(problems.take(), [])
  })

  it('that are wrong are told by line, and are not taken for absent', () => {
    const { fields, problems } = read('t: {a: b}\nx: maybe\nc: 0\nl: [a, 1]\ns: "[Read, Grep"\no: other\np: Bash(open')
    fields.flag('x')
    fields.count('c')
    fields.list('l')
    fields.list('s')
    fields.oneOf('o', ['low', 'high'])
    fields.list('p')
    assert.equal(fields.isRight(), false)
    assert.deepEqual(problems.take(), [
      "/x.md:3: 'x' must be true or false. The file is not used.",
      "/x.md:4: 'c' must be a whole number above 0. The file is not used.",
      "/x.md:5: 'l' must be a list, or names divided by commas. The file is not used.",
      "/x.md:6: 's' must be a list, or names divided by commas. The file is not used.",
      "/x.md:7: 'o' must be one of low, high. The file is not used.",
      "/x.md:8: 'p' must be a list, or names divided by commas. The file is not used.",
    ])
  })

  it('split lists outside of parentheses', () => {
    assert.deepEqual(splitToolList('a,b c\n(d e),,'), ['a', 'b', 'c', '(d e)'])
    assert.deepEqual(splitToolList(''), [])
    assert.deepEqual(splitToolList('*.{ts,tsx} b'), ['*.{ts,tsx}', 'b'])
    for (const open of ['a(b', '*.{ts', '[a, b']) assert.equal(splitToolList(open), undefined)
  })
})
