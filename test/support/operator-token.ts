/** What the operator door of a test takes from a command line. */
export const OPERATOR_TOKEN = 'operator-token-of-a-test-that-nobody-guesse'
