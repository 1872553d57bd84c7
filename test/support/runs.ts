/**
 * How many cases a random test runs: fewer in every run of the suite, all of them in `npm run test:full`. What must be covered
 * is covered by a fixed seed or by construction, never by the number of cases.
 */
export function runsOf({ full, short }: { readonly full: number; readonly short: number }): number {
  return process.env.VITRINE_TEST_RUNS === 'full' ? full : short
}
