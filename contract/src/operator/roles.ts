import type { OperatorOperation } from './operation.ts'

/** The areas of the operator API. Every row that needs an operator is in one of them. */
export const operatorAreas = [
  'dashboard',
  'orders',
  'refunds',
  'customers',
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

const nothing = Object.fromEntries(operatorAreas.map((area) => [area, 'none'])) as AccessByArea

/**
 * What each role may do. Emails hold links that open accounts and orders, so that only owners and managers read the mailbox. A
 * refund apart from a cancellation or return is money given away without goods: that is for finance.
 */
export const operatorRoles: Readonly<Record<OperatorRole, AccessByArea>> = {
  owner: Object.fromEntries(operatorAreas.map((area) => [area, 'write'])) as AccessByArea,
  manager: {
    ...nothing,
    dashboard: 'read',
    orders: 'write',
    refunds: 'write',
    customers: 'write',
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

/** The access that a row needs: to read for what changes nothing, to write for the rest. */
export function accessNeeded({ method, unaudited }: Pick<OperatorOperation, 'method' | 'unaudited'>): 'read' | 'write' {
  return method === 'GET' || unaudited ? 'read' : 'write'
}

/** Whether operators of one store may call a row: if it says how it is narrowed, or is of their own session. */
export function storeAllows(row: Pick<OperatorOperation, 'auth' | 'store'>): boolean {
  return row.store !== undefined || row.auth.kind === 'none' || row.auth.area === 'own'
}

/** Whether a role may call a row. Everyone may use the rows of their own session, and those that need no operator. */
export function roleAllows(role: OperatorRole, row: Pick<OperatorOperation, 'method' | 'unaudited' | 'auth'>): boolean {
  if (row.auth.kind === 'none' || row.auth.area === 'own') return true
  const access = operatorRoles[role][row.auth.area]
  return access === 'write' || access === accessNeeded(row)
}
