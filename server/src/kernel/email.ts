/**
 * An e-mail address as it is compared, counted and looked up: without outer blanks, in one Unicode form and in small
 * letters. What was typed is kept beside it, since a mail server may tell capitals apart.
 */
export function comparableEmail(address: string): string {
  return address.trim().normalize('NFKC').toLowerCase()
}
