/** The first line of standard input: so a password stands in no list of processes and no history of a shell. */
export async function readLine(): Promise<string> {
  process.stdin.setEncoding('utf8')
  let text = ''
  for await (const part of process.stdin) {
    text += part
    if (text.includes('\n')) break
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}
