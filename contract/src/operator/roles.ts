import type { OperatorOperation } from './operation.ts'

/** The areas of the operator API. Every row that needs an operator is in one of them. */
export const operatorAreas = [
  'dashboard',
  'orders',
  'refunds',
  'customers',
  'privacy',
  'finance',
  'catalog',
  'promotions',
  'stores',
  'settings',
  'apps',
  'mailbox',
  'jobs',
  'operators',
  'audit',
] as const
export type OperatorArea = (typeof operatorAreas)[number]

/** What a role may do in an area. `write` includes `read`. */
export type OperatorAccess = 'none' | 'read' | 'write'

export const operatorRoleNames = ['owner', 'manager', 'support', 'finance', 'catalog', 'read_only'] as const
export type OperatorRole = (typeof operatorRoleNames)[number]

type AccessByArea = Readonly<Record<OperatorArea, OperatorAccess>>

/**
 * The areas that a token of an integration can have. With operators or apps, it could extend its own access; the mailbox has links
 * that open accounts; and only a person may erase personal data.
 */
export const integrationAreas = [
  'dashboard',
  'orders',
  'refunds',
  'customers',
  'finance',
  'catalog',
  'promotions',
  'stores',
  'settings',
  'jobs',
  'audit',
] as const satisfies readonly OperatorArea[]
export type IntegrationArea = (typeof integrationAreas)[number]
/** What a token may do. `write` includes `read`; an area that is absent is closed to it. */
export type IntegrationAccess = { readonly [Area in IntegrationArea]?: 'read' | 'write' }

const nothing = Object.fromEntries(operatorAreas.map((area) => [area, 'none'])) as AccessByArea

/**
 * What each role may do. Emails have links that open accounts and orders, so only owners and managers read the mailbox. A refund
 * without a cancellation or return gives money away, so support may not issue one.
 */
export const operatorRoles: Readonly<Record<OperatorRole, AccessByArea>> = {
  owner: Object.fromEntries(operatorAreas.map((area) => [area, 'write'])) as AccessByArea,
  manager: {
    ...nothing,
    dashboard: 'read',
    orders: 'write',
    refunds: 'write',
    customers: 'write',
    privacy: 'write',
    finance: 'write',
    catalog: 'write',
    promotions: 'write',
    stores: 'write',
    settings: 'write',
    apps: 'write',
    mailbox: 'write',
    jobs: 'write',
    audit: 'read',
  },
  support: {
    ...nothing,
    dashboard: 'read',
    orders: 'write',
    customers: 'write',
    finance: 'read',
    catalog: 'read',
    promotions: 'read',
    stores: 'read',
  },
  finance: {
    ...nothing,
    dashboard: 'read',
    orders: 'read',
    refunds: 'write',
    customers: 'read',
    finance: 'write',
    catalog: 'read',
    stores: 'read',
    settings: 'read',
    audit: 'read',
  },
  catalog: { ...nothing, dashboard: 'read', catalog: 'write', promotions: 'write', stores: 'read', settings: 'read' },
  read_only: {
    ...nothing,
    dashboard: 'read',
    orders: 'read',
    customers: 'read',
    finance: 'read',
    catalog: 'read',
    promotions: 'read',
    stores: 'read',
    settings: 'read',
    apps: 'read',
    jobs: 'read',
    audit: 'read',
  },
}

/** The access that a row needs: `read` if it changes nothing, otherwise `write`. */
export function accessNeeded({ method, unaudited }: Pick<OperatorOperation, 'method' | 'unaudited'>): 'read' | 'write' {
  return method === 'GET' || unaudited ? 'read' : 'write'
}

/** Whether operators and tokens of one store may call a row: it declares how it is narrowed, or concerns their own session. */
export function storeAllows(row: Pick<OperatorOperation, 'auth' | 'store'>): boolean {
  return row.store !== undefined || row.auth.kind === 'none' || row.auth.area === 'own'
}

/** Whether a role may call a row. Everyone may call the rows of their own session and those that need no operator. */
export function roleAllows(role: OperatorRole, row: Pick<OperatorOperation, 'method' | 'unaudited' | 'auth'>): boolean {
  if (row.auth.kind === 'none' || row.auth.area === 'own') return true
  return includes(operatorRoles[role][row.auth.area], accessNeeded(row))
}

/**
 * Whether a token of an integration may call a row: only in the areas of its access, and no row of a session, none without an
 * operator, and none that always requires a fresh proof.
 */
export function integrationAllows(
  access: IntegrationAccess,
  row: Pick<OperatorOperation, 'method' | 'unaudited' | 'auth' | 'freshProof'>,
): boolean {
  if (row.auth.kind === 'none' || row.freshProof === 'always') return false
  const given = (access as Readonly<Record<string, OperatorAccess | undefined>>)[row.auth.area]
  return given !== undefined && includes(given, accessNeeded(row))
}

/** Whether a role may give a token this access: at most its own. */
export function roleMayGive(role: OperatorRole, access: IntegrationAccess): boolean {
  return Object.entries(access).every(([area, given]) => includes(operatorRoles[role][area as IntegrationArea], given))
}

function includes(access: OperatorAccess, needed: 'read' | 'write'): boolean {
  return access === 'write' || access === needed
}
