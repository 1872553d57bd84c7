import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import type { PageProps } from '../../page.ts'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { LoadingPage } from '../../ui/loading.tsx'
import { MailFrame } from '../../ui/mail-frame.tsx'
import { Empty } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { mailKindText } from './mail-kind.ts'

const back = { to: '/mailbox', title: translate('Mailbox') }
const LINK = /(https?:\/\/[^\s<>"]+)/

/** One email. Its text is not stored once an SMTP server has accepted it. */
export function MailPage({ params }: PageProps) {
  const mailId = params.mailId ?? ''
  const { data, error, reload } = useCall(mailId, () => call('getMail', { params: { mailId } }))
  if (!data) return <LoadingPage error={error} retry={reload} />
  const { subject, recipient, kind, status, lastError, createdAt, text, html } = data
  return (
    <Page title={subject} back={back}>
      <Section title={translate('Overview')}>
        <DescriptionList
          items={[
            [translate('Status'), <Status key="s" value={status} />],
            [translate('To'), recipient],
            [translate('Type'), mailKindText(kind)],
            [translate('Created'), <DateTime key="w" at={createdAt} />],
            ...(lastError ? [[translate('Last error'), lastError] as const] : []),
          ]}
        />
      </Section>
      <Section title={translate('Message')}>
        {text === undefined ? (
          <Empty
            title={status === 'sent' ? translate('Message not stored') : translate('Message not shown')}
            hint={
              status === 'sent'
                ? translate('The SMTP server has accepted the email. Its text may contain a private link.')
                : translate('The email has a private link of an operator. Only owners can read it.')
            }
          />
        ) : (
          <>
            {html !== undefined && <MailFrame html={html} title={translate('Message as HTML')} />}
            <details open>
              <summary>{translate('Message as text')}</summary>
              <p class="preserve-lines">{linked(text)}</p>
            </details>
          </>
        )}
      </Section>
    </Page>
  )
}

/** Turns the URLs of a text into links. */
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
