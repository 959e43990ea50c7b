/** What commands in the sandbox may not read or change beside what the settings of the sandbox say. */
import { firmPath, matchesFile } from '../../permissions/file-pattern.js'
import type { Permissions } from '../../permissions/permission-engine.js'
import { dirname, isInside, join } from '../../platform/paths.js'
import { findRipgrep } from '../../platform/processes/ripgrep.js'
import { isOn } from '../../platform/switch.js'
import type { SandboxRequest } from '../../sandbox/sandbox-request.js'
import type { Place } from '../configuration.js'

type Patterns = NonNullable<SandboxRequest['hiddenPatterns']>

/** In the home folder and in ours: the keys this program itself goes by. */
const OWN_SECRETS = ['.credentials.json', '.claude-oauth-credentials.json', '.claude.json', '.claude.json.api']

/** In the home folder: nothing but keys and logins, and of no use without a network. */
const SECRETS = words(`
  .ssh .gnupg .netrc _netrc .authinfo .authinfo.gpg .git-credentials .config/git/credentials .pgpass .my.cnf .mylogin.cnf
  .config/gh .config/hub .config/glab-cli .config/op .vault-token .config/age .config/sops
  .npmrc .pypirc .config/pip/pip.conf .pip/pip.conf .cargo/credentials .cargo/credentials.toml
  .gem/credentials .local/share/gem/credentials .composer/auth.json .config/composer/auth.json .m2/settings.xml
  .m2/settings-security.xml .gradle/gradle.properties .nuget/NuGet/NuGet.Config .config/pypoetry/auth.toml
  .hex/hex.config .pub-cache/credentials.json .config/dart/pub-credentials.json .sbt/.credentials .ivy2/.credentials
  .docker/config.json .config/containers/auth.json .kube .config/helm/registry
  .aws .azure .config/gcloud .boto .oci .config/oci .terraform.d/credentials.tfrc.json .config/doctl .fly
  .vercel .local/share/com.vercel.cli .config/netlify .netlify .config/heroku .railway .wrangler .config/.wrangler
  .config/rclone .s3cfg .config/linode-cli .pulumi/credentials.json .supabase .databrickscfg .snowsql
  .kaggle .huggingface .cache/huggingface/token .cache/huggingface/stored_tokens .config/wandb
  .codex/auth.json .gemini/oauth_creds.json .config/github-copilot .local/share/opencode/auth.json   .config/goose .cursor/cli-config.json .config/amp .qwen/oauth_creds.json
  .local/share/keyrings .local/share/kwalletd .password-store .config/Bitwarden .config/keepassxc .electrum .bitcoin
  .mozilla .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi
  .config/opera .thunderbird snap/firefox snap/chromium .var/app/org.mozilla.firefox .config/Signal .config/Slack
  .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history
  Library/Keychains Library/Cookies Library/Safari Library/Mail
`)

/** Of the machine: the superuser can read them, and gives up no right that hides them. */
const SYSTEM_SECRETS = words(`
  /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private /etc/krb5.keytab
  /etc/wireguard /etc/NetworkManager/system-connections /etc/ppp/chap-secrets /var/lib/sss/secrets /root/.ssh
`)

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

type Guarded = Pick<SandboxRequest, 'hiddenPaths' | 'hiddenPatterns' | 'protectedPaths' | 'protectedPatterns'>

/** As the rules are at the moment. */
export async function guardedFiles(
  { home, configDir, env }: Omit<Place, 'cwd'>,
  directories: readonly string[],
  deniedFiles: Permissions['deniedFiles'],
): Promise<Guarded> {
  const folders = [...new Set([home, join(home, '.claude'), configDir])]
  const all = [...SECRETS.map((name) => join(home, name)), ...SYSTEM_SECRETS]
  const secrets = isOn(env['KEDGE_PASS_SECRETS']) ? [] : all
  const ripgrep = findRipgrep(env)
  return {
    hiddenPaths: [
      ...folders.flatMap((folder) => OWN_SECRETS.map((name) => join(folder, name))),
      // Who works in such a folder wants to see it.
      ...new Set(secrets.filter((path) => !directories.some((directory) => isInside(directory, path)))),
    ],
    hiddenPatterns: toPatterns(await deniedFiles('read')),
    protectedPaths: [configDir, codeCache(home, env), ...(ripgrep === undefined ? [] : [dirname(ripgrep)])],
    protectedPatterns: toPatterns(await deniedFiles('edit')),
  }
}

function toPatterns(denied: Awaited<ReturnType<Permissions['deniedFiles']>>): Patterns {
  return denied.map(({ pattern, text }) => {
    const firm = pattern.segments.findIndex((segment) => /[*?[\\]/.test(segment))
    // The place itself, or all that is below it.
    const all = firm < 0 || pattern.segments.slice(firm).every((segment) => /^\*\*?$/.test(segment))
    return { start: firmPath(pattern), all, matches: (path) => matchesFile(pattern, path), text }
  })
}

/** What is in it is run without a further look. */
function codeCache(home: string, env: Place['env']): string {
  return join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'kedge')
}
