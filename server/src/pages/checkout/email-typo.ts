/** Where most mailboxes are. */
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

/** One letter from a common one, and right as well. */
const RIGHT = [
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

/** The address that was probably meant: one letter of a common domain is missing, wrong, too much or in the wrong place. */
export function intendedEmail(email: string): string | null {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  if (at < 1 || DOMAINS.includes(domain) || RIGHT.includes(domain)) return null
  const meant = DOMAINS.find((each) => isOneSlipFrom(each, domain))
  return meant === undefined ? null : `${email.slice(0, at)}@${meant}`
}

function isOneSlipFrom(right: string, typed: string): boolean {
  if (Math.abs(right.length - typed.length) > 1) return false
  let start = 0
  while (start < right.length && right[start] === typed[start]) start += 1
  const [wanted, given] = [right.slice(start), typed.slice(start)]
  const isSwapped =
    wanted.length > 1 && wanted[0] === given[1] && wanted[1] === given[0] && wanted.slice(2) === given.slice(2)
  return isSwapped || wanted.slice(1) === given.slice(1) || wanted.slice(1) === given || wanted === given.slice(1)
}
