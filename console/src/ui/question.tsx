import { useEffect, useState } from 'preact/hooks'
import { translate } from '../language.ts'
import { Dialog } from './dialog.tsx'

/** A question before something that cannot be undone. */
export interface Question {
  readonly title: string
  /** The consequences, in full sentences. */
  readonly consequences?: string
  /** The button that does it: a verb. */
  readonly action: string
  /** Something is lost or ends. Default: true. */
  readonly danger?: boolean
  /** The button that leaves everything as it is. */
  readonly cancel?: string
}

let open: ((question: Question | null) => void) | null = null
let answer: (isYes: boolean) => void = () => {}

/** Asks a question in a dialog. @returns whether the action was chosen */
export function ask(question: Question): Promise<boolean> {
  answer(false)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  answer = resolve
  open?.(question)
  return promise
}

/** Asks, and does it if the answer is yes. */
export function askThen(question: Question, work: () => unknown): void {
  void ask(question).then((isYes) => isYes && work())
}

interface DangerButtonProps {
  readonly question: Question
  readonly disabled?: boolean
  readonly onYes: () => unknown
}

/** A button for what cannot be undone: it asks first. Its label is the verb of the question. */
export function DangerButton({ question, disabled = false, onYes }: DangerButtonProps) {
  return (
    <button type="button" class="danger" disabled={disabled} onClick={() => askThen(question, onYes)}>
      {question.action}
    </button>
  )
}

/** Renders the dialog of the open question. */
export function QuestionDialog() {
  const [question, setQuestion] = useState<Question | null>(null)
  useEffect(() => {
    open = setQuestion
    return () => {
      open = null
    }
  }, [])
  if (!question) return null
  const end = (isYes: boolean) => {
    setQuestion(null)
    answer(isYes)
  }
  const { title, consequences, action, danger = true, cancel = translate('Cancel') } = question
  return (
    <Dialog title={title} onClose={() => end(false)}>
      {consequences && <p>{consequences}</p>}
      <div class="actions">
        <button
          type="button"
          class={danger ? 'danger' : 'primary'}
          {...(!danger && { 'data-focus': '' })}
          onClick={() => end(true)}
        >
          {action}
        </button>
        <button type="button" data-focus="" onClick={() => end(false)}>
          {cancel}
        </button>
      </div>
    </Dialog>
  )
}
