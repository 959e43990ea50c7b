// Tests that can be skipped, and why: a skip that is not listed here fails the run. `needs` is what a machine lacks then;
// KEDGE_REQUIRE=browser,sandbox,postgres,python, which CI sets, makes a skip for one of these a failure.

/** What can be missing, in the words of the summary. */
export const NEEDS = {
  browser: 'Chromium (apt-get install chromium)',
  sandbox: 'bubblewrap, and a system that lets it work (apt-get install bubblewrap)',
  postgres: 'a PostgreSQL of the system (apt-get install postgresql)',
  python: 'Python 3.11 (apt-get install python3)',
  original: 'the original to compare with (npm run interop)',
  long: 'npm run test:long, because it takes minutes or downloads much',
  program: 'a program of the system that the test is about',
  cgroup: 'cgroup v2 with a folder that can be written to (root, or a user session of systemd)',
  user: 'another user: root, or somebody who is not',
}

/** The first entry whose `file` begins the path, and whose `test` is in the title, is the one that applies. */
export const SKIPS = [
  { file: 'test/sandbox/', test: /sandbox-runtime is not installed/, needs: 'original' },
  { file: 'test/sandbox/', needs: 'sandbox' },
  { file: 'test/permissions/races-sandbox', needs: 'sandbox' },
  { file: 'test/e2e/sandbox', needs: 'sandbox' },
  { file: 'test/fuzz/', needs: 'sandbox' },
  { file: 'test/first-hour/doctor', needs: 'sandbox' },
  { file: 'test/first-hour/errors', test: /full/, needs: 'sandbox' },
  { file: 'test/web/', needs: 'browser' },
  { file: 'test/cluster/full-disk', needs: 'sandbox' },
  { file: 'test/cluster/compose', needs: 'postgres' },
  { file: 'test/cluster/page', needs: 'browser' },
  { file: 'test/cluster/backup', needs: 'postgres' },
  { file: 'test/cluster/chaos', needs: 'long' },
  { file: 'test/client/python', needs: 'python' },
  { file: 'test/contract/compatibility', needs: 'original' },
  { file: 'test/contract/types', needs: 'original' },
  { file: 'test/packaging/release', needs: 'long' },
  { file: 'test/packaging/runtimes', needs: 'long' },
  { file: 'test/packaging/frameworks', needs: 'long' },
  { file: 'test/packaging/bun', needs: 'long' },
  { file: 'test/acp/bad-input-generated', needs: 'long' },
  { file: 'test/packaging/', needs: 'user' },
  { file: 'test/permissions/root', needs: 'user' },
  { file: 'test/e2e/process-zoo', test: /cgroup of its own/, needs: 'cgroup' },
  { file: 'test/e2e/process-zoo', needs: 'user' },
  { file: 'src/platform/processes/cgroup', needs: 'cgroup' },
  { file: 'src/cli/doctor/machine', needs: 'user' },
  { file: 'src/platform/files/held-folder', needs: 'user' },
  { file: 'src/cluster/embedded/shared-embedded', needs: 'user' },
  { file: 'src/project/hostile', needs: 'user' },
  { file: 'src/tools/read/read', needs: 'user' },
  { file: 'src/platform/files/files', needs: 'user' },
  { file: 'src/platform/files/make-folders', needs: 'user' },
  { file: 'src/tools/write/write', needs: 'user' },
  { file: 'test/settings/hermetic', needs: 'program' },
  { file: 'test/model/lock-in', needs: 'program' },
  { file: 'test/first-hour/', needs: 'program' },
  { file: 'test/project/question', needs: 'program' },
  { file: 'test/sessions/picker', needs: 'program' },
  { file: 'test/server/docs-page', needs: 'program' },
  { file: 'test/server/reverse-proxy', needs: 'program' },
  { file: 'test/server/service-units', needs: 'program' },
  { file: 'test/server/generated-client', needs: 'program' },
  { file: 'test/terminal/terminal', needs: 'program' },
  { file: 'src/permissions/bash/programs/', needs: 'program' },
  { file: 'src/platform/processes/starter', needs: 'program' },
  { file: 'src/platform/processes/temporary-names', needs: 'user' },
]

export function createSkipList(required = '', { skips = SKIPS, isLinux = process.platform === 'linux' } = {}) {
  const must = required.split(',').filter(Boolean)
  const unknown = must.filter((name) => !Object.hasOwn(NEEDS, name))
  if (unknown.length > 0) throw new Error(`KEDGE_REQUIRE takes ${Object.keys(NEEDS).join(', ')}, not ${unknown.join()}`)
  const noted = []
  return {
    note(file, { name, skip }) {
      const why = typeof skip === 'string' ? skip : ''
      const entry = skips.find((one) => file.startsWith(one.file) && (one.test === undefined || one.test.test(name)))
      noted.push({ title: `${file} › ${name}`, why, entry })
    },
    count: () => noted.length,
    problems: () =>
      noted.flatMap(({ title, entry }) => {
        // Many tests are about Linux alone.
        if (entry === undefined) return isLinux ? [`${title}: skipped, but not listed in scripts/test-skips.mjs`] : []
        return must.includes(entry.needs) ? [`${title}: skipped, but KEDGE_REQUIRE asks for ${entry.needs}`] : []
      }),
    summary() {
      const counts = new Map()
      for (const { entry } of noted) if (entry) counts.set(entry.needs, (counts.get(entry.needs) ?? 0) + 1)
      return [...counts].map(([needs, count]) => `${count} skipped: needs ${NEEDS[needs]}`)
    },
  }
}
