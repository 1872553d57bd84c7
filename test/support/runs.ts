/**
 * How many cases a random test runs: few in `npm test`, all in `npm run test:full`. Coverage must not depend on the number of cases:
 * use a fixed seed or construct the cases.
 */
export function runsOf({ full, short }: { readonly full: number; readonly short: number }): number {
  return process.env.VITRINE_TEST_RUNS === 'full' ? full : short
}
