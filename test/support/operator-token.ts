/** The token of the operator door in tests. */
export const OPERATOR_TOKEN = 'operator-token-of-a-test-that-nobody-guesse'
