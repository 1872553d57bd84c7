import { SCOPES, type Scope } from '@vitrine/contract'
import { UsageError } from './failure.ts'

/** Scopes as a command takes them: `catalog:read,checkout:quote`. */
export function readScopes(text: string): Scope[] {
  const scopes = text
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '')
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope))
  if (unknown !== undefined) throw new UsageError(`There is no scope "${unknown}"; there are ${SCOPES.join(', ')}.`)
  return scopes as Scope[]
}
