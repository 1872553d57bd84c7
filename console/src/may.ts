import { routes } from 'virtual:operator-routes'
import type { OperatorOperationId } from '@vitrine/contract/operator'
import { useContext } from 'preact/hooks'
import { Access } from './page.ts'

/** Whether the operator's role allows an operation. An operator of one store may call only the operations that are limited to a store. */
export function useMay(): (operationId: OperatorOperationId) => boolean {
  const session = useContext(Access)
  return (operationId) => {
    const [, , area, needs, perStore] = routes[operationId]!
    if (session === null || area === '') return true
    if (session.operator.store !== undefined && !perStore) return false
    const access = session.access[area]
    return access === 'write' || access === needs
  }
}
