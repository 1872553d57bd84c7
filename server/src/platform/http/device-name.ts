const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac OS X', 'CrOS', 'Linux'] as const

/** Browser and system, by the names that browsers call themselves; '' if neither is known. */
export function deviceName(agent: string | null): string {
  if (agent === null) return ''
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1]
  const system = SYSTEMS.find((each) => agent.includes(each))
  return [browser, system === 'Mac OS X' ? 'Mac' : system].filter(Boolean).join(' · ')
}
