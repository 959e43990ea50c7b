/**
 * How texts about the limits of a subscription begin. Kedge has no subscription login and writes no such text: programs that
 * compare messages with these lists rightly find none.
 */
export const USAGE_LIMIT_ERROR_PREFIXES: readonly string[] = []
export const USAGE_WARNING_PREFIXES: readonly string[] = []
export const USAGE_TRANSITION_PREFIXES: readonly string[] = []
export const ORG_POLICY_LIMIT_PREFIXES: readonly string[] = []
