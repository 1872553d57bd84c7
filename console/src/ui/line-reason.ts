const MISSING = /^(?:\/|(?<where>\/\S+)): must have required propert(?:y|ies) .*\((?<names>[^)]*)\)\.$/

/** Why a line could not be taken, without the words that machines describe forms by. */
export function reasonInWords(reason: string): string {
  const { where, names } = MISSING.exec(reason)?.groups ?? {}
  if (names === undefined) return reason.replace(/^\/: /, '')
  const place = where === undefined ? 'It has' : `${where} has`
  return `${place} no ${names.split(', ').join(' and no ')}.`
}
