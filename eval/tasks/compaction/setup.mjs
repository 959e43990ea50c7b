import { writeFileSync } from 'node:fs'

const facts = [
  'The port is 48213.',
  'The owner is Mara Lindqvist.',
  'The region is eu-north-7.',
  'The key is rotated on day 19.',
  'The limit is 731 requests.'
]
facts.forEach((fact, at) => {
  const filler = Array.from({ length: 220 }, (_, line) => `Line ${line} of chapter ${at + 1} says nothing that anybody has to know.`)
  filler.splice(110, 0, fact)
  writeFileSync(`chapter${at + 1}.md`, `${filler.join('\n')}\n`)
})
