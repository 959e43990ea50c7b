/** What can happen to a request that another model may be asked for. */
export const FALLBACK_REASONS = ['overloaded', 'rate_limited', 'down', 'too_long', 'refused'] as const
export type FallbackReason = (typeof FALLBACK_REASONS)[number]
