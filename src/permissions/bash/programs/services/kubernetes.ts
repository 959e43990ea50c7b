/** Kubectl and Helm. */
import type { KnownPrograms } from '../program-knowledge.js'

export const KUBERNETES_PROGRAMS: KnownPrograms = {
  kubectl: {
    looks: { version: /^version --client$/ },
    risks: { options: { runs: '--kubeconfig' } },
    runs: { verbs: ['exec', 'run'], nothing: true },
  },
  helm: {
    looks: { version: /^version$/ },
    risks: { options: { runs: '--post-renderer' } },
    runs: { nothing: true },
  },
}
