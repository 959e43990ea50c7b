/**
 * A program: gets an access token wherever Google's own tools do (key files, `gcloud auth application-default login`, workload
 * identity, impersonation, metadata) and prints it as JSON. In a process of its own, for the same reasons as `aws-chain.ts`.
 */
import { GoogleAuth } from 'google-auth-library'
import { messageOf } from '../../protocol/thrown.js'

export type GoogleTokenResult =
  | { ok: true; token: string; expiresAt?: number | undefined; project?: string | undefined }
  | { ok: false; reason: string }

async function find(wantsProject: boolean): Promise<GoogleTokenResult> {
  try {
    const auth = new GoogleAuth({ scopes: 'https://www.googleapis.com/auth/cloud-platform' })
    const client = await auth.getClient()
    const { token } = await client.getAccessToken()
    if (!token) return { ok: false, reason: 'no access token was given' }
    const named = auth.jsonContent && 'project_id' in auth.jsonContent ? auth.jsonContent.project_id : undefined
    // Asking further starts gcloud, or the metadata server.
    const project = typeof named === 'string' ? named : wantsProject ? await auth.getProjectId() : undefined
    return { ok: true, token, expiresAt: client.credentials.expiry_date ?? undefined, project }
  } catch (error) {
    return { ok: false, reason: messageOf(error) }
  }
}

void find(process.argv[2] === 'project').then((answer) => {
  process.stdout.write(JSON.stringify(answer), () => process.exit(0))
})
