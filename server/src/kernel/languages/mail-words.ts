import type { Language } from './languages.ts'

/** The editable texts of a mail: plain text with placeholders such as `{{order.number}}`. */
export interface MailWords {
  readonly subject: string
  readonly heading: string
  /** Paragraphs, separated by empty lines. */
  readonly introduction: string
  /** The last paragraphs of the mail. May be empty. */
  readonly closing: string
}

/** The default texts of a kind of mail. */
export type DefaultWords = Readonly<Record<Language, MailWords>>

/** Texts whose heading is the subject, without a closing. */
export function words(subject: string, introduction: string): MailWords {
  return { subject, heading: subject, introduction, closing: '' }
}

/** The texts of a mail with the placeholders filled in. */
interface FilledWords {
  readonly subject: string
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly farewell: readonly string[]
}

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g

/** Replaces the placeholders, once: a value that looks like a placeholder stays as it is. */
export function fillWords(
  { subject, heading, introduction, closing }: MailWords,
  values: Readonly<Record<string, string>>,
): FilledWords {
  const filled = (text: string) => text.replaceAll(PLACEHOLDER, (all, name: string) => values[name] ?? all)
  return {
    subject: inOneLine(filled(subject)),
    title: inOneLine(filled(heading)),
    paragraphs: paragraphsOf(filled(introduction)),
    farewell: paragraphsOf(filled(closing)),
  }
}

/** A value may contain line breaks; a header may not. */
function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function paragraphsOf(text: string): readonly string[] {
  return text
    .split(/\n\s*\n/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** A fault in the texts of a mail. */
interface WordsFault {
  readonly field: keyof MailWords
  readonly code: string
  readonly message: string
}

/** Checks the texts of a mail against its placeholders. */
export function faultsOfWords(edited: MailWords, placeholders: readonly string[]): readonly WordsFault[] {
  const fields = ['subject', 'heading', 'introduction', 'closing'] as const
  return fields.flatMap((field) => faultsOfText(edited[field], placeholders).map((fault) => ({ field, ...fault })))
}

function faultsOfText(text: string, placeholders: readonly string[]): readonly Omit<WordsFault, 'field'>[] {
  const unknown = [...text.matchAll(PLACEHOLDER)].filter(([, name = '']) => !placeholders.includes(name))
  const broken = /\{\{|\}\}/.exec(text.replaceAll(PLACEHOLDER, (all) => ' '.repeat(all.length)))
  const tag = /<\/?[a-z][^<>]*>/i.exec(text)
  return [
    ...unknown.map(({ 0: all, index }) => ({
      code: 'unknown_placeholder',
      message: `${all} in line ${lineOf(text, index)}, column ${columnOf(text, index)}, is not a placeholder of this email. It has: ${placeholders.join(', ')}.`,
    })),
    ...(broken === null
      ? []
      : [
          {
            code: 'malformed',
            message: `${broken[0]} in line ${lineOf(text, broken.index)}, column ${columnOf(text, broken.index)}, has no counterpart. A placeholder looks like {{${placeholders[0]}}}.`,
          },
        ]),
    ...(tag === null
      ? []
      : [
          {
            code: 'html',
            message: `${tag[0]} in line ${lineOf(text, tag.index)}, column ${columnOf(text, tag.index)}, is HTML. Write plain text.`,
          },
        ]),
  ]
}

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length
const columnOf = (text: string, index: number) => text.slice(0, index).split('\n').at(-1)!.length + 1
