/** What credentials look like, so that one that turns up where nobody expected it is not written down or shown. */

/** Each begins with what its issuer puts there; a length that only a real one has keeps ordinary words as they are. */
const SHAPES: readonly RegExp[] = [
  // Model APIs: Anthropic, OpenAI and look-alikes, Google, Hugging Face, Groq, Perplexity, xAI, Replicate.
  /sk-ant-[A-Za-z0-9_-]+/g,
  /\bsk-(?:proj-|svcacct-|admin-|or-v1-|lf-)?[A-Za-z0-9_-]{20,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\b(?:gsk_|pplx-|xai-|r8_)[A-Za-z0-9]{20,}/g,
  // Where code is kept: GitHub, GitLab, Bitbucket, Atlassian.
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bgl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat)-[A-Za-z0-9_.-]{16,}/g,
  /\bAT(?:BB|ATT|CTT)[A-Za-z0-9_=-]{20,}/g,
  // Package registries: npm, PyPI, RubyGems, crates.io, NuGet, Docker Hub.
  /\bnpm_[A-Za-z0-9]{20,}/g,
  /\bpypi-[A-Za-z0-9_-]{20,}/g,
  /\brubygems_[a-f0-9]{20,}/g,
  /\bcio[A-Za-z0-9]{32}\b/g,
  /\boy2[a-z0-9]{43}\b/g,
  /\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}/g,
  // Clouds: AWS key ids (and the secret beside its name), Google, Azure, DigitalOcean, Fly, Vault, Doppler, Terraform.
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  /\bya29\.[A-Za-z0-9_-]{16,}/g,
  /\bGOCSPX-[A-Za-z0-9_-]{20,}/g,
  /\bAccountKey=[A-Za-z0-9+/]{40,}={0,2}/g,
  /\bdo[por]_v1_[a-f0-9]{32,}/g,
  /\bfo1_[A-Za-z0-9_-]{20,}/g,
  /\bFlyV1 fm2_[A-Za-z0-9+/=_-]{20,}/g,
  /\bhv[sbr]\.[A-Za-z0-9_-]{20,}/g,
  /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9]{20,}/g,
  /\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,}/g,
  // Services: Slack, Stripe, Twilio, SendGrid, Sentry, Linear, Notion, Figma, Shopify, Telegram, Discord, Square, New Relic.
  /\bxox[abceoprs]-[A-Za-z0-9-]{10,}/g,
  /\bxapp-\d-[A-Za-z0-9-]{10,}/g,
  /\bhooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_+-]{16,}/g,
  /\b(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}/g,
  /\bSK[a-f0-9]{32}\b/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /\bsntr[yu]s_[A-Za-z0-9+/=_-]{20,}/g,
  /\b(?:lin_(?:api|oauth)|secret|ntn|figd|shp(?:at|ca|pa|ss))_[A-Za-z0-9_-]{24,}/g,
  /\b\d{8,10}:AA[A-Za-z0-9_-]{32,}/g,
  /\bsq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,}/g,
  /\bNRAK-[A-Z0-9]{20,}/g,
  // Keys and tokens of no certain issuer.
  /\bAGE-SECRET-KEY-1[A-Z0-9]{40,}/g,
  // Up to its end, or to the end of the JSON text it is cut off in.
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:[^"]*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|[^"]*)/g,
]

/** Those that are told by what stands before them, which stays. */
const AFTER: readonly RegExp[] = [
  /\b(Bearer\s+)[A-Za-z0-9._~+/-]{16,}=*/gi,
  /\b(Basic\s+)[A-Za-z0-9+/]{16,}={0,2}/g,
  /\b(aws_secret_access_key["']?\s*[:=]\s*["']?)[A-Za-z0-9+/]{40}\b/gi,
  /(\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s:@/"'\\]{0,100}:)[^\s@/"'\\]{1,200}(?=@)/gi,
  /((?:^|[\s;,"'])_(?:authToken|auth|password)\s*=\s*["']?)[^\s"'\\]{8,}/g,
]

/** One that has no second part is none; what was looked at is passed by all the same, or a text of beginnings takes for ever. */
const WEB_TOKEN = /\beyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+)?/g

/** Returns a text with `blank` in place of everything that looks like a credential. */
export function withoutSecrets(text: string, blank: string): string {
  const shaped = SHAPES.reduce((result, shape) => result.replaceAll(shape, blank), text)
  const tokens = shaped.replaceAll(WEB_TOKEN, (all, rest?: string) => (rest === undefined ? all : blank))
  return AFTER.reduce((result, shape) => result.replaceAll(shape, (_, before: string) => `${before}${blank}`), tokens)
}
