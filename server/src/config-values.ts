import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'

/** An invalid setting. The message names the variable and is for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** The environment. */
export type Variables = Readonly<Record<string, string | undefined>>

/** Reads all settings, so that one attempt names everything that is wrong. */
export function readAll<Settings extends object>(
  readers: {
    readonly [Name in keyof Settings]: () => Settings[Name]
  },
): Settings {
  const settings: Partial<Settings> = {}
  // Several settings may depend on a wrong one.
  const problems = new Set<string>()
  for (const name in readers) {
    try {
      settings[name] = readers[name]()
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      for (const line of error.message.split('\n')) problems.add(line)
    }
  }
  if (problems.size > 0) throw new ConfigError([...problems].join('\n'))
  return settings as Settings
}

/** @see RFC 9116 §2.5.3 */
export function readContact(variables: Variables, name: string): string | null {
  const text = variables[name]
  if (text === undefined || text === '') return null
  const uri = /^[^\s@:/]+@[^\s@/]+$/.test(text) ? `mailto:${text}` : text
  if (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/.test(uri)) return uri
  throw new ConfigError(`${name} must be an email address or an https URL, not "${text}".`)
}

export function readList(variables: Variables, name: string): readonly string[] {
  return (variables[name] ?? '').split(/[\s,]+/).filter(Boolean)
}

/** Addresses and networks, such as `10.0.0.0/24`; `none` for an empty list. */
export function readAddresses(variables: Variables, name: string, fallback: readonly string[]): BlockList {
  const listed = readList(variables, name)
  const addresses = new BlockList()
  if (listed.join() === 'none') return addresses
  for (const each of listed.length === 0 ? fallback : listed) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(each) ?? []
    const [family, bitsMax] = isIP(address) === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const)
    if (isIP(address) === 0 || Number(bits ?? bitsMax) > bitsMax)
      throw new ConfigError(`${name} must be addresses or networks such as 10.0.0.0/24, or none, not "${each}".`)
    addresses.addSubnet(address, Number(bits ?? bitsMax), family)
  }
  return addresses
}

export function readSecretFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(`${name}: ${(error as Error).message}.`)
  }
}

const SECRET_CHARACTERS_MIN = 16

export function readSecret(variables: Variables, name: string): string | null {
  const text = variables[name] || null
  // The message must not contain the value: it is a secret.
  if (text !== null && text.length < SECRET_CHARACTERS_MIN)
    throw new ConfigError(`${name} must have at least ${SECRET_CHARACTERS_MIN} characters.`)
  return text
}

export function inUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

export function readWhole(variables: Variables, name: string, fallback: number, min: number, max: number): number {
  const text = variables[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
}

export function readPort(variables: Variables, name: string, fallback: number): number {
  return readWhole(variables, name, fallback, 0, 65_535)
}

export function readUrl(variables: Variables, name: string): string | null {
  const text = variables[name]
  if (text === undefined || text === '') return null
  const usable = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (!usable) throw new ConfigError(`${name} must be an http or https URL, not "${text}".`)
  return text.replace(/\/+$/, '')
}

export function readDatabaseUrl(variables: Variables, name: string): string | null {
  const text = variables[name]
  if (text === undefined || text === '') return null
  // The last two are sockets. The message must not contain the value: it may include a password.
  if (/^(postgres(ql)?:\/\/|socket:|\/)/.test(text)) return text
  throw new ConfigError(`${name} must be a URL such as postgres://user:password@db.example/vitrine.`)
}

export function readSmtpUrl(variables: Variables, name: string): string | null {
  const text = variables[name]
  if (text === undefined || text === '') return null
  const usable = URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== ''
  // The message must not contain the value: it may include a password.
  if (!usable) throw new ConfigError(`${name} must be a URL such as smtp://user:password@mail.example:587.`)
  return text
}

export function readMailbox(variables: Variables, name: string): string | null {
  const text = variables[name]
  if (text === undefined || text === '') return null
  if (/^[^\s@<>]+@[^\s@<>]+$|^[^<>\r\n]+<[^\s@<>]+@[^\s@<>]+>$/.test(text)) return text
  throw new ConfigError(`${name} must be an address such as "Shop <shop@example.com>", not "${text}".`)
}

/** The host of an email address: an IP address needs brackets. */
export function hostOf(url: string): string {
  const { hostname } = new URL(url)
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1, -1)}]`
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname
}

export function readOneOf<const Value extends string>(
  variables: Variables,
  name: string,
  values: readonly Value[],
  fallback: string,
): Value {
  const text = variables[name] || fallback
  const value = values.find((each) => each === text)
  if (value !== undefined) return value
  throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${text}".`)
}
