/** A program that keeps a stage busy until it is killed: `SESSION CWD`. Prints every entry it is told of. */
import { createHub } from '../../src/hub/create-hub.js'

const [, , session = '', cwd = ''] = process.argv
const hub = createHub({ options: { model: 'practice', cwd } })
const isNew = await hub.info(session).then(
  () => false,
  () => true,
)
if (isNew) await hub.create({ id: session, cwd })
await hub.resumeTurn(session)
const { seq } = await hub.info(session)
const sendSome = async () => {
  for (let n = 0; ; n += 1) {
    await hub.send(session, { id: `${process.pid}-${n}`, content: `create ${process.pid}-${n}.txt with x` })
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
}
void sendSome()
for await (const item of hub.read(session, { after: isNew ? 0 : seq })) {
  if (item.kind === 'delta') continue
  process.stdout.write(`${JSON.stringify(item)}\n`)
  if (item.kind === 'ask') void hub.answer(session, item.data.id, { kind: 'allow' }, { name: 'Ada' })
}
