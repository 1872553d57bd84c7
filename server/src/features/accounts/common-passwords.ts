/** Whether a password, in small letters, is one of the 49,000 that are tried first. */
export type IsCommonPassword = (password: string) => boolean

let list: Promise<IsCommonPassword> | null = null

/** The list is loaded when it is first needed: 60 ms and a few megabytes that a start should not wait for. */
export function commonPasswords(): Promise<IsCommonPassword> {
  list ??= (async () => {
    const { dictionary } = await import('@zxcvbn-ts/language-common')
    const known = new Set(dictionary['passwords-common'])
    return (password) => known.has(password)
  })()
  return list
}
