import type { Command } from 'commander'

/** A command as it was called, for the audit log. */
export interface Asked {
  /** `key revoke` */
  readonly command: string
  readonly words: readonly string[]
  /** By the names that the program has for them. No secret is among them: those come by standard input or from a file. */
  readonly options: Readonly<Record<string, unknown>>
}

/** What was called, with all that was said of it. */
export function askedBy(called: Command): Asked {
  const { json: _, ...options } = called.opts<{ readonly json?: boolean }>()
  return { command: pathOf(called), words: called.args, options }
}

function pathOf(command: Command): string {
  const above = command.parent
  return above?.parent ? `${pathOf(above)} ${command.name()}` : command.name()
}

const ID = /^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** What the command is about: the thing that it names by an id, else by a word, else itself. */
export function subjectOf({ command, words, options }: Asked): string {
  const said = [...words, ...Object.values(options)].filter((value) => typeof value === 'string')
  return (said.find((value) => ID.test(value)) ?? words[0] ?? command).slice(0, 200)
}
