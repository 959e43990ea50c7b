/**
 * How texts about the limits of a subscription begin. Kedge has no subscription login and writes no such text: programs that
 * compare messages with these lists rightly find none.
 */
/** Empty: Kedge knows no subscription whose limits could be reached. */
export const USAGE_LIMIT_ERROR_PREFIXES: readonly string[] = []
/** Empty: Kedge knows no subscription whose limits it could warn of. */
export const USAGE_WARNING_PREFIXES: readonly string[] = []
/** Empty: Kedge knows no subscription whose limits could change. */
export const USAGE_TRANSITION_PREFIXES: readonly string[] = []
/** Empty: Kedge says nothing of the limits of organizations. */
export const ORG_POLICY_LIMIT_PREFIXES: readonly string[] = []
