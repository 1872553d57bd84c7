import { type OperatorWork, WORK_COUNT_MAX } from '@vitrine/contract/operator'
import { createContext } from 'preact'
import { useEffect } from 'preact/hooks'
import { call } from './api.ts'
import type { Environment } from './environment.ts'
import type { WorkCount } from './page.ts'
import { type CallState, useCall } from './ui/hooks/use-call.ts'

const REFRESH_MS = 60_000

/** The counts of open tasks, for every page; `null` outside the shell. */
export const Work = createContext<CallState<OperatorWork> | null>(null)

/** Counts the open tasks: whenever a page is opened, and every minute while the window is visible. */
export function useWork(environment: Environment, path: string): CallState<OperatorWork> {
  const state = useCall(`${environment} ${path}`, () => call('getWork', { query: { environment } }))
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && state.reload(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [environment, path])
  // No counts until those of the new environment have arrived.
  return state.data?.environment === environment ? state : { ...state, data: null }
}

/** The number of open tasks for a badge; `null` if there are none. */
export function openTasks(work: OperatorWork | null | undefined, counts: readonly WorkCount[]): string | null {
  if (!work) return null
  const count = counts.reduce((sum, name) => sum + work[name], 0)
  if (count === 0) return null
  return shownCount(count)
}

/** A number of tasks as it is shown: counting stops at the maximum, so there may be more. */
export function shownCount(count: number): string {
  return count < WORK_COUNT_MAX ? String(count) : `${WORK_COUNT_MAX - 1}+`
}
