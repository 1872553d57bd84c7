import type { OperatorWork } from '@vitrine/contract/operator'
import { createContext } from 'preact'
import { useEffect } from 'preact/hooks'
import { call } from './api.ts'
import type { Environment } from './environment.ts'
import type { WorkCount } from './page.ts'
import { type CallState, useCall } from './ui/hooks/use-call.ts'

const REFRESH_MS = 60_000
/** Counting ends there. */
const COUNT_MAX = 999

/** What waits for an operator, on every page; `null` outside of the frame. */
export const Work = createContext<CallState<OperatorWork> | null>(null)

/** Counts what waits: on every page that is opened, and every minute in a window that is visible. */
export function useWork(environment: Environment, path: string): CallState<OperatorWork> {
  const state = useCall(`${environment} ${path}`, () => call('getWork', { query: { environment } }))
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && state.reload(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [environment, path])
  // Until those of the other environment arrive, there are none.
  return state.data?.environment === environment ? state : { ...state, data: null }
}

/** How much of it waits, for a badge: `null` if nothing does. */
export function waiting(work: OperatorWork | null | undefined, counts: readonly WorkCount[]): string | null {
  if (!work) return null
  const count = counts.reduce((sum, name) => sum + work[name], 0)
  if (count === 0) return null
  return count > COUNT_MAX ? `${COUNT_MAX}+` : String(count)
}
