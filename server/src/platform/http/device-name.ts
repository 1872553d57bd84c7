const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac OS X', 'CrOS', 'Linux'] as const

/** The browser and the system of a User-Agent header; '' if neither is known. */
export function deviceName(agent: string | null): string {
  if (agent === null) return ''
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1]
  const system = SYSTEMS.find((each) => agent.includes(each))
  return [browser, system === 'Mac OS X' ? 'Mac' : system].filter(Boolean).join(' · ')
}
