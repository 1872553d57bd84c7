import { type Operation, type OperationId, operations } from '@vitrine/contract'

/** An example of a deprecation. No operation is deprecated yet. */
export const deprecated = {
  since: '2026-01-01T00:00:00Z',
  sunset: '2027-06-30T23:59:59Z',
  link: '/docs/next',
} as const satisfies Operation['deprecated']

/** Deprecates rows. @returns a function that restores them */
export function deprecate(...operationIds: readonly OperationId[]): () => void {
  const rows = operationIds.map((id) => operations[id] as { deprecated?: Operation['deprecated'] })
  for (const row of rows) row.deprecated = deprecated
  return () => {
    for (const row of rows) delete row.deprecated
  }
}
