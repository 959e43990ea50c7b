// Read, Write, Edit and NotebookEdit: what no other scenario shows.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { calls } from './steps.mjs'

export const t10 = calls(
  'Read of a PDF',
  ({ cwd }) => [
    ['Read', { file_path: `${cwd}/two.pdf` }],
    ['Read', { file_path: `${cwd}/two.pdf`, pages: '1' }],
    ['Read', { file_path: `${cwd}/two.pdf`, pages: '9-12' }],
    ['Read', { file_path: `${cwd}/two.pdf`, pages: 'x' }],
    ['Read', { file_path: `${cwd}/broken.pdf` }],
    ['Read', { file_path: `${cwd}/empty.pdf` }],
  ],
  {
    prepare({ cwd }) {
      writeFileSync(join(cwd, 'two.pdf'), pdf(['First page', 'Second page']))
      writeFileSync(join(cwd, 'broken.pdf'), 'no PDF at all')
      writeFileSync(join(cwd, 'empty.pdf'), '')
    },
  },
)

export const t11 = calls(
  'Read of long lines, long files, binary files, odd encodings, odd kinds of files',
  ({ cwd }) => [
    ['Read', { file_path: `${cwd}/long-line.txt` }],
    ['Read', { file_path: `${cwd}/many-lines.txt` }],
    ['Read', { file_path: `${cwd}/many-lines.txt`, offset: 2400, limit: 5 }],
    ['Read', { file_path: `${cwd}/big.txt` }],
    ['Read', { file_path: `${cwd}/big.txt`, offset: 10, limit: 2 }],
    ['Read', { file_path: `${cwd}/data.bin` }],
    ['Read', { file_path: `${cwd}/archive.zip` }],
    ['Read', { file_path: `${cwd}/utf16.txt` }],
    ['Read', { file_path: `${cwd}/bom.txt` }],
    ['Read', { file_path: `${cwd}/crlf.txt` }],
    ['Read', { file_path: `${cwd}/latin1.txt` }],
    ['Read', { file_path: `${cwd}/link.txt` }],
    ['Read', { file_path: `${cwd}/no-newline.txt` }],
    ['Read', { file_path: `${cwd}/no-newline.txt`, offset: 0 }],
    ['Read', { file_path: `${cwd}/no-newline.txt`, offset: -1 }],
    ['Read', { file_path: `${cwd}/no-newline.txt`, limit: 0 }],
    ['Read', { file_path: 'no-newline.txt' }],
    ['Read', { file_path: '~/nothing.txt' }],
    ['Read', { file_path: `${cwd}/no-newline.tx` }],
    ['Read', { file_path: '' }],
    ['Read', { file_path: '/dev/zero' }],
    ['Read', { file_path: `${cwd}/fake.png` }],
  ],
  {
    prepare({ cwd }) {
      const put = (name, data) => writeFileSync(join(cwd, name), data)
      put('long-line.txt', `${'x'.repeat(2500)}\nshort\n`)
      put('many-lines.txt', Array.from({ length: 2500 }, (_, i) => `l${i + 1}\n`).join(''))
      put(
        'big.txt',
        Array.from({ length: 6000 }, (_, i) => `this is a line with some words in it, number ${i + 1}\n`).join(''),
      )
      put('data.bin', Buffer.from([0, 1, 2, 3, 255, 254, 0, 10, 13]))
      put('archive.zip', Buffer.from('504b0304140000000000', 'hex'))
      put('utf16.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('wide\r\ntext\n', 'utf16le')]))
      put('bom.txt', '\ufeffwith mark\n')
      put('crlf.txt', 'one\r\ntwo\r\n')
      put('latin1.txt', Buffer.from('caf\xe9\n', 'latin1'))
      put('no-newline.txt', 'one\ntwo')
      put('fake.png', 'no image')
      symlinkSync('crlf.txt', join(cwd, 'link.txt'))
    },
  },
)

export const t12 = calls(
  'NotebookEdit: insert and delete by id and by index, errors',
  ({ cwd }) => {
    const notebook_path = `${cwd}/book.ipynb`
    const edit = (input) => ['NotebookEdit', { notebook_path, ...input }]
    return [
      edit({ cell_id: 'c1', new_source: 'early' }),
      ['Read', { file_path: notebook_path }],
      edit({ cell_id: 'c1', new_source: 'after c1', cell_type: 'code', edit_mode: 'insert' }),
      edit({ new_source: '# first', cell_type: 'markdown', edit_mode: 'insert' }),
      edit({ cell_id: 'c2', new_source: '', edit_mode: 'delete' }),
      edit({ cell_id: 'cell-1', new_source: 'by index' }),
      edit({ cell_id: 'cell-0', new_source: '', edit_mode: 'delete' }),
      edit({ cell_id: '1', new_source: 'by number' }),
      edit({ cell_id: 'cell-99', new_source: 'nowhere' }),
      edit({ cell_id: 'nope', new_source: 'nowhere' }),
      edit({ new_source: 'no id' }),
      edit({ new_source: 'no type', edit_mode: 'insert' }),
      edit({ cell_id: 'c1', new_source: '# now text', cell_type: 'markdown' }),
      ['NotebookEdit', { notebook_path: `${cwd}/a.txt`, cell_id: 'c1', new_source: 'x' }],
      ['NotebookEdit', { notebook_path: `${cwd}/missing.ipynb`, cell_id: 'c1', new_source: 'x' }],
      ['NotebookEdit', { notebook_path: 'book.ipynb', cell_id: 'c1', new_source: 'relative' }],
      ['Read', { file_path: `${cwd}/broken.ipynb` }],
      ['NotebookEdit', { notebook_path: `${cwd}/broken.ipynb`, cell_id: 'c1', new_source: 'x' }],
      ['Edit', { file_path: notebook_path, old_string: 'nbformat', new_string: 'x' }],
      ['Write', { file_path: notebook_path, content: '{}' }],
      ['Read', { file_path: `${cwd}/old.ipynb` }],
      ['NotebookEdit', { notebook_path: `${cwd}/old.ipynb`, cell_id: 'cell-0', new_source: 'no ids here' }],
      ['NotebookEdit', { notebook_path: `${cwd}/old.ipynb`, new_source: 'x', cell_type: 'code', edit_mode: 'insert' }],
      ['Read', { file_path: `${cwd}/outputs.ipynb` }],
    ]
  },
  {
    prepare({ cwd }) {
      const code = (id, source, more = {}) => ({
        cell_type: 'code',
        ...(id === undefined ? {} : { id }),
        metadata: {},
        source,
        outputs: [],
        execution_count: null,
        ...more,
      })
      const book = (cells, nbformat_minor = 5) =>
        JSON.stringify({ cells, metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor })
      const put = (name, data) => writeFileSync(join(cwd, name), data)
      const stream = { output_type: 'stream', name: 'stdout', text: ['one\n', 'two\n'] }
      const shown = { output_type: 'execute_result', execution_count: 3, metadata: {}, data: { 'text/plain': ['4'] } }
      const failed = { output_type: 'error', ename: 'ValueError', evalue: 'bad', traceback: ['line 1', 'line 2'] }
      const image = {
        output_type: 'display_data',
        metadata: {},
        data: { 'image/png': png(1, 1).toString('base64'), 'text/plain': 'fig' },
      }
      put('book.ipynb', book([code('c1', ['print(1)']), code('c2', 'print(2)'), code('c3', ['a = 1\n', 'b = 2'])]))
      put('old.ipynb', book([code(undefined, ['print(1)'])], 4))
      put('broken.ipynb', '{ not json')
      put('a.txt', 'text\n')
      put(
        'outputs.ipynb',
        book([
          code('o1', 'run()', { execution_count: 3, outputs: [stream, shown] }),
          code('o2', 'fail()', { outputs: [failed] }),
          code('o3', 'draw()', { outputs: [image] }),
          { cell_type: 'markdown', id: 'm1', metadata: {}, source: ['# Title\n', 'Text'] },
          { cell_type: 'raw', id: 'r1', metadata: {}, source: 'raw' },
        ]),
      )
    },
  },
)

export const t13 = calls(
  'Write: edges',
  ({ cwd }) => {
    const write = (name, content) => ['Write', { file_path: `${cwd}/${name}`, content }]
    const read = (name) => ['Read', { file_path: `${cwd}/${name}` }]
    return [
      write('deep/er/new.txt', 'made\n'),
      write('empty.txt', ''),
      write('empty.txt', 'now full'),
      write('empty.txt', 'now full'),
      write('folder', 'x'),
      write('old.txt', 'unread'),
      read('old.txt'),
      ['Bash', { command: 'sleep 0.1; echo changed > old.txt' }],
      write('old.txt', 'too late'),
      read('old.txt'),
      write('old.txt', 'in time'),
      read('crlf.txt'),
      write('crlf.txt', 'one\nTWO\n'),
      ['Bash', { command: 'od -c crlf.txt' }],
      read('tool.sh'),
      write('tool.sh', '#!/bin/sh\necho 2\n'),
      ['Bash', { command: 'ls -l tool.sh | cut -c1-10' }],
      ['Write', { file_path: 'relative.txt', content: 'rel' }],
      write('old.txt/below.txt', 'x'),
      ['Write', { file_path: `${cwd}/x.txt` }],
    ]
  },
  {
    chosen: { allowedTools: ['Bash'] },
    prepare({ cwd }) {
      mkdirSync(join(cwd, 'folder'))
      writeFileSync(join(cwd, 'old.txt'), 'old\n')
      writeFileSync(join(cwd, 'crlf.txt'), 'one\r\ntwo\r\n')
      writeFileSync(join(cwd, 'tool.sh'), '#!/bin/sh\necho 1\n')
      chmodSync(join(cwd, 'tool.sh'), 0o755)
    },
  },
)

export const t14 = calls(
  'Edit: edges',
  ({ cwd }) => {
    const edit = (name, old_string, new_string, more) => [
      'Edit',
      { file_path: `${cwd}/${name}`, old_string, new_string, ...more },
    ]
    const read = (name) => ['Read', { file_path: `${cwd}/${name}` }]
    return [
      edit('made.txt', '', 'created by edit\n'),
      edit('missing.txt', 'a', 'b'),
      edit('empty.txt', '', 'filled'),
      edit('text.txt', '', 'x'),
      read('text.txt'),
      edit('text.txt', '', 'x'),
      edit('text.txt', 'beta\n', ''),
      edit('text.txt', 'gamma', 'GAMMA\nDELTA'),
      edit('text.txt', 'GAMMA', '$& $1 $$'),
      edit('text.txt', 'same', 'other', { replace_all: true }),
      ['Bash', { command: 'sleep 0.1; echo changed >> text.txt' }],
      edit('text.txt', 'alpha', 'ALPHA'),
      read('crlf.txt'),
      edit('crlf.txt', 'one\ntwo', 'ONE\nTWO'),
      ['Bash', { command: 'od -c crlf.txt' }],
      read('quotes.txt'),
      edit('quotes.txt', 'say "hello"', 'say "bye"'),
      ['Bash', { command: 'cat quotes.txt' }],
      read('big.txt'),
      edit('big.txt', 'line 50\n', 'LINE 50\n'),
      edit('folder', 'a', 'b'),
      read('bom.txt'),
      edit('bom.txt', 'with', 'without'),
      ['Bash', { command: 'od -c bom.txt' }],
      ['Edit', { file_path: 'text.txt', old_string: 'x', new_string: 'y' }],
      edit('text.tx', 'a', 'b'),
      read('spaces.txt'),
      edit('spaces.txt', 'tail\n', 'TAIL\n'),
      edit('spaces.txt', '     1→\tindented', 'x'),
      ['Bash', { command: 'sleep 0.1; echo more >> spaces.txt' }],
      edit('spaces.txt', 'tail', 'TAIL'),
    ]
  },
  {
    chosen: { allowedTools: ['Bash'] },
    prepare({ cwd }) {
      const put = (name, data) => writeFileSync(join(cwd, name), data)
      mkdirSync(join(cwd, 'folder'))
      put('empty.txt', '')
      put('text.txt', 'alpha\nbeta\ngamma\nsame same\nsame\n')
      put('crlf.txt', 'one\r\ntwo\r\nthree\r\n')
      put('quotes.txt', 'say \u201chello\u201d\n')
      put('big.txt', Array.from({ length: 100 }, (_, i) => `line ${i + 1}\n`).join(''))
      put('bom.txt', '\ufeffwith mark\n')
      put('spaces.txt', '\tindented  \ntail  \n')
    },
  },
)

export const t15 = calls(
  'Read of pictures: other kinds, a wide one, broken ones',
  ({ cwd }) =>
    ['one.gif', 'wide.png', 'empty.png', 'broken.jpg', 'one.svg', 'wrong.jpg'].map((name) => [
      'Read',
      { file_path: `${cwd}/${name}` },
    ]),
  {
    prepare({ cwd }) {
      const put = (name, data) => writeFileSync(join(cwd, name), data)
      put('one.gif', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'))
      put('wide.png', png(2500, 40))
      put('empty.png', '')
      put('broken.jpg', Buffer.from('ffd8ffe000104a464946', 'hex'))
      put('one.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>\n')
      put('wrong.jpg', png(3, 2))
    },
  },
)

/** A black picture. */
function png(width, height) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length)
    frame.writeUInt32BE(crc(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const pixels = deflateSync(Buffer.alloc((width + 1) * height))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function crc(bytes) {
  let value = ~0
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return ~value >>> 0
}

/** A PDF with one line of text per page. */
function pdf(pages) {
  const kids = pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  pages.forEach((text, i) => {
    const stream = `BT /F1 24 Tf 72 720 Td (${text}) Tj ET`
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + i * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    )
  })
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const at = text.length
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const start = text.length
  const size = objects.length + 1
  return `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
}
