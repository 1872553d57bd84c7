import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Status, When } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { aboutOf } from './mail-kind.ts'

const back = { to: '/mailbox', title: 'Mailbox' }
const LINK = /(https?:\/\/[^\s<>"]+)/

/** A mail with its words, unless somebody else has it. */
export function MailPage({ params }: PageProps) {
  const mailId = params.mailId ?? ''
  const { answer, error, reload } = useCall(mailId, () => call('getMail', { params: { mailId } }))
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading …</p>
  const { subject, recipient, kind, status, lastError, createdAt, text } = answer
  return (
    <Page title={subject} back={back}>
      <Section title="Standing">
        <Facts
          facts={[
            ['Status', <Status key="s" value={status} />],
            ['To', recipient],
            ['About', aboutOf(kind)],
            ['Written', <When key="w" at={createdAt} />],
            ...(lastError ? [['Last failure', lastError] as const] : []),
          ]}
        />
      </Section>
      <Section title="Its words">
        {text === undefined ? (
          <Empty
            title="They are not kept"
            hint="An SMTP server has taken the mail, and it may hold a link that opens something."
          />
        ) : (
          <p class="as-it-stands">{linked(text)}</p>
        )}
      </Section>
    </Page>
  )
}

/** The addresses in a text as links. */
function linked(text: string) {
  return text.split(LINK).map((part, index) =>
    LINK.test(part) ? (
      <a key={`${index}`} href={part} target="_blank" rel="noreferrer">
        {part}
      </a>
    ) : (
      part
    ),
  )
}
