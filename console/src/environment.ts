import { useEffect } from 'preact/hooks'
import { navigate, useRouteLocation } from './router.tsx'

export type Environment = 'live' | 'test'

const PARAMETER = 'environment'
const STORED = 'vitrine.environment'

function parseEnvironment(value: string | null): Environment | null {
  return value === 'live' || value === 'test' ? value : null
}

const environmentInUrl = () => parseEnvironment(new URLSearchParams(location.search).get(PARAMETER))

/** The environment of this tab. Other tabs have their own. */
let current = environmentInUrl() ?? parseEnvironment(localStorage.getItem(STORED))

/** Whether an environment was chosen, earlier in this browser or by the URL. */
export const hasEnvironment = () => current !== null

/** Uses an environment until the operator chooses one. It is not stored: after the first live order, the console opens with live data. */
export function suggestEnvironment(environment: Environment): void {
  current = environment
}

/** The environment of the console. The URL takes precedence, so that a copied link shows the same data. */
export function useEnvironment(): Environment {
  return parseEnvironment(useRouteLocation().query.get(PARAMETER)) ?? current ?? 'live'
}

/** Switches the whole console, and stores the choice in this browser. */
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
    if (!isInUrl || environmentInUrl() === environment) return
    const query = new URLSearchParams(location.search)
    query.set(PARAMETER, environment)
    // Without a navigation: the page already shows this environment.
    history.replaceState(history.state, '', `${location.pathname}?${query}`)
  }, [path, environment, isInUrl])
}

/** Switches to the environment of the record that a page shows, such as an order found by its link. */
export function useEnvironmentOf(environment: Environment | undefined): void {
  useEffect(() => {
    if (environment !== undefined && environment !== current) switchEnvironment(environment, false)
  }, [environment])
}
