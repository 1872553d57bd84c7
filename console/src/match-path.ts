/** The values of `:names` in a pattern such as `/orders/:orderId`, or `null` if the path does not match or is malformed. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const expected = pattern.split('/')
  const actual = path.split('/')
  if (expected.length !== actual.length) return null
  const values: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const value = actual[index] as string
    const decoded = part.startsWith(':') ? decode(value) : null
    if (decoded !== null) values[part.slice(1)] = decoded
    else if (part !== value) return null
  }
  return values
}

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
