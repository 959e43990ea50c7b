/** Places that hold keys and logins, which no command in the sandbox sees unless the user works there. */
import { join } from '../../platform/paths.js'

const words = (text: string): string[] => text.trim().split(/\s+/)

/** In the home folder: nothing but keys and logins, and of no use without a network. */
const IN_HOME = words(`
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
const IN_SYSTEM = words(`
  /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private /etc/krb5.keytab
  /etc/wireguard /etc/NetworkManager/system-connections /etc/ppp/chap-secrets /var/lib/sss/secrets /root/.ssh
`)

/** Each once: the superuser's home is one of those of the machine. */
export function secretPlaces(home: string): string[] {
  return [...new Set([...IN_HOME.map((name) => join(home, name)), ...IN_SYSTEM])]
}
