/** Random rules and modes for a command. */
import type { PermissionMode } from '../../src/protocol/permission-types.js'
import type { Random } from './random.js'

export type Rules = { allow: string[]; ask: string[]; deny: string[] }
/** `cwd`: where it starts, if not in the project's folder; `project`: the session's own folder, if not that. */
export type Case = { command: string; rules: Rules; mode: PermissionMode; cwd?: string; project?: string }

const ALLOW = [
  ...[
    'Bash(git log:*)',
    'Bash(git log *)',
    'Bash(git diff:*)',
    'Bash(git show *)',
    'Bash(git *)',
    'Bash(git commit:*)',
    'Bash(git push origin main)',
    'Bash(git config *)',
    'Bash(git branch *)',
    'Bash(git grep *)',
    'Bash(git fetch *)',
    'Bash(git stash:*)',
  ],
  ...[
    'Bash(npm test)',
    'Bash(npm test:*)',
    'Bash(npm run *)',
    'Bash(npm run test:*)',
    'Bash(npm run build)',
    'Bash(npm *)',
    'Bash(node --version)',
    'Bash(make)',
    'Bash(make *)',
    'Bash(cargo test:*)',
    'Bash(go test *)',
    'Bash(docker ps *)',
    'Bash(python3 *)',
  ],
  ...[
    'Bash(echo *)',
    'Bash(echo x)',
    'Bash(: *)',
    'Bash(printf *)',
    'Bash(cat *)',
    'Bash(cat a.txt)',
    'Bash(ls *)',
    'Bash(ls*)',
    'Bash(grep *)',
    'Bash(rg *)',
    'Bash(find *)',
    'Bash(find . -name *)',
    'Bash(sed *)',
    'Bash(awk *)',
    'Bash(sort *)',
    'Bash(tar *)',
    'Bash(patch *)',
    'Bash(tar tf *)',
    'Bash(xargs *)',
    'Bash(head *)',
    'Bash(wc *)',
    'Bash(jq *)',
    'Bash(curl *)',
    'Bash(man *)',
    'Bash(less *)',
  ],
  ...[
    'Bash(touch new.txt)',
    'Bash(touch *)',
    'Bash(rm build/x)',
    'Bash(rm build/*)',
    'Bash(rm *)',
    'Bash(mkdir *)',
    'Bash(cp *)',
    'Bash(mv *)',
    'Bash(* --version)',
    'Bash(export *)',
    'Bash(cd *)',
    'Bash(test *)',
    'Bash(let *)',
    'Bash(timeout *)',
    'Bash(env *)',
    'Bash(bash *)',
    'Bash(sh *)',
    'Bash(time *)',
    'Bash(exec *)',
    'Bash(command *)',
    'Bash(command -v *)',
    'Bash(read *)',
    'Bash(source *)',
    'Bash(set *)',
    'Bash(f)',
    'Bash(kill *)',
    'Bash(tee *)',
    'Bash(eval *)',
    'Bash(declare *)',
  ],
  ...['Read(//out/**)', 'Edit(build/**)', 'Edit(*.txt)', 'Read(~/secret)', 'Edit', 'Read', 'Write', 'WebFetch'],
]
const DENY = [
  'Bash(rm *)',
  'Bash(rm:*)',
  'Bash(touch *)',
  'Bash(evil)',
  'Bash(evil *)',
  'Bash(git push *)',
  'Bash(git push:*)',
  'Bash(curl *)',
  'Bash(npm publish)',
  'Bash(npm *)',
  'Read(./secrets/**)',
  'Edit(.claude/**)',
  'Edit(secrets/**)',
  'Bash(cat *)',
  'Bash(python3 *)',
  'Bash(kill *)',
  'Bash(sh *)',
]

/** Any rule, for denying or asking. */
export function randomRule(r: Random): string {
  return r.pick(r.chance(0.5) ? DENY : ALLOW)
}

/** The same, and often a rule for a program that the command names: only then some things happen at all. */
export function rulesFor(r: Random, command: string): Pick<Case, 'rules' | 'mode'> {
  const made = randomRules(r)
  const fitting = ALLOW.filter((rule) => command.includes(/^Bash\(([\w.-]+) /.exec(rule)?.[1] ?? '\u0000'))
  if (fitting.length === 0 || r.chance(0.4)) return made
  return { ...made, rules: { ...made.rules, allow: [...made.rules.allow, ...r.some(fitting, 2)] } }
}

/** Mostly a few scoped rules; sometimes all of Bash with something taken out. */
export function randomRules(r: Random): Pick<Case, 'rules' | 'mode'> {
  if (r.chance(0.12)) {
    const rules = { allow: ['Bash'], ask: r.some(DENY, 1), deny: [r.pick(DENY), ...r.some(DENY, 1)] }
    return { rules, mode: r.chance(0.3) ? 'bypassPermissions' : 'default' }
  }
  const rules = {
    allow: r.some(ALLOW, 4),
    ask: r.chance(0.1) ? [r.pick(DENY)] : [],
    deny: r.chance(0.15) ? [r.pick(DENY)] : [],
  }
  const mode = r.pick<PermissionMode>([
    'default',
    'default',
    'default',
    'acceptEdits',
    'acceptEdits',
    'dontAsk',
    'plan',
  ])
  return { rules, mode }
}
