// A hook of the project: nothing with TODO in it is written.
let text = ''
process.stdin.on('data', (chunk) => (text += chunk))
process.stdin.on('end', () => {
  const { tool_input: input } = JSON.parse(text)
  if (!/TODO/.test(`${input.content ?? ''}${input.new_string ?? ''}`)) return
  console.error('Files must not contain TODO: write what is to be done into tasks.md.')
  process.exitCode = 2
})
