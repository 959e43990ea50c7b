import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadShellParser } from '../../syntax/parse-command.js'
import { filesReadByAwk } from './awk.js'
import { readHarmlessSed } from './sed.js'

const parse = await loadShellParser()
const words = (text: string) => parse(text).commands[0]?.words ?? []

function sed(text: string) {
  const form = readHarmlessSed(words(text))
  return form && { inPlace: form.inPlace, files: form.files.map((word) => word.value) }
}

test('forms of sed that only edit', () => {
  const file = { inPlace: false, files: ['f'] }
  const harmless = [
    ...[
      "sed -n '1,5p' f",
      "sed 's/a/b/g' f",
      "sed -E 's|a/b|c|2p' f",
      "sed '/x/d;$!N' f",
      "sed -n '/a/,/b/p' f",
      "sed '1~2d' f",
    ],
    ...[
      "sed -ne '1p' f",
      "sed -e 's/a/b/' -e y/ab/ba/ f",
      "sed '/a/{s/x/y/;p}' f",
      "sed 'a text' f",
      "sed '2,+3d' f",
      'sed --quiet = f',
      "sed '5q' f",
    ],
  ]
  for (const text of harmless) assert.deepEqual(sed(text), file, text)
  assert.deepEqual(sed("sed -i.bak 's/a/b/' f g"), { inPlace: true, files: ['f', 'g'] })
  assert.deepEqual(sed("sed -ni '1p' f"), { inPlace: true, files: ['f'] })
})

test('forms of sed that run, read or write something else, or are not followed', () => {
  const harmful = [
    ...[
      "sed '1e touch x' f",
      'sed e f',
      "sed 's/a/b/e' f",
      "sed 's/a/b/w out' f",
      "sed 's/a/b/gew x' f",
      "sed 'w out' f",
      "sed -n '/a/w out' f",
    ],
    ...[
      "sed '1r /etc/passwd' f",
      "sed 'R x' f",
      "sed 'W x' f",
      'sed -f script f',
      'sed -ne"1e x" f',
      "sed --expression='1e x' f",
      "sed '1{e x\n}' f",
    ],
    ...[
      'sed --in-pl=x s/a/b/ f',
      'sed -i/../x s/a/b/ f',
      "sed 's/[/]/x/e' f",
      "sed '1!e x' f",
      "sed 'a\\\ntext\ne x' f",
      'sed',
      'sed "$x" f',
      "sed '/a/I,/b/e x' f",
    ],
    ...[
      "sed 's/a/b/;e x' f",
      "sed '1~2e x' f",
      "sed '$e x' f",
      "sed '1,$ e x' f",
      "sed 'p;;;e x' f",
      "sed 'i\\e\ne x' f",
      "sed '0,/a/e x' f",
      "sed 'sea/bexe' f",
    ],
  ]
  for (const text of harmful) assert.equal(sed(text), undefined, text)
})

test('the files that awk reads, when its program only prints', () => {
  const files = (text: string) => filesReadByAwk(words(text))?.map((word) => word.value)
  assert.deepEqual(files("awk '{print $1}' f"), ['f'])
  assert.deepEqual(files('awk -F: \'$1 == "x" || /y/ {n++} END {print n}\' f g'), ['f', 'g'])
  assert.deepEqual(files("awk -F , -v x=1 -vOFS=, '{print x}'"), [])
  assert.deepEqual(files("awk -- '{print}' -f"), ['-f'])
  for (const text of [
    'awk \'BEGIN{system("x")}\'',
    'awk \'{print > "f"}\'',
    'awk -f p.awk',
    'awk -f p.awk 1',
    "awk -v ENVIRON=1 '1'",
    "awk -v x '1'",
    "awk -v =1 '1'",
    'awk -v "x=$y" \'1\'',
    'awk -F "$y" \'1\'',
    "awk -F * '1'",
    'awk "$P" f',
    'awk * f',
    "awk -i inplace '{print}' f",
    "awk --load x '{print}' f",
    'awk -E x',
    'awk -- -x',
    'awk',
  ])
    assert.equal(files(text), undefined, text)
})
