import type { Environment } from './environment.ts'

/** The store that an access token is limited to, in an installation that sells for several stores. */
export interface Narrowing {
  /** The store whose staff granted it. */
  readonly storeId: string
  readonly grantId: string
}

/** The owner of the objects that a credential reaches. A {@link Principal} is one. */
export interface Owner {
  readonly installationId: string
  readonly environment: Environment
  /** `null`: everything of the installation. */
  readonly narrowedTo: Narrowing | null
}

/**
 * The conditions that every statement about an owner's objects uses, with their three parameters, numbered from `first`.
 * No other file compares an installation with a parameter: `test/architecture/tidy.test.ts` ensures it.
 *
 * @see docs/reference/rules.md#one-store
 */
interface OwnerCondition {
  /** @param reaches a further condition under which a narrowed credential reaches the row */
  readonly where: (row: string, first: number, reaches?: (parameter: string) => string) => string
  /**
   * The same for a row that is found by its id. The parameter is in a subquery, where the planner cannot see whether the credential is
   * narrowed, and keeps one plan. Otherwise each read is planned, which takes twice as long as its execution.
   */
  readonly whereOne: OwnerCondition['where']
  readonly values: (
    owner: Owner,
  ) => readonly [installationId: string, environment: Environment, narrowed: string | null]
}

function conditionOn(
  column: 'store_id' | 'grant_id',
  narrowed: (narrowing: Narrowing) => string,
  owner: 'installation_id' | 'owner_id' = 'installation_id',
): OwnerCondition {
  const whereWith =
    (parameterOf: (number: number) => string): OwnerCondition['where'] =>
    (row, first, reaches) => {
      const parameter = parameterOf(first + 2)
      const within = [
        `${parameter} is null`,
        `${row}.${column} = ${parameter}`,
        ...(reaches ? [`(${reaches(parameter)})`] : []),
      ]
      return `${row}.${owner} = $${first} and ${row}.environment = $${first + 1} and (${within.join(' or ')})`
    }
  return {
    where: whereWith((number) => `$${number}::text`),
    whereOne: whereWith((number) => `(select $${number}::text)`),
    values: ({ installationId, environment, narrowedTo }) => [
      installationId,
      environment,
      narrowedTo && narrowed(narrowedTo),
    ],
  }
}

/** Commerce: a narrowed credential reaches only the objects of its store. */
export const ofStore = conditionOn('store_id', ({ storeId }) => storeId)

/** Hosted logins: a narrowed credential reaches only those of its grant, which end with the grant. */
export const ofGrant = conditionOn('grant_id', ({ grantId }) => grantId)

/** The same for webhook endpoints, whose owner is an installation or an integration. */
export const ofEndpointOwner = conditionOn('grant_id', ({ grantId }) => grantId, 'owner_id')

/** Identifies an owner, for what exists once per owner: idempotency keys and cursors. */
export function ownerKey({ installationId, narrowedTo }: Owner): string {
  return narrowedTo ? `${installationId}/${narrowedTo.grantId}` : installationId
}

/** The store of all the lines, or `null` if there are several. A credential that is narrowed to the store reaches their object. */
export function storeOfAll(lines: readonly { readonly storeId: string }[]): string | null {
  const [first, ...rest] = new Set(lines.map(({ storeId }) => storeId))
  return first === undefined || rest.length > 0 ? null : first
}
