/**
 * A program that saves rules again and again, as hosts do when somebody clicks "always allow", beside others that do the same. Its one
 * argument is JSON: options, the number of this writer, and how many rules it saves.
 */
import { type CanUseTool, type Options, query } from 'kedge'

const { options, writer, rules }: { options: Options; writer: number; rules: number } = JSON.parse(
  process.argv[2] ?? '',
)

for (let n = 0; n < rules; n += 1) {
  const canUseTool: CanUseTool = async () => ({
    behavior: 'allow',
    updatedPermissions: [
      {
        type: 'addRules',
        rules: [{ toolName: 'Bash', ruleContent: `make w${writer}n${n}` }],
        behavior: 'allow',
        destination: 'localSettings',
      },
    ],
  })
  for await (const _ of query({ prompt: `Writer ${writer}, rule ${n}.`, options: { ...options, canUseTool } }));
}
