import { useEffect } from 'preact/hooks'
import { navigate, useRouteLocation } from './router.tsx'

export type Environment = 'live' | 'test'

const PARAMETER = 'environment'
const STORED = 'vitrine.environment'

function known(value: string | null): Environment | null {
  return value === 'live' || value === 'test' ? value : null
}

const inUrl = () => known(new URLSearchParams(location.search).get(PARAMETER))

/** Of this tab: another tab keeps its own. */
let current = inUrl() ?? known(localStorage.getItem(STORED))

/** Whether an environment was chosen before, here or by the link that was opened. */
export const hasEnvironment = () => current !== null

/** Uses an environment until another one is chosen. It is not remembered: the first live order should show. */
export function suggestEnvironment(environment: Environment): void {
  current = environment
}

/** The environment of the console: of the URL if it names one, so that a link shows what it was copied from. */
export function useEnvironment(): Environment {
  return known(useRouteLocation().query.get(PARAMETER)) ?? current ?? 'live'
}

/** Switches the whole console, and remembers it. */
export function switchEnvironment(environment: Environment, isInUrl: boolean): void {
  current = environment
  localStorage.setItem(STORED, environment)
  const query = new URLSearchParams(location.search)
  query.delete('cursor')
  if (isInUrl) query.set(PARAMETER, environment)
  else query.delete(PARAMETER)
  navigate(query.size > 0 ? `${location.pathname}?${query}` : location.pathname, { replace: true })
}

/** Keeps the environment in the URL of a page that depends on it, and follows the URL of a link. */
export function useEnvironmentInUrl(path: string, isInUrl: boolean): void {
  const environment = useEnvironment()
  useEffect(() => {
    current = environment
    if (!isInUrl || inUrl() === environment) return
    const query = new URLSearchParams(location.search)
    query.set(PARAMETER, environment)
    // Nothing else changes: the page shows this environment already.
    history.replaceState(null, '', `${location.pathname}?${query}`)
  }, [path, environment, isInUrl])
}

/** Switches to the environment of the record that a page shows, such as an order found by its link. */
export function useEnvironmentOf(environment: Environment | undefined): void {
  useEffect(() => {
    if (environment !== undefined && environment !== current) switchEnvironment(environment, false)
  }, [environment])
}
