/** The domains of most mailboxes. */
const DOMAINS = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'icloud.com',
  'yahoo.com',
  'gmx.de',
  'gmx.net',
  'web.de',
  't-online.de',
  'freenet.de',
  'posteo.de',
]

/** Valid domains that differ from a common one in one letter. */
const VALID = [
  'mail.com',
  'ymail.com',
  'email.com',
  'gmx.at',
  'gmx.ch',
  'gmx.com',
  'gmx.li',
  'gmx.eu',
  'web.dev',
  'me.com',
]

/** The address that was probably meant, if one letter of a common domain is missing, wrong, added or swapped with the next. */
export function intendedEmail(email: string): string | null {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  if (at < 1 || DOMAINS.includes(domain) || VALID.includes(domain)) return null
  const meant = DOMAINS.find((each) => isOneTypoFrom(each, domain))
  return meant === undefined ? null : `${email.slice(0, at)}@${meant}`
}

function isOneTypoFrom(right: string, typed: string): boolean {
  if (Math.abs(right.length - typed.length) > 1) return false
  let start = 0
  while (start < right.length && right[start] === typed[start]) start += 1
  const [wanted, given] = [right.slice(start), typed.slice(start)]
  const isSwapped =
    wanted.length > 1 && wanted[0] === given[1] && wanted[1] === given[0] && wanted.slice(2) === given.slice(2)
  return isSwapped || wanted.slice(1) === given.slice(1) || wanted.slice(1) === given || wanted === given.slice(1)
}
